/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_TRACE_H
#define NDPDK_SIM_SIM_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nd_trace;
struct rte_mbuf;
struct pcap;
struct pcap_dumper;

/*
 * The trace of a run: all its events in order. Events are frames with their bytes and their fate,
 * calls, and results. All events are hashed, and the hashes of two runs are compared. With verbose,
 * each event is also printed as a line. The judge checks the frames against the rules of the
 * protocol. It knows nothing of the adapters, as when it checks a capture file.
 */
struct sim_trace {
	uint64_t hash;
	uint64_t events;
	const uint64_t *now_ns; /**< the world's clock */
	bool verbose;
	struct nd_trace *judge;
	struct pcap *pcap;
	struct pcap_dumper *capture; /**< NULL: none */
	/** name of the adapter at whose port frames are captured; 0 = capture on the links */
	char capture_at;
	struct sim_trace_copy *offered; /**< copies that sim_trace_offer() has made, or NULL */
};

/** Output of a run. */
struct sim_watch {
	bool verbose;        /**< print each event */
	const char *capture; /**< capture file, or NULL */
	/** name of the adapter at whose port frames are captured; 0 = capture on the links */
	char capture_at;
};

/** @return false if the capture file cannot be written */
bool sim_trace_init(struct sim_trace *trace, const uint64_t *now_ns, const struct sim_watch *watch);
void sim_trace_fini(struct sim_trace *trace);

/**
 * Record a frame on a link. The mbuf is not freed. @param way e.g. "A>B" @param fate e.g. "lost"
 */
void sim_trace_frame(
	struct sim_trace *trace, const char *way, const char *fate, const struct rte_mbuf *mbuf);

/** Record a frame that the port of an adapter has received. @param node name of the adapter */
void sim_trace_received(struct sim_trace *trace, const char *node, const struct rte_mbuf *mbuf);

/**
 * Copy frames before the port of an adapter gets them, because the port frees the frames that it
 * accepts. The caller must call sim_trace_taken() afterwards.
 */
void sim_trace_offer(
	struct sim_trace *trace, const char *node, struct rte_mbuf *const mbufs[], uint16_t count);

/**
 * Record the frames that the port has accepted, from the copies that sim_trace_offer() made. Free
 * all copies.
 * @param count number of accepted frames
 */
void sim_trace_taken(struct sim_trace *trace, uint16_t count);

/**
 * Record a call or another event of an application.
 * @param who e.g. "A0"
 * @param what e.g. "post send"
 * @param a, b values that are printed as decimal numbers
 */
void
sim_trace_event(struct sim_trace *trace, const char *who, const char *what, int64_t a, int64_t b);

/** Record an event whose second value is a status; see sim_trace_event(). */
void sim_trace_status(
	struct sim_trace *trace, const char *who, const char *what, int64_t a, int32_t status);

#endif
