/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_RETRY_H
#define NDPDK_TRACE_RETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/frame.h"

/*
 * Judges retransmissions of the oldest unacknowledged request. Reports these cases:
 *
 * - RC-085: the sender retransmits before the time of an RNR NAK is over, or more often than its
 *   peer granted, or sends new requests in this time.
 * - RC-096: the sender retransmits after timeouts more often than its peer granted.
 * - RC-098: after a sequence NAK, the sender sends requests other than the requested one.
 * - RC-095: the sender sends new requests although a retransmission is long overdue.
 * - RC-023: the responder sends a second sequence NAK for a gap that the sender has not tried to
 *   fill.
 *
 * Limits (CM-024): the retry count and the RNR retry count of a REQ bind the side that accepts the
 * REQ. The RNR retry count of a REP binds the side that connects. A REP has no retry count, so
 * retransmissions of the connecting side after timeouts are not judged. An RNR retry count of 7 is
 * unlimited. A retry count of 7 is treated as unlimited, because Soft-RoCE then retransmits
 * without limit (RC-097).
 *
 * The network may duplicate a packet, and a packet may cross a NAK on its way. Both happen within
 * TRACE_REORDER_NS, so a copy that comes later was certainly sent by the sender. An earlier copy
 * over IPv4 was certainly sent by the sender if its IP identification is higher than that of all
 * earlier transmissions, because networks do not change the IP identification. The time in which a
 * packet may cross a NAK depends on the place of the capture. The times between the CM messages
 * limit this time, because they include at least the round trip from the place of the capture to
 * one side. Therefore short RNR waits are judged as well, up to the tick of a timer,
 * TRACE_RETRY_TICK_NS.
 *
 * A timeout counts only after the ACK timeout of the REQ, because adaptive timers of hardware
 * retransmit earlier, without counting (RC-115). A retransmission that a NAK requested is no
 * timeout. Progress resets the counts. A retransmission of an older request also resets the counts,
 * because its sender has not received an answer that the capture contains.
 *
 * A sender goes back and retransmits everything, or retransmits only the missing packets. Both are
 * correct, and both begin with the PSN of the NAK. Retransmissions before the ACK timeout are
 * counted, not judged (RC-104, RC-115). TRACE_RETRY_LATE_NS allows for hardware with a minimum
 * timeout. A host that pauses may send before it processes received packets and expired timers:
 * RC-095 and RC-098 judge only a side that continues for TRACE_REORDER_NS.
 *
 * Each finding is a doubt, unless the capture is complete: an answer that is not in the capture may
 * have caused the retransmission, or may have been progress.
 */

/** There is no limit, or the capture does not show the limit. */
#define TRACE_RETRY_ANY     UINT32_MAX
/** Nothing counts as late before this time, in ns, even if the ACK timeout is shorter. */
#define TRACE_RETRY_LATE_NS UINT64_C(1000000000)
/**
 * An operating system's timer may expire too early by at most this time, in ns: a tick of 100 Hz.
 */
#define TRACE_RETRY_TICK_NS UINT64_C(10000000)
/** No IP identification. */
#define TRACE_RETRY_NO_ID   UINT32_MAX

/** Limits of a side's retransmissions, granted by the peer in the CM exchange. */
struct trace_retry_grant {
	/** maximum number of retransmissions after timeouts, 0..6, or TRACE_RETRY_ANY */
	uint32_t timeouts;
	/** maximum number of retransmissions after RNR NAKs, 0..6, or TRACE_RETRY_ANY */
	uint32_t rnr;
	uint64_t ack_timeout_ns; /**< at least 4096; BASE_TIME_NEVER = no ACK timer */
	/**
	 * Longest round-trip time, in ns, between the place of the capture and the side.
	 * BASE_TIME_NEVER: unknown.
	 */
	uint64_t turn_ns;
};

