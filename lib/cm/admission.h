/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CM_ADMISSION_H
#define NDPDK_CM_ADMISSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "cm/cm.h"

struct cm_source;

/*
 * Decides which requests are reported to the application, and when (SEC-042). A connection is half
 * open from its REQ until the RTU or the first packet on its queue pair. Each proven source has its
 * own queue of half-open connections. All unproven sources share one queue (source.h). Each queue
 * has a number of slots ("open places" in documents and counters). A connection takes a slot when
 * its request is reported to the application, and frees the slot when the connection is established
 * or has ended. Requests that find no free slot are held in state REQ_RECEIVED. A held request
 * occupies a cm_id, but no resources of the application.
 */

struct cm_queue {
	/** connections in REQ_RECEIVED whose requests are not yet reported to the application */
	struct base_list held;
	/** connections in REP_SENT, in the order in which their REPs were sent */
	struct base_list replied;
	struct base_list link; /**< node in cm_admission.busy while `held` is not empty */
	uint32_t count;        /**< number of half-open connections, including held requests */
	/**
	 * number of half-open connections that were reported to the application; each has a slot
	 */
	uint32_t open_count;
};

struct cm_admission {
	struct cm_queue unproven; /**< queue that all unproven sources share */
	struct base_list busy;    /**< queues with held requests, served round-robin */
	/** connections of all queues in REP_SENT, in the order in which their REPs were sent */
	struct base_list replied;
	uint32_t open_count;     /**< number of slots in use, all queues together */
	uint32_t held_count;     /**< number of held requests, all queues together */
	uint32_t open_max;       /**< maximum number of slots, all queues together */
	uint32_t queue_open_max; /**< maximum number of slots of one queue */
	uint32_t queue_max;      /**< maximum number of half-open connections of one queue */
	/** number of cm_ids reserved for connections that this side requests */
	uint32_t id_reserve;
	uint64_t grace_ns; /**< time after its REP for which a connection cannot be evicted */
	uint64_t due_ns;   /**< time of the next cm_admission_tick() that may have work */
};

void cm_queue_init(struct cm_queue *queue);

/** Compute the limits from the configuration, in which all defaults are filled in. */
void cm_admission_init(struct cm_admission *admission, const struct cm_config *config);

/**
 * Check whether the source may have one more half-open connection.
 * @return false if it may not; the drop is then counted
 */
bool cm_admission_has_room(struct cm *cm, struct cm_source *source, uint64_t now_ns);

/**
 * Add a connection in REQ_RECEIVED that was created from msg. Its request is reported to the
 * application now, or later by cm_admission_tick().
 */
void cm_admission_enter(struct cm_id *id, const struct wire_cm_msg *msg, uint64_t now_ns);

/** Update the queues after a connection changed its state. Called by cm_fsm_enter(). */
void cm_admission_moved(struct cm_id *id, enum cm_state state, uint64_t now_ns);

/** Move the half-open connections of a source that has become proven out of the unproven queue. */
void cm_admission_promote(struct cm *cm, struct cm_source *source);

/** Report at most 64 held requests to the application, while slots are free. */
void cm_admission_tick(struct cm *cm, uint64_t now_ns);

/**
 * @return time at which cm_admission_tick() must be called; BASE_TIME_NEVER if no request is held
 */
uint64_t cm_admission_deadline(const struct cm *cm);

#endif
