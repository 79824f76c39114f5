/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_MODEL_H
#define NDPDK_TRACE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_model.h>

#include "trace/trace.h"

/*
 * A model is created in two steps. While frames are fed, a trace finds the connection, the side and
 * the 64-bit PSN of each frame, and the frames and headers are stored. After the last frame, each
 * connection is processed as a whole:
 *
 *   model_cm.c          contents of the CM messages
 *   model_operations.c  request packets of a side, in order of PSN, become operations
 *   model_walk.c        requests and answers, in order of capture: how operations end
 *   model_reads.c       READ responses become payload
 *   model_faults.c      faults of the network, in the order of model_events.c
 *   model_work.c        receives, keys, refusals, memory
 *   model_limits.c      unknown facts
 *
 * Sorting takes most of the running time, because no step searches linearly for each packet.
 */

/** A growing array. A comment at each array gives the type of its items. */
struct model_array {
	void *items;
	size_t count;
	size_t capacity;
	size_t item_bytes;
};

/**
 * Append an item. Pointers to earlier items become invalid. @return the zeroed item; NULL: no
 * memory
 */
void *model_array_add(struct model_array *array, size_t item_bytes);
void model_array_free(struct model_array *array);

/** @return the item with this index; NULL: there is none */
void *model_array_at(const struct model_array *array, size_t index);

struct model_frame {
	struct nd_model_frame report;
	struct trace_party party; /**< sender, as known to the trace when the frame was passed */
	size_t store_at;          /**< offset of the frame's bytes in the store; valid if kept */
	bool kept;
};

/** A packet whose headers are known. */
struct model_packet {
	size_t frame;      /**< index of the frame: frame number minus 1 */
	size_t payload_at; /**< offset of the payload in the store */
	/** for a request: rank of its PSN among the request PSNs of its side */
	size_t place;
	/**
	 * 64-bit PSN of the request, or of the request that this packet answers; 0 = no such
	 * request
	 */
	uint64_t sequence;
	uint64_t address; /**< RETH, AtomicETH */
	uint64_t compare;
	uint64_t swap_add; /**< swap or add operand; in an AtomicAckETH: the original value */
	uint32_t key;
	uint32_t length;
	uint32_t number; /**< immediate data, or key that a SEND invalidates */
	uint32_t psn;
	uint32_t msn;
	uint16_t payload_bytes;
	uint8_t opcode;
	uint16_t ip_id; /**< IPv4 identification; valid if numbered */
	uint8_t syndrome;
	bool numbered;
	bool solicited;
	bool part;   /**< READ request for a part of a READ, but not from its start */
	bool copied; /**< true: the request is retransmitted later with the same PSN */
};

/** A packet with the PSN by which it is sorted. */
struct model_place {
	uint64_t seq;
	size_t packet;
};

/** Consecutive request packets that were never captured, although later packets were. */
struct model_gap {
	uint64_t seq;
	uint64_t packets;
	uint64_t frame; /**< frame of the packet after the gap */
};

/** Bytes of a message that one packet carried. */
struct model_piece {
	uint64_t offset; /**< offset in the message */
	size_t store_at;
	uint32_t bytes;
};

struct model_operation {
	struct nd_model_operation report;
	/**
	 * first_piece: index of the operation's first piece in model_side.pieces; piece_count:
	 * number of its pieces, which are sorted by offset
	 */
	size_t first_piece, piece_count;
	/** index of the operation's first retransmission in model_side.repeats */
	size_t first_repeat;
	uint64_t last_seq; /**< PSN of the operation's last request packet */
	/** frame of the operation's last request packet; 0 = the peer did not accept the packet */
	uint64_t accepted_frame;
	/** frame of the operation's newest request packet, including retransmissions */
	uint64_t last_copy;
	uint64_t rnr_frame; /**< frame of the operation's newest RNR NAK; 0 = none */
	uint64_t answered;  /**< READ, atomic: number of PSNs answered in order, from the start */
	uint32_t answers;   /**< number of READ responses or ATOMIC Acknowledges so far */
	bool asked;         /**< at least one request packet of the operation was processed */
};

