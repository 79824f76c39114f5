/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Compares two packets field by field. */

#include "compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mad.h"
#include "play_read.h"

#define ECN_MARKED 3u

static void
count_field(struct compare *compare)
{
	outcome_last(compare->outcome)->fields++;
}

void
compare_number(struct compare *compare, uint64_t number, const char *field, uint64_t recorded,
	uint64_t ours, enum outcome_reason reason)
{
	char expected[48], seen[48];

	count_field(compare);
	if (recorded == ours)
		return;
	snprintf(expected, sizeof(expected), "0x%" PRIx64, recorded);
	snprintf(seen, sizeof(seen), "0x%" PRIx64, ours);
	outcome_difference(compare->outcome, number, field, reason, expected, seen);
}

struct byte_texts {
	char expected[48], seen[48];
};

static struct byte_texts
byte_texts(size_t at, uint8_t recorded, uint8_t ours)
{
	struct byte_texts texts;

	snprintf(texts.expected, sizeof(texts.expected), "0x%02x at byte %zu", recorded, at);
	snprintf(texts.seen, sizeof(texts.seen), "0x%02x", ours);
	return texts;
}

static void
compare_bytes(struct compare *compare, uint64_t number, const char *field, const uint8_t *recorded,
	const uint8_t *ours, size_t count)
{
	struct byte_texts texts;

	count_field(compare);
	for (size_t i = 0; i < count; i++) {
		if (recorded[i] == ours[i])
			continue;
		texts = byte_texts(i, recorded[i], ours[i]);
		outcome_difference(compare->outcome, number, field, OUTCOME_UNEXPLAINED,
			texts.expected, texts.seen);
		return;
	}
}

/**
 * Report the first payload byte that differs without an explanation. If all differing bytes have an
 * explanation, report the first differing byte.
 */
static void
compare_payload(struct compare *compare, const struct compare_frame *recorded,
	const uint8_t *expected, const uint8_t *seen, size_t count)
{
	const uint64_t at =
		recorded->frame.packet * (uint64_t)compare->recorded->connection->path_mtu_bytes;
	enum outcome_reason reason = OUTCOME_MEMORY;
	struct byte_texts texts;
	struct play_read read;
	size_t first = count;

	count_field(compare);
	for (size_t i = 0; i < count && reason == OUTCOME_MEMORY; i++) {
		if (expected[i] == seen[i])
			continue;
		if (first == count)
			play_read_begin(&read, compare->recorded, compare->recorded->theirs,
				recorded->frame.operation);
		if (!packet_is_read_response(recorded->headers.opcode) ||
			!play_read_is_overtaken(&read, at + i))
			reason = OUTCOME_UNEXPLAINED;
		if (first == count || reason == OUTCOME_UNEXPLAINED)
			first = i;
	}
	if (first == count)
		return;
	texts = byte_texts(first, expected[first], seen[first]);
	outcome_difference(
		compare->outcome, recorded->number, "payload", reason, texts.expected, texts.seen);
}

/**
 * Compare two identifiers that differ in each run. The mapping between recorded values and values
 * of the engine must be one-to-one.
 */
static void
compare_mapped(struct compare *compare, uint64_t number, const char *field, int what,
	uint64_t recorded, uint64_t ours)
{
	struct compare_pair *pair;

	count_field(compare);
	for (size_t i = 0; i < compare->pair_count; i++) {
		pair = &compare->pairs[i];
		if ((int)pair->what != what || (pair->recorded != recorded && pair->ours != ours))
			continue;
		if (pair->recorded != recorded || pair->ours != ours)
			compare_number(compare, number, field, recorded, pair->recorded,
				OUTCOME_UNEXPLAINED);
		return;
	}
	if (compare->pair_count == compare->pair_room) {
		const size_t room = 2 * compare->pair_room + 16;

		pair = realloc(compare->pairs, room * sizeof(*pair));
		if (pair == NULL)
			return;
		compare->pairs = pair;
		compare->pair_room = room;
	}
	compare->pairs[compare->pair_count++] =
		(struct compare_pair){.what = what, .recorded = recorded, .ours = ours};
}

static uint64_t
load(const struct packet *packet, size_t at, size_t bytes)
{
	return packet_load(packet->frame + at, bytes);
}

/**
 * @return true if all ACKs of the side have DSCP 0 and data have a different DSCP. The engine
 *         cannot send such ACKs, because nd_adapter_config.dscp_ack = 0 means the DSCP of data.
 */
