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
 * What happened in a run, in order: each frame with its bytes and its fate, each call and each
 * result. All of it goes into a hash, by which two runs are compared; with verbose it is printed as
 * well, one line each. The judge reads the frames as an analyst reads a capture, knowing nothing of
 * the adapters: what they send must break no rule of the wire.
 */
struct sim_trace {
	uint64_t hash;
	uint64_t events;
	const uint64_t *now_ns; /**< the world's clock */
	bool verbose;
	struct nd_trace *judge;
	struct pcap *pcap;
	struct pcap_dumper *capture;    /**< NULL: none */
	char capture_at;                /**< first letter of an adapter's name; 0: on the links */
	struct sim_trace_copy *offered; /**< sim_trace_offer(); NULL: none */
};

/** Who looks on. */
struct sim_watch {
	bool verbose;        /**< print everything */
	const char *capture; /**< file for the frames, or NULL */
	char capture_at;     /**< adapter at whose port they are captured; 0: on the links */
};

/** @return false: the file cannot be written */
bool sim_trace_init(struct sim_trace *trace, const uint64_t *now_ns, const struct sim_watch *watch);
void sim_trace_fini(struct sim_trace *trace);

/** A frame on the link. @param way e.g. "A>B"; fate e.g. "lost". Borrows the mbuf. */
void sim_trace_frame(
	struct sim_trace *trace, const char *way, const char *fate, const struct rte_mbuf *mbuf);

/** A frame that was received, at the port of the adapter with this name. */
void sim_trace_received(struct sim_trace *trace, const char *node, const struct rte_mbuf *mbuf);

/**
 * Frames are about to be given to the port of an adapter, which may take the first few of them and
 * may free them: sim_trace_taken() follows.
 */
void sim_trace_offer(
	struct sim_trace *trace, const char *node, struct rte_mbuf *const mbufs[], uint16_t count);

/** The port has taken so many of them. */
void sim_trace_taken(struct sim_trace *trace, uint16_t count);

/**
 * Something an application did or saw.
 * @param who e.g. "A0"; what e.g. "post send"; values are printed as decimal numbers
 */
void
sim_trace_event(struct sim_trace *trace, const char *who, const char *what, int64_t a, int64_t b);

/** The same with a status as the last value. */
void sim_trace_status(
	struct sim_trace *trace, const char *who, const char *what, int64_t a, int32_t status);

#endif
