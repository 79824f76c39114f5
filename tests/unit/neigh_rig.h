/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_NEIGH_RIG_H
#define NDPDK_UNIT_NEIGH_RIG_H

#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "neigh/neigh.h"
#include "support/eal.h"

/*
 * A neighbour module and a peer that the test simulates. Frames are hex strings, the time is a
 * variable, and the rig records all sent frames. The adapter, host A, has the addresses 192.0.2.1
 * and 2001:db8::1 and the MAC address 02:00:00:00:00:01. The addresses of its peer, host B, end in
 * 2.
 */

#define RIG_SECOND      UINT64_C(1000000000)
#define RIG_FRAME_BYTES 2048
#define RIG_SENT_MAX    4096
#define RIG_MBUFS       64

struct neigh_rig {
	struct neigh *neigh;
	struct neigh_config config;
	struct rte_mempool *pool;
	uint64_t now_ns;
	uint32_t sent_count;
	uint32_t taken; /* number of sent frames that the test has already checked */
	uint16_t sent_bytes[RIG_SENT_MAX];
	uint8_t sent[RIG_SENT_MAX][128]; /* first bytes of each sent frame */
	uint8_t last[RIG_FRAME_BYTES];   /* all bytes of the newest sent frame */
	uint32_t moved_count;
	struct wire_gid moved_address;
	struct rte_ether_addr moved_mac;
};

struct rig_bytes {
	uint8_t data[RIG_FRAME_BYTES];
	uint16_t count;
};

static const struct rte_ether_addr rig_own_mac = {{2, 0, 0, 0, 0, 1}};
static const struct rte_ether_addr rig_peer_mac = {{2, 0, 0, 0, 0, 2}};
static const struct rte_ether_addr rig_other_mac = {{2, 0, 0, 0, 0, 3}};

static inline struct wire_gid
rig_v4(uint8_t host)
{
	return wire_gid_from_v4(0xC0000200u | host);
}

static inline struct wire_gid
rig_v6(uint8_t host)
{
	return (struct wire_gid){{0x20, 0x01, 0x0D, 0xB8, [15] = host}};
}

static inline struct rig_bytes
rig_hex(const char *text)
{
	struct rig_bytes bytes = {.count = 0};
	unsigned int byte;
	int used;

	while (sscanf(text, " %2x%n", &byte, &used) == 1) {
		bytes.data[bytes.count++] = (uint8_t)byte;
		text += used;
	}
	return bytes;
}

static inline void
rig_on_send(void *arg, const uint8_t *frame, uint16_t bytes)
{
	struct neigh_rig *rig = arg;

	cr_assert_lt(rig->sent_count, RIG_SENT_MAX);
	cr_assert(bytes >= 60 && bytes <= 1518, "frame of %u bytes", bytes);
	rig->sent_bytes[rig->sent_count] = bytes;
	memcpy(rig->sent[rig->sent_count], frame, RTE_MIN(bytes, 128));
	memcpy(rig->last, frame, bytes);
	rig->sent_count++;
}

static inline void
rig_on_moved(void *arg, const struct wire_gid *address, const struct rte_ether_addr *mac)
{
	struct neigh_rig *rig = arg;

	rig->moved_count++;
	rig->moved_address = *address;
	rig->moved_mac = *mac;
}

static inline struct neigh_rig *
rig_start(const struct neigh_config *config)
{
	struct neigh_rig *rig = calloc(1, sizeof(*rig));

	cr_assert_not_null(rig);
	rig->pool = test_pool_create(RIG_MBUFS, RIG_FRAME_BYTES);
	rig->now_ns = 5 * RIG_SECOND;
	rig->config = *config;
	rig->config.mac = rig_own_mac;
	rig->config.send = rig_on_send;
	rig->config.moved = rig_on_moved;
	rig->config.arg = rig;
	rig->config.socket_id = SOCKET_ID_ANY;
	if (rig->config.entries_max == 0)
		rig->config.entries_max = 16;
	cr_assert_eq(neigh_create(&rig->config, &rig->neigh), RC_OK);
	return rig;
}

static inline struct neigh_rig *
rig_start_v4(void)
{
	return rig_start(&(struct neigh_config){.address = rig_v4(1), .prefix_length = 24});
}

static inline struct neigh_rig *
rig_start_v6(void)
{
	return rig_start(&(struct neigh_config){.address = rig_v6(1), .prefix_length = 64});
}

static inline void
rig_stop(struct neigh_rig *rig)
{
	unsigned int available = rte_mempool_avail_count(rig->pool);

	cr_assert_eq(rig->taken, rig->sent_count, "%u frames were sent, %u expected",
		rig->sent_count, rig->taken);
	cr_assert_eq(available, RIG_MBUFS, "%u of %u buffers came back", available, RIG_MBUFS);
	neigh_destroy(rig->neigh);
	rte_mempool_free(rig->pool);
	free(rig);
}

static inline const struct neigh_counters *
rig_counters(const struct neigh_rig *rig)
{
	return neigh_counters(rig->neigh);
}

