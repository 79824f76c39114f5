/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_SIDE_H
#define NDPDK_SIM_SIM_SIDE_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd.h>

#include "sim_memory.h"
#include "sim_op.h"
#include "sim_plan.h"
#include "sim_random.h"

/*
 * One side of a connection: an application that is requester and responder at the same time, with a
 * record of all its posts. A pair is two connected sides. sim_oracle.c reads both records.
 */

#define SIM_WINDOWS       4
#define SIM_PRIVATE_BYTES 24

struct sim_world;
struct sim_node;
struct sim_side;
struct sim_pair;

enum sim_window_state {
	SIM_WINDOW_IDLE,      /**< The window is not bound, or an invalidate was posted. */
	SIM_WINDOW_BOUND,     /**< a bind was posted */
	SIM_WINDOW_ANNOUNCED, /**< The descriptor was sent to the peer in a message. */
	SIM_WINDOW_KNOWN,     /**< The peer has received the descriptor and may use the window. */
	SIM_WINDOW_ENDING,    /**< The peer has posted its last request to this window. */
	SIM_WINDOW_RELEASED,  /**< The peer has reported that its last request is complete. */
};

struct sim_window {
	struct nd_result invalidate_result;
	struct nd_mw *mw;
	enum sim_window_state state;
	size_t at;
	size_t length;
	uint32_t rights; /**< ND_OP_FLAG_ALLOW_... */
	struct nd_mw_descriptor descriptor;
};

struct sim_wait {
	struct nd_overlapped overlapped;
	struct sim_node *node;
	nd_status status;
	bool begun;
	bool done;
};

enum sim_side_state {
	SIM_SIDE_START,
	SIM_SIDE_CONNECTING, /**< active */
	SIM_SIDE_ASKED,      /**< passive: a connection request has arrived */
	SIM_SIDE_ACCEPTING,  /**< passive */
	SIM_SIDE_UP,
	SIM_SIDE_DISCONNECTING,
	SIM_SIDE_DOWN,
	SIM_SIDE_CLOSED,
};

struct sim_cq {
	struct nd_cq *cq;
	struct nd_engine *engine;
	size_t entries;
	struct sim_wait notify;
	uint32_t notify_type;
	bool matched; /**< A result of notify_type has arrived since the notification was armed. */
	struct sim_side *receive_due; /**< side of the next receive result; NULL = any side */
};

struct sim_side {
	struct sim_world *world;
	struct sim_node *node;
	struct sim_pair *pair;
	struct sim_side *peer;
	char name[4];
	bool active;
	enum sim_side_state state;
	struct sim_random random;

	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	struct sim_cq *inbound_cq;
	struct sim_cq *outbound_cq;
	struct sim_cq own_cqs[2];
	struct sim_wait connect; /**< connect or accept */
	struct sim_wait notify;
	struct sim_wait disconnect;
	uint8_t private_data[SIM_PRIVATE_BYTES];
	uint32_t attempts;

	uint32_t inbound_sge;
	uint32_t outbound_sge;
	uint32_t inbound_reads;
	uint32_t outbound_reads;
	uint32_t outbound_reads_agreed;

	struct sim_memory source;
	struct sim_memory inbox;   /**< destination of receives */
	struct sim_memory exposed; /**< memory that the peer accesses through windows */
	struct sim_ring source_ring;
	struct sim_ring inbox_ring;
	struct sim_window windows[SIM_WINDOWS];

	struct sim_queue out;
	struct sim_queue in;
	struct sim_message *messages;
	struct sim_message **messages_tail;
	uint64_t received; /**< number of messages received */