/** The operations that one side of a connection posted, and facts derived from them. */
struct model_side {
	struct model_array operations; /**< struct model_operation */
	struct model_array pieces;     /**< struct model_piece */
	struct model_array repeats;    /**< uint64_t, numbers of frames */
	struct model_array receives;   /**< struct nd_model_receive */
	struct model_array keys;       /**< struct nd_model_key */
	struct model_array refusals;   /**< struct nd_model_refusal */
	struct model_array events;     /**< struct nd_model_memory_event */
	struct model_array gaps;       /**< struct model_gap, by PSN */
	size_t places;                 /**< number of different PSNs of request packets */
	uint64_t restarts;             /**< number of jumps of the PSN */
	uint64_t restart_frame;
	uint64_t stray; /**< number of request packets with a PSN before first_psn */
	uint64_t stray_frame;
	/** frame of the NAK that refused an operation of the side; 0 = none */
	uint64_t fatal_frame;
};

struct model_connection {
	struct nd_model_connection report;
	struct trace_mtu mtu;
	struct model_side side[2];
	bool counts[2];      /**< side i increments its IPv4 identification with each packet */
	size_t first_packet; /**< index of the connection's first packet in model.order */
	size_t packet_count;
	size_t first_cm; /**< index of the connection's first message in model.cm */
};

struct nd_model {
	struct nd_trace *trace;
	struct model_array frames;      /**< struct model_frame */
	struct model_array packets;     /**< struct model_packet */
	struct model_array connections; /**< struct model_connection */
	struct model_array cm;          /**< struct nd_model_cm_message, by connection */
	struct model_array faults;      /**< struct nd_model_fault */
	struct model_array limits;      /**< struct nd_model_limit */
	size_t *order; /**< indices of packets, sorted by connection, then by frame */
	uint8_t *store;
	size_t store_bytes, store_capacity;
	uint64_t fed; /**< number of frames passed to the model */
	bool starved; /**< memory was exhausted */
	bool finished;
};

/** @return the connection, or NULL if there is none */
struct model_connection *model_connection_at(const struct nd_model *model, size_t index);

/** @return the side of a connection, or NULL if there is none */
struct model_side *model_side_at(const struct nd_model *model, size_t connection, unsigned side);

static inline struct model_packet *
model_packet_at(const struct nd_model *model, size_t index)
{
	return (struct model_packet *)model->packets.items + index;
}

static inline struct model_frame *
model_frame_of(const struct nd_model *model, const struct model_packet *packet)
{
	return (struct model_frame *)model->frames.items + packet->frame;
}

static inline struct model_operation *
model_operation_at(const struct model_side *side, size_t index)
{
	return (struct model_operation *)side->operations.items + index;
}

/** @return index of the last operation that begins at or before this PSN; ND_MODEL_NONE: none. */
size_t model_operation_find(const struct model_side *side, uint64_t seq);

/** @return number of PSNs that an operation uses, at least 1 */
uint64_t model_operation_span(const struct model_operation *operation);

/** Fill headers from a parsed packet. payload_offset is copied from view. */
void model_headers(const struct wire_view *view, struct nd_model_headers *headers);

/**
 * @return payload bytes of a full packet of a connection: the path MTU, or its lower limit if the
 *         path MTU is unknown; at least 1
 */
uint64_t model_stride(const struct model_connection *connection);

/** Add a fault to the model. If memory is exhausted, the fault is omitted. */
void model_fault_add(struct nd_model *model, const struct nd_model_fault *fault);

/**
 * @return the packets of the given part (nd_model_part), sorted by PSN, then in capture order. The
 * caller frees the array. NULL: no packets, or no memory.
 */
struct model_place *model_places(struct nd_model *model, size_t connection, unsigned side,
	enum nd_model_part part, size_t *count);

/*
 * The steps of nd_model_finish(). Each step processes one connection. `side` is the side that
 * posted the operations.
 */

void model_cm_build(struct nd_model *model, size_t connection);
void model_close_build(struct nd_model *model, size_t connection);
void model_operations_build(struct nd_model *model, size_t connection, unsigned side);
void model_walk(struct nd_model *model, size_t connection, unsigned side);
void model_faults_build(struct nd_model *model, size_t connection);
void model_reads_build(struct nd_model *model, size_t connection, unsigned side);
void model_order_build(struct nd_model *model, size_t connection, unsigned side);
void model_work_build(struct nd_model *model, size_t connection, unsigned side);

/** Last step of nd_model_finish(), for the whole model: find the limits. */
void model_limits_build(struct nd_model *model);

#endif
