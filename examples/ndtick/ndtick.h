/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDTICK_NDTICK_H
#define NDPDK_NDTICK_NDTICK_H

/* What both sides have: settings, and a session that is looked at in each turn of a loop. */

#include <signal.h>

#include "../example.h"
#include "histogram.h"
#include "tick.h"

#define VENUES_MAX  8u
#define TRADERS_MAX 8u

/** From the command line: main.c has the defaults. */
struct settings {
	uint64_t venues;          /* they listen at EXAMPLE_PORT and the ports behind it */
	uint64_t traders;         /* that a venue waits for before its first tick */
	uint64_t ticks;           /* of each venue */
	uint64_t rate;            /* ticks of a venue per second; 0: as they were captured */
	uint64_t order_every;     /* a trader answers each n-th tick of a venue */
	uint64_t dead_ms;         /* who is silent for so long is dead */
	const struct tick *input; /* prices, one after the other and again */
	uint64_t input_count;
};

extern struct settings settings;
extern volatile sig_atomic_t stopped; /* by a signal: both loops end */

/**
 * Each side tells in each turn whether all its sessions are up. While they are, its thread takes no
 * memory, no lock, and makes no system call. The function does nothing; whoever watches the program
 * links another one in its place.
 */
void ndtick_steady(bool steady);

/**
 * Ticks of a capture: instrument is the UDP port that a datagram was sent to, quantity its bytes.
 * @param count of ticks, at most so many
 * @return false: the file is no capture, or cannot be read
 */
bool capture_read(const char *path, struct tick *ticks, size_t most, size_t *count);

/** @return whether all sessions came to their end */
bool venue_run(uint16_t ethdev, const char *own);
bool trader_run(uint16_t ethdev, const char *own, const char *peer);

static inline uint64_t
tsc_of_ms(uint64_t ms)
{
	return rte_get_tsc_hz() / 1000 * ms;
}

/** An adapter that notices in time that a peer is gone. The loops of both sides never pause. */
static inline struct nd_adapter *
ndtick_open(uint16_t ethdev, const char *own)
{
	struct nd_adapter_config config = {
		.port_id = ethdev,
		.path_mtu = 1024,
		.peer_timeout_ms = (uint32_t)settings.dead_ms,
		.busy_poll = true,
	};

	return open_adapter(&config, own);
}

/** One connection after the other, over the same memory and the same queue of results. */
struct session {
	struct nd_mr *mr;
	struct nd_cq *cq;
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	/**
	 * Leads to the next state. It is zeroed before a call takes it, so it tells ND_SUCCESS also
	 * when the call has done all at once; nd_overlapped_get_result() looks, and does not wait.
	 */
	struct nd_overlapped operation;
};

static inline void
session_make(struct session *session, struct nd_adapter *adapter, void *memory, size_t bytes,
	size_t results)
{
	must(nd_adapter_register_memory(adapter, memory, bytes, NULL, &session->mr), "memory");
	must(nd_adapter_create_completion_queue(adapter, results, &session->cq), "queue");
}

/** Why the connection, or the attempt to make one, is over; otherwise: this side gives it up. */
static inline const char *
session_why(const struct session *session, const char *otherwise)
{
	struct nd_end end;

	must(nd_connector_get_end_reason(session->connector, &end), "reason");
	return end.reason == ND_END_NONE ? otherwise : nd_end_reason_text(end.reason);
}

/** The next connection begins with an empty queue. */
static inline void
session_release(struct session *session)
{
	struct nd_result *result;

	nd_endpoint_release(session->endpoint);
	must(nd_connector_release(session->connector), "release");
	while (nd_cq_get_results(session->cq, &result, 1) != 0)
		;
	session->endpoint = NULL;
}

#endif
