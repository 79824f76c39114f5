/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_PLAY_H
#define NDPDK_NDREPLAY_PLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd.h>
#include <ndpdk/nd_model.h>

#include "course.h"
#include "outcome.h"
#include "packet.h"
#include "play_capture.h"
#include "play_fit.h"
#include "play_memory.h"
#include "play_pause.h"

struct rte_mempool;

/*
 * The engine replays one side of a recorded connection: "our side". The other side, "theirs", is
 * the peer. Its frames come from the capture. The clock is virtual and follows the times of the
 * capture. Each connection is replayed separately, on its own adapter, which has the recorded
 * addresses.
 */

/** A frame that the engine sent during a replay. */
struct play_frame {
	uint64_t time_ns;
	uint8_t *bytes; /**< allocated with malloc() */
	uint32_t count;
	struct nd_model_headers headers;
	struct packet packet;
	uint64_t sequence; /**< PSN, extended to 64 bits as in the model */
	uint64_t behind;   /**< number of the newest recorded frame that was replayed before it */
	bool matched;      /**< the comparison has found a recorded frame for it */
};

/** Maps recorded values to the values of the replay. */
struct play_map {
	bool psn_known;
	/** First PSN of the requests of the peer, which our REQ or REP announces. */
	uint32_t psn_recorded, psn_ours;
	uint32_t psn_told;    /**< psn_recorded, as seen in the first request */
	uint32_t qpn;         /**< queue pair number of our side */
	uint32_t comm_id;     /**< communication ID of our side; 0: not known yet */
	uint64_t transaction; /**< newest transaction ID that our side has started */
};

/** A buffer of one operation or receive of our side. */
struct play_buffer {
	struct nd_result result;
	uint8_t *bytes;
	size_t count;
	struct nd_mr *mr;
	size_t index; /**< index of the operation or receive */
	bool receive;
	bool posted;
};

/** Memory of our side that the peer can access with a key, at the recorded addresses. */
struct play_region {
	uint64_t low, end;
	uint8_t *bytes; /**< allocated with mmap(); first byte: address low */
	struct nd_mr *mr;
};

/** Maximum number of packets after a gap that a side keeps. */
#define PLAY_AHEAD 1024u

/** A request packet of the peer that arrived after a gap in the PSNs. */
struct play_ahead {
	uint64_t sequence;
	size_t operation;
	uint32_t packet;
	bool there;
	bool lacks; /**< no receive was posted for it when it arrived */
};

/** A recorded key of our side. */
struct play_key {
	const struct nd_model_key *key;
	uint64_t low, end; /**< range of the key; end 0: the key was never valid for any byte */
	uint32_t rights;   /**< bits of enum nd_model_right */
	struct nd_mw *mw;  /**< NULL: the key was invalidated, or was never valid */
	struct nd_result bound, invalidated;
	struct nd_mw_descriptor descriptor;
	bool alive;
};

struct play {
	const struct play_capture *capture;
	const struct nd_model *model;
	const struct nd_model_connection *connection;
	size_t index;          /**< index of the connection in the model */
	unsigned ours, theirs; /**< index of each side, 0 or 1 */
	struct outcome *outcome;
	struct course *course; /**< draws the frames of both sides; NULL = no picture */
	struct play_fit fit;
	uint16_t keep;           /**< packets after a gap that our side keeps; 0: go-back-N */
	uint8_t doubts;          /**< frames that count as lost, < PLAY_DOUBTS */
	unsigned plays;          /**< number of replays of this connection so far */
	enum play_pauses pauses; /**< where the replay assumes that our host paused */
	struct play_pauses_found still; /**< the pauses that result from this */
	uint8_t ecn;                    /**< ECN bits of our data packets in the capture */
	uint32_t speed;                 /**< multiple of the recorded speed; 0 = no limit */

	uint64_t now_ns;
	uint64_t begin_ns;      /**< capture time of the first frame */
	uint64_t shift_ns;      /**< replay time = capture time - begin_ns + this */
	uint64_t wall_begin_ns; /**< clock of the machine at the begin of the replay; for speed */

