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
 * Maximum number of READ response packets per call of rc_reads_progress() (SEC-047). With long
 * packets, RC_BYTES_PER_CALL ends a call earlier.
 */
#define RC_READ_BUDGET 64

/**
 * Record of an accepted READ or executed atomic, used to answer duplicates. A connection has one
 * record for each READ that the peer may have outstanding. A new READ or atomic replaces the oldest
 * record (RC-059).
 */
struct rc_read_record {
	/**
	 * number of PSNs from connection set-up to the first PSN of the request. 64 bits, because a
	 * PSN would wrap
	 */
	uint64_t position;
	uint32_t packet_count;
	uint64_t address;
	uint32_t rkey;
	uint32_t length_bytes;       /**< length of a READ */
	uint8_t opcode;              /**< opcode of the request */
	struct rc_operands operands; /**< operands of an atomic */
	/** atomic: previous value of the memory, for the response and for duplicates (RC-058) */
	uint64_t original;
};

/**
 * A request that is being answered: a READ, the rest of a READ that a duplicate requests (RC-057),
 * or an atomic. An atomic has one response, which carries the recorded value.
 */
struct rc_read_job {
	uint32_t psn; /**< PSN of the next response packet */
	uint32_t packets_left;
	uint64_t address; /**< remote address of the next byte to send */
	uint32_t rkey;
	uint32_t bytes_left;
	uint32_t msn; /**< MSN in the AETHs */
	bool first;   /**< true if the next packet is First or Only */
	bool replay;
	bool atomic;
	uint64_t original; /**< atomic: recorded value that the response contains */
};

/**
 * READs and atomics of the peer. Both count in the peer's limit of outstanding READs (RC-028). The
 * newest `slots` records are valid. Jobs are a FIFO. New requests have `slots` jobs, and replays
 * have `slots` jobs. So replays cannot use up the jobs of READs that the peer may send (SEC-025).
 */
struct rc_reads {
	struct rc_read_record *records; /**< array of slots_max records */
	struct rc_read_job *jobs;       /**< array of 2 * slots_max jobs, used as a ring */
	uint32_t inbound_max; /**< maximum of inbound_reads for all connections, set at creation */
	uint32_t slots_max;   /**< inbound_max rounded up to a power of two; 0 if it is 0 */
	/** number of slots that the connection uses: a power of two, or 0 */
	uint32_t slots;
	uint32_t record_count; /**< number of records created so far, free-running */
	uint32_t job_head;
	uint32_t job_tail;
	uint32_t replay_count; /**< number of jobs that answer duplicates (replays) */
	/** time until which congestion control delays responses; BASE_TIME_NEVER if it does not */
	uint64_t paced_until_ns;
};

/** @return size of the memory that rc_reads_init() needs, a multiple of the cache line size */
size_t rc_reads_bytes(uint32_t inbound_max);

/** @param memory zeroed; owned by the caller; must outlive reads */
void rc_reads_init(struct rc_reads *reads, uint32_t inbound_max, void *memory);

/**
 * @param inbound_reads limit of the connection; rounded up to a power of two, because the peer may
 * round up as well (RC-009)
 */
void rc_reads_connect(struct rc_reads *reads, uint32_t inbound_reads);

void rc_reads_reset(struct rc_reads *reads);

/** @return true if one more READ or atomic can be accepted (RC-028) */
static inline bool
rc_reads_room(const struct rc_reads *reads)
{
	return reads->job_tail - reads->job_head - reads->replay_count < reads->slots;
}

/** @return job with the free-running index, job_head .. job_tail */
static inline struct rc_read_job *
rc_reads_job(const struct rc_reads *reads, uint32_t index)
{
	return &reads->jobs[index & (2 * reads->slots_max - 1)];
}

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
 * @return true if the budget was used up, no mbuf was free, or the output queue was full; false if
 *         no response is left, responses are paced (paced_until_ns), or a key became invalid and a
 *         fatal NAK replaces the remaining responses (RC-159)
 */
bool rc_reads_progress(struct rc_qp *qp, uint64_t now_ns);

#endif
