/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Replaces recorded values of our side (QPN, IDs, PSNs) by the values of the replay. */

#include "play_map.h"

#include "mad.h"

/**
 * Maximum time in ns that an answer waits. The answer is a CM message of the peer, and waits for
 * the CM message of our side that it answers.
 */
#define ANSWER_WAIT_NS UINT64_C(4000000000)

void
play_map_learn(struct play_map *map, const struct play_frame *frame)
{
	const size_t at = packet_mad(&frame->packet);
	const uint8_t *mad = frame->bytes + at;

	if (at == 0)
		return;
	if (mad_attribute(mad) == MAD_REQ || mad_attribute(mad) == MAD_REP) {
		map->comm_id = (uint32_t)mad_load(mad, MAD_LOCAL_COMM_ID);
		map->qpn = (uint32_t)mad_load(mad, MAD_LOCAL_QPN);
		map->psn = (uint32_t)mad_load(mad, MAD_STARTING_PSN);
	}
	if (mad_attribute(mad) == MAD_REJ && map->comm_id == 0)
		map->comm_id = (uint32_t)mad_load(mad, MAD_LOCAL_COMM_ID);
	if (mad_attribute(mad) == MAD_REQ || mad_attribute(mad) == MAD_DREQ)
		map->transaction = mad_transaction(mad);
}

void
play_map_destination(const struct play_map *map, const struct play_recorded *recorded,
	const struct packet *packet)
{
	if (packet_destination(packet) == play_own_side(recorded)->qpn)
		packet_store(packet->frame + packet->bth + 5, 3, map->qpn);
}

static bool
is_known(const void *of, uint64_t transaction)
{
	const struct play_map *map = of;

	return map->comm_id != 0 && map->transaction != transaction;
}

/** @return true if the message belongs to an exchange of messages that our side began */
static bool
is_answer(const struct play_recorded *recorded, uint8_t attribute)
{
	switch (attribute) {
	case MAD_REP:
	case MAD_DREP:
		return true;
	case MAD_MRA:
	case MAD_REJ:
		return recorded->ours == 0;
	default:
		return false;
	}
}

void
play_map_cm(const struct play_map *map, const struct play_recorded *recorded,
	struct play_clock *clock, const struct packet *packet)
{
	const struct nd_model_side *side = play_own_side(recorded);
	uint8_t *mad = packet->frame + packet_mad(packet);
	const uint8_t attribute = mad_attribute(mad);

	if (packet_mad(packet) == 0)
		return;
	if (is_answer(recorded, attribute)) {
		/*
		 * A DREP answers our DREQ, whose transaction ID differs from the ID of the REQ.
		 * Wait for the DREQ.
		 */
		play_wait(clock, is_known, map, 0, ANSWER_WAIT_NS);
		mad_set_transaction(mad, map->transaction);
	}
	if (mad_load(mad, MAD_REMOTE_COMM_ID) != 0 &&
		mad_load(mad, MAD_REMOTE_COMM_ID) == side->comm_id)
		mad_store(mad, MAD_REMOTE_COMM_ID, map->comm_id);
	if (mad_load(mad, MAD_REMOTE_QPN) == side->qpn)
		mad_store(mad, MAD_REMOTE_QPN, map->qpn);
}
