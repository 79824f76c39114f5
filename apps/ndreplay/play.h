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
 * One side of a recorded connection is played by the real engine: "ours". The frames of the other
 * side, "theirs", come from the capture. Time is that of the capture, so a play takes no longer
 * than the processor needs. Each connection is played by itself, on an adapter of its own, which
 * has the recorded addresses.
 */

/** A frame that our side has sent. */
struct play_frame {
	uint64_t time_ns;
	uint8_t *bytes; /**< of malloc() */
	uint32_t count;
	struct nd_model_headers headers;
	struct packet packet;
	uint64_t sequence; /**< its PSN, unwrapped as those of the model */
	uint64_t behind;   /**< number of the recorded frame that was played last before it */
	bool matched;      /**< the comparison has found a recorded frame for it */
};

/** What a play has in place of what was recorded. */
struct play_map {
	bool psn_known;
	/** First PSN of their requests: our REQ or REP tells it to them. */
	uint32_t psn_recorded, psn_ours;
	uint32_t psn_told;    /**< the same as psn_recorded, by what the peer sent */
	uint32_t qpn;         /**< of our side */
	uint32_t comm_id;     /**< the same; 0: not known yet */
	uint64_t transaction; /**< newest that our side has begun */
};

/** A buffer of one operation or receive of our side. */
struct play_buffer {
	struct nd_result result;
	uint8_t *bytes;
	size_t count;
	struct nd_mr *mr;
	size_t index; /**< of the operation or receive */
	bool receive;
	bool posted;
};

/** Memory of our side that the peer's keys open, at the recorded addresses. */
struct play_region {
	uint64_t low, end;
	uint8_t *bytes; /**< of mmap(); the byte at address low */
	struct nd_mr *mr;
};

/** Packets ahead of a gap that a side keeps, at most. */
#define PLAY_AHEAD 1024u

/** A request of theirs that has come ahead of a gap. */
struct play_ahead {
	uint64_t sequence;
	size_t operation;
	uint32_t packet;
	bool there;
	bool lacks; /**< the receive that it takes was not there when it came */
};

/** A recorded key of our side. */
struct play_key {
	const struct nd_model_key *key;
	uint64_t low, end; /**< range; end 0: it was never valid for a byte */
	uint32_t rights;   /**< bits of enum nd_model_right */
	struct nd_mw *mw;  /**< NULL: the key is dead, or was never valid */
	struct nd_result bound, invalidated;
	struct nd_mw_descriptor descriptor;
	bool alive;
};

struct play {
	const struct play_capture *capture;
	const struct nd_model *model;
	const struct nd_model_connection *connection;
	size_t index;          /**< of the connection */
	unsigned ours, theirs; /**< sides */
	struct outcome *outcome;
	struct course *course; /**< takes the frames of both sides for a picture; NULL = none */
	struct play_fit fit;
	uint16_t keep;           /**< packets ahead of a gap that our side keeps; 0: go-back-N */
	uint8_t doubts;          /**< how much is taken for lost, below PLAY_DOUBTS */
	unsigned plays;          /**< of this connection so far */
	enum play_pauses pauses; /**< where our host is taken to stand still */
	struct play_pauses_found still; /**< as of that */
	uint8_t ecn;                    /**< bits that the recorded side's data has */
	uint32_t speed;                 /**< times the recorded one; 0 = as fast as possible */

	uint64_t now_ns;
	uint64_t begin_ns;      /**< capture time of the first frame */
	uint64_t shift_ns;      /**< capture time + this = now, without waiting */
	uint64_t wall_begin_ns; /**< of the machine, for speed */

	struct nd_adapter *adapter;
	struct nd_engine *engine;
	struct rte_mempool *pool;
	struct nd_cq *cq;
	struct nd_listener *listener;
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	struct nd_overlapped listening, connecting, ending;
	uint32_t stale_comm_id; /**< of a REQ by which the connection is stale; 0: none */
	bool withdrawn;   /**< the application gave up, and released what belongs to the attempt */
	uint64_t refused; /**< frame of our REJ that was played before its time; 0: none */
	bool asked;       /**< the listener has given us the request */
	bool pending;     /**< connecting belongs to the library */
	bool connected;   /**< requests may be posted */
	bool answered;    /**< active: the peer has accepted */
	bool completes;   /**< active: the application confirms that */
	bool ended;       /**< no more is played: the connection is over */
	bool closing;     /**< frames that leave now are not of the conversation */
	bool made;        /**< the handshake is the player's, because the capture has none */
	bool stopped;     /**< Ctrl-C */

	struct play_map map;
	struct play_frame *frames;
	size_t frame_count, frame_room;
	uint64_t sent;         /**< PSN behind the highest that our requests have used, unwrapped */
	uint64_t sent_now;     /**< the same since their newest NAK, which sets it back */
	uint64_t acknowledged; /**< PSN behind those of them that ACKs and NAKs say are there */
	uint64_t expected;     /**< PSN of the next request of theirs that our side takes */
	bool waits; /**< our side sent an RNR NAK for that one: it keeps nothing meanwhile */
	struct play_ahead ahead[PLAY_AHEAD]; /**< by the low bits of the PSN */
	/** Fatal NAK, DREQ, or their REJ: the end of the connection; UINT64_MAX: none. */
	uint64_t end_frame;
	/** Last frame of our side, though the peer asks again and again; UINT64_MAX: it answers. */
	uint64_t silent_frame;
	/** Frame that shows a request which the capture lacks; UINT64_MAX: it lacks none. */
	uint64_t lacks_frame;
	uint64_t lacks[2]; /**< PSN of the first such request, by side; UINT64_MAX: none */
	/**
	 * PSN of the first captured request of the peer, if nothing tells whether requests came
	 * before; else 0.
	 */
	uint64_t begins;
	/**
	 * Recorded frame at which the connection of the engine failed after lacks_frame, because
	 * requests had no answers; UINT64_MAX: it did not fail.
	 */
	uint64_t failed_frame;
	uint64_t unfinished;   /**< PSN behind an operation that is cut off; UINT64_MAX: none */
	uint64_t number;       /**< recorded frame that is played now */
	uint64_t answers_near; /**< newest PSN of their requests: our answers are near it */
	size_t completed;      /**< operations of our side */
	size_t executed;       /**< operations of the peer whose last request has come, in order */
	size_t next_operation; /**< to be posted */
	size_t next_receive;
	struct play_buffer *operations, *receives;
	size_t operation_room, receive_room;
	struct play_region *regions;
	size_t region_count;
	struct play_key *keys;
	size_t key_count;
	size_t next_memory; /**< event of the memory */
	size_t together;    /**< first of those that are executed at this moment */
};