/** Counts of events that could not be judged, since the owner last collected the counts. */
struct trace_retry_unjudged {
	/**
	 * RNR waits that are too short to judge at the place of the capture, or end with a possible
	 * duplicate
	 */
	uint32_t rnr_waits;
	uint32_t timeouts; /**< retransmissions after timeouts, if their limit is not known */
};

/**
 * A period in which a side breaks a rule again and again, with pauses of at most TRACE_REORDER_NS.
 */
struct trace_retry_habit {
	bool begun; /**< the times are valid */
	uint64_t since_ns;
	uint64_t newest_ns;
};

/** The oldest unacknowledged request of one direction, and its retransmissions. */
struct trace_retry {
	struct trace_retry_grant grant;
	struct trace_retry_unjudged unjudged;
	/** highest IP identification of the request's transmissions; TRACE_RETRY_NO_ID: none */
	uint32_t ip_id;
	uint64_t seq;      /**< 64-bit PSN; the request may not have been sent yet */
	uint64_t sent_ns;  /**< time of the request's first packet or of newer progress */
	uint32_t timeouts; /**< retransmissions after timeouts since the newest progress */
	uint32_t rnr;      /**< retransmissions after RNR NAKs since the newest progress */
	bool asked;        /**< a NAK requested a retransmission, which has not followed yet */
	/** an RNR NAK required a wait, and no retransmission has followed; rnr_* are valid */
	bool waits;
	uint64_t rnr_frame;    /**< frame of the first RNR NAK of the wait */
	uint64_t rnr_ns;       /**< time of that frame */
	uint64_t rnr_until_ns; /**< end of the shortest wait that an RNR NAK demanded */
	bool seen;             /**< request seen since the newest progress; seen_ns is valid */
	bool repeated;         /**< request retransmitted since the newest progress */
	uint64_t seen_ns;      /**< time at which the request was seen last */
	bool wanted;           /**< a packet with AckReq was sent since the newest progress */
	uint64_t wanted_ns;    /**< time of the first packet with AckReq */
	bool refused;          /**< a sequence NAK for seq arrived since the newest progress */
	uint64_t nak_ns;       /**< time of the first sequence NAK for seq */
	uint64_t nak_frame;    /**< frame of the first sequence NAK for seq */
	uint64_t nak_newest_ns;
	uint64_t nak_newest_frame;
	/** period in which the side sends requests, but not the request that a NAK requests */
	struct trace_retry_habit passes;
	/** period in which the side sends new requests although a retransmission is overdue */
	struct trace_retry_habit lags;
	/** flags: a violation of this kind was reported since the newest progress */
	bool told_rnr, told_nak, told_late, told_again;
};

/** @return IP identification of a packet; TRACE_RETRY_NO_ID if there is none, or if it is 0. */
uint32_t trace_ip_id(const struct trace_packet *packet);

/** Start without limits: only the next PSN is known, and every retransmission is allowed. */
void trace_retry_start(struct trace_retry *retry, uint64_t seq);

/**
 * Judge a new request (RC-085, RC-095, RC-098).
 *
 * @param oldest_sent true: the oldest unacknowledged request is known to have been sent
 */
void trace_retry_sent(struct trace_retry *retry, uint64_t seq, bool oldest_sent,
	const struct trace_packet *packet);

/**
 * Judge a retransmitted request (RC-085, RC-096, RC-098).
 *
 * @return time in ns between the previous transmission of the oldest request and this
 *         retransmission; BASE_TIME_NEVER: a different request is retransmitted, or a NAK requested
 *         the retransmission
 */
uint64_t
trace_retry_repeated(struct trace_retry *retry, uint64_t seq, const struct trace_packet *packet);

/**
 * Judge an answer to a request that was sent (RC-023).
 *
 * @return 64-bit PSN; the answer acknowledges all lower PSNs
 */
uint64_t
trace_retry_answered(struct trace_retry *retry, uint64_t seq, const struct trace_packet *packet);

#endif
