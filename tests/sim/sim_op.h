/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_OP_H
#define NDPDK_SIM_SIM_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_types.h>

#include "sim_memory.h"
#include "sim_random.h"

/*
 * Records of posted requests and messages. The functions for layouts are in sim_layout.c.
 */

/** Maximum requests of one direction of an endpoint; more than any queue of a run has. */
#define SIM_OPS_MAX 64
/** Maximum pieces of a request. */
#define SIM_SGE_MAX 8

struct sim_key;

enum sim_kind {
	SIM_OP_RECEIVE,
	SIM_OP_SEND,
	SIM_OP_SEND_INVALIDATE,
	SIM_OP_WRITE,
	SIM_OP_READ,
	SIM_OP_ATOMIC,
	SIM_OP_BIND,
	SIM_OP_INVALIDATE,
};

/** The memory of a request: pieces of a block, in the order of the message. */
struct sim_layout {
	struct sim_memory *memory;
	size_t start; /**< offset of the range with all pieces and gaps */
	size_t span;
	struct {
		size_t at;
		size_t count;
	} pieces[SIM_SGE_MAX];
	uint32_t count;
	size_t length; /**< sum of the pieces */
};

/** A request from its posting to its result. */
struct sim_op {
	struct nd_result result;
	enum sim_kind kind;
	uint64_t id; /**< counts the requests of one direction of one side, from 1 */
	uint32_t flags;
	struct sim_layout layout;
	uint64_t ring_end;           /**< tail of the ring after this request's memory */
	uint64_t layout_begin;       /**< tail of the ring before this request's memory */
	struct sim_message *message; /**< message of a SEND or WRITE with immediate */
	const uint8_t *data;         /**< owned; WRITE: bytes; READ, ATOMIC: expected bytes */
	struct sim_memory *remote;   /**< WRITE, READ, ATOMIC: block of the peer */
	size_t remote_at;            /**< offset in remote */
	const struct sim_key *key;   /**< key that the request uses; NULL: a window */
	uint32_t generation;         /**< of the key */
	struct sim_key *own_key;     /**< BIND, INVALIDATE: key instead of a window */
	size_t length;
	uint32_t window;    /**< BIND, INVALIDATE: own window; others: the peer's */
	bool bad;           /**< must fail */
	nd_status expected; /**< status of a bad request on a perfect network */
};

/** Requests of one direction, oldest first. All results come in this order. */
struct sim_queue {
	struct sim_op ops[SIM_OPS_MAX];
	uint32_t head;
	uint32_t tail;
	uint32_t entries; /**< entries of the endpoint's queue */
	uint64_t posted;
	bool broken; /**< after a failed result, only cancelled results may follow */
};

/** Kind of notice that a SEND carries to the peer's application. */
enum sim_notice {
	SIM_NOTICE_NONE,
	SIM_NOTICE_WINDOW,  /**< announces a window: descriptor and rights */
	SIM_NOTICE_RELEASE, /**< the sender no longer uses a window of the receiver */
	SIM_NOTICE_KEY,     /**< announces a key of a region, see sim_keys_name() */
};

/** A message, from its posting to the receive that consumes it. */
struct sim_message {
	struct sim_message *next;
	uint64_t op_id;       /**< id of the SEND or WRITE */
	const uint8_t *bytes; /**< NULL: a WRITE, which puts no bytes into the receive */
	size_t length;
	bool solicited;
	uint32_t flags;      /**< expected flags of the receive's result */
	uint32_t imm_data;   /**< expected immediate data of the receive's result */
	bool acknowledged;   /**< the request succeeded: the message must be received */
	unsigned int owners; /**< references by the request and by the list of messages */
	bool bad;            /**< must not be received successfully */
	bool invalidates;
	bool invalidated; /**< the invalidate result has come; the receive must be next */
	enum sim_notice notice;
	uint32_t window;
	struct sim_key *key; /**< key of the receiver to invalidate; NULL: a window */
	uint32_t generation; /**< of the key */
};

static inline struct sim_op *
sim_queue_at(struct sim_queue *queue, uint32_t index)
{
	return &queue->ops[index % SIM_OPS_MAX];
}

static inline uint32_t
sim_queue_count(const struct sim_queue *queue)
{
	return queue->tail - queue->head;
}

/** Split length bytes into up to sge_max pieces. @return false: the ring has no room */
bool sim_layout_make(struct sim_layout *layout, struct sim_ring *ring, size_t length,
	uint32_t sge_max, struct sim_random *random);
/** Write a message into the pieces, as an application. */
void sim_layout_store(const struct sim_layout *layout, const uint8_t *bytes);
/** Record that the pieces must receive the first length bytes of a message. */
void sim_layout_expect(const struct sim_layout *layout, const uint8_t *bytes, size_t length);
void sim_layout_doubt(const struct sim_layout *layout);
/** @return as sim_memory_wrong(), for pieces and gaps */
ptrdiff_t sim_layout_wrong(const struct sim_layout *layout);
void sim_layout_sgl(const struct sim_layout *layout, struct nd_sge *sgl);

#endif
