/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_LAPS_H
#define NDPDK_NDPMD_LAPS_H

#include "session.h"

/*
 * Verification of writes, with --verify and without --latency. A WRITE does not notify the target.
 * Therefore the initiator sends a check message after each lap. A lap has as many operations as
 * there are slots. When the check message arrives, all earlier writes are complete. The window has
 * room for two laps: the target verifies a lap while the initiator writes the next lap. Lap n + 2
 * starts only after lap n has been verified.
 */

/** @return number of message slots in the target's window: two laps of operations. */
static inline uint32_t
laps_slots(const struct session *session)
{
	return 2 * session->memory.slots;
}

/**
 * Initiator, after the post of operation number session->tally.posted: send a check message if a
 * lap ends.
 */
void laps_posted(struct session *session, uint32_t slot);

/** workload_role.control of both sides. */
void laps_control(struct session *session, const struct control_message *message, uint64_t now);

/** workload_role.done of the target: verify the operations that are not verified yet. */
void laps_done(struct session *session, uint64_t count);

#endif
