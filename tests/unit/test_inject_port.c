/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test the faults that are injected into a port's frames. The port is a net_ring that receives its
 * own frames.
 */

#include <string.h>

#include <criterion/criterion.h>

#include <rte_cycles.h>
#include <rte_eth_ring.h>
#include <rte_ethdev.h>
#include <rte_ip.h>
#include <rte_mbuf.h>
#include <rte_udp.h>

#include "kit/inject_port.h"
#include "support/eal.h"

#define BUFFERS 8192u
#define BURST   32u
#define QUEUES  2u
#define L4      (sizeof(struct rte_ether_hdr) + sizeof(struct rte_ipv4_hdr))
#define BTH     (L4 + sizeof(struct rte_udp_hdr))
#define BYTES   (BTH + 60)

static struct rte_mempool *pool;
static struct nd_adapter_config config;
static struct inject *inject;
static struct inject_counts counts[INJECT_WAYS];
static uint16_t port;
static uint32_t sequence;

static void
start(const char *text, uint16_t ring_entries)
{
	struct rte_eth_conf conf = {0};
	struct rte_ring *rings[QUEUES];
	struct inject_plan plan;
	char why[256] = "";
	int number;

	pool = test_pool_create(BUFFERS, 2048);
	for (uint16_t i = 0; i < QUEUES; i++) {
		const char *name = i == 0 ? "first" : "second";

		rings[i] = rte_ring_create(name, ring_entries, SOCKET_ID_ANY, 0);
		cr_assert_not_null(rings[i]);
	}
	number = rte_eth_from_rings("loop", rings, QUEUES, rings, QUEUES, 0);
	cr_assert_geq(number, 0);
	port = (uint16_t)number;
	cr_assert_eq(rte_eth_dev_configure(port, QUEUES, QUEUES, &conf), 0);
	for (uint16_t i = 0; i < QUEUES; i++) {
		cr_assert_eq(rte_eth_rx_queue_setup(port, i, 512, 0, NULL, pool), 0);
		cr_assert_eq(rte_eth_tx_queue_setup(port, i, 512, 0, NULL), 0);
	}
	cr_assert_eq(rte_eth_dev_start(port), 0);
	cr_assert(inject_parse(text, &plan, why, sizeof(why)), "%s", why);
	inject = inject_open(&plan, why, sizeof(why));
	cr_assert_not_null(inject, "%s", why);
	config = (struct nd_adapter_config){.port_id = port, .engines = QUEUES};
	inject_configure(inject, &config);
	cr_assert(inject_begin(inject, config.port_id, why, sizeof(why)), "%s", why);
}

static uint16_t
transmit(uint16_t queue, struct rte_mbuf **mbufs, uint16_t count)
{
	return config.transmit(port, queue, mbufs, count, config.transmit_arg);
}

/* @return a frame; its sequence number is after the BTH */
static struct rte_mbuf *
frame_make(uint16_t udp_port)
{
	struct rte_mbuf *mbuf = rte_pktmbuf_alloc(pool);
	uint8_t *data;
	struct rte_ipv4_hdr *ip;
	struct rte_udp_hdr *udp;

	cr_assert_not_null(mbuf);
	data = (uint8_t *)rte_pktmbuf_append(mbuf, BYTES);
	memset(data, 0xA5, BYTES);
	*(uint16_t *)(data + 12) = rte_cpu_to_be_16(RTE_ETHER_TYPE_IPV4);
	ip = (struct rte_ipv4_hdr *)(data + sizeof(struct rte_ether_hdr));
	memset(ip, 0, sizeof(*ip) + sizeof(*udp));
	ip->version_ihl = RTE_IPV4_VHL_DEF;
	ip->next_proto_id = IPPROTO_UDP;
	ip->total_length = rte_cpu_to_be_16(BYTES - sizeof(struct rte_ether_hdr));
	udp = (struct rte_udp_hdr *)(ip + 1);
	udp->dst_port = rte_cpu_to_be_16(udp_port);
	udp->dgram_len = rte_cpu_to_be_16(BYTES - L4);
	memcpy(data + BTH + 12, &sequence, sizeof(sequence));
	sequence++;
	return mbuf;
}

static uint32_t
number_of(const struct rte_mbuf *mbuf)
{
	uint32_t number;

	memcpy(&number, rte_pktmbuf_mtod_offset(mbuf, const uint8_t *, BTH + 12), sizeof(number));
	return number;
}

static uint32_t
receive(uint16_t queue, uint32_t *numbers)
{
	struct rte_mbuf *mbufs[BURST];
	const uint16_t count = rte_eth_rx_burst(port, queue, mbufs, BURST);

	for (uint16_t i = 0; i < count; i++) {
		if (numbers != NULL)
			numbers[i] = number_of(mbufs[i]);
		rte_pktmbuf_free(mbufs[i]);
	}
	return count;
}

