/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_READS_H
#define NDPDK_TRACE_READS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/damages.h"
#include "trace/violations.h"

/*
 * The newest READs and atomics of one direction, with their PSNs and their answers. An entry owns
 * the PSN of its request and, for a READ, as many PSNs as the response has packets. The memory is
 * limited. The CM allows up to 255 outstanding READs and atomics, so all outstanding requests are
 * stored.
 */

/** Number of READs and atomics that are stored. */
#define TRACE_READS      256
/**
 * Maximum number of stored requests for a part of a READ. Each part has its own numbering of
 * responses.
 */
#define TRACE_READ_PARTS 8
/** Maximum number of gaps in the responses to a READ that are stored. */
#define TRACE_READ_HOLES 8

struct trace_mtu {
	uint16_t bytes; /**< 0 = not known yet */
	uint16_t
		at_least_bytes; /**< smallest path MTU that fits the payloads seen; 0 = none seen */
	bool differs;           /**< a difference of the path MTUs of both sides was reported */
	bool agrees;            /**< a READ showed that the path MTUs of both sides are equal */
};

/**
 * Derive the path MTU from a payload. The payload of a First or Middle packet is exactly the path
 * MTU, if its size is one of the five valid values. A last packet has at most the path MTU.
 */
void trace_mtu_learn(struct trace_mtu *mtu, bool ends, uint32_t payload_bytes);

/**
 * @return true if the payload size of a First or Middle packet is a valid path MTU, but differs
 *         from mtu
 */
bool trace_mtu_other(const struct trace_mtu *mtu, uint32_t payload_bytes);

/** A part of a READ that was requested again. */
struct trace_read_part {
	uint32_t first; /**< first PSN of the part, counted from the start of the READ */
	uint32_t bytes;
};

/** A gap in the responses to a READ: a later response was seen. */
struct trace_read_hole {
	uint32_t from;  /**< first missing PSN, counted from the start of the READ */
	uint32_t end;   /**< PSN after the last missing PSN, counted from the start of the READ */
	uint64_t frame; /**< frame of the response that showed the gap */
	bool asked;     /**< the requester has requested these PSNs again */
};

/** One READ, atomic, FLUSH or ATOMIC WRITE. */
struct trace_read {
	uint64_t seq;   /**< 64-bit PSN of the request */
	uint32_t count; /**< number of PSNs; 0 = unknown, because the path MTU is unknown */
	uint32_t bytes; /**< RETH length; 0 for atomics */
	uint64_t address;
	uint32_t rkey;
	uint8_t opcode;
	bool finished;   /**< the answers of all its PSNs were seen */
	bool has_result; /**< the result of the atomic is stored */
	/** all earlier requests were seen, so the entry is no part of an older READ */
	bool exact;
	/** a later request was answered, and no retransmission of the entry followed */
	bool overtaken;
	uint64_t result;
	uint64_t frame;
	uint64_t time_ns;         /**< time of frame */
	uint64_t overtaken_ns;    /**< time of the answer that overtook this READ */
	uint64_t overtaken_frame; /**< frame of the answer that overtook this READ */
	uint32_t fingerprint;
	/** number of messages that end at or before this request; valid if assembled */
	uint32_t messages;
	/** number of outstanding READs and atomics, including this entry, at its first request */
	uint32_t outstanding;
	uint32_t requests; /**< number of times that the READ or a part was requested */
	uint32_t passes;   /**< number of times that the answers started again */
	uint32_t answered; /**< highest answered PSN, counted from the start of the READ, plus 1 */
	/** PSN of the newest answer, counted from the start; valid if answered */
	uint32_t previous;
	uint64_t previous_ns;
	uint32_t part_count; /**< if more than TRACE_READ_PARTS, opcodes are not judged */
	struct trace_read_part parts[TRACE_READ_PARTS];
	/**
	 * Gaps, in order of PSN. If there are more than TRACE_READ_HOLES gaps, they are ignored,
	 * and the READ is finished by the response to its last PSN.
	 */
	uint32_t hole_count;
	struct trace_read_hole holes[TRACE_READ_HOLES];
};

struct trace_reads {
	struct trace_read slots[TRACE_READS];
	uint32_t added;      /**< number of added entries; slots are filled in turn */
	uint32_t unresolved; /**< number of entries with count 0 */
};

/**
 * @return number of PSNs that a READ of this length uses; 0: unknown, because the path MTU is not
 *         known
 */
uint32_t trace_read_count(uint32_t bytes, const struct trace_mtu *mtu);

/** @return number of PSNs that a READ of this length uses with the smallest path MTU */
uint32_t trace_read_count_max(uint32_t bytes);

/** Add an entry, which replaces the oldest entry. @return the entry, set to zero */
struct trace_read *trace_reads_add(struct trace_reads *reads);

/**
 * @return the entry that owns a PSN; NULL: none. If the count of an entry is unknown, the entry
 *         owns all PSNs up to trace_read_count_max().
 */
struct trace_read *trace_reads_find(struct trace_reads *reads, uint64_t seq);

/** @return number of entries that are not finished. */
uint32_t trace_reads_outstanding(const struct trace_reads *reads);

/**
 * @return true if a request with this opcode was answered, so the queue pair allows such requests.
 */
bool trace_reads_answered(const struct trace_reads *reads, uint8_t opcode);

/** @return true if a READ with several response packets was answered. */
bool trace_reads_long(const struct trace_reads *reads);

/** Called for an answer after seq: mark unfinished entries before seq as overtaken. */
void
trace_reads_overtake(struct trace_reads *reads, uint64_t seq, uint64_t frame, uint64_t time_ns);

/**
 * Record the answer to a PSN of an entry.
 *
 * @param index PSN, counted from the start of the entry
 * @return true if all PSNs of the entry are answered now
 */
bool trace_read_answer(struct trace_read *read, uint32_t index, uint64_t frame);

/** Record that the requester has requested an entry again, from this PSN on. */
void trace_read_ask(struct trace_read *read, uint32_t index);

/** @return the entry after read, or before read, in order of PSN; NULL: there is none. */
const struct trace_read *
trace_reads_next(const struct trace_reads *reads, const struct trace_read *read);
const struct trace_read *
trace_reads_before(const struct trace_reads *reads, const struct trace_read *read);

/** @return the entry that the next trace_reads_add() will overwrite; NULL: no entry. */
const struct trace_read *trace_reads_oldest(const struct trace_reads *reads);

/**
 * Called when no further answer to an entry is expected. Reports PSNs that were not answered
 * although later PSNs were (RC-060, RC-073), unless the requester has requested them again.
 *
 * @param damages damaged requests and answers of this direction
 * @param requester sender of the request; violations are attributed to its peer
 */
void trace_read_close(const struct trace_read *read, const struct trace_damages *damages,
	struct trace_party requester, struct trace_violations *violations);

/** @return true if an entry was requested again, is not finished, and was not overtaken since. */
bool trace_reads_awaited(const struct trace_reads *reads);

#endif
