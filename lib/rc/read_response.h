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
 * Maximum number of READ response packets per call of rc_reads_progress() (SEC-047). Long packets
 * end a call earlier: RC_BYTES_PER_CALL.
 */
#define RC_READ_BUDGET 64

/**
 * Record of an accepted READ or executed atomic, used to answer duplicates. A record is replaced
 * after as many newer READs and atomics as the connection has read resources (RC-059).
 */
struct rc_read_record {
	/**
	 * position of the first PSN, counted since connection set-up, so that a wrap of the PSN is
	 * not ambiguous
	 */
	uint64_t position;
	uint32_t packet_count;
	uint64_t address;
	uint32_t rkey;
	uint32_t length_bytes;       /**< length of a READ */
	uint8_t opcode;              /**< opcode of the request */
	struct rc_operands operands; /**< operands of an atomic */
	/** atomic: previous value of the memory; sent again for duplicates (RC-058) */
	uint64_t original;
};

/**
 * A request that is being answered: a READ, the rest of a READ that a duplicate requests again
 * (RC-057), or an atomic. The single response of an atomic carries the recorded value.
 */
struct rc_read_job {
	uint32_t psn; /**< PSN of the next response packet */
	uint32_t packets_left;
	uint64_t address; /**< remote address of the next byte */
	uint32_t rkey;
	uint32_t bytes_left;
	uint32_t msn; /**< MSN in the AETHs */
	bool first;   /**< the next packet is First or Only */
	bool replay;
	bool atomic;
	uint64_t original; /**< atomic: recorded value to send */
};

/**
 * READs and atomics of the peer, which share the read resources of the connection (RC-028). The
 * newest `slots` records are valid. Jobs are a FIFO. New jobs and replays have `slots` entries
 * each, so that replays cannot use the entry of a READ that the peer is entitled to (SEC-025).
 */
struct rc_reads {
	struct rc_read_record *records; /**< array of slots_max records */
	struct rc_read_job *jobs;       /**< array of 2 * slots_max jobs */
	uint32_t inbound_max;  /**< limit from creation; a connection may not request more */
	uint32_t slots_max;    /**< power of two >= inbound_max, or 0 if inbound_max is 0 */
	uint32_t slots;        /**< slots of the connection: a power of two, or 0 */
	uint32_t record_count; /**< number of records created so far, free-running */
	uint32_t job_head;
	uint32_t job_tail;
	uint32_t replay_count; /**< number of jobs that are replays */
	/** responses are paced until this time; BASE_TIME_NEVER: not paced */
	uint64_t paced_until_ns;
};

/** @return bytes of memory that rc_reads_init() needs: whole cache lines */
size_t rc_reads_bytes(uint32_t inbound_max);

/** @param memory zeroed; owned by the caller; must outlive reads */
void rc_reads_init(struct rc_reads *reads, uint32_t inbound_max, void *memory);

/**
 * @param inbound_reads of the connection; rounded up to a power of two, because the peer may round
 *        up, too (RC-009)
 */
void rc_reads_connect(struct rc_reads *reads, uint32_t inbound_reads);

/** Remove all jobs and records. */
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

/** @return whether responses are pending. */
static inline bool
rc_reads_pending(const struct rc_reads *reads)
{
	return reads->job_head != reads->job_tail;
}

/**
 * Accept a READ that passed all checks: create a record and a job. @return number of response
 * packets
 */
uint32_t rc_reads_accept(struct rc_qp *qp, const struct wire_view *view);

/** Answer a duplicate READ, or drop and count it. */
void rc_reads_duplicate(struct rc_qp *qp, const struct wire_view *view);

/** Create a record and a job for an executed atomic. */
void rc_reads_executed(struct rc_qp *qp, const struct wire_view *view, uint64_t original);

/** Answer a duplicate atomic with the recorded value (RC-058), or drop and count it. */
void rc_reads_duplicate_atomic(struct rc_qp *qp, const struct wire_view *view);

/**
 * Send responses in order, at most RC_READ_BUDGET.
 * @return true: stopped by the budget, or because there was no mbuf or room. false: no response is
 *         left, responses are paced (paced_until_ns), or a key became invalid and a fatal NAK
 *         replaces the remaining responses (RC-159)
 */
bool rc_reads_progress(struct rc_qp *qp, uint64_t now_ns);

#endif
