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
#include "stopwatch.h"
#include "workload.h"

/*
 * One connection, initiator or target, as a state machine that session_turn() advances when
 * something has happened to it (completions.h). No function blocks.
 *
 *   initiator  CONNECTING > COMPLETING > GREETING > PREPARING > RUNNING > FINISHING >
 *              DISCONNECTING > CLOSED
 *   target     LISTENING > ASKED > ACCEPTING > GREETING > RUNNING > FINISHING > CLOSED
 *
 * and from every state to FAILED, with a sentence in error. All memory is taken when the connection
 * is made.
 */

/** Bytes that each standing window is bound to. */
#define SESSION_STANDING_BYTES 64u

enum session_state {
	SESSION_IDLE,          /**< not begun */
	SESSION_LISTENING,     /**< target: no request yet */
	SESSION_ASKED,         /**< target: the request says what will be measured */
	SESSION_ACCEPTING,     /**< target: accepted, waits for the confirmation */
	SESSION_CONNECTING,    /**< initiator: request on its way */
	SESSION_COMPLETING,    /**< initiator: confirming */
	SESSION_GREETING,      /**< waits for the peer's ready */
	SESSION_PREPARING,     /**< initiator: standing windows are being bound */
	SESSION_RUNNING,       /**< operations */
	SESSION_FINISHING,     /**< initiator: waits for the result; target: for the disconnect */
	SESSION_DISCONNECTING, /**< waits for the peer's answer */
	SESSION_CLOSED,
	SESSION_FAILED, /**< see error */
};

/** What a request was posted for; found from its result. */
enum request_kind {
	REQUEST_DATA, /**< of the operation */
	REQUEST_RECEIVE,
	REQUEST_CONTROL, /**< Send of a control message */
	REQUEST_WINDOW,  /**< bind of the window over all exposed slots */
};

struct request {
	struct nd_result result;
	struct session *session;
	enum request_kind kind;
	uint32_t slot;     /**< of data memory, receive or control message */
	uint32_t purpose;  /**< data: 0 .. requests_per_slot - 1 */
	uint32_t pending;  /**< data, purpose 0: events until the operation is complete */
	uint64_t sequence; /**< data: number of the operation */
	uint64_t posted_tsc;
	uint64_t ended_tsc;
	uint64_t remote_slot;
	struct nd_mw_descriptor descriptor; /**< bind: window of this slot */
	STAILQ_ENTRY(request) early;        /**< of session->early */
	bool busy;                          /**< posted, result not seen */
	bool waiting;                       /**< bind, target: to be posted when the slot is free */
	uint8_t op;                         /**< of a mix: enum options_op */
};

struct session {
	enum session_state state;
	bool initiator; /**< has opened the connection */
	bool posts;     /**< its operations are measured: the initiator, or else the target */
	const struct workload_role *role;
	const struct stopwatch *stopwatch;
	TAILQ_ENTRY(session) ready; /**< of completions->ready, when is_ready */
	bool is_ready;
	TAILQ_ENTRY(session) node; /**< the owner's list */
	void *owner;
	uint32_t seen;           /**< the owner's: what it has counted of this session */
	uint64_t seen_completed; /**< the same, of completed */

	/* What is done. */
	enum options_op op;
	uint32_t size_bytes, depth, qp, qp_count, op_index;
	uint64_t client;
	uint32_t standing_count; /**< initiator of bind: windows bound all the time */
	bool verify, latency, remote_invalidate;
	bool bidirectional; /**< the second half of the queue pairs is of the server's operations */
	uint8_t weights[OPTIONS_OP_MIX]; /**< of a mix */
	bool last_op; /**< the client ends after this one; a target learns it at the end */

	/* Objects. */
	struct nd_adapter *adapter;
	uint32_t sides;                  /**< adapters of the process: 2 in loopback */
	struct completions *completions; /**< of the engine, both directions */
	struct shared_receives *shared;  /**< of the server; NULL: it has its own */
	size_t reserved_count;           /**< results it can have there */
	struct link
		link; /**< asks is set before session_connect(), or when another engine goes on */
	/** Results that have come before the engine of connections knew that there is one. */
	STAILQ_HEAD(session_early, request) early;
	uint64_t deadline_tsc;             /**< of the state; 0 = none */
	const struct transport *transport; /**< of the options */

	/*
	 * Memory: local slots, exposed slots, control messages, receives, standing windows;
	 * registered as one.
	 */
	struct workload_plan plan;
	uint8_t *memory;
	size_t memory_bytes;
	struct nd_mr *mr;
	size_t slot_bytes;
	uint32_t slots; /**< operations' requests; >= depth */
	uint8_t *local, *exposed, *controls, *receives, *standing;
	uint32_t control_count, control_bytes, control_free_count;
	uint32_t receive_count, receive_bytes;
	struct request *requests; /**< data, control, receive and window requests */
	struct request *control_requests, *receive_requests, *window_request;
	uint32_t *control_free; /**< stack of slots */
	struct nd_mw **windows;
	struct nd_mw **standing_windows; /**< standing_count of them */
	uint32_t standing_posted, standing_bound;
	struct nd_mw_descriptor remote; /**< the peer's window */