static bool
is_class_of_acks(const struct compare *compare, const struct compare_frame *recorded)
{
	const struct nd_model_side *side = play_own_side(compare->recorded);

	return recorded->headers.opcode == PACKET_ACKNOWLEDGE && recorded->headers.tos >> 2 == 0 &&
		side->ack_tos >> 2 == 0;
}

static void
compare_ip(struct compare *compare, const struct compare_frame *recorded,
	const struct play_frame *ours)
{
	const struct nd_model_headers *a = &recorded->headers, *b = &ours->headers;
	const uint64_t number = recorded->number;
	const bool marked = (a->tos & ECN_MARKED) == ECN_MARKED && (b->tos & ECN_MARKED) != 0;

	compare_bytes(compare, number, "source IP address", a->source_ip, b->source_ip, 16);
	compare_bytes(compare, number, "destination IP address", a->destination_ip,
		b->destination_ip, 16);
	compare_number(compare, number, "DSCP", a->tos >> 2, b->tos >> 2,
		recorded->kind == PLAY_CM || is_class_of_acks(compare, recorded)
			? OUTCOME_HEADER
			: OUTCOME_UNEXPLAINED);
	compare_number(compare, number, "ECN", a->tos & ECN_MARKED, b->tos & ECN_MARKED,
		marked                              ? OUTCOME_CONGESTION
			: recorded->kind == PLAY_CM ? OUTCOME_HEADER
						    : OUTCOME_UNEXPLAINED);
	compare_number(compare, number, "TTL", a->ttl, b->ttl,
		recorded->kind == PLAY_CM ? OUTCOME_HEADER : OUTCOME_UNEXPLAINED);
	if (recorded->packet.v6)
		compare_number(compare, number, "flow label",
			load(&recorded->packet, recorded->packet.ip, 4) & 0xFFFFF,
			load(&ours->packet, ours->packet.ip, 4) & 0xFFFFF, OUTCOME_HEADER);
	else
		compare_number(compare, number, "IP fragment flags",
			load(&recorded->packet, recorded->packet.ip + 6, 2),
			load(&ours->packet, ours->packet.ip + 6, 2), OUTCOME_UNEXPLAINED);
}

void
compare_envelope(struct compare *compare, const struct compare_frame *recorded,
	const struct play_frame *ours)
{
	const struct nd_model_headers *a = &recorded->headers, *b = &ours->headers;
	const struct packet *pa = &recorded->packet, *pb = &ours->packet;
	const uint64_t number = recorded->number;

	compare_bytes(compare, number, "source MAC address", a->source_mac, b->source_mac, 6);
	compare_bytes(compare, number, "destination MAC address", a->destination_mac,
		b->destination_mac, 6);
	compare_number(compare, number, "VLAN ID", a->vlan ? a->vlan_tci & 0xFFF : 0,
		b->vlan ? b->vlan_tci & 0xFFF : 0, OUTCOME_UNEXPLAINED);
	compare_ip(compare, recorded, ours);
	compare_number(compare, number, "UDP source port", a->udp_source_port, b->udp_source_port,
		recorded->kind == PLAY_CM ? OUTCOME_HEADER : OUTCOME_UNEXPLAINED);
	compare_number(compare, number, "UDP checksum", load(pa, pa->udp + 6, 2),
		load(pb, pb->udp + 6, 2), OUTCOME_HEADER);
	/*
	 * The migration state may differ between stacks, but a stack without path migration never
	 * changes it.
	 */
	compare_mapped(compare, number, "MigReq", COMPARE_MIGRATION,
		(recorded->kind == PLAY_CM ? 2 : 0) + a->migration,
		(recorded->kind == PLAY_CM ? 2 : 0) + b->migration);
	compare_number(compare, number, "transport header version", pa->frame[pa->bth + 1] & 15u,
		pb->frame[pb->bth + 1] & 15u, OUTCOME_UNEXPLAINED);
	compare_number(compare, number, "P_Key", a->pkey, b->pkey, OUTCOME_UNEXPLAINED);
	compare_number(compare, number, "FECN and BECN", pa->frame[pa->bth + 4] >> 6,
		pb->frame[pb->bth + 4] >> 6, OUTCOME_UNEXPLAINED);
	/* ConnectX sets 0x10 in these reserved bits of requests, but the engine sends 0. */
	compare_number(compare, number, "reserved bits before the destination QP",
		pa->frame[pa->bth + 4] & 0x3Fu, pb->frame[pb->bth + 4] & 0x3Fu,
		recorded->kind == PLAY_REQUEST && (pb->frame[pb->bth + 4] & 0x3Fu) == 0
			? OUTCOME_RESERVED
			: OUTCOME_UNEXPLAINED);
	compare_number(compare, number, "destination QP", a->destination_qpn, b->destination_qpn,
		OUTCOME_UNEXPLAINED);
	compare_number(compare, number, "reserved bits before the PSN",
		pa->frame[pa->bth + 8] & 0x7Fu, pb->frame[pb->bth + 8] & 0x7Fu,
		OUTCOME_UNEXPLAINED);
	compare_number(
		compare, number, "ICRC of the engine", 1, packet_is_right(pb), OUTCOME_UNEXPLAINED);
}

