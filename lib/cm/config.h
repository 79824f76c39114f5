/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CM_CONFIG_H
#define NDPDK_CM_CONFIG_H

#include <stdint.h>

#include "base/random.h"
#include "wire/cm_msg.h"

/* Configuration and counters of a connection manager. */

/** Default of struct cm_config.ack_delay. */
#define CM_ACK_DELAY_DEFAULT 12

/** Configuration. A member that is zero gets its default. */
struct cm_config {
	uint64_t ca_guid; /**< EUI-64 of the MAC address: stable, and unique per port */
	uint32_t id_max;  /**< maximum number of connections, including TIMEWAIT; default: 4096 */
	uint32_t listener_max; /**< maximum number of listeners; default: 64 */
	/** time until the first retransmission of a REQ, REP or DREQ; default: 250 ms (repeat.h) */
	uint64_t retransmit_ns;
	uint8_t max_retries;  /**< maximum number of retransmissions of a message; default: 7 */
	uint64_t timewait_ns; /**< duration of TIMEWAIT; default: 1 s */
	/**
	 * Time within which the application must answer a request (REQ_RECEIVED). Otherwise the
	 * connection ends. Until then each duplicate REQ is answered with an MRA. Default: 60 s.
	 */
	uint64_t request_pending_ns;
	/**
	 * Code of both CM response timeouts in our REQ: the timeout is 4.096 us * 2^code. Default:
	 * 19 (2.1 s). The peer may retransmit its REP 15 times, so it waits for our RTU up to 16
	 * times as long.
	 */
	uint8_t response_timeout;
	/** code of the delay of our acknowledgements, sent in REQ and REP; default: 12 (16.8 ms) */
	uint8_t ack_delay;
	/**
	 * Largest path MTU code (1..5) that this port supports; default: 5. A REQ with a larger
	 * code is refused by a REJ with reason 26.
	 */
	uint8_t pmtu_max;
	/**
	 * Number of connections per second that one source address may establish (SEC-040);
	 * default: 1000. A burst may have four times this number. REQs above the limit are dropped.
	 */
	uint32_t req_rate_per_source;
	/** connections per second of all sources together; default: 16 * req_rate_per_source */
	uint32_t req_rate_global;
	/**
	 * Number of answers per second to messages that belong to no connection; default: 1000. All
	 * unproven sources share one limit, and each proven source has its own. A burst may have
	 * the same number.
	 */
	uint32_t answer_rate;
	/**
	 * Number of slots for half-open connections that were reported to the application. Default:
	 * id_max / 8, at least 64. One proven source can use half of the slots, and all unproven
	 * sources together can use half (SEC-042). Further requests are held until a slot is free.
	 */
	uint32_t half_open_max;
	/** maximum time for which MRAs of the peer extend a connection's state; default: 120 s */
	uint64_t mra_max_ns;
	/**
	 * Time for which a source stays proven after its last message, or after its last connection
	 * has ended. Default: 1 h.
	 */
	uint64_t proof_ns;
	/**
	 * Number of guesses (cm_guess()) in a burst after which a source is barred; default: 64.
	 * Time after which one guess is forgotten; default: 1 s.
	 */
	uint32_t guess_burst;
	uint64_t guess_interval_ns;
	/**
	 * Maximum time for which a source is barred, however many guesses it made. Default: 3 s or
	 * guess_interval_ns, whichever is larger.
	 */
	uint64_t guess_debt_max_ns;
	int socket_id;
	/** generator of communication IDs and transaction IDs; must outlive the cm */
	struct base_random *random;
};

struct cm_counters {
	/**
	 * Numbers of messages. Index: attribute minus WIRE_CM_REQ (REQ MRA REJ REP RTU DREQ DREP
	 * SIDR_REQ SIDR_REP).
	 */
	uint64_t rx[WIRE_CM_SIDR_REP - WIRE_CM_REQ + 1];
	uint64_t tx[WIRE_CM_SIDR_REP - WIRE_CM_REQ + 1];
	uint64_t retransmissions;
	/** duplicate messages, including duplicates that got an answer */
	uint64_t drop_duplicate;
	/**
	 * messages for an unknown connection, or from an address that is not the peer's (SEC-044)
	 */
	uint64_t drop_unknown_id;
	/** REQs dropped because of the limit of connections per second (SEC-040) */
	uint64_t drop_rate;
	/**
	 * answers that were not sent because of the limit of answers to messages without a
	 * connection
	 */
	uint64_t drop_unanswered;
	/** REQs dropped because of too many half-open connections (SEC-042) */
	uint64_t drop_half_open;
	uint64_t held; /**< REQs that were held until a slot was free */
	/** half-open connections that were ended to free a slot for a held request */
	uint64_t evictions;
	/** REP retransmissions that were not sent, because the source was not proven */
	uint64_t withheld;
	uint64_t proofs;      /**< number of times that a source became proven */
	uint64_t drop_barred; /**< REQs dropped because the source is barred (SEC-031) */
	uint64_t guesses;     /**< see cm_guess() */
	uint64_t bars;        /**< number of times that a source became barred (SEC-031) */
	uint64_t drop_no_id;  /**< REQs dropped because the table was full */
	/** messages that are invalid in the current state of the connection */
	uint64_t drop_state;
	/** REQs dropped because the backlog of the listener was full (SEC-042) */
	uint64_t drop_backlog;
	/**
	 * REQs with a GID that differs from the packet's source address, or without a usable QPN or
	 * P_Key
	 */
	uint64_t drop_invalid;
};

#endif
