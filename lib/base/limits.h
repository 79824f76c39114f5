/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BASE_LIMITS_H
#define NDPDK_BASE_LIMITS_H

#include <assert.h>
#include <stdint.h>

/*
 * All limits of the stack, with their dependencies. A loop over a count that a peer or the
 * application controls uses one of these limits as its bound.
 */

/** Maximum number of packets in one receive or transmit call of a port. */
#define LIMIT_BURST          32
/** Maximum number of packets that one engine call may create before it transmits them. */
#define LIMIT_OUT_PACKETS    256
/**
 * Number of output slots for datagrams of connection management, ARP and neighbour discovery.
 * LIMIT_OUT_PACKETS does not include these slots.
 */
#define LIMIT_OUT_DATAGRAMS  32
/** Maximum number of engines of one adapter. Each engine uses one RX and one TX queue of a port. */
#define LIMIT_ENGINES        16
/**
 * Maximum number of queue pairs of one adapter. A 24-bit QPN consists of a slot number (the low
 * bits) and a generation (the bits above).
 */
#define LIMIT_QP_SLOTS       (1u << 20)
/**
 * Number of slots of the key table. A key consists of a slot number (24 bits) and a tag (8 bits).
 */
#define LIMIT_KEY_SLOTS      (1u << 24)
/** Maximum number of payload bytes of one message (IBTA C9-94, RC-004). */
#define LIMIT_MESSAGE_BYTES  (UINT64_C(1) << 31)
/** Maximum number of scatter/gather entries of one request. */
#define LIMIT_SGE            16
/** Maximum number of READs in flight, as requester and as responder. */
#define LIMIT_READS          128
/** Maximum number of bytes of inline data. */
#define LIMIT_INLINE_BYTES   256
/** Maximum number of requests in one send or receive queue. */
#define LIMIT_QUEUE_ENTRIES  (1u << 16)
/** Maximum number of results in one completion queue. */
#define LIMIT_CQ_ENTRIES     (1u << 22)
/**
 * Maximum number of unacknowledged request packets of a queue pair. RC-013 permits fewer than 2^23.
 */
#define LIMIT_SEND_WINDOW    1024
/**
 * Packets after a missing packet are kept if their PSN is at most this distance from the expected
 * PSN. A larger distance makes it more likely that a forged packet is accepted (docs/security.md).
 */
#define LIMIT_KEEP_PACKETS   1024
/** Largest and smallest path MTU, in bytes of payload. */
#define LIMIT_PMTU_MAX       4096
#define LIMIT_PMTU_MIN       256
/** Maximum number of buffers of one region. */
#define LIMIT_REGION_BUFFERS (1u << 16)
/**
 * Maximum number of bytes of one region. The RETH has 64-bit addresses; the limit prevents overflow
 * of base + length.
 */
#define LIMIT_REGION_BYTES   (UINT64_C(1) << 47)
/**
 * Maximum size of headers: Ethernet 14 + VLAN 4 + IPv6 40 + UDP 8 + BTH 12 + AtomicETH 28, rounded
 * up to 128.
 */
#define LIMIT_HEADER_BYTES   128
/** Maximum size of pad and ICRC after the payload. */
#define LIMIT_TRAILER_BYTES  8
/** Size of a CM datagram, which is a MAD. */
#define LIMIT_MAD_BYTES      256
/**
 * Maximum private data in bytes. LIMIT_CALLER_DATA: in a REQ, after the RDMA IP CM header.
 * LIMIT_CALLEE_DATA: in a REP or REJ; a REJ has no room for more.
 */
#define LIMIT_CALLER_DATA    56
#define LIMIT_CALLEE_DATA    148

static_assert(LIMIT_OUT_PACKETS >= 4 * LIMIT_BURST, "all responses to a burst of requests fit");
static_assert(LIMIT_SEND_WINDOW < (1u << 23), "RC-013: fewer than 2^23 PSNs outstanding");
static_assert(LIMIT_KEEP_PACKETS >= LIMIT_SEND_WINDOW, "all packets of a send window can be kept");
static_assert(LIMIT_QP_SLOTS <= (1u << 24), "a QPN has at most 24 bits");
static_assert(LIMIT_READS <= 255, "the CM carries read limits in 8 bits");
static_assert(
	LIMIT_MESSAGE_BYTES / LIMIT_PMTU_MIN <= (1u << 23), "one message fits the PSN window");
static_assert(
	LIMIT_REGION_BYTES >= LIMIT_MESSAGE_BYTES, "a region can contain the largest message");

#endif
