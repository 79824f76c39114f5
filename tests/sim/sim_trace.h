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
 * The events of a run, in order: each frame with its bytes and its fate, each call and each result.
 * All events are hashed, and the hashes of two runs are compared. With verbose, each event is also
 * printed as a line. The judge checks the frames against the rules of the protocol, without
 * knowledge of the adapters, as an analysis of a capture does.
 */
struct sim_trace {
	uint64_t hash;
	uint64_t events;
	const uint64_t *now_ns; /**< the world's clock */
	bool verbose;
	struct nd_trace *judge;
	struct pcap *pcap;
	struct pcap_dumper *capture;    /**< NULL: none */
	char capture_at;                /**< name of the adapter to capture at; 0: on the links */
	struct sim_trace_copy *offered; /**< frames of sim_trace_offer(); NULL: none */
};

/** Output of a run. */
struct sim_watch {
	bool verbose;        /**< print each event */
	const char *capture; /**< capture file, or NULL */
	char capture_at;     /**< adapter at whose port frames are captured; 0: on the links */
};

/** @return false: the file cannot be written */
bool sim_trace_init(struct sim_trace *trace, const uint64_t *now_ns, const struct sim_watch *watch);
void sim_trace_fini(struct sim_trace *trace);

/** Record a frame on a link. @param way e.g. "A>B"; fate e.g. "lost". Borrows the mbuf. */
void sim_trace_frame(
	struct sim_trace *trace, const char *way, const char *fate, const struct rte_mbuf *mbuf);

/** Record a frame that the port of the adapter with this name received. */
void sim_trace_received(struct sim_trace *trace, const char *node, const struct rte_mbuf *mbuf);

/**
 * Record frames before they are passed to the port of an adapter, because the port may accept the
 * first frames and free them. sim_trace_taken() must follow.
 */
void sim_trace_offer(
	struct sim_trace *trace, const char *node, struct rte_mbuf *const mbufs[], uint16_t count);

/** Record how many of the offered frames the port has accepted. */
void sim_trace_taken(struct sim_trace *trace, uint16_t count);

/**
 * Record a call or an observation of an application.
 * @param who e.g. "A0"; what e.g. "post send"; values are printed as decimal numbers
 */
void
sim_trace_event(struct sim_trace *trace, const char *who, const char *what, int64_t a, int64_t b);

/** As sim_trace_event(), with a status as the last value. */
void sim_trace_status(
	struct sim_trace *trace, const char *who, const char *what, int64_t a, int32_t status);

#endif
