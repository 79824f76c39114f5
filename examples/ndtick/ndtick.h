/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDTICK_NDTICK_H
#define NDPDK_NDTICK_NDTICK_H

/* What both sides have: settings, an adapter with times for a fast network, pending operations. */

#include <signal.h>

#include "../example.h"
#include "tick.h"

#define VENUES_MAX  8u
#define TRADERS_MAX 8u

struct quote {
	uint64_t price;
	uint32_t quantity;
	uint32_t instrument;
};

struct settings {
	const char *own;  /* address */
	const char *peer; /* of the venues; only a trader has one */
	uint16_t ethdev;
	uint32_t venues;  /* they listen at EXAMPLE_PORT and the ports behind it */
	uint32_t traders; /* that a venue waits for before its first tick */
	uint64_t ticks;   /* of each venue */
	uint64_t rate;    /* ticks of a venue per second */
	uint32_t order_every;
	uint32_t dead_ms; /* a venue that is silent for so long is dead */
	bool loopback;    /* both sides are in this process */
	const struct quote *quotes;
	size_t quote_count;
};

/** Set by a signal: both loops end. */
extern volatile sig_atomic_t stopped;

/**
 * Called when a side has everything it needs, and when the first session ends. Between these calls
 * its thread takes no memory, no lock, and makes no system call. It does nothing; whoever watches
 * the program puts a function of his own in its place.
 */
void ndtick_steady(bool steady);

/** @return whether the run was as it should be */
bool venue_run(const struct settings *settings);
bool trader_run(const struct settings *settings);

static inline uint64_t
tsc_of_ms(uint64_t ms)
{
	return rte_get_tsc_hz() / 1000 * ms;
}

/** An operation that may take time. A loop that polls looks at it once a turn. */
struct pending {
	struct nd_overlapped overlapped;
	nd_status status;
};

static inline struct nd_overlapped *
pending_new(struct pending *pending)
{
	*pending = (struct pending){.status = ND_PENDING};
	return &pending->overlapped;
}

/** @return ND_PENDING, or how it has ended */
static inline nd_status
pending_look(struct pending *pending)
{
	if (pending->status == ND_PENDING)
		pending->status = nd_overlapped_get_result(&pending->overlapped, NULL, false);
	return pending->status;
}

static inline struct nd_adapter *
ndtick_open(const struct settings *settings)
{
	const struct sockaddr_in address = example_address(settings->own, 0);
	/*
	 * Who is gone is noticed within dead_ms, by either side: an idle peer after 1.5 keepalive
	 * intervals and the retries, one that does not acknowledge after 11 intervals of 4.096 us *
	 * 2^ack_timeout, an attempt after 7 times the first repeat (docs/timeouts.md). This thread
	 * polls without pause.
	 */
	struct nd_adapter_config config = {
		.port_id = settings->ethdev,
		.path_mtu = 1024,
		.ack_timeout = 1,
		.retry_count = 3,
		.keepalive_ms = settings->dead_ms / 4 + 1,
		.connect_retransmit_ms = settings->dead_ms / 8 + 1,
		.connect_retries = 3,
		.busy_poll = true,
	};
	struct nd_adapter *adapter = NULL;

	while (config.ack_timeout < 31 &&
		11 * 4096 * (2ull << config.ack_timeout) <= settings->dead_ms * UINT64_C(500000))
		config.ack_timeout++;
	memcpy(&config.address, &address, sizeof(address));
	if (nd_adapter_open(&config, &adapter) == ND_SUCCESS)
		return adapter;
	fprintf(stderr, "no adapter: %s\n", nd_adapter_open_error());
	exit(EXIT_FAILURE);
}

/** Why an endpoint's connection is over, for people. */
static inline const char *
why_ended(struct nd_endpoint *endpoint)
{
	struct nd_endpoint_info info;

	must(nd_endpoint_query(endpoint, &info), "query");
	return info.end.reason != ND_END_NONE ? nd_end_reason_text(info.end.reason)
					      : nd_endpoint_state_text(info.state);
}

#endif
