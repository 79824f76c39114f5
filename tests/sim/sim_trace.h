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
	struct pcap_dumper *capture; /**< NULL: none */
};

/** Who looks on. */
struct sim_watch {
	bool verbose;        /**< print everything */
	const char *capture; /**< file for the frames, or NULL */
};

/** @return false: the file cannot be written */
bool sim_trace_init(struct sim_trace *trace, const uint64_t *now_ns, const struct sim_watch *watch);
void sim_trace_fini(struct sim_trace *trace);

/** A frame on the link. @param way e.g. "A>B"; fate e.g. "lost". Borrows the mbuf. */
void sim_trace_frame(
	struct sim_trace *trace, const char *way, const char *fate, const struct rte_mbuf *mbuf);

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