/* Send frames one by one, and receive after each frame. @return number of received frames */
static uint32_t
exchange(uint32_t count, uint16_t queue, uint32_t *numbers)
{
	uint32_t came = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct rte_mbuf *mbuf = frame_make(4791);

		cr_assert_eq(transmit(queue, &mbuf, 1), 1);
		came += receive(queue, numbers + came);
	}
	/* Wait for frames that reordering delays by at most 0.1 ms. */
	for (unsigned int i = 0; i < 8; i++) {
		rte_delay_us_block(100);
		came += receive(queue, numbers + came);
	}
	return came;
}

static void
end(void)
{
	inject_end(inject);
	for (uint16_t i = 0; i < QUEUES; i++)
		while (receive(i, NULL) > 0)
			;
	cr_assert_eq(rte_mempool_avail_count(pool), BUFFERS, "packet buffers are lost");
	inject_close(inject);
}

static uint64_t
both(enum inject_kind kind)
{
	return counts[INJECT_SENT].faults[kind] + counts[INJECT_RECEIVED].faults[kind];
}

static uint32_t numbers[4 * BUFFERS];

Test(inject_port, each_fault_is_counted_on_its_way)
{
	uint32_t came, turned = 0;

	start("drop:5%,dup:5%,reorder:5%", 1024);
	came = exchange(2000, 0, numbers);
	inject_read(inject, counts);
	cr_assert_eq(counts[INJECT_SENT].frames, 2000);
	for (unsigned int way = 0; way < INJECT_WAYS; way++)
		for (unsigned int kind = 0; kind < INJECT_CORRUPT; kind++)
			cr_assert_float_eq(
				(double)counts[way].faults[kind], 100, 40, "%u %u", way, kind);
	cr_assert_eq(counts[INJECT_RECEIVED].frames,
		2000 - counts[INJECT_SENT].faults[INJECT_DROP] +
			counts[INJECT_SENT].faults[INJECT_DUP]);
	cr_assert_eq(came, 2000 - both(INJECT_DROP) + both(INJECT_DUP));
	for (uint32_t i = 1; i < came; i++)
		turned += numbers[i] < numbers[i - 1];
	cr_assert_gt(turned, 10, "%u frames came behind later ones", turned);
	end();
}

Test(inject_port, same_seed_same_frames)
{
	static uint32_t again[4 * BUFFERS];
	uint32_t came, came_again;

	start("drop:10%,dup:10%,seed:9", 1024);
	came = exchange(500, 0, numbers);
	inject_end(inject);
	inject_close(inject);
	sequence = 0;
	{
		struct inject_plan plan;
		char why[256];

		cr_assert(inject_parse("drop:10%,dup:10%,seed:9", &plan, why, sizeof(why)));
		/* Free the first run's pool of copies, because the new pool has the same name. */
		rte_mempool_free(rte_mempool_lookup("inject"));
		inject = inject_open(&plan, why, sizeof(why));
		cr_assert_not_null(inject, "%s", why);
		inject_configure(inject, &config);
		cr_assert(inject_begin(inject, config.port_id, why, sizeof(why)), "%s", why);
	}
	came_again = exchange(500, 0, again);
	cr_assert_eq(came, came_again);
	cr_assert_arr_eq(numbers, again, came * sizeof(numbers[0]));
	sequence = 0;
	came_again = exchange(500, 1, again);
	cr_assert(came_again != came || memcmp(numbers, again, came * sizeof(numbers[0])) != 0);
	end();
}

/*
 * Fault "corrupt" flips one bit in a copy of the frame. The bit is after the fields that a receiver
 * checks before the ICRC.
 */
Test(inject_port, one_bit_of_a_copy_is_flipped)
{
	uint8_t original[BYTES];

	start("corrupt:100%", 1024);
	for (unsigned int i = 0; i < 500; i++) {
		struct rte_mbuf *mbuf = frame_make(4791), *kept = mbuf, *mbufs[BURST];
		unsigned int bits = 0;

		memcpy(original, rte_pktmbuf_mtod(mbuf, void *), BYTES);
		/*
		 * Keep a reference, as the adapter does, to check that the original stays
		 * unchanged.
		 */
		rte_mbuf_refcnt_update(kept, 1);
		cr_assert_eq(transmit(0, &mbuf, 1), 1);
		cr_assert_eq(rte_eth_rx_burst(port, 0, mbufs, BURST), 1);
		cr_assert_neq(mbufs[0], kept);
		for (uint32_t k = 0; k < BYTES; k++) {
			const uint8_t byte = rte_pktmbuf_mtod(mbufs[0], uint8_t *)[k];

			bits += (unsigned int)__builtin_popcount(byte ^ original[k]);
			cr_assert(k >= BTH + 5 || byte == original[k], "byte %u", k);
		}
		/* Both sides flip a bit, possibly the same bit. */
		cr_assert(bits == 2 || bits == 0, "%u bits", bits);
		cr_assert_arr_eq(rte_pktmbuf_mtod(kept, uint8_t *), original, BYTES);
		cr_assert_eq(rte_mbuf_refcnt_read(kept), 1);
		rte_pktmbuf_free(kept);
		rte_pktmbuf_free(mbufs[0]);
	}
	inject_read(inject, counts);
	cr_assert_eq(counts[INJECT_SENT].faults[INJECT_CORRUPT], 500);
	cr_assert_eq(counts[INJECT_RECEIVED].faults[INJECT_CORRUPT], 500);
	end();
}

