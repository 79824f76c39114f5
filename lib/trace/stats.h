/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_STATS_H
#define NDPDK_TRACE_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/frame.h"
#include "trace/times.h"

/*
 * Measurements of a connection. If the capture time decreases, as in captures of several
 * interfaces, the measured time is 0.
 */

/** Silences up to this time, in ns, are not counted. The configuration may change this time. */
#define TRACE_STALL_NS UINT64_C(10000000)

struct trace_sender;

/** Measurements of one side of a connection. All members are 0 before the first packet. */
struct trace_side_stats {
	struct nd_trace_side_stats report; /**< reported values; judged is not used */
	uint64_t packets;
	uint64_t packet_ns; /**< time of the newest packet; valid if there are packets */
	uint64_t cnps;
	uint64_t cnp_ns;      /**< time of the newest CNP; valid if there was one */
	uint64_t cnp_debt_ns; /**< debt of CNPs that exceeds the rate limit; see stats.c */
	bool cnp_told;        /**< CC-002 was reported since cnp_debt_ns was last 0 */
	uint32_t ip_id;       /**< highest recent IP identification, or TRACE_RETRY_NO_ID */
	uint64_t ip_id_ns;    /**< time of the packet with ip_id; valid when there are packets */
	uint32_t ip_id_steps; /**< number of consecutive packets with a small increase of ip_id */
	bool in_order; /**< the newest packet was certainly sent after all others; see stats.c */
	bool late;     /**< the newest packet is a duplicate or was delayed; see stats.c */
	uint64_t answered_seq; /**< all requests before this PSN have been measured */
	uint64_t begun_bytes;  /**< acknowledged bytes of a message whose end is not acknowledged */
	struct trace_times *times[ND_TRACE_TIME_COUNT];
};

/** Measurements of a connection. All members are 0 before the first packet. */
struct trace_line_stats {
	bool any; /**< first_ns and last_ns are valid */
	uint64_t first_ns;
	uint64_t last_ns;
	struct nd_trace_silences stalls;
	struct nd_trace_silences pauses;
};

/** @return nanoseconds from a time to a packet; 0 if the capture time of the packet is lower. */
static inline uint64_t
trace_elapsed_ns(uint64_t since_ns, const struct trace_packet *packet)
{
	return packet->time_ns > since_ns ? packet->time_ns - since_ns : 0;
}

void trace_side_stats_free(struct trace_side_stats *stats);

/** Count a packet that a side sends, and judge the rate of its CNPs (CC-002). */
void trace_side_stats_packet(struct trace_side_stats *stats, const struct trace_packet *packet);

/**
 * Count bytes and latencies of the SENDs and WRITEs before `seq` that are not counted yet. `packet`
 * acknowledges them.
 */
void trace_side_stats_answered(struct trace_side_stats *stats, const struct trace_sender *sender,
	uint64_t seq, const struct trace_packet *packet);

/**
 * @return true if neither side of a connection sent for longer than stall_ns before this packet.
 */
bool trace_line_stats_silent(
	const struct trace_line_stats *stats, uint64_t stall_ns, const struct trace_packet *packet);

/**
 * Count the silence that a packet has ended. Must be called before trace_line_stats_packet().
 *
 * @param waiting true: a request was waiting for its answer during the silence
 */
void trace_line_stats_silence(
	struct trace_line_stats *stats, bool waiting, const struct trace_packet *packet);

void trace_line_stats_packet(struct trace_line_stats *stats, const struct trace_packet *packet);

/** Add the counts of one half of a connection to the other half. */
void trace_line_stats_merge(struct trace_line_stats *stats, const struct trace_line_stats *half);

#endif
