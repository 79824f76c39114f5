/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * If a REQ of another connection reuses a queue pair number of the peer, the connection that our
 * side still has with this queue pair is stale. The stale connection ends with a DREQ that no
 * application requested.
 */

#include "play.h"

#include <string.h>

#include "mad.h"

/** Maximum distance between this REQ and the DREQ, in ns and in frames. */
#define STALE_NS     UINT64_C(1000000)
#define STALE_FRAMES 256u

/** @return whether a frame is such a REQ; if so, its bytes are copied */
static bool
is_request(const struct play *play, uint64_t number, const struct nd_model_frame *frame,
	uint8_t bytes[PACKET_BYTES_MAX], struct packet *packet)
{
	const struct nd_model_side *peer = &play->connection->side[play->theirs];
	const struct nd_model_connection *other =
		nd_model_connection(play->model, frame->connection);
	const uint8_t *recorded;
	size_t count;

	if (frame->part != ND_MODEL_FRAME_CM || frame->cm_attribute != MAD_REQ || other == NULL ||
		frame->connection == play->index ||
		memcmp(other->side[frame->side & 1].ip, peer->ip, sizeof(peer->ip)) != 0)
		return false;
	recorded = nd_model_frame_bytes(play->model, number, &count);
	if (recorded == NULL || count > PACKET_BYTES_MAX)
		return false;
	memcpy(bytes, recorded, count);
	return packet_find(bytes, count, packet) && packet_mad(packet) != 0 &&
		mad_load(bytes + packet_mad(packet), MAD_LOCAL_QPN) == peer->qpn;
}

bool
play_stale_feed(struct play *play, uint64_t number, uint64_t time_ns)
{
	uint8_t bytes[PACKET_BYTES_MAX];
	struct nd_model_frame frame;
	struct packet packet;

	for (uint64_t i = number; i-- > 1 && number - i < STALE_FRAMES;) {
		if (!nd_model_frame_get(play->model, i, &frame) ||
			frame.time_ns + STALE_NS < time_ns)
			return false;
		if (!is_request(play, i, &frame, bytes, &packet))
			continue;
		play->stale_comm_id =
			(uint32_t)mad_load(bytes + packet_mad(&packet), MAD_LOCAL_COMM_ID);
		packet_seal(&packet, true);
		play_input(play, bytes, packet.bytes);
		return true;
	}
	return false;
}

bool
play_stale_refuses(const struct play *play, const struct packet *packet)
{
	const uint8_t *mad = packet->frame + packet_mad(packet);

	return play->stale_comm_id != 0 && packet_mad(packet) != 0 &&
		mad_attribute(mad) == MAD_REJ &&
		mad_load(mad, MAD_REMOTE_COMM_ID) == play->stale_comm_id;
}
