/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/reorder.h"

#include "base/limits.h"

/*
 * Three packets are 1 us of a fast port. A path that reorders more shows it: a packet that a NAK
 * has named comes twice, which is what TCP learns from a DSACK (RFC 8985, section 6.2). Then the
 * number of packets doubles, and the time with each second doubling: packets that are sent at a
 * high rate are counted long before the time is over. After a number of NAKs that were right the
 * number is halved, since a NAK that waits makes the repair of a loss late.
 */

#define LEVEL_MAX  5  /* reaches RC_REORDER_PACKETS_MAX */
#define NAKS_RIGHT 16 /* until the level is reduced, as many as recoveries in RFC 8985 */

static void
level_set(struct rc_reorder *reorder, uint32_t level)
{
	reorder->level = (uint8_t)RTE_MIN(level, (uint32_t)LEVEL_MAX);
	reorder->right = 0;
}

/*
 * The copy that is sent for a NAK comes before the peer's window has moved on. So a NAK of which
 * none came until then was right.
 */
void
rc_reorder_nak_sent(struct rc_reorder *reorder, uint32_t psn, uint64_t position)
{
	if (reorder->watched) {
		if (position - reorder->nak_position < LIMIT_SEND_WINDOW)
			return;
		if (reorder->level != 0 && ++reorder->right >= NAKS_RIGHT)
			level_set(reorder, reorder->level - 1u);
	}
	reorder->watched = true;
	reorder->nak_psn = psn;
	reorder->nak_position = position;
}

void
rc_reorder_repeated(struct rc_reorder *reorder, uint32_t psn)
{
	if (!reorder->watched || reorder->nak_psn != psn)
		return;
	reorder->watched = false;
	level_set(reorder, reorder->level + 1u);
}
