/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_SESSION_H
#define NDPDK_NDPMD_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd.h>

#include "kit/link.h"

#include "completions.h"
#include "control.h"
#include "histogram.h"
#include "mix.h"
#include "options.h"
#include "pattern.h"
#include "schedule.h"
#include "session_memory.h"
#include "stopwatch.h"
#include "workload.h"

/*
 * One connection, initiator or target, as a state machine. session_turn() advances it when events
 * of the connection have occurred (completions.h). No function blocks.
 *
 *   initiator  CONNECTING > COMPLETING > GREETING > PREPARING > RUNNING > FINISHING >
 *              DISCONNECTING > CLOSED
 *   target     LISTENING > ASKED > ACCEPTING > GREETING > RUNNING > FINISHING > CLOSED
 *
 * Each state can change to FAILED. Then end.error has a sentence about the cause. All memory is
 * allocated when the connection is made.
 */

/** Number of bytes that each standing window covers. */
#define SESSION_STANDING_BYTES 64u

enum session_state {
	SESSION_IDLE,       /**< not begun */
	SESSION_LISTENING,  /**< target: no request yet */
	SESSION_ASKED,      /**< target: a request that describes the operations has arrived */
	SESSION_ACCEPTING,  /**< target: has accepted, and waits for the initiator's RTU */
	SESSION_CONNECTING, /**< initiator: has sent its request, and waits for the answer */
	SESSION_COMPLETING, /**< initiator: was accepted, and sends its RTU */
	SESSION_GREETING,   /**< connected, and waits for the peer's message ready */
	SESSION_PREPARING,  /**< initiator: the standing windows are being bound */
	SESSION_RUNNING,    /**< operations are executed */
	/** initiator: waits for the message result; target: for the disconnect */
	SESSION_FINISHING,
	SESSION_DISCONNECTING, /**< has sent a DREQ, and waits for the peer's answer */
	SESSION_CLOSED,
	SESSION_FAILED, /**< see end.error */
};

enum request_kind {
	REQUEST_DATA, /**< part of an operation */
	REQUEST_RECEIVE,
	REQUEST_CONTROL, /**< Send of a control message */
	REQUEST_WINDOW,  /**< bind of the window that covers all exposed slots */
};

struct request {
	struct nd_result result;
	struct session *session;
	enum request_kind kind;
	uint32_t slot;    /**< index of the data slot, receive or control message */
	uint32_t purpose; /**< REQUEST_DATA: 0 .. requests_per_slot - 1 */
	/** with purpose 0 of REQUEST_DATA: number of events until the operation is complete */
	uint32_t pending;
	uint64_t sequence; /**< REQUEST_DATA: number of the operation */
	uint64_t posted_tsc;
	uint64_t ended_tsc;
	uint64_t remote_slot;
	struct nd_mw_descriptor descriptor; /**< bind: the window of this slot */
	STAILQ_ENTRY(request) early;        /**< in session->early */
	bool busy;                          /**< posted, and the result has not been taken yet */
	bool waiting; /**< target of bind: the request will be posted when it is no longer busy */
	uint8_t op;   /**< mix: enum options_op */
};

/**
 * Parameters of the operations, which the client sends in the hello, so that both sides have them.
 */
struct session_setup {
	enum options_op op;
	uint32_t size_bytes, depth, qp, qp_count, op_index;
	uint64_t client;
	bool verify, latency, remote_invalidate;
	bool bidirectional; /**< the server posts on the second half of the queue pairs */
	uint8_t weights[OPTIONS_OP_MIX]; /**< weights of a mix */
};

/** Standing windows of an initiator of the operation bind, see op_bind.c. */
struct session_standing {
	uint32_t count; /**< number of standing windows; set by the owner */
	uint8_t *bytes; /**< memory of the standing windows */
	struct nd_mw **windows;
	uint32_t posted, bound;
};

/** Times at which the initiator posts, set by the owner or by a client's control messages. */
struct session_pace {
	struct schedule schedule;
	uint64_t schedule_from; /**< number of the first operation of the schedule */
	uint64_t posting_tsc;   /**< time when the newest batch was begun */
	uint64_t due_tsc;       /**< schedule: due time of the operation that is being posted */
	uint64_t limit;         /**< highest value of tally.posted that the run allows */
	uint64_t ceiling;       /**< highest value of tally.posted that the operation allows */
	bool is_stopping; /**< server: sends done when all operations up to limit are complete */
	uint64_t missed;  /**< operations that were due but were not posted; equal on both sides */
};

struct session_tally {
	uint64_t posted, completed;
	uint64_t measured_from;
	uint64_t measured;    /**< number of measured operations that are complete */
	uint64_t answered;    /**< number of operations that the target has processed */
	uint64_t checked;     /**< number of operations that the target has verified, see laps.h */
	uint64_t done_count;  /**< target: number of operations in the message done */
	uint64_t errors;      /**< received messages with wrong content */
	uint64_t peer_errors; /**< messages with wrong content that the peer has received */
};

/** Cause of a failure. */
struct session_end {
	bool peer_gone;
	bool peer_left; /**< the peer disconnected */
	bool no_memory;
	char error[256]; /**< reason of the failure; empty = no failure */
};

