/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* PROTOCOL_ATOMICS, as in peer_atomics.c. */
#include "verbspeer.h"

#define PAIRS_AT_ONCE 4u
#define WORDS_BYTES   16u

enum { WORD_ADD, WORD_SWAP };

bool
atomics_prepare(struct conn *conn)
{
	if (drives(conn)) {
		conn->slot_bytes = PROTOCOL_OFFER_BYTES;
		return conn_register(conn, &conn->local, PAIRS_AT_ONCE * WORDS_BYTES) &&
			conn_register(conn, &conn->inbox, PROTOCOL_OFFER_BYTES) &&
			post_receive(conn, 0, NULL, 0);
	}
	conn->slot_bytes = 1;
	return conn_register(conn, &conn->exposed, WORDS_BYTES) &&
		conn_register(conn, &conn->local, PROTOCOL_OFFER_BYTES) &&
		conn_register(conn, &conn->inbox, 1) && post_receive(conn, 0, NULL, 0);
}

static bool
post_word(struct conn *conn, uint32_t k, unsigned int word, const struct protocol_offer *offer)
{
	const uint32_t place = 2 * (k % PAIRS_AT_ONCE) + word;
	struct ibv_sge sge = {(uintptr_t)conn->local.bytes + 8 * place, 8, conn->local.mr->lkey};
	struct post post = {
		.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD,
		.number = place,
		.sges = &sge,
		.sge_count = 1,
		.address = offer->address + 8 * word,
		.key = offer->key,
		.add = protocol_addend(k),
	};

	if (word == WORD_SWAP) {
		post.opcode = IBV_WR_ATOMIC_CMP_AND_SWP;
		/*
		 * Every third compare-swap compares with a wrong value, so it must not change the
		 * word.
		 */
		post.add = protocol_swapped(k) + (k % 3 == 2 ? 99 : 0);
		post.swap = k % 3 == 2 ? 1 : protocol_swapped(k + 1);
	}
	return post_send(conn, &post);
}

static bool
check_pair(struct conn *conn, uint32_t k, uint64_t sum)
{
	const uint32_t place = 2 * (k % PAIRS_AT_ONCE);
	uint64_t words[2];

	if (!sent(conn, place, "fetch and add") || !sent(conn, place + 1, "compare and swap"))
		return false;
	memcpy(words, conn->local.bytes + 8 * place, sizeof(words));
	if (words[WORD_ADD] != sum)
		return fail(
			conn, "fetch and add %u finds 0x%lx, not 0x%lx", k, words[WORD_ADD], sum);
	return words[WORD_SWAP] == protocol_swapped(k) ||
		fail(conn, "compare and swap %u finds 0x%lx, not 0x%lx", k, words[WORD_SWAP],
			protocol_swapped(k));
}

static bool
drive(struct conn *conn)
{
	const uint32_t count = conn->asked.count;
	struct protocol_offer offer;
	struct post close = {.opcode = IBV_WR_SEND_WITH_INV, .flags = IBV_SEND_FENCE};
	uint64_t sum = 0;

	if (!wait_offer(conn, &offer))
		return false;
	for (uint32_t first = 0; first < count; first += PAIRS_AT_ONCE) {
		const uint32_t left = count - first;
		const uint32_t end = first + (left < PAIRS_AT_ONCE ? left : PAIRS_AT_ONCE);

		for (uint32_t k = first; k < end; k++)
			if (!post_word(conn, k, WORD_ADD, &offer) ||
				!post_word(conn, k, WORD_SWAP, &offer))
				return false;
		for (uint32_t k = first; k < end; sum += protocol_addend(k), k++)
			if (!check_pair(conn, k, sum))
				return false;
	}
	close.key = offer.key;
	return post_send(conn, &close) && sent(conn, 0, "send with invalidate");
}

static bool
serve(struct conn *conn)
{
	const uint32_t count = conn->asked.count;
	uint64_t sum = 0, words[2];

	for (uint32_t k = 0; k < count; k++)
		sum += protocol_addend(k);
	if (!bind_window(conn, 0, WORDS_BYTES, IBV_ACCESS_REMOTE_ATOMIC) ||
		!send_offer(conn, 0, WORDS_BYTES, conn->mw->rkey, WORDS_BYTES) ||
		!received(conn, 0, 0))
		return false;
	memcpy(words, conn->exposed.bytes, sizeof(words));
	if (words[WORD_ADD] != sum)
		return fail(conn, "the sum is 0x%lx, not 0x%lx", words[WORD_ADD], sum);
	return words[WORD_SWAP] == protocol_swapped(count) ||
		fail(conn, "the swapped word is 0x%lx, not 0x%lx", words[WORD_SWAP],
			protocol_swapped(count));
}

bool
atomics_play(struct conn *conn)
{
	return drives(conn) ? drive(conn) : serve(conn);
}
