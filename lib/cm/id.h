/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CM_ID_H
#define NDPDK_CM_ID_H

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "base/random.h"
#include "cm/cm.h"
#include "cm/index.h"
#include "cm/repeat.h"
#include "cm/timer.h"

struct cm_queue;
struct cm_source;

/**
 * One connection.
 *
 *  1. cm_id_alloc() in cm_connect(), or when a REQ has passed all checks.
 *  2. Moves from state to state by cm_fsm_enter() only, which keeps timer, indexes and backlog in
 *     step.
 *  3. Ends in TIMEWAIT, which nothing shortens; afterwards IDLE until the caller has released it.
 *  4. cm_id_free() when TIMEWAIT is over and the caller has released it. Slots are reused in the
 *     order they were freed.
 */
struct cm_id {
	struct cm *cm;
	void *context;
	enum cm_state state;
	uint32_t comm_id;        /**< slot in the low bits, random above (SEC-006); never 0 */
	uint32_t remote_comm_id; /**< 0 = not known yet */
	uint32_t local_qpn;      /**< 0 = the application has not given one yet */
	bool released;           /**< the caller has no handle (yet, or any more): no events */
	bool over;               /**< the last event was given: no more */
	bool told;               /**< passive: the application knows of the request */
	bool qpn_unused; /**< the peer refused before it could use local_qpn: it need not rest */
	bool alternate_path;      /**< the REQ offered one; the REP declines */
	uint8_t peer_max_retries; /**< passive: repeats of the REP that the REQ grants */
	uint8_t frames_left; /**< passive: still allowed to an unproven source (CM_REQ_FRAMES) */
	uint64_t entered_ns; /**< when the state began */
	uint64_t rtu_interval_ns; /**< passive: the REQ says how soon a REP is answered */
	uint64_t req_interval_ns; /**< passive: the REQ is repeated after this at the latest */
	uint64_t mra_until_ns;    /**< the peer was asked to wait until then; 0 = never */
	struct cm_repeat repeat;  /**< of last; REQ_SENT, REP_SENT and DREQ_SENT only */
	uint64_t remote_guid;
	uint64_t transaction_id; /**< of the handshake; DREQ has one of its own */
	struct cm_route route;
	struct cm_peer peer;
	struct cm_timer timer;
	struct cm_index_node by_remote_id;  /**< passive only: finds duplicates of the REQ */
	struct cm_index_node by_remote_qpn; /**< finds stale connections; not in TIMEWAIT */
	struct cm_index_node resting;       /**< by local_qpn, in TIMEWAIT */
	struct base_list link;              /**< in the free list, or in pending of the listener */
	struct cm_listener *listener;       /**< REQ_RECEIVED only, NULL when it went away */
	struct cm_source *source;           /**< of the peer's address */
	struct cm_queue *queue;             /**< passive, while half open (admission.h) */
	struct base_list place;             /**< in held or replied of the queue */
	struct base_list reply_order;       /**< REP_SENT: in replied of the admission */
	uint64_t replied_ns;                /**< when the REP was sent first */
	/** The message that is repeated as it is: REQ, REP, RTU, DREQ; the REJ once rejected. */
	struct wire_cm_msg last;
};

/**
 * Frames that may be sent to an unproven source for each REQ: the REP, one repeat, and the REJ that
 * ends the connection. The address may be forged, and its owner a victim; QUIC limits amplification
 * for the same reason (RFC 9000, 8.1).
 */
#define CM_REQ_FRAMES 3

/** Slots that were never used are not touched: they cost address space only, if pages are small. */
struct cm_id_table {
	struct cm_id *slots;
	struct base_list free;  /**< freed slots, in the order in which they were freed */
	uint32_t touched_count; /**< slots at the start that were used at least once */
	uint32_t slot_count;
	uint32_t used_count;
	uint32_t index_mask;
};

#define CM_ID_MAX (1u << 20) /**< leaves 12 random bits in a communication ID */

/** @param slot_count 1..CM_ID_MAX @return false: out of memory. */
bool cm_id_table_init(struct cm_id_table *table, uint32_t slot_count, int socket_id);
void cm_id_table_fini(struct cm_id_table *table);

/** @return zeroed record in state CM_IDLE with a fresh communication ID, or NULL: table full. */
struct cm_id *cm_id_alloc(struct cm_id_table *table, struct base_random *random);
void cm_id_free(struct cm_id_table *table, struct cm_id *id);

/** @return the connection with this local communication ID that still answers, or NULL. O(1). */
struct cm_id *cm_id_lookup(const struct cm_id_table *table, uint32_t comm_id);

#endif
