/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BASE_LIMITS_H
#define NDPDK_BASE_LIMITS_H

#include <assert.h>
#include <stdint.h>

/*
 * Every maximum of the stack, and how they depend on each other. A loop over a count that a peer or
 * the application controls names one of these as its bound.
 */

/** Packets taken from, or given to, a port in one call. */
#define LIMIT_BURST          32
/** Packets that one engine call may emit before it has to hand them to the port. */
#define LIMIT_OUT_PACKETS    256
/** Further places, only for datagrams: connection management, ARP, neighbour discovery. */
#define LIMIT_OUT_DATAGRAMS  32
/** Engines of one adapter, and so RX and TX queues that it has of a port. */
#define LIMIT_ENGINES        16
/** Queue pairs of one adapter: 24-bit QPN, less the generation bits above the slot. */
#define LIMIT_QP_SLOTS       (1u << 20)
/** Slots of the key table: a key is slot:24 | tag:8. */
#define LIMIT_KEY_SLOTS      (1u << 24)
/** Bytes of one message (IBTA C9-94, RC-004). */
#define LIMIT_MESSAGE_BYTES  (UINT64_C(1) << 31)
/** Scatter/gather entries of one request. */
#define LIMIT_SGE            16
/** READs in flight, as initiator and as responder. */
#define LIMIT_READS          128
/** Bytes of inline data. */
#define LIMIT_INLINE_BYTES   256
/** Requests in one send or receive queue. */
#define LIMIT_QUEUE_ENTRIES  (1u << 16)
/** Results in one completion queue. */
#define LIMIT_CQ_ENTRIES     (1u << 22)
/** Unacknowledged request packets of one queue pair; far below the 2^23 of RC-013. */
#define LIMIT_SEND_WINDOW    1024
/**
 * How far ahead of the expected packet one may be to be kept. Each PSN more makes a forged packet
 * more likely to be taken (docs/security.md).
 */
#define LIMIT_KEEP_PACKETS   1024
/** Largest path MTU and smallest, bytes of payload. */
#define LIMIT_PMTU_MAX       4096
#define LIMIT_PMTU_MIN       256
/** Buffers of one region. */
#define LIMIT_REGION_BUFFERS (1u << 16)
/**
 * Bytes of one region: the RETH carries 64-bit addresses, the limit keeps base + length from
 * wrapping.
 */
#define LIMIT_REGION_BYTES   (UINT64_C(1) << 47)
/** Ethernet 14 + VLAN 4 + IPv6 40 + UDP 8 + BTH 12 + AtomicETH 28, rounded up. */
#define LIMIT_HEADER_BYTES   128
/** Pad and ICRC behind the payload. */
#define LIMIT_TRAILER_BYTES  8
/** A CM datagram is a 256-byte MAD. */
#define LIMIT_MAD_BYTES      256
/** Private data of a caller (REQ less the RDMA IP CM header) and of a callee (REJ). */
#define LIMIT_CALLER_DATA    56
#define LIMIT_CALLEE_DATA    148

static_assert(
	LIMIT_OUT_PACKETS >= 4 * LIMIT_BURST, "one burst of requests has room to be answered");
static_assert(LIMIT_SEND_WINDOW < (1u << 23), "RC-013: fewer than 2^23 PSNs outstanding");
static_assert(LIMIT_KEEP_PACKETS >= LIMIT_SEND_WINDOW, "a window of our own requester can be kept");
static_assert(LIMIT_QP_SLOTS <= (1u << 24), "a QPN has 24 bits");
static_assert(LIMIT_READS <= 255, "the CM carries read limits in 8 bits");
static_assert(
	LIMIT_MESSAGE_BYTES / LIMIT_PMTU_MIN <= (1u << 23), "one message fits the PSN window");
static_assert(LIMIT_REGION_BYTES >= LIMIT_MESSAGE_BYTES, "a message may come from one region");

#endif
