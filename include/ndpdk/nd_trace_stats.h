/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_TRACE_STATS_H
#define NDPDK_ND_TRACE_STATS_H

/**
 * @file
 * What a recorded conversation was like: rates, silences, distributions of times, congestion marks;
 * and how much of the capture could be judged. Times are those of the capture, so they hold at the
 * place where it was taken.
 *
 * Distributions are kept as histograms, so memory does not grow with the frames. May be queried at
 * any time; nd_trace_finish() changes the index of connections, not their figures.
 */

#include <ndpdk/nd_trace.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/** What times a distribution is of. Each side of a connection has one of each. */
enum nd_trace_time {
	ND_TRACE_TIME_BETWEEN, /**< from one packet of this side to its next one */
	/**
	 * From the last packet of a SEND of this side, when it was first seen, to the answer that
	 * acknowledges it; retransmissions in between make it longer.
	 */
	ND_TRACE_TIME_SEND,
	ND_TRACE_TIME_WRITE,  /**< the same of a WRITE */
	ND_TRACE_TIME_READ,   /**< from a READ request to the last packet of its data */
	ND_TRACE_TIME_ATOMIC, /**< from an atomic request to its result */
	/**
	 * How long the oldest request without an answer had waited when it was sent again, and no
	 * NAK had asked for it: since it was last sent, or since the newest progress.
	 */
	ND_TRACE_TIME_REPEAT,
	ND_TRACE_TIME_COUNT, /**< how many kinds there are */
};

/** A distribution in short. Percentiles are at most 1/32 too large. */
struct nd_trace_times {
	uint64_t count;   /**< times measured; with 0, all others are 0 */
	uint64_t min_ns;  /**< exact */
	uint64_t mean_ns; /**< exact, rounded down */
	uint64_t p50_ns;  /**< median */
	uint64_t p90_ns;  /**< 90 % took no longer */
	uint64_t p99_ns;  /**< 99 % */
	uint64_t p999_ns; /**< 99.9 % */
	uint64_t max_ns;  /**< exact */
};

/** Times when neither side of a connection sent, for longer than stall_ns of the configuration. */
struct nd_trace_silences {
	uint64_t count;         /**< of them */
	uint64_t total_ns;      /**< all together */
	uint64_t longest_ns;    /**< the longest one; 0 = there was none */
	uint64_t longest_frame; /**< the frame that ended the longest one; 0 = there was none */
};

/** How far what a side sent could be compared with the rules. */
enum nd_trace_judged {
	ND_TRACE_JUDGED_NONE,  /**< the capture has no packet of this side */
	ND_TRACE_JUDGED_ALONE, /**< packets by themselves: those of the other side are missing */
	/**
	 * As a conversation, but the capture began later than the connection: what is missing from
	 * before could not be told from what was never sent.
	 */
	ND_TRACE_JUDGED_PARTLY,
	ND_TRACE_JUDGED_FULLY,
};

/** What a side sent, beyond the counts of struct nd_trace_side. */
struct nd_trace_side_stats {
	uint64_t wire_bytes; /**< whole frames, without FCS */
	/**
	 * Bytes of acknowledged messages, and of READs whose data were seen completely. Refused and
	 * unanswered messages are not counted.
	 */
	uint64_t delivered_bytes;
	uint64_t payload_bytes;      /**< of requests and READ responses, retransmissions too */
	uint64_t requests;           /**< request packets, retransmissions too */
	uint64_t repeated_early;     /**< retransmissions, not asked for, within the ACK timeout */
	uint64_t ect;                /**< packets that switches may mark (ECN field 1 or 2) */
	uint64_t ce;                 /**< packets marked by a switch (ECN field 3) */
	uint64_t cnps_close;         /**< CNPs within 4 us of the CNP before */
	uint64_t cnp_least_ns;       /**< shortest time between two CNPs; 0 = fewer than two */
	enum nd_trace_judged judged; /**< how far all this could be judged */
	/**
	 * Waits after RNR NAKs that are too short to be judged at the place of the capture, or that
	 * ended with what may be a copy made by the network.
	 */
	uint64_t rnr_waits_unjudged;
	/** Retransmissions after timeouts whose number nothing in the capture limits. */
	uint64_t timeouts_unjudged;
};

/** A connection as a whole. Its CM messages do not count. */
struct nd_trace_stats {
	uint64_t first_ns;                  /**< capture time of its first packet */
	uint64_t last_ns;                   /**< of its newest one */
	struct nd_trace_silences stalls;    /**< silences while a request waited for its answer */
	struct nd_trace_silences pauses;    /**< others: nobody had anything to send */
	struct nd_trace_side_stats side[2]; /**< as in struct nd_trace_connection */
};

/** What was left out, in packets unless said otherwise. Packets with a right ICRC only. */
struct nd_trace_coverage {
	uint64_t judged;     /**< compared with other packets of their connection; CM included */
	uint64_t alone;      /**< answers and CNPs without their connection in the capture */
	uint64_t early;      /**< requests from when older ones could be missing */
	uint64_t unfollowed; /**< of more queue pairs than are followed */
	uint64_t datagrams;  /**< UD packets that are no CM messages */
	uint64_t transports; /**< other transports than RC and UD, and multicast */
	uint64_t without_cm; /**< connections whose CM exchange is not in the capture */
	uint64_t one_way;    /**< connections of which one direction only is in the capture */
	uint64_t rnr_waits;  /**< nd_trace_side_stats.rnr_waits_unjudged of all sides */
	uint64_t timeouts;   /**< nd_trace_side_stats.timeouts_unjudged of all sides */
};

/**
 * Statistics of a connection.
 *
 * @param index below nd_trace_connection_count()
 * @param[out] stats filled when true is returned
 * @return false: there is no such connection
 * @note Threads: any, one at a time for a trace.
 */
bool nd_trace_stats(const struct nd_trace *trace, size_t index, struct nd_trace_stats *stats);

/**
 * A distribution in short.
 *
 * @param index below nd_trace_connection_count()
 * @param side 0 or 1
 * @param[out] times always filled; all zero when nothing was measured
 * @note Threads: any, one at a time for a trace.
 */
void nd_trace_times(const struct nd_trace *trace, size_t index, unsigned side,
	enum nd_trace_time time, struct nd_trace_times *times);

/**
 * One point of a distribution.
 *
 * @param share_ppm 500000 = median, 999000 = 99.9 %; 1 .. 1000000
 * @return nanoseconds that this share of the times does not exceed, at most 1/32 too large; 0 when
 *         nothing was measured
 * @note Threads: any, one at a time for a trace.
 */
uint64_t nd_trace_percentile_ns(const struct nd_trace *trace, size_t index, unsigned side,
	enum nd_trace_time time, uint32_t share_ppm);

/**
 * How much could be judged.
 *
 * @param[out] coverage always filled
 * @note Threads: any, one at a time for a trace.
 */
void nd_trace_coverage(const struct nd_trace *trace, struct nd_trace_coverage *coverage);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
