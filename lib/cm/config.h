/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CM_CONFIG_H
#define NDPDK_CM_CONFIG_H

#include <stdint.h>

#include "base/random.h"
#include "wire/cm_msg.h"

/* Configuration and counters of a connection manager. */

/** Of ack_delay, below. */
#define CM_ACK_DELAY_DEFAULT 12

/** All timers and counts are configuration. Zero means the default in brackets. */
struct cm_config {
	uint64_t ca_guid;      /**< stable and unique per port instance, EUI-64 of the MAC */
	uint32_t id_max;       /**< connections incl. TIMEWAIT [4096] */
	uint32_t listener_max; /**< [64] */
	/** time to the first repeat of a REQ, REP or DREQ; repeat.h has the whole plan [250 ms] */
	uint64_t retransmit_ns;
	uint8_t max_retries;  /**< repeats [7] */
	uint64_t timewait_ns; /**< [1 s] */
	/**
	 * How long the application may leave a request unanswered (REQ_RECEIVED); then the
	 * connection ends. Meanwhile each duplicate REQ is answered with an MRA [60 s]
	 */
	uint64_t request_pending_ns;
	/**
	 * code of both CM response timeouts in our REQ, 4.096 us * 2^code [19 = 2.1 s]. The peer
	 * may repeat its REP 15 times, so it waits up to 16 times that for our RTU.
	 */
	uint8_t response_timeout;
	uint8_t ack_delay; /**< of our acknowledgements, announced in REQ and REP [12 = 16.8 ms] */
	/**
	 * largest path MTU code (1..5) that this port supports [5]; a REQ with a larger one gets
	 * REJ 26
	 */
	uint8_t pmtu_max;
	/**
	 * Connections that one source address may establish per second [1000], burst four times
	 * that (SEC-040). REQs beyond this rate are dropped.
	 */
	uint32_t req_rate_per_source;
	/** the same for all sources together [16 times the above], burst four times that */
	uint32_t req_rate_global;
	/**
	 * Answers per second that leave no record, for all unproven sources together and for each
	 * proven one [1000], burst the same
	 */
	uint32_t answer_rate;
	/**
	 * Half-open connections that the application knows of [id_max / 8, at least 64]. One proven
	 * source may have half of them, and so may all unproven sources together (SEC-042). Further
	 * requests are held until there is a place.
	 */
	uint32_t half_open_max;
	/** how long MRAs of the peer may keep a connection in one state [120 s] */
	uint64_t mra_max_ns;
	/** how long a source is proven after its last message or connection [1 h] */
	uint64_t proof_ns;
	/**
	 * guesses (cm_guess()) that a source may make at once before it is barred [64], and the
	 * interval in which one of them is forgotten [1 s]
	 */
	uint32_t guess_burst;
	uint64_t guess_interval_ns;
	/**
	 * longest time for which a source is barred, however many guesses it made [3 s or
	 * guess_interval_ns, the larger]
	 */
	uint64_t guess_debt_max_ns;
	int socket_id;
	struct base_random *random; /**< comm IDs, transaction IDs; outlives the cm */
};

struct cm_counters {
	/** By attribute - WIRE_CM_REQ: REQ MRA REJ REP RTU DREQ DREP SIDR_REQ SIDR_REP. */
	uint64_t rx[WIRE_CM_SIDR_REP - WIRE_CM_REQ + 1];
	uint64_t tx[WIRE_CM_SIDR_REP - WIRE_CM_REQ + 1];
	uint64_t retransmissions;
	/** message received before, whether it was answered again or not */
	uint64_t drop_duplicate;
	/** message for no connection of ours, or from another address (SEC-044) */
	uint64_t drop_unknown_id;
	uint64_t drop_rate; /**< REQ: connections per second exceeded (SEC-040) */
	/** answer not sent: the budget for answers that leave no record is used up */
	uint64_t drop_unanswered;
	uint64_t drop_half_open; /**< REQ: too many half-open connections (SEC-042) */
	uint64_t held;           /**< REQs that waited for an open place */
	uint64_t evictions;      /**< half-open connections ended in favour of a held request */
	uint64_t withheld;       /**< repeats of a REP not sent to an unproven source */
	uint64_t proofs;         /**< times that a source became proven */
	uint64_t drop_barred;    /**< REQ of a source that guessed too often (SEC-031) */
	uint64_t guesses;        /**< see cm_guess() */
	uint64_t bars;           /**< times that a source became barred */
	uint64_t drop_no_id;     /**< table full */
	uint64_t drop_state;     /**< message makes no sense in this state */
	/** REQ: backlog of the listener is full (SEC-042) */
	uint64_t drop_backlog;
	/** REQ of another sender than its packet, or without a usable QPN or P_Key */
	uint64_t drop_invalid;
};

#endif
