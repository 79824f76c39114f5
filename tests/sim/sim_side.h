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
 * One side of a connection: an application that acts as requester and responder at once, and what
 * is known about everything it has posted. A pair is two sides; the oracle sees both.
 */

#define SIM_WINDOWS       4
#define SIM_PRIVATE_BYTES 24

struct sim_world;
struct sim_node;
struct sim_side;
struct sim_pair;

enum sim_window_state {
	SIM_WINDOW_IDLE,      /**< not bound, or its invalidate is posted */
	SIM_WINDOW_BOUND,     /**< bind posted */
	SIM_WINDOW_ANNOUNCED, /**< descriptor sent */
	SIM_WINDOW_KNOWN,     /**< the peer has it */
	SIM_WINDOW_ENDING,    /**< the peer has posted its last request that names it */
	SIM_WINDOW_RELEASED,  /**< the peer has said so */
};

struct sim_window {
	struct nd_result invalidate_result;
	struct nd_mw *mw;
	enum sim_window_state state;
	bool remote_end; /**< ENDING by a SEND with invalidate */
	size_t at;       /**< in the exposed block */
	size_t length;
	uint32_t rights; /**< ND_OP_FLAG_ALLOW_... */
	struct nd_mw_descriptor descriptor;
};

/** An operation that ends later, and whether it has. */
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
	SIM_SIDE_ASKED,      /**< passive: has a request */
	SIM_SIDE_ACCEPTING,  /**< passive */
	SIM_SIDE_UP,
	SIM_SIDE_DISCONNECTING,
	SIM_SIDE_DOWN,
	SIM_SIDE_CLOSED,
};

/** A completion queue and who takes its results. */
struct sim_cq {
	struct nd_cq *cq;
	struct nd_engine *engine;
	size_t entries;
	struct sim_wait notify;
	uint32_t notify_type;
	bool matched; /**< a result that the notification is for came since it was asked for */
	struct sim_side *receive_due; /**< an invalidate result came: this side's receive is next */
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

	struct sim_memory source;  /**< of SENDs and WRITEs, destination of READs */
	struct sim_memory inbox;   /**< of receives */
	struct sim_memory exposed; /**< behind windows */
	struct sim_ring source_ring;
	struct sim_ring inbox_ring;
	struct sim_window windows[SIM_WINDOWS];

	struct sim_queue out;
	struct sim_queue in;
	struct sim_message *messages; /**< sent and not yet received, oldest first */
	struct sim_message **messages_tail;
	uint64_t received; /**< messages */

	uint32_t left;           /**< operations still to be posted */
	uint64_t wake_ns;        /**< next action */
	uint32_t refused_rounds; /**< in a row in which nothing could be posted */
	uint32_t mischief_looks; /**< whether the time of the mischief has come */
	uint64_t tired_ns;       /**< of an attempt to connect or an accept: give up then */
	uint64_t give_up_ns;     /**< of a doomed pair: disconnect then */
	bool flushed;            /**< its endpoint, by itself: it asks no peer any more */
	uint64_t alone_ns;       /**< since then the peer is known to have gone; 0: it has not */
	bool doomed;             /**< requests may fail */
	bool expecting;          /**< passive: somebody waits for its request */
	bool died;               /**< its adapter has ended with the connection */
	uint64_t bad_id; /**< request made to fail: nothing behind it may be executed; 0 = none */
	bool fatal;      /**< a result with an error has come, or the connection was ended */
	uint32_t receive_limit; /**< bytes of a receive, 0 = message_max */
	uint64_t shared_id;     /**< of the last shared receive that its endpoint has taken */
};

struct sim_pair {
	uint32_t index;
	struct sim_side sides[2];
	bool wrong_port;   /**< the first attempt goes where nobody listens */
	bool rejecting;    /**< the passive side refuses the first request */
	bool rejected;     /**< it has */
	bool closing;      /**< everything is done: disconnect */
	uint32_t closer;   /**< 0, 1: this side disconnects; 2: both */
	uint32_t rounds;   /**< connections still to come after this one */
	uint64_t begun_ns; /**< when this one was to be made */
	bool lost;         /**< an adapter or its cable is gone for good */
	bool cut;          /**< the cable: nothing comes through any more */
};

/* ---- set-up and end: sim_side.c ---- */

void sim_side_init(struct sim_pair *pair, uint32_t which, struct sim_node *node);
/** Make memory, windows and queues on the adapter. */
void sim_side_open(struct sim_side *side);
/** Both sides of a pair have released their endpoints: start over with new ones. */
void sim_side_again(struct sim_side *side);
/** Make the endpoint of the side's connector. @return false: the peer has gone */
bool sim_side_make_endpoint(struct sim_side *side);
/** From now on requests and connections of a pair may fail; after a while it is disconnected. */
void sim_side_doom(struct sim_pair *pair);
/** A side that is not up gives up. */
void sim_side_abandon(struct sim_side *side);
/** The adapter of a side is gone, and all that was made on it. */
void sim_side_lose(struct sim_side *side);
/** Another adapter is there. */
void sim_side_found(struct sim_side *side);
/** A side has closed: if both have, judge the connection, and start another one if there is one. */
void sim_side_round_end(struct sim_pair *pair);
/** One turn of a side, whatever its state. */
void sim_side_turn(struct sim_side *side);
/** Release endpoint and connector. */
void sim_side_release(struct sim_side *side);
/** Release the rest, and compare every byte of memory. */
void sim_side_close(struct sim_side *side);