/** @return true if our side has executed requests of the peer that need this right */
static bool
has_accepted(const struct play_recorded *recorded, uint32_t right)
{
	const size_t count = play_own_side(recorded)->keys;

	for (size_t i = 0; i < count; i++)
		if ((nd_model_key(recorded->model, recorded->index, recorded->ours, i)->rights &
			    right) != 0)
			return true;
	return false;
}

/**
 * @return true if the NAK code is a known defect of Soft-RoCE. If the queue pair does not allow a
 *         kind of request, Soft-RoCE sends "invalid request". The engine sends "remote access
 *         error", because the replay has no window with this right.
 */
static bool
is_known_code(const struct compare *compare, const struct compare_frame *recorded, uint8_t ours)
{
	const uint8_t code = recorded->headers.syndrome;

	if (code == 0x63 && ours == 0x61)
		return true;
	return code == 0x61 && ours == 0x62 && recorded->frame.operation != ND_MODEL_NONE &&
		!has_accepted(compare->recorded,
			play_right_of(
				play_peer_operation(compare->recorded, recorded->frame.operation)));
}

/**
 * @return true if all messages of the peer between two MSNs are READs or atomics, which have their
 *         own response packets
 */
static bool
are_answered_apart(const struct compare *compare, uint32_t from, uint32_t to)
{
	const struct play_recorded *recorded = compare->recorded;

	for (; from != to; from++) {
		const struct nd_model_operation *operation =
			play_peer_operation(recorded, (from - compare->msn_shift) & 0xFFFFFF);

		if (operation == NULL ||
			(operation->kind != ND_MODEL_READ &&
				operation->kind != ND_MODEL_COMPARE_SWAP &&
				operation->kind != ND_MODEL_FETCH_ADD))
			return false;
	}
	return true;
}

uint32_t
compare_messages(const struct compare *compare, uint64_t sequence)
{
	const struct play_recorded *recorded = compare->recorded;
	size_t low = 0, high = play_peer_side(recorded)->operations;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct nd_model_operation *operation = play_peer_operation(recorded, middle);

		if (operation->sequence + (operation->packets != 0 ? operation->packets : 1) <=
			sequence + 1)
			low = middle + 1;
		else
			high = middle;
	}
	return (uint32_t)low & 0xFFFFFF;
}

/** Find out whether the recorded MSN is right with a different way to count messages. */
enum outcome_reason
compare_msn_reason(
	const struct compare *compare, const struct compare_frame *recorded, uint64_t sequence)
{
	const struct nd_model_operation *operation = recorded->frame.operation == ND_MODEL_NONE
		? NULL
		: play_peer_operation(compare->recorded, recorded->frame.operation);
	const uint32_t own = (compare_messages(compare, sequence) + compare->msn_shift) & 0xFFFFFF;
	const uint32_t asked =
		(compare_messages(compare, compare->asked - 1) + compare->msn_shift) & 0xFFFFFF;

	if (operation != NULL && operation->kind == ND_MODEL_SEND_INVALIDATE &&
		recorded->headers.msn + 1 == own)
		return OUTCOME_PEER_DEFECT;
	/* The recorded MSN may already count READs after this PSN. */
	if (recorded->kind == PLAY_ACK && recorded->headers.msn == own)
		return OUTCOME_MSN;
	if (recorded->kind == PLAY_ACK && recorded->headers.msn > own &&
		recorded->headers.msn <= asked &&
		are_answered_apart(compare, own, recorded->headers.msn))
		return OUTCOME_MSN;
	/* The MSN of a NAK must be exact. */
	if (recorded->kind == PLAY_NAK || recorded->kind == PLAY_RNR_NAK)
		return OUTCOME_UNEXPLAINED;
	if ((recorded->kind == PLAY_READ_RESPONSE ||
		    (operation != NULL && operation->repeats != 0)) &&
		recorded->headers.msn > own && recorded->headers.msn <= asked)
		return OUTCOME_MSN;
	return OUTCOME_UNEXPLAINED;
}

