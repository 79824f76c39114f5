/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Stale connections. If a REQ of a new connection reuses a queue pair number of the peer, the old
 * connection of our side with this queue pair is stale. The library ends a stale connection with a
 * DREQ that no application requested.
 */

#include "play_stale.h"

#include <string.h>

#include "mad.h"

/** Maximum distance between the REQ and the DREQ, in ns and in frames. */
#define STALE_NS     UINT64_C(1000000)
#define STALE_FRAMES 256u

/**
 * @return true if a frame is a REQ that makes the connection stale. Copies the frame to `bytes`.
 */
static bool
is_request(const struct play_recorded *recorded, uint64_t number,
	const struct nd_model_frame *frame, uint8_t bytes[PACKET_BYTES_MAX], struct packet *packet)
{
	const struct nd_model_side *peer = play_peer_side(recorded);
	const struct nd_model_connection *other =
		nd_model_connection(recorded->model, frame->connection);
	const uint8_t *captured;
	size_t count;

	if (frame->part != ND_MODEL_FRAME_CM || frame->cm_attribute != MAD_REQ || other == NULL ||
		frame->connection == recorded->index ||
		memcmp(other->side[frame->side & 1].ip, peer->ip, sizeof(peer->ip)) != 0)
		return false;
	captured = nd_model_frame_bytes(recorded->model, number, &count);
	if (captured == NULL || count > PACKET_BYTES_MAX)
		return false;
	memcpy(bytes, captured, count);
	return packet_find(bytes, count, packet) && packet_mad(packet) != 0 &&
		mad_load(bytes + packet_mad(packet), MAD_LOCAL_QPN) == peer->qpn;
}

bool
play_stale_feed(struct play_engine *engine, const struct play_recorded *recorded, uint64_t number,
	uint64_t time_ns, uint32_t *comm_id)
{
	uint8_t bytes[PACKET_BYTES_MAX];
	struct nd_model_frame frame;
	struct packet packet;

	for (uint64_t i = number; i-- > 1 && number - i < STALE_FRAMES;) {
		if (!nd_model_frame_get(recorded->model, i, &frame) ||
			frame.time_ns + STALE_NS < time_ns)
			return false;
		if (!is_request(recorded, i, &frame, bytes, &packet))
			continue;
		*comm_id = (uint32_t)mad_load(bytes + packet_mad(&packet), MAD_LOCAL_COMM_ID);
		packet_seal(&packet, true);
		play_input(engine, bytes, packet.bytes);
		return true;
	}
	return false;
}

bool
play_stale_refuses(uint32_t comm_id, const struct packet *packet)
{
	const uint8_t *mad = packet->frame + packet_mad(packet);

	return comm_id != 0 && packet_mad(packet) != 0 && mad_attribute(mad) == MAD_REJ &&
		mad_load(mad, MAD_REMOTE_COMM_ID) == comm_id;
}
