/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Stores the frames that the engine sent. */

#include "play_sent.h"

#include <stdlib.h>
#include <string.h>

#include <rte_mbuf.h>

enum play_kind
play_kind_of(const struct nd_model_headers *headers)
{
	if (headers->opcode == PACKET_UD_SEND)
		return PLAY_CM;
	if (headers->opcode == PACKET_CNP)
		return PLAY_CNP;
	if (packet_is_request(headers->opcode))
		return PLAY_REQUEST;
	if (packet_is_read_response(headers->opcode))
		return PLAY_READ_RESPONSE;
	if (headers->opcode == PACKET_ATOMIC_ACKNOWLEDGE)
		return PLAY_ATOMIC;
	if (headers->opcode != PACKET_ACKNOWLEDGE)
		return PLAY_OTHER;
	switch (headers->syndrome >> 5 & 3) {
	case 0:
		return PLAY_ACK;
	case 1:
		return PLAY_RNR_NAK;
	default:
		return PLAY_NAK;
	}
}

uint64_t
play_unwrap(uint64_t near, uint32_t psn)
{
	const uint32_t ahead = (psn - (uint32_t)near) & 0xFFFFFF;

	return ahead < 0x800000 ? near + ahead : near + ahead - 0x1000000;
}

bool
play_sent_copy(const struct rte_mbuf *mbuf, struct play_frame *frame, bool *no_memory)
{
	frame->count = mbuf->pkt_len;
	frame->bytes = malloc(frame->count);
	if (frame->bytes == NULL) {
		*no_memory = true;
		return false;
	}
	memcpy(frame->bytes, rte_pktmbuf_read(mbuf, 0, mbuf->pkt_len, frame->bytes), mbuf->pkt_len);
	if (packet_find(frame->bytes, frame->count, &frame->packet) &&
		nd_model_decode(frame->bytes, frame->count, &frame->headers))
		return true;
	free(frame->bytes);
	return false;
}

bool
play_sent_add(struct play_sent *sent, const struct play_frame *frame)
{
	if (sent->count == sent->room) {
		const size_t room = sent->room == 0 ? 256 : 2 * sent->room;
		struct play_frame *grown = realloc(sent->frames, room * sizeof(*grown));

		if (grown == NULL) {
			free(frame->bytes);
			return false;
		}
		sent->frames = grown;
		sent->room = room;
	}
	sent->frames[sent->count++] = *frame;
	return true;
}

void
play_sent_request(struct play_sent *sent, uint64_t end)
{
	if (end > sent->end)
		sent->end = end;
	if (end > sent->end_now)
		sent->end_now = end;
}

void
play_sent_clear(struct play_sent *sent)
{
	for (size_t i = 0; i < sent->count; i++)
		free(sent->frames[i].bytes);
	free(sent->frames);
	sent->frames = NULL;
	sent->count = sent->room = 0;
}
