/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_READ_RESPONSE_H
#define NDPDK_RC_READ_RESPONSE_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>

#include "base/status.h"
#include "rc/wqe.h"
#include "wire/parse.h"

struct rc_qp;

/**
 * READ response packets that one call of rc_reads_progress() sends at most (SEC-047). Long ones end
 * it earlier: RC_BYTES_PER_CALL.
 */
#define RC_READ_BUDGET 64

/**
 * A READ that was accepted, or an atomic that was executed: kept until as many later ones have come
 * as the connection has read resources, so that a duplicate can be served again (RC-059).
 */
struct rc_read_record {
	uint64_t position; /**< of its first PSN since connecting: tells laps of PSNs apart */
	uint32_t packet_count;
	uint64_t address;
	uint32_t rkey;
	uint32_t length_bytes;       /**< READ */
	uint8_t opcode;              /**< of the request */
	struct rc_operands operands; /**< atomic */
	uint64_t original; /**< atomic: value found at execution; duplicates get it (RC-058) */
};

/**
 * One request being answered: a READ as recorded, the rest of one that a duplicate asks for again
 * (RC-057), or an atomic, whose only packet carries the recorded value.
 */
struct rc_read_job {
	uint32_t psn; /**< of the next response packet */
	uint32_t packets_left;
	uint64_t address; /**< of the next byte */
	uint32_t rkey;
	uint32_t bytes_left;
	uint32_t msn; /**< that its AETHs carry */
	bool first;   /**< next packet is First or Only */
	bool replay;
	bool atomic;
	uint64_t original; /**< atomic */
};

/**
 * READs and atomics of the peer, which share what the connection provides (RC-028). Records are the
 * newest `slots` of record_count; jobs are a FIFO. Fresh jobs and replays have `slots` places each,
 * so that replays cannot take the place of a READ that the peer is entitled to (SEC-025).
 */
struct rc_reads {
	struct rc_read_record *records; /**< slots_max of them */
	struct rc_read_job *jobs;       /**< 2 * slots_max of them */
	uint32_t inbound_max;           /**< as created; bounds what a connection may ask for */
	uint32_t slots_max;             /**< power of two >= inbound_max, 0 when that is 0 */
	uint32_t slots;                 /**< of the connection, likewise */
	uint32_t record_count;          /**< records ever made, free-running */
	uint32_t job_head;
	uint32_t job_tail;
	uint32_t replay_count;   /**< jobs that are replays */
	uint64_t paced_until_ns; /**< held by congestion control; BASE_TIME_NEVER = not held */
};

/** @return memory that rc_reads_init() needs: whole cache lines */
size_t rc_reads_bytes(uint32_t inbound_max);

/** @param memory zeroed; stays the caller's, and outlives the reads */
void rc_reads_init(struct rc_reads *reads, uint32_t inbound_max, void *memory);

/**
 * @param inbound_reads of the connection; rounded up to a power of two, as the peer may do (RC-009)
 */
void rc_reads_connect(struct rc_reads *reads, uint32_t inbound_reads);

/** Forget jobs and records. */
void rc_reads_reset(struct rc_reads *reads);

/** @return whether another READ or atomic can be accepted (RC-028). */
static inline bool
rc_reads_room(const struct rc_reads *reads)
{
	return reads->job_tail - reads->job_head - reads->replay_count < reads->slots;
}

/** @return the job at an index, job_head .. job_tail */
static inline struct rc_read_job *
rc_reads_job(const struct rc_reads *reads, uint32_t index)
{
	return &reads->jobs[index & (2 * reads->slots_max - 1)];
}

/** @return whether responses wait to be sent. */
static inline bool
rc_reads_pending(const struct rc_reads *reads)
{
	return reads->job_head != reads->job_tail;
}

/**
 * Accept a READ that passed all checks: keep its record, queue its responses. @return its packet
 * count.
 */
uint32_t rc_reads_accept(struct rc_qp *qp, const struct wire_view *view);

/** Serve a duplicate READ again, or drop and count it. */
void rc_reads_duplicate(struct rc_qp *qp, const struct wire_view *view);

/** Keep the result of an atomic that was executed, queue its answer. */
void rc_reads_executed(struct rc_qp *qp, const struct wire_view *view, uint64_t original);

/** Answer a duplicate atomic with what was kept (RC-058), or drop and count it. */
void rc_reads_duplicate_atomic(struct rc_qp *qp, const struct wire_view *view);

/**
 * Send responses in order, up to RC_READ_BUDGET.
 * @return true when it stopped for its budget or for want of an mbuf or room; false when nothing is
 *         left, when pacing holds it (paced_until_ns), or when a key died and a fatal NAK took the
 *         place of the rest (RC-159)
 */
bool rc_reads_progress(struct rc_qp *qp, uint64_t now_ns);

#endif
