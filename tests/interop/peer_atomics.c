/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * PROTOCOL_ATOMICS. All values of the words are known, because only the atomics of this scenario
 * access the words.
 */
#include <rte_common.h>

#include <ndpdk/nd_extension.h>

#include "peer.h"

#define PAIRS_AT_ONCE 8u
#define WORDS_BYTES   16u

enum { WORD_ADD, WORD_SWAP };

bool
atomics_prepare(struct conn *conn)
{
	if (offer_drives(conn))
		return conn_register(conn, &conn->local, PAIRS_AT_ONCE * WORDS_BYTES) &&
			conn_register_inbox(conn, PROTOCOL_OFFER_BYTES, 1) && conn_receive(conn, 0);
	return conn_register(conn, &conn->exposed, WORDS_BYTES) &&
		conn_register(conn, &conn->local, PROTOCOL_OFFER_BYTES) &&
		conn_register_inbox(conn, 1, 1) && conn_receive(conn, 0);
}

static bool
post_pair(struct conn *conn, uint32_t k, const struct nd_mw_descriptor *window)
{
	const uint32_t place = k % PAIRS_AT_ONCE;
	struct request *add = &conn->sends[2 * place], *swap = &conn->sends[2 * place + 1];
	const struct nd_sge added = conn_sge(&conn->local, WORDS_BYTES * place, 8);
	const struct nd_sge swapped = conn_sge(&conn->local, WORDS_BYTES * place + 8, 8);
	/* Every third compare-swap compares with a wrong value, so it must not change the word. */
	const uint64_t compare = protocol_swapped(k) + (k % 3 == 2 ? 99 : 0);
	const uint64_t value = k % 3 == 2 ? 1 : protocol_swapped(k + 1);

	add->done = swap->done = false;
	return conn_called(conn,
		       nd_endpoint_fetch_and_add(conn->endpoint, &add->result, &added, window,
			       8 * WORD_ADD, protocol_addend(k), 0),
		       "fetch_and_add") &&
		conn_called(conn,
			nd_endpoint_compare_and_swap(conn->endpoint, &swap->result, &swapped,
				window, 8 * WORD_SWAP, compare, value, 0),
			"compare_and_swap");
}

static bool
check_pair(struct conn *conn, uint32_t k, uint64_t sum)
{
	const uint32_t place = k % PAIRS_AT_ONCE;
	uint64_t words[2];

	if (!conn_succeeded(conn, &conn->sends[2 * place], "fetch_and_add") ||
		!conn_succeeded(conn, &conn->sends[2 * place + 1], "compare_and_swap"))
		return false;
	memcpy(words, conn->local.bytes + WORDS_BYTES * place, sizeof(words));
	if (words[WORD_ADD] != sum)
		return conn_fail(
			conn, "fetch_and_add %u finds 0x%lx, not 0x%lx", k, words[WORD_ADD], sum);
	return words[WORD_SWAP] == protocol_swapped(k) ||
		conn_fail(conn, "compare_and_swap %u finds 0x%lx, not 0x%lx", k, words[WORD_SWAP],
			protocol_swapped(k));
}

static bool
drive(struct conn *conn)
{
	const uint32_t count = conn->asked.count;
	struct nd_mw_descriptor window;
	struct protocol_offer offer;
	uint64_t sum = 0;

	if (!offer_wait(conn, &offer, &window))
		return false;
	for (uint32_t first = 0; first < count; first += PAIRS_AT_ONCE) {
		const uint32_t end = RTE_MIN(first + PAIRS_AT_ONCE, count);

		for (uint32_t k = first; k < end; k++)
			if (!post_pair(conn, k, &window))
				return false;
		for (uint32_t k = first; k < end; sum += protocol_addend(k), k++)
			if (!check_pair(conn, k, sum))
				return false;
	}
	conn->sends[0].done = false;
	return conn_called(conn,
		       nd_endpoint_send_and_invalidate(conn->endpoint, &conn->sends[0].result, NULL,
			       0, &window, ND_OP_FLAG_READ_FENCE),
		       "send_and_invalidate") &&
		conn_succeeded(conn, &conn->sends[0], "send_and_invalidate");
}

static bool
serve_window(struct conn *conn, struct nd_mw *mw, struct request *invalidated)
{
	const uint32_t count = conn->asked.count;
	struct nd_mw_descriptor window;
	uint64_t sum = 0, words[2];

	for (uint32_t k = 0; k < count; k++)
		sum += protocol_addend(k);
	if (!conn_bind(conn, mw, 0, WORDS_BYTES, ND_OP_FLAG_ALLOW_ATOMIC, &window) ||
		!offer_send(conn, &window, WORDS_BYTES) || !conn_received(conn, 0, 0) ||
		!conn_succeeded(conn, invalidated, "invalidate by the peer"))
		return false;
	memcpy(words, conn->exposed.bytes, sizeof(words));
	if (words[WORD_ADD] != sum)
		return conn_fail(conn, "the sum is 0x%lx, not 0x%lx", words[WORD_ADD], sum);
	return words[WORD_SWAP] == protocol_swapped(count) ||
		conn_fail(conn, "the swapped word is 0x%lx, not 0x%lx", words[WORD_SWAP],
			protocol_swapped(count));
}

static bool
serve(struct conn *conn)
{
	struct request invalidated = {0};
	struct nd_mw *mw;
	bool served;

	if (!conn_make_window(conn, &invalidated, &mw))
		return false;
	served = serve_window(conn, mw, &invalidated);
	return conn_release_window(conn, mw) && served;
}

bool
atomics_play(struct conn *conn)
{
	return offer_drives(conn) ? drive(conn) : serve(conn);
}