	uint32_t left;
	uint64_t wake_ns;
	uint32_t refused_rounds; /**< number of consecutive turns without a posted request */
	uint32_t mischief_looks; /**< number of checks whether the mischief is possible */
	uint64_t tired_ns;
	uint64_t give_up_ns;    /**< if doomed: time when the side disconnects */
	bool flushed;           /**< The endpoint was flushed, so it sends no more keepalives. */
	uint64_t alone_ns;      /**< time when the peer was found to be gone; 0 = it is present */
	bool doomed;            /**< requests may fail */
	bool expecting;         /**< passive: a connector waits for a request of the peer */
	bool died;              /**< The adapter and the connection have ended. */
	uint64_t bad_id;        /**< id of the first request that must fail; 0 = none */
	bool fatal;             /**< A request has failed, or a disconnect has begun. */
	uint32_t receive_limit; /**< maximum length of a receive in bytes; 0 = message_max */
	uint64_t shared_id; /**< id of the newest shared receive that was used for this endpoint */
};

struct sim_pair {
	uint32_t index;
	struct sim_side sides[2];
	bool wrong_port; /**< The first request is sent to a port without listener. */
	bool rejecting;  /**< The passive side will refuse the first request. */
	bool rejected;   /**< The passive side has refused the first request. */
	bool closing;    /**< All operations are complete, and the pair disconnects. */
	uint32_t closer; /**< side that disconnects: 0 or 1; 2 = both */
	uint32_t rounds; /**< number of connections that will follow the current connection */
	uint64_t begun_ns;
	bool lost; /**< An adapter has permanently ended or lost its cable. */
	bool cut;
};
/* ---- set-up and end: sim_side.c ---- */

void sim_side_init(struct sim_pair *pair, uint32_t which, struct sim_node *node);
void sim_side_open(struct sim_side *side);
/** Start the next connection of the pair. Both sides must have released their endpoints. */
void sim_side_again(struct sim_side *side);
/** Create the endpoint of a side. @return false if the peer has ended the connection */
bool sim_side_make_endpoint(struct sim_side *side);
/** Doom a pair: its requests and connection may now fail. The pair is disconnected later. */
void sim_side_doom(struct sim_pair *pair);
void sim_side_abandon(struct sim_side *side);
/** A side's adapter has ended. This ends all objects of the side. */
void sim_side_lose(struct sim_side *side);
/** A side's node has a new adapter. Create the side's objects on this adapter. */
void sim_side_found(struct sim_side *side);
/** Call when a side has closed. If both have, check messages and start the next connection. */
void sim_side_round_end(struct sim_pair *pair);
/** Let the application of a side act, in any state. Each turn of the node calls this function. */
void sim_side_turn(struct sim_side *side);
/** Release endpoint and connector. */
void sim_side_release(struct sim_side *side);
void sim_side_close(struct sim_side *side);

/* ---- sim_connect.c: set-up and end of connections ---- */

void sim_connect_turn(struct sim_side *side);
/** Create the listener of a node, and wait for connection requests for all its passive sides. */
void sim_connect_listen(struct sim_node *node);
/** Let a connector wait for a connection request for a passive side. */
void sim_connect_expect(struct sim_side *side);
void sim_connect_requests(struct sim_node *node);
void sim_connect_end(struct sim_side *side);
void sim_connect_down_turn(struct sim_side *side);

/* ---- posting: sim_work.c ---- */

/** Post random requests. */
void sim_work_turn(struct sim_side *side);
/** Post a random number of receives. @return true if at least one receive was posted */
bool sim_work_receives(struct sim_side *side);
/** A side has got a result, so its queue may have room again. */
void sim_work_result(struct sim_side *side);
/** @return true if both sides of a pair have completed all their operations */
bool sim_work_done(const struct sim_pair *pair);

/* ---- sim_post.c: posting single requests ---- */

/** Prepare the next entry of a queue for a request. @return NULL if all entries are in use */
struct sim_op *sim_post_begin(struct sim_side *side, struct sim_queue *queue, enum sim_kind kind);
/** Keep the posted request, or free its entry if the call failed. @return true if kept */
bool sim_post_end(struct sim_side *side, struct sim_op *op, nd_status status);
bool sim_post_receive(struct sim_side *side, size_t capacity);

