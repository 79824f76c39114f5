/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CC_CC_H
#define NDPDK_CC_CC_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Congestion control of one queue pair. The transport reports events: packet sent, packets
 * acknowledged, gap, timeout, round trip time, congestion notification. The algorithm maintains two
 * values, which the transport reads before each packet: the maximum number of outstanding packets,
 * and the earliest time of the next packet. No other module has a window or a rate.
 *
 * Each algorithm has a table of event functions (struct cc_events, listed in cc.c), with NULL for
 * each event that it ignores. An algorithm may replace the table of a flow, for instance to get an
 * event per packet while it delays packets. The state of an algorithm is separate from struct
 * cc_flow, in memory of the queue pair. Times are nanoseconds of the caller's clock. Only the owner
 * of the queue pair may call these functions.
 */

enum cc_algorithm {
	CC_NONE,        /**< a constant window of LIMIT_SEND_WINDOW packets, no pacing */
	CC_LOSS_WINDOW, /**< a window that losses reduce (loss_window.c) */
	CC_DCQCN,       /**< the window of CC_LOSS_WINDOW, and a rate that CNPs reduce (dcqcn.c) */
	CC_SWIFT,       /**< a window controlled by round trip times (swift.c) */
};

/**
 * Parameters of CC_DCQCN, named as in mlx5 and the DCQCN paper. cc_dcqcn_defaults() sets the values
 * of the paper, as far as the paper gives them.
 */
struct cc_dcqcn_parameters {
	uint32_t g_1024;             /**< weight of the newest CNP in alpha, in 1/1024 */
	uint32_t initial_alpha_1024; /**< alpha at the first CNP of a flow, in 1/1024 */
	uint32_t alpha_timer_us;     /**< time without a CNP after which alpha decreases once */
	uint32_t rpg_time_reset_us;  /**< period of rate increases */
	uint32_t rpg_byte_reset;     /**< bytes between rate increases */
	uint32_t rpg_threshold;      /**< number of rate increases in fast recovery (F) */
	uint32_t rpg_ai_rate_mbps;   /**< step of additive increase */
	uint32_t rpg_hai_rate_mbps;  /**< step of hyper increase */
	uint32_t rpg_min_rate_mbps;
	/** exponent of a cut, which reduces the rate by the fraction alpha * 1024 / 2^rpg_gd */
	uint32_t rpg_gd;
	/** minimum percentage of the rate that remains after a cut */
	uint32_t min_dec_fac_percent;
	/** Minimum time between two cuts. */
	uint32_t rate_reduce_monitor_period_us;
	/** Maximum rate after the first CNP of a flow, in Mbit/s; 0 = no maximum. */
	uint32_t rate_to_set_on_first_cnp_mbps;
};

/**
 * Default of the initial window, in packets. It is small, because the capacity of the path is
 * unknown at the start. It rarely limits small messages. It limits large messages to 256 KiB in
 * flight.
 */
#define CC_WINDOW_FIRST 64u
/** Default base target delay of CC_SWIFT, in microseconds. */
#define CC_TARGET_US    50u

/**
 * Congestion control algorithm and its parameters. Flows share this structure, so it must outlive
 * them. Any thread may change a member of dcqcn with an atomic store. All other members are
 * constant.
 */
struct cc_parameters {
	enum cc_algorithm algorithm;
	/** initial window in packets; 0 = CC_WINDOW_FIRST; ignored by CC_NONE */
	uint32_t window_first;
	uint32_t line_rate_mbps; /**< line rate of the port, > 0; used by CC_DCQCN */
	uint32_t target_us;      /**< base target delay, used by CC_SWIFT; 0 = CC_TARGET_US */
	struct cc_dcqcn_parameters dcqcn;
};

struct cc_flow;

