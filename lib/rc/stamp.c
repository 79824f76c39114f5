/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/stamp.h"

struct rc_stamp
rc_stamp_of(const struct rc_arrival *arrival)
{
	const struct rte_mbuf *frame = arrival->frame;
	struct rc_stamp stamp = {.tsc = arrival->tsc};

	if ((frame->ol_flags & arrival->hardware_flag) == 0)
		return stamp;
	stamp.has_hardware = true;
	stamp.hardware = *(const uint64_t *)((const uint8_t *)frame + arrival->hardware_offset);
	return stamp;
}
