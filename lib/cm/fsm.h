/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CM_FSM_H
#define NDPDK_CM_FSM_H

#include <stdint.h>

#include "cm/id.h"

/*
 * The state machine of one connection. A message that is to be repeated is put into id->last by the
 * caller first.
 */

/**
 * Move to a state: arms or stops the timer, keeps indexes, backlog and quarantine of the QPN in
 * step.
 */
void cm_fsm_enter(struct cm_id *id, enum cm_state state, uint64_t now_ns);

/** Move to REQ_SENT, REP_SENT or DREQ_SENT: send id->last, and repeat it until it is answered. */
void cm_fsm_send(struct cm_id *id, enum cm_state state, uint64_t now_ns);

/** Tell the application, unless the connection is released or its last event was given. */
void cm_fsm_event(struct cm_id *id, const struct cm_event *event);

/**
 * REQ_RECEIVED, REP_RECEIVED, REP_SENT: send a REJ (kept in id->last, the caller may add to it) and
 * end.
 */
void cm_fsm_refuse(struct cm_id *id, uint64_t now_ns);

/** ESTABLISHED, REP_SENT: send a DREQ and repeat it. */
void cm_fsm_disconnect(struct cm_id *id, uint64_t now_ns);

/** Send a REJ with this reason and end, without event. */
void cm_fsm_reject(struct cm_id *id, uint16_t reason, uint64_t now_ns);

/** REQ_SENT, REP_SENT: stop waiting for the peer; gives CM_EVENT_UNREACHABLE. */
void cm_fsm_give_up(struct cm_id *id, uint64_t now_ns);

/** The timer of the connection fired. */
void cm_fsm_expire(struct cm_id *id, uint64_t now_ns);

/** The peer has given the QPN of this connection to another one (CM-008). */
void cm_fsm_stale(struct cm_id *id, uint64_t now_ns);

/**
 * Such a connection, of which this side only waits for the answer to its DREQ: the wait is over,
 * and the other connection is none the worse. A peer that has started again uses its numbers again,
 * and will not answer for those of its last life.
 * @return false: the connection is in use on this side; nothing was done
 */
bool cm_fsm_gives_way(struct cm_id *id, uint64_t now_ns) __rte_warn_unused_result;

/** React to a message that belongs to the connection: the caller has checked its origin. */
void cm_fsm_react(struct cm_id *id, const struct wire_cm_msg *msg, uint64_t now_ns);

/** REP_SENT: the passive side is established. */
void cm_fsm_establish(struct cm_id *id, uint64_t now_ns);

/** Frees a connection that is over, rested and released. */
void cm_fsm_reap(struct cm_id *id);

#endif
