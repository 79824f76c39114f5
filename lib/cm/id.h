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
 * One connection. Its life:
 *
 * 1. Allocated by cm_id_alloc() in cm_connect(), or when a REQ has passed all checks.
 * 2. Changes its state only in cm_fsm_enter(), which updates timer, indexes and backlog.
 * 3. After its end, stays in TIMEWAIT for the whole time, and in IDLE until the caller releases it.
 * 4. Freed by cm_id_free() when TIMEWAIT is over and the caller has released it. Slots are reused
 * in the order in which they were freed.
 */
struct cm_id {
	struct cm *cm;
	void *context;
	enum cm_state state;
	/** our communication ID, never 0: slot in the low bits, random bits above (SEC-006) */
	uint32_t comm_id;
	uint32_t remote_comm_id; /**< communication ID of the peer; 0 = not yet known */
	uint32_t local_qpn;      /**< QPN of our queue pair; 0 = not yet set by the application */
	/**
	 * true while no events are reported: the application has no handle yet, or has released it
	 */
	bool released;
	bool over; /**< true if the last event of the connection was reported */
	bool told; /**< passive: true if the request was reported to the application */
	/**
	 * true if the peer refused before it could use local_qpn, which may then be reused at once
	 */
	bool qpn_unused;
	/** true if the REQ offered an alternate path, which the REP declines */
	bool alternate_path;
	/** passive: number of REP retransmissions that the REQ permits */
	uint8_t peer_max_retries;
	/**
	 * passive: number of frames that may still be sent to an unproven source (CM_REQ_FRAMES)
	 */
	uint8_t frames_left;
	uint64_t entered_ns; /**< time at which the connection entered its current state */
	/** passive: time within which the peer answers a REP, according to the peer's REQ */
	uint64_t rtu_interval_ns;
	uint64_t req_interval_ns; /**< passive: maximum time until the peer retransmits its REQ */
	/** time until which our MRA requested the peer to wait; 0 = no MRA sent */
	uint64_t mra_until_ns;
	/** retransmission state of `last`, used in REQ_SENT, REP_SENT and DREQ_SENT */
	struct cm_repeat repeat;
	uint64_t remote_guid;
	uint64_t transaction_id; /**< transaction ID of REQ, REP and RTU; a DREQ gets a new one */
	struct cm_route route;
	struct cm_peer peer;
	struct cm_timer timer;
	/** node in cm.by_remote_id, which finds the connection of a duplicate REQ; passive only */
	struct cm_index_node by_remote_id;
	/** node in cm.by_remote_qpn, which finds stale connections; not used in TIMEWAIT */
	struct cm_index_node by_remote_qpn;
	/** node in cm.resting, which finds connections in TIMEWAIT by local_qpn */
	struct cm_index_node resting;
	/** node in the free list, or in the list `pending` of the listener */
	struct base_list link;
	/** listener of the request, used in REQ_RECEIVED; NULL if the listener was closed */
	struct cm_listener *listener;
	struct cm_source *source; /**< entry of the peer's address in the table of sources */
	/** passive: queue of the connection while it is half open (admission.h) */
	struct cm_queue *queue;
	struct base_list place;       /**< node in the list `held` or `replied` of the queue */
	struct base_list reply_order; /**< node in cm_admission.replied; used in REP_SENT */
	uint64_t replied_ns;          /**< time at which the REP was first sent */
	/** Message that may be retransmitted: REQ, REP, RTU or DREQ; REJ after a rejection. */
	struct wire_cm_msg last;
};

/**
 * Number of frames that may be sent to an unproven source per REQ: the REP, one retransmission, and
 * the REJ that ends the connection. The source address may be forged, so its owner may be the
 * victim of a flood. QUIC limits amplification for the same reason (RFC 9000, 8.1).
 */
#define CM_REQ_FRAMES 3

/**
 * Table of all connections. Slots that were never used are not touched, so with small pages they
 * occupy only address space.
 */
struct cm_id_table {
	struct cm_id *slots;
	struct base_list free; /**< freed slots in the order in which they were freed */
	/** number of slots that were used at least once, all at the start of the table */
	uint32_t touched_count;
	uint32_t slot_count;
	uint32_t used_count;
	uint32_t index_mask;
};

#define CM_ID_MAX (1u << 20) /**< limit that leaves 12 random bits in a communication ID */

/** Allocate the table. @param slot_count 1..CM_ID_MAX @return false: out of memory. */
bool cm_id_table_init(struct cm_id_table *table, uint32_t slot_count, int socket_id);
void cm_id_table_fini(struct cm_id_table *table);

/** @return zeroed record in state CM_IDLE with a new communication ID; NULL if the table is full */
struct cm_id *cm_id_alloc(struct cm_id_table *table, struct base_random *random);
void cm_id_free(struct cm_id_table *table, struct cm_id *id);

/**
 * @return connection with this local communication ID, in O(1); NULL if it is IDLE or does not
 * exist
 */
struct cm_id *cm_id_lookup(const struct cm_id_table *table, uint32_t comm_id);

#endif