struct session {
	enum session_state state;
	bool initiator; /**< true if this side has opened the connection */
	bool posts;     /**< true if this side posts the measured operations */
	const struct workload_role *role;
	const struct stopwatch *stopwatch;
	TAILQ_ENTRY(session) ready; /**< in completions->ready, if is_ready */
	bool is_ready;
	TAILQ_ENTRY(session) node; /**< in the owner's list */
	void *owner;
	uint32_t seen; /**< bit i: the owner has counted fact i of enum run_fact (run_sessions.c) */
	uint64_t seen_completed; /**< value of tally.completed that the owner has counted */

	struct session_setup setup;
	struct session_memory memory;
	struct session_standing standing;
	struct session_pace pace;
	struct session_tally tally;
	struct session_end end;
	bool last_op; /**< the client ends after this operation; done tells the target */
	struct nd_mw_descriptor remote; /**< the peer's window */
	uint32_t next_slot;             /**< slot of the operation that is posted next */
	uint32_t next_remote_slot;      /**< write, read: next slot in the peer's window */
	uint32_t waiting_count;         /**< bind, target: number of requests with waiting set */
	struct mix mix[2];              /**< positions in the order of a mix; see op_mix.c */
	uint64_t running_tsc, finished_tsc;
	struct histogram *histogram; /**< initiator: latency; freed by the owner */
	struct histogram *parts;     /**< initiator of a mix: latency of each enum options_op */

	/* Objects. */
	struct nd_adapter *adapter;
	uint32_t sides;                  /**< number of adapters of the process: 2 in loopback */
	struct completions *completions; /**< the engine's completion queue */
	struct shared_receives *shared;  /**< shared receive queue; NULL = own receives */
	size_t reserved_count;           /**< reserved entries of completions */
	struct link link; /**< link.asks is set before connecting, or when the engine changes */
	/**
	 * Results that arrived before the connection was reported as established. The first engine
	 * makes this report. This session's engine may get results earlier.
	 */
	STAILQ_HEAD(session_early, request) early;
	uint64_t deadline_tsc;             /**< time limit of the current state; 0 = no limit */
	const struct transport *transport; /**< settings from the options */
};

/** Start an initiator. The caller has set setup, adapter, completions and stopwatch. */
void session_connect(struct session *session, const struct sockaddr_storage *peer, uint16_t port);

/** Start a target. The caller has set adapter, completions and stopwatch. */
void session_listen(struct session *session, struct nd_listener *listener);

/** Advance the state machine of a session that completions_next() has returned. */
void session_turn(struct session *session);

/**
 * Pass every new result to its session, and add the session to the ready list. Call this function
 * after each poll of the engine.
 * @return time of the newest results, in TSC cycles; 0 = there were no results
 */
uint64_t session_take_results(struct completions *completions);

/**
 * Fail the session if the deadline of its state has passed. Call this function regularly while
 * completions.timed_count is not 0.
 */
void session_check_deadline(struct session *session);

/** Initiator: post the next operations at the times of a schedule. The schedule is copied. */
void session_schedule(struct session *session, const struct schedule *schedule);

/** @return number of operations that are due but were not posted; UINT64_MAX = no schedule */
uint64_t session_due_count(const struct session *session, uint64_t now);

/**
 * Finish the operation when all its operations are complete. A side that posts sends the message
 * done. A client that does not post on this session disconnects.
 */
void session_finish(struct session *session);

/**
 * Disconnect and wake the session, in any state. The state becomes CLOSED when the peer has
 * answered.
 */
void session_disconnect(struct session *session);

void session_close(struct session *session);

/** Change to FAILED and write a sentence into end.error, unless it has a sentence already. */
void session_fail(struct session *session, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** Handle the end of a connection that the peer has ended or that was lost. */
void session_peer_ended(struct session *session);

/** If status, which a post has returned, is an error, fail the session. @return true on success */
bool session_posted(struct session *session, nd_status status, const char *what);

/**
 * Post a control message.
 *
 * @param content message; the function sets magic and type
 * @param invalidate window of the peer that the Send invalidates; NULL = none
 * @return false: no slot for the message was free, and nothing was posted
 */
bool session_send_control(struct session *session, enum control_type type,
	const struct control_message *content, const struct nd_mw_descriptor *invalidate);

void session_receive(struct session *session, struct request *request);

/** @return true if a session executes this operation, alone or as part of a mix. */
static inline bool
session_executes(const struct session *session, enum options_op op)
{
	return session->setup.op == op || (op < OPTIONS_OP_MIX && session->setup.weights[op] > 0);
}

/** Set or clear the deadline of the session's current state. */
void session_set_deadline(struct session *session, uint32_t seconds);
void session_clear_deadline(struct session *session);

static inline uint8_t *
session_local(const struct session *session, uint32_t slot)
{
	return session->memory.local + slot * session->memory.slot_bytes;
}

static inline uint8_t *
session_exposed(const struct session *session, uint64_t slot)
{
	return session->memory.exposed + slot * session->memory.slot_bytes;
}

static inline struct request *
session_request(const struct session *session, uint32_t purpose, uint32_t slot)
{
	return &session->memory.requests[purpose * session->memory.slots + slot];
}

/** @return slot of the next operation. The slots are used in a circle. */
static inline uint32_t
session_take_slot(struct session *session)
{
	const uint32_t slot = session->next_slot;

	session->next_slot = slot + 1 == session->memory.slots ? 0 : slot + 1;
	return slot;
}

static inline struct nd_sge
session_sge(const struct session *session, uint8_t *address)
{
	return (struct nd_sge){address, session->setup.size_bytes, session->memory.mr};
}

#endif
