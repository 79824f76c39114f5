/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_TRACE_STATS_H
#define NDPDK_ND_TRACE_STATS_H

/**
 * @file
 * Statistics of a captured conversation: rates, silences, distributions of times, congestion marks,
 * and how much of the capture could be judged. Times are capture times, so they apply at the place
 * of the capture.
 *
 * Distributions are kept as histograms, so memory does not grow with the number of frames.
 * Statistics may be queried at any time. nd_trace_finish() changes the index of connections, but
 * not their statistics.
 */

#include <ndpdk/nd_trace.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * @addtogroup nd_trace
 * @{
 */

/** Kinds of measured times. Each side of a connection has one distribution per kind. */
enum nd_trace_time {
	ND_TRACE_TIME_BETWEEN, /**< time between two consecutive packets of this side */
	/**
	 * Time from the first capture of the last packet of a SEND of this side to the answer that
	 * acknowledges the SEND. Retransmissions in between extend the time.
	 */
	ND_TRACE_TIME_SEND,
	ND_TRACE_TIME_WRITE,  /**< time as ND_TRACE_TIME_SEND, but for a WRITE */
	ND_TRACE_TIME_READ,   /**< time from a READ request to the last packet of the response */
	ND_TRACE_TIME_ATOMIC, /**< time from an atomic request to its response */
	/**
	 * Time until the oldest unanswered request is retransmitted. The time begins at the
	 * previous transmission of the request, or at the side's last progress if that is newer.
	 * Retransmissions that a NAK requested are not measured.
	 */
	ND_TRACE_TIME_REPEAT,
	ND_TRACE_TIME_COUNT, /**< number of kinds */
};

/** Summary of a distribution. Percentiles are at most 1/32 too large. */
struct nd_trace_times {
	uint64_t count;   /**< number of measured times; if 0, all members are 0 */
	uint64_t min_ns;  /**< exact */
	uint64_t mean_ns; /**< exact, rounded down */
	uint64_t p50_ns;  /**< median */
	uint64_t p90_ns;  /**< 90 % of the times are at most this long */
	uint64_t p99_ns;  /**< 99 % of the times are at most this long */
	uint64_t p999_ns; /**< 99.9 % of the times are at most this long */
	uint64_t max_ns;  /**< exact */
};

/** Periods longer than nd_trace_config.stall_ns in which neither side of a connection sent. */
struct nd_trace_silences {
	uint64_t count;         /**< number of silences */
	uint64_t total_ns;      /**< sum of all silences */
	uint64_t longest_ns;    /**< longest silence; 0 = none */
	uint64_t longest_frame; /**< frame that ended the longest silence; 0 = none */
};

/** How completely the packets of a side could be checked against the rules. */
enum nd_trace_judged {
	ND_TRACE_JUDGED_NONE, /**< the capture has no packet of this side */
	/** Each packet was checked only by itself, because the other side was not captured. */
	ND_TRACE_JUDGED_ALONE,
	/**
	 * Packets were checked against the packets of the other side. The connection began before
	 * the capture, so its first packets are missing, which limits the checks.
	 */
	ND_TRACE_JUDGED_PARTLY,
	ND_TRACE_JUDGED_FULLY,
};

/** Statistics of one side, in addition to struct nd_trace_side. */
struct nd_trace_side_stats {
	uint64_t wire_bytes; /**< length of all frames, without FCS */
	/**
	 * Bytes of acknowledged messages, and of READs with complete data. Refused and unanswered
	 * messages are not counted.
	 */
	uint64_t delivered_bytes;
	/** Payload of requests and READ responses, with retransmissions. */
	uint64_t payload_bytes;
	uint64_t requests;       /**< request packets, with retransmissions */
	uint64_t repeated_early; /**< unsolicited retransmissions before the ACK timeout */
	/** Packets with ECN field 1 or 2 (ECT), which switches may mark. */
	uint64_t ect;
	uint64_t ce;                 /**< packets marked by a switch (ECN field 3) */
	uint64_t cnps_close;         /**< CNPs less than 4 us after the previous CNP */
	uint64_t cnp_least_ns;       /**< shortest time between two CNPs; 0 = fewer than two */
	enum nd_trace_judged judged; /**< how completely this side could be judged */
	/**
	 * Number of waits after RNR NAKs that could not be judged. Either a wait seems too short,
	 * but maybe only at the place of the capture, or it ended with a packet that the network
	 * may have duplicated.
	 */
	uint64_t rnr_waits_unjudged;
	/**
	 * Number of retransmissions after timeouts that could not be judged, because the capture
	 * does not show their maximum number.
	 */
	uint64_t timeouts_unjudged;
};

/** Statistics of a connection, without its CM messages. */
struct nd_trace_stats {
	uint64_t first_ns;                  /**< capture time of the connection's first packet */
	uint64_t last_ns;                   /**< capture time of the connection's newest packet */
	struct nd_trace_silences stalls;    /**< silences while a request was unanswered */
	struct nd_trace_silences pauses;    /**< silences while no request was outstanding */
	struct nd_trace_side_stats side[2]; /**< as in struct nd_trace_connection */
};

/**
 * Numbers of packets with a correct ICRC that were judged or not judged. The comment of a member
 * says if the member counts something else.
 */
struct nd_trace_coverage {
	/**
	 * Packets that were compared with other packets of their connection, including CM messages.
	 */
	uint64_t judged;
	uint64_t alone; /**< answers and CNPs without a connection in the capture */
	/** Requests captured while earlier requests may be missing in the capture. */
	uint64_t early;
	/** Packets of queue pairs above the maximum number of followed queue pairs. */
	uint64_t unfollowed;
	uint64_t datagrams;  /**< UD packets, without CM messages */
	uint64_t transports; /**< packets of transports other than RC and UD, and multicast */
	uint64_t without_cm; /**< connections without a CM exchange in the capture */
	uint64_t one_way;    /**< connections with only one direction in the capture */
	uint64_t rnr_waits;  /**< nd_trace_side_stats.rnr_waits_unjudged of all sides */
	uint64_t timeouts;   /**< nd_trace_side_stats.timeouts_unjudged of all sides */
};

bool nd_trace_stats_sized(
	const struct nd_trace *trace, size_t index, struct nd_trace_stats *stats, size_t size);

/**
 * Return the statistics of a connection.
 *
 * @param index less than nd_trace_connection_count()
 * @param[out] stats filled when true is returned
 * @return false: there is no such connection
 * @note Threads: any, one at a time for a trace.
 */
static inline bool
nd_trace_stats(const struct nd_trace *trace, size_t index, struct nd_trace_stats *stats)
{
	return nd_trace_stats_sized(trace, index, stats, sizeof(*stats));
}

void nd_trace_times_sized(const struct nd_trace *trace, size_t index, unsigned side,
	enum nd_trace_time time, struct nd_trace_times *times, size_t size);

/**
 * Return the summary of a distribution.
 *
 * @param index less than nd_trace_connection_count()
 * @param side 0 or 1
 * @param[out] times always filled; all zero when nothing was measured
 * @note Threads: any, one at a time for a trace.
 */
static inline void
nd_trace_times(const struct nd_trace *trace, size_t index, unsigned side, enum nd_trace_time time,
	struct nd_trace_times *times)
{
	nd_trace_times_sized(trace, index, side, time, times, sizeof(*times));
}

/**
 * Return a percentile of a distribution.
 *
 * @param share_ppm share of the times in ppm, 1 .. 1000000; 500000 = median, 999000 = 99.9 %
 * @return time in ns that this share of the times does not exceed, at most 1/32 too large; 0 when
 *         nothing was measured
 * @note Threads: any, one at a time for a trace.
 */
uint64_t nd_trace_percentile_ns(const struct nd_trace *trace, size_t index, unsigned side,
	enum nd_trace_time time, uint32_t share_ppm);

void nd_trace_coverage_sized(
	const struct nd_trace *trace, struct nd_trace_coverage *coverage, size_t size);

/**
 * Return how much of the capture could be judged.
 *
 * @param[out] coverage always filled
 * @note Threads: any, one at a time for a trace.
 */
static inline void
nd_trace_coverage(const struct nd_trace *trace, struct nd_trace_coverage *coverage)
{
	nd_trace_coverage_sized(trace, coverage, sizeof(*coverage));
}

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