static inline struct rte_mbuf *
rig_mbuf(struct neigh_rig *rig, const uint8_t *data, uint16_t bytes, uint16_t segment_bytes)
{
	struct rte_mbuf *head = rte_pktmbuf_alloc(rig->pool), *tail = head;
	uint16_t done = 0;

	cr_assert_not_null(head);
	for (;;) {
		uint16_t part = RTE_MIN((uint16_t)(bytes - done), segment_bytes);

		memcpy(rte_pktmbuf_mtod(tail, void *), data + done, part);
		tail->data_len = part;
		done += part;
		if (done == bytes)
			break;
		tail->next = rte_pktmbuf_alloc(rig->pool);
		tail = tail->next;
		cr_assert_not_null(tail);
		head->nb_segs++;
	}
	head->pkt_len = bytes;
	return head;
}

static inline bool
rig_input_segments(
	struct neigh_rig *rig, const uint8_t *data, uint16_t bytes, uint16_t segment_bytes)
{
	struct rte_mbuf *mbuf = rig_mbuf(rig, data, bytes, segment_bytes);
	bool taken = neigh_input(rig->neigh, mbuf, rig->now_ns);

	rte_pktmbuf_free(mbuf);
	return taken;
}

static inline bool
rig_input_bytes(struct neigh_rig *rig, const struct rig_bytes *bytes)
{
	return rig_input_segments(rig, bytes->data, bytes->count, RIG_FRAME_BYTES);
}

static inline bool
rig_input(struct neigh_rig *rig, const char *hex)
{
	struct rig_bytes bytes = rig_hex(hex);

	return rig_input_bytes(rig, &bytes);
}

/* Fail unless the next sent frame has these bytes, padded with zeroes to 60 bytes. */
static inline void
rig_expect(struct neigh_rig *rig, const char *hex)
{
	struct rig_bytes want = rig_hex(hex);
	uint16_t bytes = RTE_MAX(want.count, (uint16_t)60);
	const uint8_t *got = rig->sent[rig->taken];

	cr_assert_lt(rig->taken, rig->sent_count, "nothing more was sent, expected %s", hex);
	cr_assert_eq(rig->sent_bytes[rig->taken], bytes, "%u bytes were sent, expected %u",
		rig->sent_bytes[rig->taken], bytes);
	for (uint16_t i = 0; i < bytes; i++)
		cr_assert_eq(got[i], want.data[i], "byte %u is %02x, expected %02x", i, got[i],
			want.data[i]);
	rig->taken++;
}

static inline void
rig_expect_nothing(const struct neigh_rig *rig)
{
	cr_assert_eq(rig->taken, rig->sent_count, "%u frames more than expected",
		rig->sent_count - rig->taken);
}

static inline void
rig_expect_count(struct neigh_rig *rig, uint32_t count)
{
	cr_assert_eq(rig->sent_count - rig->taken, count, "%u frames sent, expected %u",
		rig->sent_count - rig->taken, count);
	rig->taken = rig->sent_count;
}

static inline enum neigh_result
rig_lookup(struct neigh_rig *rig, struct wire_gid peer, struct rte_ether_addr *mac)
{
	memset(mac, 0, sizeof(*mac));
	return neigh_lookup(rig->neigh, &peer, mac, rig->now_ns);
}

static inline void
rig_expect_lookup(struct neigh_rig *rig, struct wire_gid peer, enum neigh_result result)
{
	struct rte_ether_addr mac;
	enum neigh_result got = rig_lookup(rig, peer, &mac);

	cr_assert_eq(got, result, "lookup gave %d, expected %d", got, result);
}

static inline void
rig_expect_found(struct neigh_rig *rig, struct wire_gid peer, const struct rte_ether_addr *want)
{
	struct rte_ether_addr mac;
	enum neigh_result got = rig_lookup(rig, peer, &mac);

	cr_assert_eq(got, NEIGH_FOUND, "lookup gave %d", got);
	cr_assert(rte_is_same_ether_addr(&mac, want), "MAC address ends in %02x, expected %02x",
		mac.addr_bytes[5], want->addr_bytes[5]);
}

static inline void
rig_expect_moved(const struct neigh_rig *rig, uint32_t count, struct wire_gid address,
	const struct rte_ether_addr *mac)
{
	cr_assert_eq(rig->moved_count, count, "%u moved, expected %u", rig->moved_count, count);
	cr_assert(wire_gid_equal(&rig->moved_address, &address));
	cr_assert(rte_is_same_ether_addr(&rig->moved_mac, mac), "MAC address ends in %02x",
		rig->moved_mac.addr_bytes[5]);
}

/* Advance the time by ns. Call neigh_tick() whenever its deadline expires, as an engine does. */
static inline void
rig_advance(struct neigh_rig *rig, uint64_t ns)
{
	uint64_t end_ns = rig->now_ns + ns;

	while (neigh_deadline(rig->neigh) <= end_ns) {
		rig->now_ns = RTE_MAX(rig->now_ns, neigh_deadline(rig->neigh));
		neigh_tick(rig->neigh, rig->now_ns);
	}
	rig->now_ns = end_ns;
}

#endif