struct sim_send {
	size_t length;
	uint32_t flags;
	enum sim_notice notice;
	uint32_t window; /**< window of the notice, or window of the peer to invalidate */
	bool invalidate;
	bool immediate;
	bool bad; /**< Invalidate a key that belongs to no window of this connection. */
	const struct nd_mw_descriptor *foreign; /**< if `bad`: window of another connection */
	struct sim_key *key;  /**< key of the peer to invalidate; NULL = the key of a window */
	struct sim_op *relay; /**< READ just posted, whose bytes the SEND carries */
};
bool sim_post_send(struct sim_side *side, const struct sim_send *send);

struct sim_access {
	bool write;
	bool immediate; /**< WRITE with immediate data */
	uint32_t window;
	struct sim_key *key; /**< key to use, at `offset` in the pair's part; NULL = `window` */
	size_t offset;
	size_t length;
	uint32_t flags;
	bool bad; /**< The peer must refuse the request, which uses `descriptor`, not `window`. */
	struct nd_mw_descriptor descriptor; /**< valid if bad */
};
bool sim_post_access(struct sim_side *side, const struct sim_access *access);

/** FETCH_ADD or COMPARE_SWAP of 8 bytes. The resulting address must be a multiple of 8. */
struct sim_atomic {
	bool swap;
	uint32_t window;
	struct sim_key *key; /**< key to use, at `offset` in the pair's part; NULL = `window` */
	size_t offset;
	uint32_t flags;
	bool bad;                               /**< The peer must refuse the request. */
	const struct nd_mw_descriptor *foreign; /**< if `bad`: used instead of `window` */
};
/** @return lowest offset in a window at which the address is aligned for an atomic */
size_t sim_atomic_offset(const struct sim_side *owner, const struct sim_window *window);
bool sim_post_atomic(struct sim_side *side, const struct sim_atomic *atomic);
bool sim_post_bind(struct sim_side *side, uint32_t window, uint32_t rights, uint32_t flags);
bool sim_post_invalidate(struct sim_side *side, uint32_t window, uint32_t flags, bool bad);

/* ---- results: sim_oracle.c ---- */

/** Outstanding requests will have no results. Each request may have been executed or not. */
void sim_oracle_lose(struct sim_side *side);
uint32_t sim_oracle_take(struct sim_node *node, struct sim_cq *cq);
/** After the last result: mark silent requests at the end of the queues as complete. */
void sim_oracle_finish(struct sim_side *side);
/** Both sides have disconnected. Check that all acknowledged messages were received. */
void sim_oracle_finish_messages(struct sim_side *side);
/** Arm a notification on a queue that was just emptied. */
void sim_oracle_arm(struct sim_node *node, struct sim_cq *cq);
/** Resize a queue that was just emptied. */
void sim_oracle_resize(struct sim_node *node, struct sim_cq *cq);

/* ---- mischief: sim_mischief.c ---- */

void sim_mischief_turn(struct sim_side *side);
/** @return true if the mischief on this pair has not happened yet */
bool sim_mischief_pending(const struct sim_pair *pair);

/* ---- accidents: sim_accident.c ---- */

/** @return true if accidents explain that the side's connection, or its set-up, fails now */
bool sim_accident_explains(const struct sim_side *side);
/**
 * Call after a failure. If sim_accident_explains() is true, doom the pair. @return result of
 * sim_accident_explains()
 */
bool sim_accident_excuses(struct sim_side *side);
/**
 * @return true if an adapter of the pair has restarted with the random numbers of its first start.
 * A peer that still knows an identifier of the first start must treat it like an identifier of a
 * connection in TimeWait: refuse it, or retransmit the earlier answer.
 */
bool sim_accident_ids_known(const struct sim_pair *pair);

/* ---- sim_promise.c: connections that must end by themselves ---- */

/** @return time by which the connection must have ended; UINT64_MAX = no limit */
uint64_t sim_promise_end_ns(struct sim_side *side);
/* ---- sim_wait.c: overlapped operations ---- */

/** Prepare for an overlapped call. @return the nd_overlapped to pass to the call */
struct nd_overlapped *sim_wait_begin(struct sim_wait *wait, struct sim_node *node);
void sim_wait_returned(struct sim_wait *wait, nd_status status);

#endif
