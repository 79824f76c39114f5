/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test all operations with boundary sizes for each path MTU: 0, 1, PMTU - 1, PMTU, PMTU + 1, 64
 * KiB, 4 MiB. The tests compare all bytes.
 */

#include <string.h>

#include <criterion/criterion.h>

#include "support/nd_pair.h"

#define MEMORY_BYTES (5u << 20)
#define GUARD        0xA5
#define BOTH         (ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE)
/*
 * 4.096 us * 2^24 = 69 s. The time is long, because a busy machine may preempt both ends for long.
 */
#define ACK_TIMEOUT  24

static struct nd_pair pair;

struct transfer {
	size_t bytes;
	uint32_t seed;
};

/** Fill side 0's memory with a pattern, and side 1's memory with guard bytes. */
static void
prepare(const struct transfer *transfer, unsigned int source)
{
	nd_pair_pattern(pair.side[source].memory, transfer->bytes, transfer->seed);
	memset(pair.side[1 - source].memory, GUARD, transfer->bytes + 64);
}

static void
compare(const struct transfer *transfer, unsigned int sink)
{
	const uint8_t *got = pair.side[sink].memory, *sent = pair.side[1 - sink].memory;

	cr_assert_eq(memcmp(got, sent, transfer->bytes), 0, "data differs: %zu bytes, seed %u",
		transfer->bytes, transfer->seed);
	for (size_t i = 0; i < 64; i++)
		cr_assert_eq(got[transfer->bytes + i], GUARD, "byte %zu behind %zu was written", i,
			transfer->bytes);
}

static struct nd_sge
whole(unsigned int side, size_t bytes)
{
	return (struct nd_sge){pair.side[side].memory, bytes, pair.side[side].mr};
}

static void
send_once(const struct transfer *transfer, const struct nd_mw_descriptor *invalidate)
{
	struct nd_sge from = whole(0, transfer->bytes), to = whole(1, transfer->bytes);
	size_t count = transfer->bytes == 0 ? 0 : 1;
	struct nd_result sent, received, *results[2];

	prepare(transfer, 0);
	cr_assert_eq(nd_endpoint_receive(pair.side[1].endpoint, &received, &to, count), ND_SUCCESS);
	if (invalidate == NULL)
		cr_assert_eq(nd_endpoint_send(pair.side[0].endpoint, &sent, &from, count, 0),
			ND_SUCCESS);
	else
		cr_assert_eq(nd_endpoint_send_and_invalidate(
				     pair.side[0].endpoint, &sent, &from, count, invalidate, 0),
			ND_SUCCESS);
	/* ND-056: the window-invalidated result comes before the receive's result. */
	nd_pair_take(&pair, pair.side[1].inbound, results, invalidate == NULL ? 1 : 2);
	cr_assert_eq(results[invalidate == NULL ? 0 : 1], &received);
	cr_assert_eq(received.status, ND_SUCCESS, "%s", nd_status_name(received.status));
	cr_assert_eq(received.bytes_transferred, transfer->bytes);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
	cr_assert_eq(sent.bytes_transferred, transfer->bytes);
	compare(transfer, 1);
}

static void
write_once(const struct transfer *transfer, const struct nd_mw_descriptor *window)
{
	struct nd_sge from = whole(0, transfer->bytes);
	struct nd_result written;

	prepare(transfer, 0);
	cr_assert_eq(nd_endpoint_write(pair.side[0].endpoint, &written, &from,
			     transfer->bytes == 0 ? 0 : 1, window, 0, 0),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &written), ND_SUCCESS);
	cr_assert_eq(written.bytes_transferred, transfer->bytes);
	compare(transfer, 1);
}

static void
read_once(const struct transfer *transfer, const struct nd_mw_descriptor *window)
{
	struct nd_sge to = whole(0, transfer->bytes);
	struct nd_result read;

	prepare(transfer, 1);
	cr_assert_eq(nd_endpoint_read(pair.side[0].endpoint, &read, &to,
			     transfer->bytes == 0 ? 0 : 1, window, 0, 0),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &read), ND_SUCCESS);
	cr_assert_eq(read.bytes_transferred, transfer->bytes);
	compare(transfer, 0);
}

/**
 * Bind exactly the transferred bytes, write and read, and invalidate locally. Does nothing for 0
 * bytes, because a window cannot be empty.
 */
static void
bind_once(const struct transfer *transfer)
{
	struct nd_mw_descriptor descriptor;
	struct nd_result invalidated;
	struct nd_mw *mw;

	if (transfer->bytes == 0)
		return;
	mw = nd_pair_bind(&pair, 1, 0, transfer->bytes, BOTH, &descriptor);
	write_once(transfer, &descriptor);
	read_once(transfer, &descriptor);
	cr_assert_eq(
		nd_endpoint_invalidate(pair.side[1].endpoint, &invalidated, mw, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].outbound, &invalidated), ND_SUCCESS);
	cr_assert_eq(nd_mw_release(pair.side[1].adapter, mw), ND_SUCCESS);
}

static void
send_and_invalidate_once(const struct transfer *transfer)
{
	struct nd_mw_descriptor descriptor;
	struct nd_mw *mw = nd_pair_bind(&pair, 1, 0, 4096, BOTH, &descriptor);

	send_once(transfer, &descriptor);
	cr_assert_eq(nd_mw_release(pair.side[1].adapter, mw), ND_SUCCESS);
}

static void
all_sizes(uint16_t path_mtu, bool v6)
{
	const size_t sizes[] = {0, 1, path_mtu - 1u, path_mtu, path_mtu + 1u, 65536, 4u << 20};
	struct nd_mw_descriptor window;

	nd_pair_open(&pair,
		&(struct nd_pair_config){
			.path_mtu = path_mtu,
			.v6 = v6,
			.memory_bytes = MEMORY_BYTES,
			.ack_timeout = ACK_TIMEOUT,
		});
	nd_pair_connect(&pair);
	nd_pair_bind(&pair, 1, 0, MEMORY_BYTES, BOTH, &window);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct transfer transfer = {.bytes = sizes[i], .seed = path_mtu + (uint32_t)i};

		send_once(&transfer, NULL);
		write_once(&transfer, &window);
		read_once(&transfer, &window);
		bind_once(&transfer);
		send_and_invalidate_once(&transfer);
	}
	/* The link is lossless, so no packet is refused or retransmitted. */
	cr_assert_eq(nd_pair_counter(&pair, 0, "retransmitted_packets"), 0);
	cr_assert_eq(nd_pair_counter(&pair, 0, "retries_timeout"), 0);
	cr_assert_eq(nd_pair_counter(&pair, 0, "drop_icrc"), 0);
	cr_assert_eq(nd_pair_counter(&pair, 1, "tx_naks_sequence"), 0);
	nd_pair_close(&pair);
}

Test(sizes, pmtu_256)
{
	all_sizes(256, false);
}

Test(sizes, pmtu_512)
{
	all_sizes(512, false);
}

Test(sizes, pmtu_1024)
{
	all_sizes(1024, false);
}

Test(sizes, pmtu_2048)
{
	all_sizes(2048, false);
}

Test(sizes, pmtu_4096)
{
	all_sizes(4096, false);
}

Test(sizes, pmtu_1024_over_ipv6)
{
	all_sizes(1024, true);
}
