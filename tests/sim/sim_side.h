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
 * One side of a connection: an application that is requester and responder at once, and a record of
 * everything that it has posted. A pair is two sides. The oracle reads the records of both.
 */

#define SIM_WINDOWS       4
#define SIM_PRIVATE_BYTES 24

struct sim_world;
struct sim_node;
struct sim_side;
struct sim_pair;

enum sim_window_state {
	SIM_WINDOW_IDLE,      /**< not bound, or an invalidate was posted */
	SIM_WINDOW_BOUND,     /**< a bind was posted */
	SIM_WINDOW_ANNOUNCED, /**< the descriptor was sent to the peer */
	SIM_WINDOW_KNOWN,     /**< the peer has received the descriptor */
	SIM_WINDOW_ENDING,    /**< the peer has posted its last request to the window */
	SIM_WINDOW_RELEASED,  /**< the peer has announced that its last request is over */
};

struct sim_window {
	struct nd_result invalidate_result;
	struct nd_mw *mw;
	enum sim_window_state state;
	bool remote_end; /**< state ENDING is due to a SEND with invalidate */
	size_t at;       /**< offset in the exposed block */
	size_t length;
	uint32_t rights; /**< ND_OP_FLAG_ALLOW_... */
	struct nd_mw_descriptor descriptor;
};

/** An asynchronous operation and its state. */
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
	SIM_SIDE_ASKED,      /**< passive: has received a connection request */
	SIM_SIDE_ACCEPTING,  /**< passive */
	SIM_SIDE_UP,
	SIM_SIDE_DISCONNECTING,
	SIM_SIDE_DOWN,
	SIM_SIDE_CLOSED,
};

/** A completion queue and the state of its notification. */
struct sim_cq {
	struct nd_cq *cq;
	struct nd_engine *engine;
	size_t entries;
	struct sim_wait notify;
	uint32_t notify_type;
	bool matched; /**< a result of notify_type came after the notification was armed */
	struct sim_side *receive_due; /**< its receive follows an invalidate result; or NULL */
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

	struct sim_memory source;  /**< source of SENDs and WRITEs, destination of READs */
	struct sim_memory inbox;   /**< destination of receives */
	struct sim_memory exposed; /**< memory that windows open to the peer */
	struct sim_ring source_ring;
	struct sim_ring inbox_ring;
	struct sim_window windows[SIM_WINDOWS];

	struct sim_queue out;
	struct sim_queue in;
	struct sim_message *messages; /**< sent and not yet received, oldest first */
	struct sim_message **messages_tail;
	uint64_t received; /**< number of messages received */

	uint32_t left;           /**< number of operations not yet posted */
	uint64_t wake_ns;        /**< time of the next action */
	uint32_t refused_rounds; /**< consecutive turns in which nothing could be posted */
	uint32_t mischief_looks; /**< number of checks for whether the mischief is due */
	uint64_t tired_ns;       /**< time at which a connect or accept is given up */
	uint64_t give_up_ns;     /**< time at which a doomed pair disconnects */
	bool flushed;            /**< the application flushed the endpoint: no more keepalives */
	uint64_t alone_ns;       /**< time at which the peer was found gone; 0: it is not gone */
	bool doomed;             /**< requests may fail */
	bool expecting;          /**< passive: a connector waits for a connection request */
	bool died;               /**< its adapter has ended, and the connection with it */
	uint64_t bad_id; /**< request that must fail: no later one may be executed; 0 = none */
	bool fatal;      /**< a request has failed, or the connection was ended */
	uint32_t receive_limit; /**< maximum bytes of a receive; 0 = message_max */
	uint64_t shared_id;     /**< id of the last shared receive that its endpoint took */
};

struct sim_pair {
	uint32_t index;
	struct sim_side sides[2];
	bool wrong_port;   /**< the first attempt uses a port without listener */
	bool rejecting;    /**< the passive side refuses the first request */
	bool rejected;     /**< the passive side has refused the first request */
	bool closing;      /**< all operations are complete: disconnect */
	uint32_t closer;   /**< 0, 1: this side disconnects; 2: both */
	uint32_t rounds;   /**< number of connections to make after this one */
	uint64_t begun_ns; /**< time at which the sides began to connect */
	bool lost;         /**< an adapter or its cable is gone permanently */
	bool cut;          /**< the cable is cut permanently */
};

/* ---- set-up and end: sim_side.c ---- */

void sim_side_init(struct sim_pair *pair, uint32_t which, struct sim_node *node);
/** Create memory, windows and queues on the adapter. */
void sim_side_open(struct sim_side *side);
/** Start over with a new endpoint. Both sides must have released their endpoints. */
void sim_side_again(struct sim_side *side);
/** Create the endpoint of the side's connector. @return false: the peer is gone */
bool sim_side_make_endpoint(struct sim_side *side);
/** Allow requests and connections of a pair to fail, and disconnect the pair later. */
void sim_side_doom(struct sim_pair *pair);
/** Give up the connection of a side that is not up. */
void sim_side_abandon(struct sim_side *side);
/** Handle the end of a side's adapter and of all its objects. */
void sim_side_lose(struct sim_side *side);
/** Use the new adapter of the side's node. */
void sim_side_found(struct sim_side *side);
/** After a side closed: if both sides did, judge the connection and start the next one. */
void sim_side_round_end(struct sim_pair *pair);
/** Execute one turn of a side in any state. */
void sim_side_turn(struct sim_side *side);
/** Release endpoint and connector. */
void sim_side_release(struct sim_side *side);
/** Release everything else and compare every byte of memory. */
void sim_side_close(struct sim_side *side);

