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

/* Records of a side's posted requests and messages. sim_layout.c has the functions for layouts. */

/**
 * Size of the array for requests in one direction of an endpoint. It is larger than all queues of a
 * run.
 */
#define SIM_OPS_MAX 64
/** Maximum number of pieces (scatter/gather entries) of a request. */
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

/**
 * Memory of a request: pieces (scatter/gather entries) of one block, in the order of the message's
 * bytes.
 */
struct sim_layout {
	struct sim_memory *memory;
	size_t start; /**< offset in memory of the range that contains all pieces and gaps */
	size_t span;
	struct {
		size_t at;
		size_t count;
	} pieces[SIM_SGE_MAX];
	uint32_t count;
	size_t length;
};

/** A request, from the time of posting until the application takes its result. */
struct sim_op {
	struct nd_result result;
	enum sim_kind kind;
	uint64_t id; /**< number of the request in its queue, counted from 1 */
	uint32_t flags;
	struct sim_layout layout;
	uint64_t ring_end;     /**< tail of the ring allocator after this allocation */
	uint64_t layout_begin; /**< tail of the ring allocator before this allocation */
	/** message of a SEND or of a WRITE with immediate; otherwise NULL */
	struct sim_message *message;
	/** WRITE: bytes to write; READ, ATOMIC: expected bytes; owned */
	const uint8_t *data;
	struct sim_memory *remote; /**< WRITE, READ, ATOMIC: accessed block of the peer */
	size_t remote_at;          /**< offset in remote */
	const struct sim_key *key; /**< key that the request uses; NULL = the key of `window` */
	uint32_t generation;       /**< generation of key */
	/** BIND, INVALIDATE: key that the request creates or ends; NULL = the window's key */
	struct sim_key *own_key;
	size_t length;
	uint32_t window; /**< window of this side (BIND, INVALIDATE) or of the peer (others) */
	bool bad;        /**< the request must fail */
	/** if `bad` is set: status of the result on a network without faults */
	nd_status expected;
};

/** Outstanding requests of one direction, oldest first. Their results must arrive in this order. */
struct sim_queue {
	struct sim_op ops[SIM_OPS_MAX];
	uint32_t head;
	uint32_t tail;
	uint32_t entries;
	uint64_t posted;
	bool broken; /**< A request has failed, so only cancelled results may follow. */
};

/** Kind of a notice, which a SEND carries to the application of the peer. */
enum sim_notice {
	SIM_NOTICE_NONE,
	SIM_NOTICE_WINDOW,  /**< a new window: its descriptor and rights */
	SIM_NOTICE_RELEASE, /**< The sender no longer uses a window of the receiver. */
	SIM_NOTICE_KEY,     /**< a new key of a region, see sim_keys_name() */
};

/** A message, from the time of posting until a receive is used for it. */
struct sim_message {
	struct sim_message *next;
	uint64_t op_id;       /**< sim_op.id of the SEND or WRITE */
	const uint8_t *bytes; /**< bytes of a SEND; NULL = a WRITE, which fills no receive buffer */
	size_t length;
	bool solicited;
	uint32_t flags;    /**< flags that the receive's result must have */
	uint32_t imm_data; /**< immediate data that the receive's result must have */
	/** The SEND or WRITE has succeeded, so the message must be received. */
	bool acknowledged;
	unsigned int owners; /**< reference count: the request, and the list of messages */
	bool bad;            /**< No receive may succeed with this message. */
	bool invalidates;
	/** The window's invalidate result has arrived; the receive's result is next. */
	bool invalidated;
	enum sim_notice notice;
	uint32_t window;
	/** key that the receiver must invalidate; NULL = the key of a window */
	struct sim_key *key;
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

/**
 * Split `length` bytes at random into up to sge_max pieces. @return false if the ring has no room
 */
bool sim_layout_make(struct sim_layout *layout, struct sim_ring *ring, size_t length,
	uint32_t sge_max, struct sim_random *random);
/** Write a message's bytes into the pieces, as an application does. */
void sim_layout_store(const struct sim_layout *layout, const uint8_t *bytes);
/**
 * Write the first `length` bytes of a message into the model of the pieces, because they will be
 * received.
 */
void sim_layout_expect(const struct sim_layout *layout, const uint8_t *bytes, size_t length);
void sim_layout_doubt(const struct sim_layout *layout);
/** Compare pieces and gaps with the model. @return as sim_memory_wrong() */
ptrdiff_t sim_layout_wrong(const struct sim_layout *layout);
void sim_layout_sgl(const struct sim_layout *layout, struct nd_sge *sgl);

#endif