/** @return whether a frame answers requests: its sequence is that of the other side */
static inline bool
play_is_answer(const struct nd_model_frame *frame)
{
	return frame->part >= ND_MODEL_FRAME_ACK && frame->part <= ND_MODEL_FRAME_ATOMIC_ACK;
}

/** Time at which a play begins; 0 would be special. */
#define PLAY_BEGIN_NS UINT64_C(1000000000)

/** Start EAL for plays, and make their packet buffers. @param why >= 256 bytes */
bool play_begin(const char *program, struct rte_mempool **pool, char *why, size_t size);

/**
 * Play a side of one connection, and compare.
 *
 * @param ours side that the engine plays
 * @param speed as of struct play
 * @return false: the process is to stop (Ctrl-C)
 */
bool play_connection(const struct play_capture *capture, size_t index, unsigned ours,
	uint32_t speed, struct rte_mempool *pool, struct outcome *outcome);

/* ---- play_prepare.c: what the capture tells of our side ---- */

/** Where PSNs begin and the connection ends. */
void play_prepare(struct play *play);

/* ---- play.c: time and frames ---- */

/** @return a time of the play as one of the capture: as long behind the first frame */
static inline uint64_t
play_capture_time(const struct play *play, uint64_t time_ns)
{
	return play->begin_ns + time_ns - PLAY_BEGIN_NS;
}

/** @return takes the frames of our side; its argument is the play */
nd_transmit_fn play_transmit(void);
/** Let the engine work, at this moment, until it has nothing to do. */
void play_settle(struct play *play);
/** Let time go on to that moment, or to Ctrl-C. */
void play_advance(struct play *play, uint64_t until_ns);
/** Let time go on until done(), at most so long. @return whether it is done */
bool play_wait(struct play *play, bool (*done)(const struct play *play, uint64_t argument),
	uint64_t argument, uint64_t limit_ns);
/** Give the engine a frame now. */
void play_input(struct play *play, const uint8_t *bytes, size_t count);
/** Say that something of the connection cannot be played. */
void play_unjudged(struct play *play, const char *what);

/* ---- play_open.c: adapter and handshake ---- */

bool play_open(struct play *play);
void play_close(struct play *play);
/** The handshake that the capture lacks. @return whether the connection is there */
bool play_make_connection(struct play *play);
/** Our side sent this message. */
void play_own_cm(struct play *play, uint64_t number);
/**
 * Their message comes next. If our side refuses behind it, within the same turn of its host, its
 * application may have given up before the message came.
 *
 * @param at index of the message among the frames of the connection, as of play_frame()
 */
void play_before_cm(struct play *play, size_t at, const struct nd_model_frame *frame);
/** @return whether our side missed a REJ of the peer: our first REP was captured after the REJ */
bool play_cm_is_lost(const struct play *play, size_t at, const struct nd_model_frame *theirs);
/**
 * A request of theirs comes next. If there was no RTU before it, it says the same, and our side has
 * an RTU made for it: the keys that the request may name are open.
 */
void play_before_request(struct play *play);
/** Our side has just sent this frame: learn what maps from it. */
void play_sent_cm(struct play *play, const struct play_frame *frame);
/** Calls that have ended meanwhile. */
void play_calls(struct play *play);

/* ---- play_stale.c: a REQ of another connection that ends this one ---- */

/**
 * Our side sends a DREQ, number, though its connection is not there yet. Give it the REQ that made
 * it do so. @return false: there is none
 */
bool play_stale_feed(struct play *play, uint64_t number, uint64_t time_ns);
/** @return whether a frame of our side is the REJ of that REQ: it is of the other connection */
bool play_stale_refuses(const struct play *play, const struct packet *packet);

/* ---- play_feed.c: frames of their side ---- */

void play_feed(struct play *play, uint64_t number, const struct nd_model_frame *frame);
/**
 * Our side gave this answer. Packets that it must have had then, and that were captured, come
 * again, if the engine has dropped them or did not get them.
 *
 * @param at index of the answer among the frames of the connection
 */
void play_catch_up(struct play *play, size_t at, const struct nd_model_frame *answer);

/* ---- play_work.c: operations and receives of our side ---- */

/** Post operations up to this one. */
void play_post(struct play *play, size_t operation);
/** @return whether the capture tells all that the engine needs to post an operation of our side */
bool play_can_post(const struct play *play, size_t index);
/**
 * Post what their request of this operation takes, if it was there when frame number came.
 * @return false: it takes a receive, and there is none
 */
bool play_receive(struct play *play, size_t operation, uint64_t number);
/** Take the results that there are. */
void play_results(struct play *play);
void play_work_close(struct play *play);

/* ---- compare.c ---- */

/** Compare what our side has sent with what was recorded. */
void play_compare(struct play *play);

#endif