static void
compare_aeth(struct compare *compare, const struct compare_frame *recorded,
	const struct play_frame *ours)
{
	const struct nd_model_headers *a = &recorded->headers, *b = &ours->headers;
	const uint64_t number = recorded->number;
	enum outcome_reason reason = OUTCOME_UNEXPLAINED;

	compare_number(compare, number, "AETH syndrome, kind", a->syndrome >> 5, b->syndrome >> 5,
		OUTCOME_UNEXPLAINED);
	if (recorded->kind == PLAY_RNR_NAK)
		reason = (a->syndrome & 0x1F) == 0 ? OUTCOME_RNR_TIMER : OUTCOME_UNEXPLAINED;
	else if (recorded->kind != PLAY_NAK)
		reason = OUTCOME_CREDITS;
	else if (is_known_code(compare, recorded, b->syndrome))
		reason = OUTCOME_NAK_CODE;
	compare_number(
		compare, number, "AETH syndrome", a->syndrome & 0x1F, b->syndrome & 0x1F, reason);
	if (!compare->msn_known) {
		compare->msn_shift = (a->msn - b->msn) & 0xFFFFFF;
		compare->msn_known = true;
	}
	compare_number(compare, number, "MSN", a->msn, (b->msn + compare->msn_shift) & 0xFFFFFF,
		compare_msn_reason(compare, recorded,
			recorded->frame.sequence - (recorded->kind == PLAY_NAK)));
}

static bool
has_aeth(uint8_t opcode)
{
	return opcode == PACKET_READ_RESPONSE_FIRST || opcode == PACKET_READ_RESPONSE_LAST ||
		opcode == PACKET_READ_RESPONSE_ONLY || opcode == PACKET_ACKNOWLEDGE ||
		opcode == PACKET_ATOMIC_ACKNOWLEDGE;
}

bool
compare_is_split(const struct compare *compare, const struct compare_frame *recorded)
{
	const struct nd_model_headers *headers = &recorded->headers;
	const bool response = packet_is_read_response(headers->opcode);
	const uint64_t mtu = compare->recorded->connection->path_mtu_bytes;
	const struct nd_model_operation *operation;
	uint64_t offset;

	if ((!response && headers->opcode != PACKET_READ_REQUEST) ||
		recorded->frame.operation == ND_MODEL_NONE || mtu == 0)
		return false;
	operation = nd_model_operation(compare->recorded->model, compare->recorded->index,
		response ? compare->recorded->theirs : compare->recorded->ours,
		recorded->frame.operation);
	if (response)
		return operation->repeats != 0;
	offset = recorded->frame.packet * mtu;
	return recorded->frame.repeated && headers->address == operation->address + offset &&
		headers->length + offset <= operation->bytes &&
		(headers->length % mtu == 0 || headers->length + offset == operation->bytes);
}

void
compare_fields(struct compare *compare, const struct compare_frame *recorded,
	const struct play_frame *ours)
{
	const struct nd_model_headers *a = &recorded->headers, *b = &ours->headers;
	const uint64_t number = recorded->number;
	const enum outcome_reason hard =
		compare_is_split(compare, recorded) ? OUTCOME_READ_SPLIT : OUTCOME_UNEXPLAINED;

	compare_envelope(compare, recorded, ours);
	compare_number(compare, number, "opcode", a->opcode, b->opcode, hard);
	compare_number(compare, number, "solicited event", a->solicited, b->solicited,
		OUTCOME_UNEXPLAINED);
	compare_number(
		compare, number, "AckReq", a->acknowledge, b->acknowledge, OUTCOME_ACK_REQUEST);
	compare_number(compare, number, "PSN", recorded->frame.sequence & 0xFFFFFF,
		ours->sequence & 0xFFFFFF, OUTCOME_UNEXPLAINED);
	compare_number(compare, number, "R_Key", a->key, b->key, OUTCOME_UNEXPLAINED);
	compare_number(compare, number, "virtual address", a->address, b->address, hard);
	compare_number(compare, number, "DMA length", a->length, b->length, hard);
	compare_number(
		compare, number, "swap or add data", a->swap_add, b->swap_add, OUTCOME_UNEXPLAINED);
	compare_number(
		compare, number, "compare data", a->compare, b->compare, OUTCOME_UNEXPLAINED);
	compare_number(compare, number, "original remote data", a->original, b->original,
		OUTCOME_UNEXPLAINED);
	compare_number(
		compare, number, "immediate data", a->immediate, b->immediate, OUTCOME_UNEXPLAINED);
	compare_number(compare, number, "invalidated R_Key", a->invalidate_key, b->invalidate_key,
		OUTCOME_UNEXPLAINED);
	if (has_aeth(a->opcode) && has_aeth(b->opcode))
		compare_aeth(compare, recorded, ours);
	compare_number(compare, number, "pad count",
		recorded->packet.frame[recorded->packet.bth + 1] >> 4 & 3u,
		ours->packet.frame[ours->packet.bth + 1] >> 4 & 3u, OUTCOME_UNEXPLAINED);
	compare_number(compare, number, "payload length", a->payload_bytes, b->payload_bytes,
		OUTCOME_UNEXPLAINED);
	if (a->payload_bytes == b->payload_bytes)
		compare_payload(compare, recorded, recorded->packet.frame + a->payload_offset,
			ours->bytes + b->payload_offset, a->payload_bytes);
}

