/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_QUERY_H
#define NDPDK_RC_QUERY_H

#include "rc/qp.h"

/** A queue pair at one moment, for people. What a connection brings is 0 before there is one. */
struct rc_qp_info {
	uint32_t qpn;
	const char *state; /**< static, as all texts here */
	const char *error; /**< name of the first cause of its failure; "RC_OK": none */
	uint32_t remote_qpn;
	struct wire_gid local_gid;
	struct wire_gid remote_gid;
	uint16_t pmtu_bytes;
	/* Requester. */
	uint32_t sends; /**< requests posted and not complete */
	uint32_t sends_max;
	uint32_t una_psn;      /**< oldest that is not acknowledged */
	uint32_t send_psn;     /**< next to be sent; less than max_sent_psn: once more */
	uint32_t max_sent_psn; /**< one past the newest that was sent */
	uint32_t reads;        /**< READs and atomics in flight */
	uint32_t reads_max;
	uint8_t retries_left;
	uint8_t rnr_retries_left;
	const char *timer; /**< what it waits for */
	uint64_t timer_ns; /**< how much longer; 0: it waits for nothing, or the time is over */
	uint32_t window;   /**< of congestion control, packets */
	uint64_t pause_ns; /**< until congestion control lets a packet go */
	bool selective;    /**< as struct rc_qp_connect_attr has it */
	uint64_t rtt_ns;   /**< smoothed, with selective recovery; 0: not known */
	/* Responder. */
	uint32_t receives;     /**< posted and not complete; of a shared queue: taken */
	uint32_t receives_max; /**< 0 with a shared queue */
	bool shared;           /**< receives come from a shared queue */
	uint32_t expected_psn; /**< of the peer's next request */
	uint32_t msn;          /**< messages of the peer that are complete, modulo 2^24 */
	bool keeping;          /**< packets behind a gap are kept */
};

/** @return name of a state, static text. */
const char *rc_qp_state_name(enum rc_qp_state state);

/** Describe a queue pair. On its owner's thread. */
void rc_qp_query(const struct rc_qp *qp, uint64_t now_ns, struct rc_qp_info *info);

#endif
