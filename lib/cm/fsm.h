/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CM_FSM_H
#define NDPDK_CM_FSM_H

#include <stdint.h>

#include "cm/id.h"

/*
 * The state machine of one connection. cm_fsm_send() and cm_fsm_refuse() send the message that the
 * caller has written to id->last. cm_fsm_reject() and cm_fsm_disconnect() write id->last
 * themselves.
 */

/**
 * Change the state. Starts or stops the timer. Updates the indexes, the listener's backlog and the
 * quarantine of the QPN.
 */
void cm_fsm_enter(struct cm_id *id, enum cm_state state, uint64_t now_ns);

/** Enter REQ_SENT, REP_SENT or DREQ_SENT: send id->last, and retransmit it until it is answered. */
void cm_fsm_send(struct cm_id *id, enum cm_state state, uint64_t now_ns);

/** Report an event. No effect after the connection was released, or after its last event. */
void cm_fsm_event(struct cm_id *id, const struct cm_event *event);

/** In REQ_RECEIVED, REP_RECEIVED or REP_SENT: send the REJ in id->last, and end the connection. */
void cm_fsm_refuse(struct cm_id *id, uint64_t now_ns);

/** In ESTABLISHED or REP_SENT: send a DREQ, and retransmit it until it is answered. */
void cm_fsm_disconnect(struct cm_id *id, uint64_t now_ns);

/** Send a REJ with this reason, and end the connection without an event. */
void cm_fsm_reject(struct cm_id *id, uint16_t reason, uint64_t now_ns);

/** In REQ_SENT or REP_SENT: stop waiting for the peer, and report CM_EVENT_UNREACHABLE. */
void cm_fsm_give_up(struct cm_id *id, uint64_t now_ns);

/** Handle expiry of the connection's timer. */
void cm_fsm_expire(struct cm_id *id, uint64_t now_ns);

/** End a connection, because the peer has used its queue pair for a new connection (CM-008). */
void cm_fsm_stale(struct cm_id *id, uint64_t now_ns);

/**
 * End the connection as cm_fsm_stale() does, but only if this side waits for the answer to its
 * DREQ. A new connection may use the peer's queue pair afterwards. A peer that has restarted uses
 * the same numbers again and never answers the old DREQ.
 * @return false if this side still uses the connection, which is then unchanged
 */
bool cm_fsm_gives_way(struct cm_id *id, uint64_t now_ns) __rte_warn_unused_result;

/** Handle a message of the connection. The caller has checked that the peer sent it. */
void cm_fsm_react(struct cm_id *id, const struct wire_cm_msg *msg, uint64_t now_ns);

/** In REP_SENT: enter ESTABLISHED and report CM_EVENT_ESTABLISHED. */
void cm_fsm_establish(struct cm_id *id, uint64_t now_ns);

/** Free a connection if it has ended, left TIMEWAIT and was released. */
void cm_fsm_reap(struct cm_id *id);

#endif