/* ---- connection manager ---- */

/**
 * @return true if the engine cannot send this recorded value, because the engine always grants at
 *         least one RNR retry and adds its own ACK delay to the ACK timeout
 */
static bool
is_out_of_reach(const struct mad_field *field, uint64_t recorded)
{
	return (field->id == MAD_RNR_RETRY && recorded == 0) ||
		(field->id == MAD_ACK_TIMEOUT && recorded < 12);
}

static void
compare_mad_field(struct compare *compare, uint64_t number, const struct mad_field *field,
	const uint8_t *recorded, const uint8_t *ours)
{
	if (field->bits > 64) {
		compare_bytes(compare, number, field->name, recorded + field->byte,
			ours + field->byte, field->bits / 8u);
		return;
	}
	switch (field->match) {
	case MAD_SAME:
		compare_number(compare, number, field->name, mad_get(recorded, field),
			mad_get(ours, field),
			is_out_of_reach(field, mad_get(recorded, field)) ? OUTCOME_CM_SETTING
									 : OUTCOME_UNEXPLAINED);
		return;
	case MAD_SETTING:
		compare_number(compare, number, field->name, mad_get(recorded, field),
			mad_get(ours, field), OUTCOME_CM_SETTING);
		return;
	case MAD_MAPPED:
		compare_mapped(compare, number, field->name,
			field->id == MAD_LOCAL_QPN ? COMPARE_QPN : COMPARE_COMM_ID,
			mad_get(recorded, field), mad_get(ours, field));
		return;
	case MAD_PSN:
		compare_number(compare, number, field->name, mad_get(recorded, field),
			compare->recorded->psn_told, OUTCOME_UNEXPLAINED);
		return;
	}
}

void
compare_cm(struct compare *compare, const struct compare_frame *recorded,
	const struct play_frame *ours)
{
	const uint8_t *a = recorded->packet.frame + packet_mad(&recorded->packet);
	const uint8_t *b = ours->bytes + packet_mad(&ours->packet);
	const struct nd_model_headers *ha = &recorded->headers, *hb = &ours->headers;
	const uint64_t number = recorded->number;
	const uint8_t attribute = mad_attribute(a);
	size_t count = 0;
	const struct mad_field *fields = mad_fields(attribute, &count);
	/*
	 * If our side chose the transaction ID, it differs in each run. The active side chooses the
	 * ID of the REQ, and uses this ID for RTU, MRA and REJ, too. The sender of a DREQ chooses
	 * the ID of the DREQ.
	 */
	const bool own = attribute == MAD_DREQ || attribute == MAD_REQ ||
		(compare->recorded->ours == 0 &&
			(attribute == MAD_RTU || attribute == MAD_MRA || attribute == MAD_REJ));

	compare_envelope(compare, recorded, ours);
	compare_number(compare, number, "opcode", ha->opcode, hb->opcode, OUTCOME_UNEXPLAINED);
	compare_number(compare, number, "Q_Key", ha->qkey, hb->qkey, OUTCOME_UNEXPLAINED);
	compare_number(
		compare, number, "source QP", ha->source_qpn, hb->source_qpn, OUTCOME_UNEXPLAINED);
	compare_bytes(compare, number, "MAD header", a, b, 8);
	if (own)
		compare_mapped(compare, number, "transaction ID", COMPARE_TRANSACTION,
			mad_transaction(a), mad_transaction(b));
	else
		compare_number(compare, number, "transaction ID", mad_transaction(a),
			mad_transaction(b), OUTCOME_UNEXPLAINED);
	for (size_t i = 0; i < count; i++)
		compare_mad_field(compare, number, &fields[i], a, b);
}