/* ---- coming up and going down: sim_connect.c ---- */

/** One turn of a side that is not up. */
void sim_connect_turn(struct sim_side *side);
/** Take connection requests that have come to a node. */
void sim_connect_listen(struct sim_node *node);
/** Wait for a request for a passive side. */
void sim_connect_expect(struct sim_side *side);
void sim_connect_requests(struct sim_node *node);
/** End the connection from this side. */
void sim_connect_end(struct sim_side *side);
/** One turn of a side that is going down. */
void sim_connect_down_turn(struct sim_side *side);

/* ---- posting: sim_work.c ---- */

/** Post what the dice say. */
void sim_work_turn(struct sim_side *side);
/** Post receives, up to a random number. @return whether there was room for any */
bool sim_work_receives(struct sim_side *side);
/** A result has come: there may be room again. */
void sim_work_result(struct sim_side *side);
/** @return whether nothing is left to do for both sides of a pair. */
bool sim_work_done(const struct sim_pair *pair);

/* ---- single requests: sim_post.c ---- */

/** Take the next place of a queue for a request of this kind. */
struct sim_op *sim_post_begin(struct sim_side *side, struct sim_queue *queue, enum sim_kind kind);
/** The call has returned: keep the request, or give its place back. @return whether it was kept */
bool sim_post_end(struct sim_side *side, struct sim_op *op, nd_status status);
bool sim_post_receive(struct sim_side *side, size_t capacity);

struct sim_send {
	size_t length;
	uint32_t flags;
	enum sim_notice notice;
	uint32_t window; /**< of the notice, or the peer's to invalidate */
	bool invalidate;
	bool immediate;
	bool bad;                               /**< name a key that is no window */
	const struct nd_mw_descriptor *foreign; /**< or this one, which is not this side's to end */
	struct sim_key *key;                    /**< the peer's, to invalidate */
	struct sim_op *relay; /**< READ just posted: send what it brings, from where it puts it */
};
bool sim_post_send(struct sim_side *side, const struct sim_send *send);

struct sim_access {
	bool write;
	bool immediate; /**< of a WRITE */
	uint32_t window;
	struct sim_key *key; /**< instead of the window: the offset is in the pair's part */
	size_t offset;
	size_t length;
	uint32_t flags;
	bool bad; /**< must be refused by the peer: descriptor and offset are as given */
	struct nd_mw_descriptor descriptor; /**< when bad */
};
bool sim_post_access(struct sim_side *side, const struct sim_access *access);

/** FETCH_ADD or COMPARE_SWAP of 8 bytes; the offset makes their address a multiple of 8. */
struct sim_atomic {
	bool swap;
	uint32_t window;
	struct sim_key *key; /**< as of struct sim_access */
	size_t offset;
	uint32_t flags;
	bool bad;                               /**< must be refused by the peer */
	const struct nd_mw_descriptor *foreign; /**< when bad, instead of the window's */
};
/** @return the first offset in a window of the owner's that is good for an atomic. */
size_t sim_atomic_offset(const struct sim_side *owner, const struct sim_window *window);
bool sim_post_atomic(struct sim_side *side, const struct sim_atomic *atomic);
bool sim_post_bind(struct sim_side *side, uint32_t window, uint32_t rights, uint32_t flags);
bool sim_post_invalidate(struct sim_side *side, uint32_t window, uint32_t flags, bool bad);

/* ---- results: sim_oracle.c ---- */

/** No results will come: the requests may have been executed or not. */
void sim_oracle_lose(struct sim_side *side);
/** Take and judge what is in a completion queue. @return results taken */
uint32_t sim_oracle_take(struct sim_node *node, struct sim_cq *cq);
/** Nothing more will come: account for the silent requests at the end of the queues. */
void sim_oracle_finish(struct sim_side *side);
/** Both sides are down: what was acknowledged must have been received. */
void sim_oracle_finish_messages(struct sim_side *side);
/** Ask for a notification. The queue has just been emptied. */
void sim_oracle_arm(struct sim_node *node, struct sim_cq *cq);
/** Give a queue that has just been emptied another size. */
void sim_oracle_resize(struct sim_node *node, struct sim_cq *cq);

/* ---- mischief: sim_mischief.c ---- */

/** Do what the plan says, if this is the moment. */
void sim_mischief_turn(struct sim_side *side);
/** @return whether mischief is still to come to this pair. */
bool sim_mischief_pending(const struct sim_pair *pair);

/* ---- accidents: sim_accident.c ---- */

/** @return whether an accident may make the connection or an attempt to make it fail now. */
bool sim_accident_explains(const struct sim_side *side);
/** The same for a failure that has come. If so, the pair is doomed, as by mischief. */
bool sim_accident_excuses(struct sim_side *side);
/**
 * @return whether an end of the pair has started again with the random numbers of its first start.
 *         Whoever knows its identifiers from the first life has to refuse them, as those of a
 *         connection that rests, or to repeat what it has answered then.
 */
bool sim_accident_ids_known(const struct sim_pair *pair);

/* ---- connections that must end: sim_promise.c ---- */

/** @return when the connection must have ended by itself, UINT64_MAX: it need not */
uint64_t sim_promise_end_ns(struct sim_side *side);

/* ---- operations that end later: sim_wait.c ---- */

/** Prepare for a call; pass &wait->overlapped to it. */
struct nd_overlapped *sim_wait_begin(struct sim_wait *wait, struct sim_node *node);
/** The call has returned. */
void sim_wait_returned(struct sim_wait *wait, nd_status status);

#endif
