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
 * One real queue pair and the scripted far end of its connection. The far end has no behaviour: the
 * test says which packet it sends, and reads what the queue pair sent.
 *
 *	struct rc_peer peer;
 *
 *	rc_peer_start(&peer, NULL);
 *	rc_peer_inject(&peer, &(struct wire_headers){.bth.opcode = ...}, data, bytes);
 *	rc_peer_progress(&peer);
 *	cr_assert(rc_peer_next(&peer, &packet));
 *	rc_peer_stop(&peer);
 */

#define RC_PEER_QPN        0x000123u       /* of the queue pair under test */
#define RC_PEER_OWNER      ((void *)0x123) /* of its completions */
#define RC_PEER_REMOTE_QPN 0x00ABCDu
#define RC_PEER_SEND_PSN   0x000100u /* first of the queue pair's own requests */
#define RC_PEER_PSN        0x005000u /* first of the far end's requests */

/** What a test changes before the start; rc_peer_defaults() fills everything. */
struct rc_peer_options {
	struct rc_qp_attr qp; /**< the completion queues are set by rc_peer_start() */
	struct rc_qp_connect_attr connect;
	uint32_t cq_entries;
	uint32_t pool_mbufs;
	struct rc_keep_config keep; /**< mbufs_max 0: nothing is kept; random is set here */
	bool stay_init;             /**< do not connect */
};

/** A packet that the queue pair sent. */
struct rc_peer_packet {
	struct wire_view view;
	uint8_t payload[LIMIT_PMTU_MAX];
	uint16_t frame_bytes;
};

struct rc_peer {
	struct rte_mempool *pool;
	unsigned pool_count; /**< mbufs in the pool at the start */
	struct base_random random;
	struct mem_domain *mem;
	struct rc_context ctx;
	struct rc_cq send_cq;
	struct rc_cq receive_cq;
	struct rc_qp *qp;
	struct rc_qp_connect_attr connect;
	struct wire_template remote_tmpl; /**< far end to queue pair */
	uint16_t remote_ip_id;
	uint64_t now_ns;
	uint32_t taken; /**< packets of ctx.packets handed out by rc_peer_next() */
	/* Notifications seen. */
	unsigned event_first_count;
	unsigned event_error_count;
	unsigned event_refused_count;
	unsigned receive_notify_count;
	unsigned send_notify_count;
	bool notify_overrun;
	uint64_t steps[RC_STEP_REFUSED + 1]; /**< observed; rc_peer_stop() compares with counters */
};

/**
 * Fill in: IPv4, PMTU 1024, 16 entries, 4 SGEs, 4 READs each way, no ACK timer, all remote rights.
 */
void rc_peer_defaults(struct rc_peer_options *options);

/** Make a domain, queues, and a connected queue pair. @param options NULL = defaults */
void rc_peer_start(struct rc_peer *peer, const struct rc_peer_options *options);

/** Release everything; asserts that no mbuf has leaked. Packets not looked at are dropped. */
void rc_peer_stop(struct rc_peer *peer);

/** Asserts that all mbufs are back in the pool or in ctx.packets. */
void rc_peer_check_leaks(const struct rc_peer *peer);

/**
 * Build a frame of the far end. P_Key and destination QPN are filled in when they are 0, and MigReq
 * is not set.
 * @return yields an mbuf
 */
struct rte_mbuf *rc_peer_frame(struct rc_peer *peer, const struct wire_headers *headers,
	const void *payload, uint16_t payload_bytes);

/** Parse a frame, which must be well formed, and give it to the queue pair. Consumes the mbuf. */
void rc_peer_input(struct rc_peer *peer, struct rte_mbuf *mbuf);

/** rc_peer_frame() and rc_peer_input(). */
void rc_peer_inject(struct rc_peer *peer, const struct wire_headers *headers, const void *payload,
	uint16_t payload_bytes);

/** Inject an Acknowledge; the syndrome makes it an ACK, RNR NAK or NAK. */
void rc_peer_inject_ack(struct rc_peer *peer, uint32_t psn, uint8_t syndrome, uint32_t msn);

/** Inject a SEND packet of any opcode; AckReq on the last one of the message. */
void rc_peer_send(struct rc_peer *peer, uint8_t opcode, uint32_t psn, const void *payload,
	uint16_t payload_bytes);

/** The same for a WRITE; reth is used by First and Only, and may be NULL for the others. */
void rc_peer_write(struct rc_peer *peer, uint8_t opcode, uint32_t psn,
	const struct wire_reth_value *reth, const void *payload, uint16_t payload_bytes);

void rc_peer_read(struct rc_peer *peer, uint32_t psn, const struct wire_reth_value *reth);

/** Take and count events of the queue pair; done by rc_peer_input() and rc_peer_progress(). */
void rc_peer_events(struct rc_peer *peer);

/** rc_qp_progress() at peer->now_ns. @return its result */
bool rc_peer_progress(struct rc_peer *peer);

/** Take the next packet that the queue pair sent. @return false when there is none */
bool rc_peer_next(struct rc_peer *peer, struct rc_peer_packet *packet);

/** Drop everything the queue pair has sent. @return how many packets */
unsigned rc_peer_drain(struct rc_peer *peer);

/**
 * Take the next packet and assert that it is an Acknowledge with this syndrome and PSN, and the
 * last packet.
 */
void rc_peer_expect_ack(struct rc_peer *peer, uint8_t syndrome, uint32_t psn);

/** Assert that the queue pair has sent nothing. */
void rc_peer_expect_silence(struct rc_peer *peer);

/** Take the next completion of the queue, which must be there. */
struct rc_completion rc_peer_completion(struct rc_cq *cq);

/** Register `bytes` at `memory`; the address in the index space is base. */
struct mem_region *
rc_peer_region(struct rc_peer *peer, void *memory, size_t bytes, uint64_t base, uint32_t rights);

/** Post a receive of one SGE (region NULL: of none). */
void rc_peer_post_receive(struct rc_peer *peer, void *context, const struct mem_region *region,
	uint64_t address, uint64_t bytes);

/** Fill memory with bytes that depend on the seed and the place. */
void rc_peer_pattern(void *memory, size_t bytes, uint32_t seed);

/** Move the bytes of a frame from an offset on, 1 .. length - 1, into a second segment. */
void rc_peer_split(struct rte_mbuf *mbuf, uint32_t at);

#endif
