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
 * The running time is that of sorting: no step searches linearly for each packet.
 */

/** An array that grows. Items are of one type, named where the array is. */
struct model_array {
	void *items;
	size_t count;
	size_t capacity;
	size_t item_bytes;
};

/** @return a further item, zeroed; NULL without memory. Earlier pointers into it are stale. */
void *model_array_add(struct model_array *array, size_t item_bytes);
void model_array_free(struct model_array *array);

/** @return item number index, or NULL when there is none such. */
void *model_array_at(const struct model_array *array, size_t index);

/** One frame. */
struct model_frame {
	struct nd_model_frame report;
	struct trace_party party; /**< of the sender, as the trace knew it when it was fed */
	size_t store_at;          /**< of its bytes; valid when kept */
	bool kept;
};

/** A packet whose headers are known. */
struct model_packet {
	size_t frame;      /**< index of the frame: its number - 1 */
	size_t payload_at; /**< in the store */
	size_t place;      /**< of a request: number of its PSN among those of its side */
	uint64_t sequence; /**< of requests; 0 = no place among the requests of its sender */
	uint64_t address;  /**< RETH, AtomicETH */
	uint64_t compare;
	uint64_t swap_add; /**< or AtomicAckETH: value found */
	uint32_t key;
	uint32_t length;
	uint32_t number; /**< immediate, or key to invalidate */
	uint32_t psn;
	uint32_t msn;
	uint16_t payload_bytes;
	uint8_t opcode;
	uint16_t ip_id; /**< IPv4 identification; valid when numbered */
	uint8_t syndrome;
	bool numbered;
	bool solicited;
	bool part;   /**< it asks again for a READ, but not from the start */
	bool copied; /**< of a request: a later one has the same PSN */
};

/** A packet at its PSN. */
struct model_place {
	uint64_t seq;
	size_t packet;
};

/** Request packets that were never captured, though later ones were. */
struct model_gap {
	uint64_t seq;
	uint64_t packets;
	uint64_t frame; /**< of the packet behind it */
};

/** Bytes of a message that one packet carried. */
struct model_piece {
	uint64_t offset; /**< in the message */
	size_t store_at;
	uint32_t bytes;
};

struct model_operation {
	struct nd_model_operation report;
	size_t first_piece, piece_count; /**< in pieces of the side, by offset */
	size_t first_repeat;             /**< in repeats of the side */
	uint64_t last_seq;               /**< of its last request packet */
	uint64_t accepted_frame; /**< of its last request packet, as the peer took it; 0 = none */
	uint64_t last_copy;      /**< newest request packet of it, repeated or not */
	uint64_t rnr_frame;      /**< newest RNR NAK; 0 = none */
	uint64_t answered; /**< READ, atomic: PSNs from the start whose answers came in order */
	uint32_t answers;  /**< READ responses, or answers of an atomic, that came so far */
	bool asked;        /**< a request packet of it was looked at */
};

/** What one side of a connection did. */
struct model_side {
	struct model_array operations; /**< struct model_operation */
	struct model_array pieces;     /**< struct model_piece */
	struct model_array repeats;    /**< uint64_t, numbers of frames */
	struct model_array receives;   /**< struct nd_model_receive */
	struct model_array keys;       /**< struct nd_model_key */
	struct model_array refusals;   /**< struct nd_model_refusal */
	struct model_array events;     /**< struct nd_model_memory_event */
	struct model_array gaps;       /**< struct model_gap, by PSN */
	size_t places;                 /**< different PSNs of request packets */
	uint64_t restarts;             /**< PSNs jumped */
	uint64_t restart_frame;
	uint64_t stray; /**< request packets without a place among the others */
	uint64_t stray_frame;
	uint64_t fatal_frame; /**< NAK by which its operation was refused; 0 = none */
};

struct model_connection {
	struct nd_model_connection report;
	struct trace_mtu mtu;
	struct model_side side[2];
	bool counts[2];      /**< side i numbers its IPv4 packets */
	size_t first_packet; /**< in model.order */
	size_t packet_count;
	size_t first_cm; /**< in model.cm */
};

struct nd_model {
	struct nd_trace *trace;
	struct model_array frames;      /**< struct model_frame */
	struct model_array packets;     /**< struct model_packet */
	struct model_array connections; /**< struct model_connection */
	struct model_array cm;          /**< struct nd_model_cm_message, by connection */
	struct model_array faults;      /**< struct nd_model_fault */
	struct model_array limits;      /**< struct nd_model_limit */
	size_t *order;                  /**< indices of packets, by connection, then by frame */
	uint8_t *store;
	size_t store_bytes, store_capacity;
	uint64_t fed; /**< frames */
	bool starved; /**< memory was exhausted */
	bool finished;
};

/** @return the connection, or NULL when there is none such. */
struct model_connection *model_connection_at(const struct nd_model *model, size_t index);

/** @return the side of a connection, or NULL when there is none such. */
struct model_side *model_side_at(const struct nd_model *model, size_t connection, unsigned side);

static inline struct model_packet *
model_packet_at(const struct nd_model *model, size_t index)
{
	return (struct model_packet *)model->packets.items + index;
}

/** @return the frame of a packet. */
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

/** @return index of the newest operation that begins at or before seq; ND_MODEL_NONE: none. */
size_t model_operation_find(const struct model_side *side, uint64_t seq);

/** @return PSNs that an operation takes, at least 1. */
uint64_t model_operation_span(const struct model_operation *operation);

/** Fill headers from a parsed packet. payload_offset is that of view. */
void model_headers(const struct wire_view *view, struct nd_model_headers *headers);

/** @return bytes of a full packet of a connection, as far as is known; at least 1. */
uint64_t model_stride(const struct model_connection *connection);

/** Report a fault. Its memory may be exhausted: then it is not there. */
void model_fault_add(struct nd_model *model, const struct nd_model_fault *fault);

/**
 * @return packets at their PSN, by PSN, those of one PSN in order of capture; to be freed. NULL
 *         when there are none or without memory.
 */
struct model_place *model_places(struct nd_model *model, size_t connection, unsigned side,
	enum nd_model_part part, size_t *count);

/* The steps of nd_model_finish(), each for one connection; side is who posted the operations. */

void model_cm_build(struct nd_model *model, size_t connection);
void model_close_build(struct nd_model *model, size_t connection);
void model_operations_build(struct nd_model *model, size_t connection, unsigned side);
void model_walk(struct nd_model *model, size_t connection, unsigned side);
void model_faults_build(struct nd_model *model, size_t connection);
void model_reads_build(struct nd_model *model, size_t connection, unsigned side);
void model_order_build(struct nd_model *model, size_t connection, unsigned side);
void model_work_build(struct nd_model *model, size_t connection, unsigned side);

/** The last step, for all of it. */
void model_limits_build(struct nd_model *model);

#endif