/* ---- coming up and going down: sim_connect.c ---- */

/** Execute one turn of a side that is not up. */
void sim_connect_turn(struct sim_side *side);
/** Create the listener of a node and wait for requests for its passive sides. */
void sim_connect_listen(struct sim_node *node);
/** Wait for a connection request for a passive side. */
void sim_connect_expect(struct sim_side *side);
void sim_connect_requests(struct sim_node *node);
/** End the connection from this side. */
void sim_connect_end(struct sim_side *side);
/** Execute one turn of a side that disconnects. */
void sim_connect_down_turn(struct sim_side *side);

/* ---- posting: sim_work.c ---- */

/** Post random requests. */
void sim_work_turn(struct sim_side *side);
/** Post receives, up to a random number. @return whether there was room for any */
bool sim_work_receives(struct sim_side *side);
/** Handle a result: the queue may have room again. */
void sim_work_result(struct sim_side *side);
/** @return whether both sides of a pair have completed all their work */
bool sim_work_done(const struct sim_pair *pair);

/* ---- single requests: sim_post.c ---- */

/** Take the next entry of a queue for a request of this kind. */
struct sim_op *sim_post_begin(struct sim_side *side, struct sim_queue *queue, enum sim_kind kind);
/** After the call: keep the request or free its entry. @return whether it was kept */
bool sim_post_end(struct sim_side *side, struct sim_op *op, nd_status status);
bool sim_post_receive(struct sim_side *side, size_t capacity);

struct sim_send {
	size_t length;
	uint32_t flags;
	enum sim_notice notice;
	uint32_t window; /**< window of the notice, or the peer's window to invalidate */
	bool invalidate;
	bool immediate;
	bool bad;                               /**< invalidate a key that is no window */
	const struct nd_mw_descriptor *foreign; /**< if bad: window of another connection */
	struct sim_key *key;                    /**< key of the peer to invalidate */
	struct sim_op *relay; /**< READ just posted: send its data from its destination */
};
bool sim_post_send(struct sim_side *side, const struct sim_send *send);

struct sim_access {
	bool write;
	bool immediate; /**< WRITE with immediate data */
	uint32_t window;
	struct sim_key *key; /**< used instead of the window; offset is in the pair's part */
	size_t offset;
	size_t length;
	uint32_t flags;
	bool bad; /**< the peer must refuse the request; uses descriptor and offset */
	struct nd_mw_descriptor descriptor; /**< valid if bad */
};
bool sim_post_access(struct sim_side *side, const struct sim_access *access);

/** FETCH_ADD or COMPARE_SWAP of 8 bytes; the offset makes their address a multiple of 8. */
struct sim_atomic {
	bool swap;
	uint32_t window;
	struct sim_key *key; /**< used instead of the window; offset is in the pair's part */
	size_t offset;
	uint32_t flags;
	bool bad;                               /**< the peer must refuse the request */
	const struct nd_mw_descriptor *foreign; /**< if bad: used instead of the window */
};
/** @return the first offset in a window of the owner that is aligned for an atomic */
size_t sim_atomic_offset(const struct sim_side *owner, const struct sim_window *window);
bool sim_post_atomic(struct sim_side *side, const struct sim_atomic *atomic);
bool sim_post_bind(struct sim_side *side, uint32_t window, uint32_t rights, uint32_t flags);
bool sim_post_invalidate(struct sim_side *side, uint32_t window, uint32_t flags, bool bad);

/* ---- results: sim_oracle.c ---- */

/** Treat outstanding requests as possibly executed, because no results will come. */
void sim_oracle_lose(struct sim_side *side);
/** Take and judge all results of a completion queue. @return number of results */
uint32_t sim_oracle_take(struct sim_node *node, struct sim_cq *cq);
/** After the last result: account for silent requests at the end of the queues. */
void sim_oracle_finish(struct sim_side *side);
/** After both sides went down: check that acknowledged messages were received. */
void sim_oracle_finish_messages(struct sim_side *side);
/** Arm a notification. The queue has just been emptied. */
void sim_oracle_arm(struct sim_node *node, struct sim_cq *cq);
/** Resize a queue that has just been emptied. */
void sim_oracle_resize(struct sim_node *node, struct sim_cq *cq);

/* ---- mischief: sim_mischief.c ---- */

/** Execute the mischief of the plan if it is due. */
void sim_mischief_turn(struct sim_side *side);
/** @return whether mischief is still pending for this pair */
bool sim_mischief_pending(const struct sim_pair *pair);

/* ---- accidents: sim_accident.c ---- */

/** @return whether an accident may now break the connection or an attempt to connect */
bool sim_accident_explains(const struct sim_side *side);
/** As sim_accident_explains(), after a failure. If true, dooms the pair. */
bool sim_accident_excuses(struct sim_side *side);
/**
 * @return whether an adapter of the pair has restarted with the random numbers of its first start.
 *         A peer that knows the identifiers of the first life must refuse them, as those of a
 *         connection in TimeWait, or retransmit its earlier answer.
 */
bool sim_accident_ids_known(const struct sim_pair *pair);

/* ---- connections that must end: sim_promise.c ---- */

/** @return time by which the connection must have ended; UINT64_MAX: no limit */
uint64_t sim_promise_end_ns(struct sim_side *side);

/* ---- operations that end later: sim_wait.c ---- */

/** Prepare for a call. @return the nd_overlapped to pass to the call */
struct nd_overlapped *sim_wait_begin(struct sim_wait *wait, struct sim_node *node);
/** Record the status that the call returned. */
void sim_wait_returned(struct sim_wait *wait, nd_status status);

#endif
