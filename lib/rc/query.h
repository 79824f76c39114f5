/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_QUERY_H
#define NDPDK_RC_QUERY_H

#include "rc/qp.h"

/** Snapshot of a queue pair for display. Values of the connection are 0 before rc_qp_connect(). */
struct rc_qp_info {
	uint32_t qpn;
	const char *state; /**< name of the state; all strings of this structure are static */
	const char *error; /**< name of the first cause of failure; "RC_OK" before a failure */
	uint32_t remote_qpn;
	struct wire_gid local_gid;
	struct wire_gid remote_gid;
	uint16_t pmtu_bytes;
	/* Requester. */
	uint32_t sends; /**< number of requests that are posted and not completed */
	uint32_t sends_max;
	uint32_t una_psn;  /**< oldest unacknowledged PSN */
	uint32_t send_psn; /**< PSN of the next packet; before max_sent_psn in a retransmission */
	uint32_t max_sent_psn; /**< PSN after the newest packet sent */
	uint32_t reads;        /**< number of READs and atomics in flight */
	uint32_t reads_max;
	uint8_t retries_left;
	uint8_t rnr_retries_left;
	const char *timer; /**< name of the event that the timer waits for, or "idle" */
	uint64_t timer_ns; /**< remaining time of the timer in ns; 0 if idle or expired */
	uint32_t window;   /**< congestion window in packets */
	uint64_t pause_ns; /**< time until congestion control allows a packet, in nanoseconds */
	bool selective;    /**< rc_qp_connect_attr.selective */
	/** smoothed round-trip time in ns; 0 if not measured, or if recovery is not selective */
	uint64_t rtt_ns;
	/* Responder. */
	/** number of receives posted and not completed, without receives in a shared queue */
	uint32_t receives;
	uint32_t receives_max; /**< capacity of the receive queue; 0 with a shared queue */
	bool shared;           /**< true if the receives come from a shared receive queue */
	uint32_t expected_psn;
	uint32_t msn; /**< number of completed messages of the peer, modulo 2^24 */
	bool keeping; /**< true while packets after a gap are kept */
};

/** @return name of a state, static string. */
const char *rc_qp_state_name(enum rc_qp_state state);

/** Fill in a snapshot. Call on the owner's thread. */
void rc_qp_query(const struct rc_qp *qp, uint64_t now_ns, struct rc_qp_info *info);

#endif
