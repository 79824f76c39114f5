/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CC_CC_H
#define NDPDK_CC_CC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Congestion control of one queue pair. The transport reports events: packet sent, packets
 * acknowledged, gap, timeout, round trip time, congestion notification. The algorithm keeps two
 * decisions up to date, which the transport reads before each packet: how many packets may be
 * outstanding, and when the next one may be sent. No other module has a window or a rate.
 *
 * An algorithm is one row in cc.c: its event functions, with NULL for each event that it ignores.
 * Its state is a member of the union in struct cc_flow. Times are nanoseconds of the caller's
 * clock. The functions may be called only by the owner of the queue pair.
 */

enum cc_algorithm {
	CC_NONE,        /**< a constant window of LIMIT_SEND_WINDOW packets, no pacing */
	CC_LOSS_WINDOW, /**< a window that shrinks with losses (loss_window.c) */
};

struct cc_flow;

/** Event functions of an algorithm. NULL: the algorithm ignores the event. */
struct cc_events {
	void (*start)(struct cc_flow *flow);
	void (*packet_sent)(struct cc_flow *flow, uint32_t frame_bytes, uint64_t now_ns);
	void (*ack_received)(
		struct cc_flow *flow, uint32_t packet_count, uint32_t outstanding, uint64_t now_ns);
	void (*gap)(struct cc_flow *flow, uint64_t now_ns);
	void (*timeout)(struct cc_flow *flow, uint64_t now_ns);
	void (*cnp_received)(struct cc_flow *flow, uint64_t now_ns);
	void (*rtt_sample)(struct cc_flow *flow, uint64_t rtt_ns, uint64_t now_ns);
};

/** State of CC_LOSS_WINDOW. */
struct cc_loss_state {
	uint32_t threshold; /**< window from which on it grows slowly */
	uint32_t acked;     /**< packets acknowledged since it last grew slowly */
};

struct cc_flow {
	const struct cc_events *events; /**< row of the algorithm */
	uint32_t window;                /**< decision: most packets outstanding, at least 1 */
	union {
		struct cc_loss_state loss;
	} state;
	uint32_t cnp_count;    /**< congestion notifications received, for counters */
	uint64_t send_time_ns; /**< decision: no packet before this time; 0 = now */
};

/** Start an algorithm from the beginning; what was in *flow is forgotten. */
void cc_flow_init(struct cc_flow *flow, enum cc_algorithm algorithm);

/** @return most request packets that may be outstanding, 1 .. LIMIT_SEND_WINDOW. */
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

/** @return whether the algorithm has to be told of each packet (cc_packet_sent()). */
static inline bool
cc_wants_packets(const struct cc_flow *flow)
{
	return flow->events->packet_sent != NULL;
}

/** A packet of frame_bytes was queued for the port, for the first time or again. */
static inline void
cc_packet_sent(struct cc_flow *flow, uint32_t frame_bytes, uint64_t now_ns)
{
	if (cc_wants_packets(flow))
		flow->events->packet_sent(flow, frame_bytes, now_ns);
}

/** packet_count > 0 packets were newly acknowledged, of `outstanding` that were in flight. */
static inline void
cc_ack_received(struct cc_flow *flow, uint32_t packet_count, uint32_t outstanding, uint64_t now_ns)
{
	if (flow->events->ack_received != NULL)
		flow->events->ack_received(flow, packet_count, outstanding, now_ns);
}

/**
 * Packets were lost, and later ones arrived. Reported once for each time that the requester goes
 * back to a lost packet, before it retransmits.
 */
void cc_gap(struct cc_flow *flow, uint64_t now_ns);

/** The ACK timer expired. */
void cc_timeout(struct cc_flow *flow, uint64_t now_ns);

/**
 * A packet that was sent once was answered.
 *
 * @param rtt_ns from its way into the output to the processing of the answer, > 0
 */
void cc_rtt_sample(struct cc_flow *flow, uint64_t rtt_ns, uint64_t now_ns);

/** A congestion notification packet arrived. */
void cc_cnp_received(struct cc_flow *flow, uint64_t now_ns);

#endif
