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
 * Requests and messages, as the one who posted them remembers them. Functions of layouts are in
 * sim_layout.c.
 */

/** Requests of one direction of one endpoint; more than any queue of a run. */
#define SIM_OPS_MAX 64
/** Pieces of a request. */
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

/** Where a request's bytes lie: pieces of a block, in the order of the message. */
struct sim_layout {
	struct sim_memory *memory;
	size_t start; /**< of the stretch that holds all pieces and the gaps between them */
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
	uint64_t ring_end;           /**< tail of the ring behind this request's place */
	uint64_t layout_begin;       /**< tail of the ring before it */
	struct sim_message *message; /**< SEND, WRITE with immediate: what the peer is told */
	const uint8_t *data;         /**< WRITE: bytes; READ, ATOMIC: that must come; owned */
	struct sim_memory *remote;   /**< WRITE, READ, ATOMIC: block of the peer's */
	size_t remote_at;            /**< in it */
	const struct sim_key *key;   /**< through which; NULL: a window */
	uint32_t generation;         /**< of the key */
	struct sim_key *own_key;     /**< BIND, INVALIDATE: of this key, not of a window */
	size_t length;
	uint32_t window;    /**< BIND, INVALIDATE: own; others: of the peer */
	bool bad;           /**< made to fail */
	nd_status expected; /**< of a bad request on a perfect network */
};

/** Requests of one direction, oldest first; all results come in this order. */
struct sim_queue {
	struct sim_op ops[SIM_OPS_MAX];
	uint32_t head;
	uint32_t tail;
	uint32_t entries; /**< that the endpoint was made for */
	uint64_t posted;
	bool broken; /**< a result with an error has come: only cancelled ones may follow */
};

/** What a SEND tells the other application. */
enum sim_notice {
	SIM_NOTICE_NONE,
	SIM_NOTICE_WINDOW,  /**< here is a window: descriptor and rights */
	SIM_NOTICE_RELEASE, /**< done with your window */
	SIM_NOTICE_KEY,     /**< here is a key of a region, see sim_keys_name() */
};

/** A message on its way, from posting to the receive that takes it. */
struct sim_message {
	struct sim_message *next;
	uint64_t op_id;       /**< of the SEND or WRITE */
	const uint8_t *bytes; /**< NULL: those of a WRITE, which the receive does not get */
	size_t length;
	bool solicited;
	uint32_t flags;      /**< that the receive's result must have */
	uint32_t imm_data;   /**< likewise */
	bool acknowledged;   /**< the SEND has succeeded: the message must be received */
	unsigned int owners; /**< of request and list, those that still need it */
	bool bad;            /**< must not be received with success */
	bool invalidates;
	bool invalidated; /**< the invalidate result has come; the receive must follow */
	enum sim_notice notice;
	uint32_t window;
	struct sim_key *key; /**< of the receiver, that it invalidates; NULL: a window */
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

/** Cut length bytes into up to sge_max pieces. @return false when the ring has no room */
bool sim_layout_make(struct sim_layout *layout, struct sim_ring *ring, size_t length,
	uint32_t sge_max, struct sim_random *random);
/** Write a message into the pieces, as the application does. */
void sim_layout_store(const struct sim_layout *layout, const uint8_t *bytes);
/** Note that the first length bytes of a message are to be there. */
void sim_layout_expect(const struct sim_layout *layout, const uint8_t *bytes, size_t length);
void sim_layout_doubt(const struct sim_layout *layout);
/** @return as sim_memory_wrong(), for pieces and gaps */
ptrdiff_t sim_layout_wrong(const struct sim_layout *layout);
void sim_layout_sgl(const struct sim_layout *layout, struct nd_sge *sgl);

#endif