/** Event functions of an algorithm. NULL: the algorithm ignores the event. */
struct cc_events {
	void (*start)(struct cc_flow *flow, const struct cc_parameters *parameters);
	void (*packet_sent)(struct cc_flow *flow, uint32_t frame_bytes, uint64_t now_ns);
	void (*ack_received)(
		struct cc_flow *flow, uint32_t packet_count, uint32_t outstanding, uint64_t now_ns);
	void (*gap)(struct cc_flow *flow, uint64_t now_ns);
	void (*timeout)(struct cc_flow *flow, uint64_t now_ns);
	bool (*cnp_received)(struct cc_flow *flow, uint64_t now_ns);
	void (*rtt_sample)(struct cc_flow *flow, uint64_t rtt_ns, uint64_t now_ns);
};

struct cc_flow {
	const struct cc_events *events;
	uint32_t window; /**< maximum number of outstanding packets, at least 1 */
	/** number of acknowledged packets; wraps; some algorithms do not count it */
	uint32_t acked;
	void *state;           /**< state of the algorithm, cc_state_bytes() bytes */
	uint64_t send_time_ns; /**< earliest time of the next packet; 0 = now */
};

/** @return bytes of state that the algorithm needs, aligned to 8; 0 = none */
size_t cc_state_bytes(enum cc_algorithm algorithm);

/** @return initial window of a flow, in packets */
static inline uint32_t
cc_window_first(const struct cc_parameters *parameters)
{
	return parameters->window_first != 0 ? parameters->window_first : CC_WINDOW_FIRST;
}

/** Set the values of the DCQCN paper. */
void cc_dcqcn_defaults(struct cc_dcqcn_parameters *parameters);

/**
 * Initialize a flow and its state.
 * @param state cc_state_bytes() of memory that must outlive the flow; NULL if cc_state_bytes() is 0
 */
void cc_flow_init(struct cc_flow *flow, const struct cc_parameters *parameters, void *state);

/** @return maximum number of outstanding request packets, 1 .. LIMIT_SEND_WINDOW. */
static inline uint32_t
cc_window(const struct cc_flow *flow)
{
	return flow->window;
}

/** @return earliest time at which another packet may be sent; 0 = now. */
static inline uint64_t
cc_send_time_ns(const struct cc_flow *flow)
{
	return flow->send_time_ns;
}

/** @return true if cc_packet_sent() must be called for each packet */
static inline bool
cc_wants_packets(const struct cc_flow *flow)
{
	return flow->events->packet_sent != NULL;
}

/** Report that a packet of frame_bytes was queued for the port. This includes retransmissions. */
static inline void
cc_packet_sent(struct cc_flow *flow, uint32_t frame_bytes, uint64_t now_ns)
{
	if (cc_wants_packets(flow))
		flow->events->packet_sent(flow, frame_bytes, now_ns);
}

/**
 * Report newly acknowledged packets.
 * @param packet_count number of newly acknowledged packets, > 0
 * @param outstanding number of outstanding packets before the ACK
 */
static inline void
cc_ack_received(struct cc_flow *flow, uint32_t packet_count, uint32_t outstanding, uint64_t now_ns)
{
	if (flow->events->ack_received != NULL)
		flow->events->ack_received(flow, packet_count, outstanding, now_ns);
}

/**
 * Report that packets were lost although later packets arrived. The requester calls this once per
 * gap in the PSNs, before it retransmits all packets or only the missing packets.
 */
void cc_gap(struct cc_flow *flow, uint64_t now_ns);

/** The ACK timer expired. */
void cc_timeout(struct cc_flow *flow, uint64_t now_ns);

/**
 * Report the round trip time of a packet that was sent only once.
 *
 * @param rtt_ns time from appending the packet to the output queue to processing its response, > 0
 */
void cc_rtt_sample(struct cc_flow *flow, uint64_t rtt_ns, uint64_t now_ns);

/**
 * Report that a congestion notification packet (CNP) arrived.
 * @return true if the flow was slowed down; false if a recent CNP has already slowed it down, or if
 *         the algorithm ignores CNPs
 */
bool cc_cnp_received(struct cc_flow *flow, uint64_t now_ns);

#endif