	struct nd_adapter *adapter;
	struct nd_engine *engine;
	struct rte_mempool *pool;
	struct nd_cq *cq;
	struct nd_listener *listener;
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	struct nd_overlapped listening, connecting, ending;
	uint32_t stale_comm_id; /**< ID of the REQ that made it stale; 0: none */
	bool withdrawn;         /**< the application gave up the attempt */
	uint64_t refused;       /**< frame of our REJ that was sent early; 0: none */
	bool asked;             /**< the listener has reported the connection request */
	bool pending;           /**< the library is using the member connecting */
	bool connected;         /**< requests may be posted */
	bool answered;          /**< active side: the peer has accepted */
	bool completes;         /**< active side: the application confirms the acceptance */
	bool ended;             /**< the connection is over, no more frames are replayed */
	bool closing; /**< frames that the engine sends now are not part of the conversation */
	bool made;    /**< the replay generated the handshake, because the capture has none */
	bool stopped; /**< Ctrl-C */

	struct play_map map;
	struct play_frame *frames;
	size_t frame_count, frame_room;
	uint64_t sent;         /**< highest PSN that our requests have used, plus 1; 64 bits */
	uint64_t sent_now;     /**< as sent, but NAKs set it back to their PSN */
	uint64_t acknowledged; /**< highest acknowledged PSN of our requests, plus 1 */
	uint64_t expected;     /**< next PSN of the peer that our side accepts */
	bool waits; /**< our side sent an RNR NAK for PSN expected, so it keeps no packets */
	struct play_ahead ahead[PLAY_AHEAD]; /**< kept packets, indexed by PSN % PLAY_AHEAD */
	/**
	 * Frame that ends the connection: fatal NAK, DREQ, or REJ of the peer. UINT64_MAX: none.
	 */
	uint64_t end_frame;
	/** Last frame of our side, if it stops answering. UINT64_MAX: it answers until the end. */
	uint64_t silent_frame;
	/** First frame that shows that a request was not captured. UINT64_MAX: none. */
	uint64_t lacks_frame;
	uint64_t lacks[2];     /**< PSN of the first missing request, by side; UINT64_MAX: none */
	uint64_t unfinished;   /**< end PSN of a cut operation; UINT64_MAX: none */
	uint64_t number;       /**< number of the recorded frame that is being replayed */
	uint64_t answers_near; /**< newest PSN of the peer, to extend our PSNs */
	size_t completed;      /**< number of operations of our side that have completed */
	size_t executed;       /**< operations of the peer that arrived in order */
	size_t next_operation; /**< index of the next operation to post */
	size_t next_receive;
	struct play_buffer *operations, *receives;
	size_t operation_room, receive_room;
	struct play_region *regions;
	size_t region_count;
	struct play_key *keys;
	size_t key_count;
	size_t next_memory; /**< index of the next memory event of the model */
	size_t together;    /**< first operation that is executed now */
};

/** @return whether a frame is an answer; its sequence is then the PSN of a request */
static inline bool
play_is_answer(const struct nd_model_frame *frame)
{
	return frame->part >= ND_MODEL_FRAME_ACK && frame->part <= ND_MODEL_FRAME_ATOMIC_ACK;
}

/** Time of the replay at its start, in ns. Not 0, because 0 has a special meaning. */
#define PLAY_BEGIN_NS UINT64_C(1000000000)

/** Start EAL and create the packet buffers. @param why >= 256 bytes, filled on failure */
bool play_begin(const char *program, struct rte_mempool **pool, char *why, size_t size);

/**
 * Replay one side of one connection, and compare its frames with the recorded frames.
 *
 * @param ours the side that the engine replays
 * @param speed see struct play
 * @return false: Ctrl-C, the process must end
 */
bool play_connection(const struct play_capture *capture, size_t index, unsigned ours,
	uint32_t speed, struct rte_mempool *pool, struct outcome *outcome);

/* ---- play_prepare.c: facts about our side from the capture ---- */

/** Find the first PSNs and the end of the connection. */
void play_prepare(struct play *play);

/* ---- play.c: time and frames ---- */