Test(inject_port, other_frames_have_no_faults)
{
	start("drop:100%", 1024);
	for (unsigned int i = 0; i < 100; i++) {
		struct rte_mbuf *mbuf = frame_make(i % 2 == 0 ? 4790 : 53);

		cr_assert_eq(transmit(0, &mbuf, 1), 1);
		cr_assert_eq(receive(0, NULL), 1);
	}
	/* A frame stays unchanged if its UDP length leaves no bit to flip, or exceeds the frame. */
	for (unsigned int i = 0; i < 2; i++) {
		struct rte_mbuf *mbuf = frame_make(4791);
		struct rte_udp_hdr *udp = rte_pktmbuf_mtod_offset(mbuf, struct rte_udp_hdr *, L4);

		udp->dgram_len = rte_cpu_to_be_16(i == 0 ? sizeof(*udp) + 5 : BYTES - L4 + 1);
		cr_assert_eq(transmit(0, &mbuf, 1), 1);
		cr_assert_eq(receive(0, NULL), 1);
	}
	cr_assert_eq(exchange(100, 0, numbers), 0);
	inject_read(inject, counts);
	cr_assert_eq(counts[INJECT_SENT].frames, 100);
	cr_assert_eq(counts[INJECT_SENT].faults[INJECT_DROP], 100);
	cr_assert_eq(counts[INJECT_RECEIVED].frames, 0);
	end();
}

/*
 * The number of delayed frames is limited. Frames above the limit are dropped and counted. The
 * delay of 1 s is longer than this test.
 */
Test(inject_port, what_is_held_back_has_a_bound)
{
	start("delay:1s", 1024);
	for (uint32_t i = 0; i < INJECT_HELD_MAX + 10; i++) {
		struct rte_mbuf *mbuf = frame_make(4791);

		cr_assert_eq(transmit(0, &mbuf, 1), 1);
		cr_assert_eq(receive(0, NULL), 0);
	}
	inject_read(inject, counts);
	cr_assert_eq(counts[INJECT_SENT].overflow, 10);
	cr_assert_eq(rte_mempool_avail_count(pool), BUFFERS - INJECT_HELD_MAX);
	end();
}

Test(inject_port, delay_is_over_some_time)
{
	struct rte_mbuf *mbuf;
	const uint64_t begin = rte_rdtsc();
	uint64_t waited;

	start("delay:5ms", 1024);
	mbuf = frame_make(4791);
	cr_assert_eq(transmit(0, &mbuf, 1), 1);
	while (receive(0, NULL) == 0)
		;
	waited = rte_rdtsc() - begin;
	cr_assert_gt(waited, 10 * rte_get_tsc_hz() / 1000, "5 ms on each way");
	end();
}

/* If a full port refuses frames, the adapter still owns them, as without injected faults. */
Test(inject_port, full_port_takes_nothing)
{
	struct rte_mbuf *mbufs[BURST];
	uint32_t given = 0, came = 0, got;
	static bool seen[BUFFERS];
	uint16_t taken;

	/* The ring holds 63 frames: all frames of one burst, and all but one of the next burst. */
	start("reorder:0%", 64);
	do {
		for (unsigned int i = 0; i < BURST; i++)
			mbufs[i] = frame_make(4791);
		taken = transmit(1, mbufs, BURST);
		cr_assert(taken == 0 || taken == BURST);
		given += taken;
	} while (taken > 0 && given < BUFFERS / 2);
	cr_assert_eq(taken, 0);
	cr_assert_leq(given, 4 * BURST, "a full port still takes %u", given);
	rte_pktmbuf_free_bulk(mbufs, BURST);
	for (unsigned int i = 0; i < 100; i++) {
		rte_delay_us_block(10);
		while ((got = receive(1, numbers + came)) > 0)
			came += got;
	}
	cr_assert_eq(came, given);
	for (uint32_t i = 0; i < came; i++) {
		cr_assert_not(seen[numbers[i]], "frame %u comes twice", numbers[i]);
		seen[numbers[i]] = true;
	}
	end();
}

/*
 * Delay more frames than the limit permits. The close frees the delayed frames and the frames that
 * the full port has refused.
 */
Test(inject_port, late_frames_have_a_bound_and_are_freed)
{
	struct rte_mbuf *mbufs[BURST];
	uint16_t taken;

	start("reorder:100%", 64);
	do {
		for (unsigned int i = 0; i < BURST; i++)
			mbufs[i] = frame_make(4791);
		taken = transmit(0, mbufs, BURST);
	} while (taken > 0);
	rte_pktmbuf_free_bulk(mbufs, BURST);
	end();
}
