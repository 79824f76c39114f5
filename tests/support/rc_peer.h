/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SUPPORT_RC_PEER_H
#define NDPDK_SUPPORT_RC_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "mem/mem.h"
#include "rc/cq.h"
#include "rc/keep.h"
#include "rc/out.h"
#include "rc/qp.h"
#include "rc/qp_time.h"
#include "wire/build.h"
#include "wire/parse.h"

/*
 * A real queue pair, and a peer that the test simulates. The test injects each packet of the peer,
 * and reads the packets that the queue pair sent.
 *
 * 	struct rc_peer peer;
 *
 * rc_peer_start(&peer, NULL); rc_peer_inject(&peer, &(struct wire_headers){.bth.opcode = ...},
 *  data, bytes); rc_peer_progress(&peer); cr_assert(rc_peer_next(&peer, &packet));
 *  rc_peer_stop(&peer);
 */

#define RC_PEER_QPN        0x000123u
#define RC_PEER_OWNER      ((void *)0x123) /* owner in its completions */
#define RC_PEER_REMOTE_QPN 0x00ABCDu
#define RC_PEER_SEND_PSN   0x000100u
#define RC_PEER_PSN        0x005000u

/** Options that a test may change before the start. rc_peer_defaults() sets all of them. */
struct rc_peer_options {
	struct rc_qp_attr qp; /**< attributes; rc_peer_start() sets the completion queues */
	struct rc_qp_connect_attr connect;
	uint32_t cq_entries;
	uint32_t pool_mbufs;
	/** Configuration. mbufs_max 0: no packet is kept. rc_peer_start() sets `random`. */
	struct rc_keep_config keep;
	bool stay_init; /**< do not connect */
};

struct rc_peer_packet {
	struct wire_view view;
	uint8_t payload[LIMIT_PMTU_MAX];
	uint16_t frame_bytes;
};

struct rc_peer {
	struct rte_mempool *pool;
	unsigned pool_count;
	struct base_random random;
	struct mem_domain *mem;
	struct rc_context ctx;
	struct rc_cq send_cq;
	struct rc_cq receive_cq;
	struct rc_qp *qp;
	struct rc_qp_connect_attr connect;
	struct wire_template remote_tmpl;
	uint16_t remote_ip_id;
	uint64_t now_ns;
	uint32_t taken; /**< number of packets in ctx.packets that rc_peer_next() has returned */
	/* Notifications so far. */
	unsigned event_first_count;
	unsigned event_error_count;
	unsigned event_refused_count;
	unsigned receive_notify_count;
	unsigned send_notify_count;
	bool notify_overrun;
	/**
	 * Number of calls of the observer, by event, which rc_peer_stop() compares with the
	 * counters.
	 */
	uint64_t steps[RC_STEP_REFUSED + 1];
};

/**
 * Set the defaults: IPv4, PMTU 1024, 16 entries, 4 SGEs, 4 READs in each direction, no ACK timer,
 * all remote rights.
 */
void rc_peer_defaults(struct rc_peer_options *options);

/** Create a domain, queues, and a connected queue pair. @param options NULL = defaults */
void rc_peer_start(struct rc_peer *peer, const struct rc_peer_options *options);

/** Release everything, and drop packets that were not read. Asserts that no mbuf has leaked. */
void rc_peer_stop(struct rc_peer *peer);

/** Assert that all mbufs are in the pool or in ctx.packets. */
void rc_peer_check_leaks(const struct rc_peer *peer);

/**
 * Build a frame of the peer. A P_Key or destination QPN of 0 is replaced by the right value. MigReq
 * is not changed.
 *
 * @return an mbuf that the caller owns
 */
struct rte_mbuf *rc_peer_frame(struct rc_peer *peer, const struct wire_headers *headers,
	const void *payload, uint16_t payload_bytes);

/** Parse a well-formed frame and pass it to the queue pair. Consumes the mbuf. */
void rc_peer_input(struct rc_peer *peer, struct rte_mbuf *mbuf);

void rc_peer_inject(struct rc_peer *peer, const struct wire_headers *headers, const void *payload,
	uint16_t payload_bytes);

/** Inject an Acknowledge. The syndrome selects ACK, RNR NAK or NAK. */
void rc_peer_inject_ack(struct rc_peer *peer, uint32_t psn, uint8_t syndrome, uint32_t msn);

/** Inject a SEND packet with any SEND opcode. AckReq is set in the last packet of the message. */
void rc_peer_send(struct rc_peer *peer, uint8_t opcode, uint32_t psn, const void *payload,
	uint16_t payload_bytes);

/** Inject a WRITE packet. For opcodes other than First and Only, reth is unused and may be NULL. */
void rc_peer_write(struct rc_peer *peer, uint8_t opcode, uint32_t psn,
	const struct wire_reth_value *reth, const void *payload, uint16_t payload_bytes);

void rc_peer_read(struct rc_peer *peer, uint32_t psn, const struct wire_reth_value *reth);

/** Take and count the events of the queue pair, as rc_peer_input() and rc_peer_progress() do. */
void rc_peer_events(struct rc_peer *peer);

/** Run rc_qp_progress() at peer->now_ns. @return its result */
bool rc_peer_progress(struct rc_peer *peer);

/** Read the next packet that the queue pair sent. @return false if there is no packet */
bool rc_peer_next(struct rc_peer *peer, struct rc_peer_packet *packet);

/** Drop all packets that the queue pair has sent. @return their number */
unsigned rc_peer_drain(struct rc_peer *peer);

/** Read the last packet, which must be an Acknowledge with this syndrome and PSN. */
void rc_peer_expect_ack(struct rc_peer *peer, uint8_t syndrome, uint32_t psn);

void rc_peer_expect_silence(struct rc_peer *peer);

/** Take the next completion of the queue. The queue must not be empty. */
struct rc_completion rc_peer_completion(struct rc_cq *cq);

/** Register `bytes` bytes at `memory` as a region that begins at address `base`. */
struct mem_region *
rc_peer_region(struct rc_peer *peer, void *memory, size_t bytes, uint64_t base, uint32_t rights);

/** Post a receive with one SGE, or without SGE if region is NULL. */
void rc_peer_post_receive(struct rc_peer *peer, void *context, const struct mem_region *region,
	uint64_t address, uint64_t bytes);

/** Fill memory with bytes that depend on their offset and on the seed. */
void rc_peer_pattern(void *memory, size_t bytes, uint32_t seed);

/** Move the bytes of a frame from offset `at` on into a second segment. `at` is 1 .. length - 1. */
void rc_peer_split(struct rte_mbuf *mbuf, uint32_t at);

#endif