	/* Progress, in operations. */
	uint32_t next_slot;        /**< of the next operation */
	uint32_t next_remote_slot; /**< write, read: in the peer's window */
	uint64_t posted, completed;
	uint64_t posting_tsc;     /**< initiator: when posting the newest batch began */
	struct schedule schedule; /**< initiator */
	uint64_t schedule_from;   /**< number of the first operation of the schedule */
	uint64_t due_tsc;         /**< of the operation that is being posted */
	uint64_t limit;           /**< initiator: post no more than this; set by the run */
	uint64_t post_ceiling;    /**< initiator: the same, set by the operation */
	uint64_t measured_from;   /**< first one that counts */
	uint64_t measured;        /**< complete, and counted */
	uint64_t answered;        /**< target: operations dealt with */
	uint32_t waiting_count;   /**< bind, target: requests that wait */
	uint64_t done_count;      /**< target: the initiator's count */
	uint64_t errors;          /**< wrong messages seen here */
	uint64_t peer_errors;     /**< wrong messages seen by the peer */
	bool is_stopping;         /**< at the server: done when those up to limit are complete */
	uint64_t missed;          /**< operations that were due and not posted; at both sides */
	struct mix mix[2]; /**< places in the order of a mix: initiator, first one: to post */
	uint64_t running_tsc, finished_tsc;
	struct histogram *histogram; /**< initiator: owner's */
	struct histogram *parts;     /**< initiator of a mix: the same, of each enum options_op */
	bool peer_gone, peer_left, no_memory; /**< why it has failed; left: it has disconnected */
	char error[256];                      /**< empty = it has not failed */
};

/**
 * Start an initiator; the parameters under "What is done", adapter, completions and stopwatch are
 * set.
 */
void session_connect(struct session *session, const struct sockaddr_storage *peer, uint16_t port);

/** Start a target, which waits for a request; adapter, completions and stopwatch are set. */
void session_listen(struct session *session, struct nd_listener *listener);

/** Advance the state machine of a session that completions_next() has given. */
void session_turn(struct session *session);

/** Hand a result to the session that has posted the request, and wake it. */
void session_take_result(struct nd_result *result, uint64_t now);

/** End a state that has lasted too long. To be called now and then, see completions.timed_count. */
void session_check_deadline(struct session *session);

/** Initiator: post the operations from the next one on by this schedule, which is copied. */
void session_schedule(struct session *session, const struct schedule *schedule);

/** @return operations that are due at this time and not posted; UINT64_MAX: there is no schedule */
uint64_t session_due_count(const struct session *session, uint64_t now);

/** All is complete: a session that posts says so; another one of the client disconnects. */
void session_finish(struct session *session);

/** Disconnect, whatever the state; CLOSED when the peer has answered. Wakes the session. */
void session_disconnect(struct session *session);

/** Free everything. The connection ends if it has not. */
void session_close(struct session *session);

/** Go to FAILED with a sentence in error; a later one does not replace the first. */
void session_fail(struct session *session, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** The connection is gone and this side did not end it. */
void session_peer_ended(struct session *session);

/** @return whether this status of posting is success; if not the session has failed. */
bool session_posted(struct session *session, nd_status status, const char *what);

/**
 * Post a control message.
 *
 * @param content magic and type need not be set
 * @param invalidate NULL, or window of the peer that the message makes invalid
 * @return whether there was room; when not, nothing happened
 */
bool session_send_control(struct session *session, enum control_type type,
	const struct control_message *content, const struct nd_mw_descriptor *invalidate);

/** Post a receive. */
void session_receive(struct session *session, struct request *request);

/** Count an operation as complete; its latency ends now. */
void session_count(struct session *session, const struct request *request, uint64_t now);

/**
 * Compare a message with the pattern. Wrong messages are counted; the first is described in error.
 */
void session_check(struct session *session, const void *message, size_t length,
	enum pattern_stream stream, uint64_t sequence);

/**
 * Compare what the result of a receive says beside its bytes: these flags, and with immediate data
 * the number of the message. Wrong ones are counted likewise.
 */
void session_check_immediate(
	struct session *session, const struct request *receive, uint32_t flags, uint64_t sequence);

/** @return immediate data of a message. */
static inline uint32_t
session_immediate(uint64_t sequence)
{
	return rte_cpu_to_be_32((uint32_t)sequence);
}

/** Set the time limit of a state, or end it. */
void session_set_deadline(struct session *session, uint32_t seconds);
void session_clear_deadline(struct session *session);

/** One turn of the states up to RUNNING, and of DISCONNECTING. */
void session_handshake_turn(struct session *session);

/** Objects that the connection needs, receives posted. @return false: session has failed. */
bool session_open_objects(struct session *session);

/** Take memory, requests, windows and register. @return false: session has failed. */
bool session_memory_open(struct session *session);
void session_memory_close(struct session *session);

/**
 * @return when the operation that is being posted began, in cycles of the TSC. Operations of one
 * batch go to the engine together, and one reading of the counter costs as much as a fifth of an
 * operation at depth 64: all of them began with the batch. With --verify the time that filling a
 * message takes is not part of the operation.
 *
 * With a schedule an operation began when it was due, even if it is posted later: what a peer that
 * stands still holds up is late for each operation that was due meanwhile.
 */
static inline uint64_t
session_posting_tsc(const struct session *session)
{
	if (session->schedule.period > 0)
		return session->due_tsc;
	return session->verify ? stopwatch_now() : session->posting_tsc;
}

static inline uint8_t *
session_local(const struct session *session, uint32_t slot)
{
	return session->local + slot * session->slot_bytes;
}

static inline uint8_t *
session_exposed(const struct session *session, uint64_t slot)
{
	return session->exposed + slot * session->slot_bytes;
}

static inline struct request *
session_request(const struct session *session, uint32_t purpose, uint32_t slot)
{
	return &session->requests[purpose * session->slots + slot];
}

/** @return the SGE of the first bytes of a slot. */
static inline struct nd_sge
session_sge(const struct session *session, uint8_t *address)
{
	return (struct nd_sge){address, session->size_bytes, session->mr};
}

#endif
