/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/reorder.h"

#include "base/limits.h"

/*
 * Usually a NAK waits for three packets after the gap, which a fast port receives in 1 us. If a
 * path reorders more, a packet arrives twice after a NAK requested it, which corresponds to a DSACK
 * in TCP (RFC 8985, section 6.2). The number of packets is then doubled. The time is doubled at
 * every second level only, because at a high rate the packets arrive long before the time is over.
 * After a number of justified NAKs, the number of packets is halved, because a delayed NAK delays
 * the repair of a loss.
 */

#define LEVEL_MAX  5 /* level at which RC_REORDER_PACKETS_MAX is reached */
/*
 * Number of justified NAKs after which the level is reduced. RFC 8985 uses this number of
 * recoveries.
 */
#define NAKS_RIGHT 16

static void
level_set(struct rc_reorder *reorder, uint32_t level)
{
	reorder->level = (uint8_t)RTE_MIN(level, (uint32_t)LEVEL_MAX);
	reorder->right = 0;
}

/*
 * When the peer's window has advanced by LIMIT_SEND_WINDOW packets, the packet that a NAK requested
 * has arrived. If it has arrived only once by this time, the NAK was justified.
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
