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
 * Which requests the application sees, and when (SEC-042). A connection is half open from its REQ
 * until the RTU, or the first packet on its queue pair. Half-open connections stand in queues: one
 * for each proven source, and one that all unproven sources share (source.h). A queue has a number
 * of open places; a connection takes one when the application is told of its request, and leaves it
 * when it is established or over. Requests that find no open place are held, in REQ_RECEIVED, which
 * costs a cm_id and nothing of the application.
 */

struct cm_queue {
	struct base_list held;    /**< REQ_RECEIVED, the application does not know of them yet */
	struct base_list replied; /**< REP_SENT, in the order of their REPs */
	struct base_list link;    /**< in cm_admission.busy while something is held */
	uint32_t count;           /**< half-open connections of the queue, the held ones included */
	uint32_t open_count;      /**< of these, known to the application */
};

struct cm_admission {
	struct cm_queue unproven; /**< of all unproven sources together */
	struct base_list busy;    /**< queues with something held, served in turn */
	struct base_list replied; /**< REP_SENT of all queues, in the order of their REPs */
	uint32_t open_count;      /**< of all queues */
	uint32_t held_count;      /**< of all queues */
	uint32_t open_max;        /**< of all queues */
	uint32_t queue_open_max;  /**< of one queue */
	uint32_t queue_max;       /**< half-open connections of one queue */
	uint32_t id_reserve;      /**< cm_ids kept free of requests, for own connects */
	uint64_t grace_ns;        /**< time after its REP in which nothing evicts a connection */
	uint64_t due_ns;          /**< when cm_admission_tick() may find something to do */
};

void cm_queue_init(struct cm_queue *queue);

/** Derive the limits from the configuration, which has its defaults filled in. */
void cm_admission_init(struct cm_admission *admission, const struct cm_config *config);

/** @return whether one more request of the source fits; otherwise counts why it does not. */
bool cm_admission_has_room(struct cm *cm, struct cm_source *source, uint64_t now_ns);

/**
 * A connection in REQ_RECEIVED, made from msg: tell the application of it, now or by
 * cm_admission_tick() later.
 */
void cm_admission_enter(struct cm_id *id, const struct wire_cm_msg *msg, uint64_t now_ns);

/** Called by cm_fsm_enter() for every change of state. */
void cm_admission_moved(struct cm_id *id, enum cm_state state, uint64_t now_ns);

/** The source is proven now: its held requests leave the queue of the unproven. */
void cm_admission_promote(struct cm *cm, struct cm_source *source);

/** Tell the application of held requests as far as there are open places, 64 at most. */
void cm_admission_tick(struct cm *cm, uint64_t now_ns);

/** @return when cm_admission_tick() wants to be called; BASE_TIME_NEVER when nothing is held. */
uint64_t cm_admission_deadline(const struct cm *cm);

#endif