/** @return the time of the capture that corresponds to a time of a replay without delays */
static inline uint64_t
play_capture_time(const struct play *play, uint64_t time_ns)
{
	return play->begin_ns + time_ns - PLAY_BEGIN_NS;
}

/** @return the function that receives the frames of our side; its argument is the struct play */
nd_transmit_fn play_transmit(void);
/** Poll the engine, without advancing the time, until it has nothing to do. */
void play_settle(struct play *play);
/** Advance the time to until_ns, or until Ctrl-C. */
void play_advance(struct play *play, uint64_t until_ns);
/** Advance the time until done() returns true, at most by limit_ns. @return its result */
bool play_wait(struct play *play, bool (*done)(const struct play *play, uint64_t argument),
	uint64_t argument, uint64_t limit_ns);
/** Pass a frame to the engine at the current time. */
void play_input(struct play *play, const uint8_t *bytes, size_t count);
/** Report that a part of the connection cannot be replayed. */
void play_unjudged(struct play *play, const char *what);

/* ---- play_open.c: adapter and handshake ---- */

bool play_open(struct play *play);
void play_close(struct play *play);
/** Make the handshake that the capture lacks. @return whether the connection is established */
bool play_make_connection(struct play *play);
/** Call the functions of the API that make our side send this recorded message. */
void play_own_cm(struct play *play, uint64_t number);
/**
 * Called before message at of the peer is replayed (index as of play_frame()). If our side refuses
 * immediately after it, its application may have given up before the message arrived.
 */
void play_before_cm(struct play *play, size_t at, const struct nd_model_frame *frame);
/** @return whether our side missed a REJ of the peer: it sent its first REP after the REJ */
bool play_cm_is_lost(const struct play *play, size_t at, const struct nd_model_frame *theirs);
/**
 * Called before a request of the peer is replayed. A request without an earlier RTU replaces the
 * RTU: the replay generates an RTU, so the keys of the request are open.
 */
void play_before_request(struct play *play);
/** Called after the engine sent this frame. Learns the values of struct play_map from the frame. */
void play_sent_cm(struct play *play, const struct play_frame *frame);
/** Process asynchronous calls that have completed. */
void play_calls(struct play *play);

/* ---- play_stale.c: a REQ of another connection that ends this one ---- */

/**
 * Called when our side sends a DREQ (frame number) before its connection is established. Passes the
 * REQ that caused the DREQ to the engine. @return false: there is no such REQ
 */
bool play_stale_feed(struct play *play, uint64_t number, uint64_t time_ns);
/** @return whether a frame of our side is the REJ for that REQ */
bool play_stale_refuses(const struct play *play, const struct packet *packet);

/* ---- play_lack.c: frames that were on the wire but not captured ---- */

void play_lack_find(struct play *play);
/**
 * @return whether a recorded data frame of our side depends on a request that was not captured. An
 *         answer to an earlier request depends on it only if a missing request of our side may have
 *         changed the returned memory.
 */
bool play_lack_hides(const struct play *play, uint64_t number, const struct nd_model_frame *frame);
/** @return whether a data frame of the engine corresponds to such recorded frames only */
bool play_lack_hides_ours(const struct play *play, const struct play_frame *ours);

/* ---- play_feed.c: frames of the peer ---- */

void play_feed(struct play *play, uint64_t number, const struct nd_model_frame *frame);
/**
 * Called when our side sent this recorded answer (index at). Delivers captured packets again if the
 * answer shows that our side had them, but the engine lacks them.
 */
void play_catch_up(struct play *play, size_t at, const struct nd_model_frame *answer);

/* ---- play_work.c: operations and receives of our side ---- */

/** Post the operations of our side up to and including this operation. */
void play_post(struct play *play, size_t operation);
/**
 * Post the receive for an operation of the peer, if our side had posted it before frame number.
 *
 * @return false: the operation needs a receive that our side had not posted
 */
bool play_receive(struct play *play, size_t operation, uint64_t number);
/** Process all results in the completion queue. */
void play_results(struct play *play);
void play_work_close(struct play *play);

/* ---- compare.c ---- */

/** Compare the frames that the engine sent with the recorded frames of our side. */
void play_compare(struct play *play);

#endif
