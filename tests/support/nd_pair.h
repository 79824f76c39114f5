/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SUPPORT_ND_PAIR_H
#define NDPDK_SUPPORT_ND_PAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd.h>

#include "support/refusal.h"

/*
 * Two adapters of one process joined by rings, polled by the test: everything goes through the
 * public API. Side 0 connects, side 1 listens. Anything unexpected fails the test.
 */

/**
 * Assert the status of a call, and that the log has a line if and only if a parameter was refused:
 * refusal_check(). A wrong status is printed by name.
 */
#define ASSERT_ND(expression, expected)                                                            \
	do {                                                                                       \
		const unsigned int refusals_ = refusal_count();                                    \
		nd_status status_ = (expression);                                                  \
                                                                                                   \
		cr_assert_eq(status_, (expected), "%s is %s instead of %s", #expression,           \
			nd_status_name(status_), nd_status_name(expected));                        \
		refusal_check(#expression, status_, refusals_);                                    \
	} while (0)

/** Results that one call of nd_pair_take() may return. */
#define ND_PAIR_RESULTS 64

struct nd_pair_config {
	uint16_t path_mtu;       /**< 0 = 4096 */
	bool v6;                 /**< IPv6 addresses in place of IPv4 */
	size_t memory_bytes;     /**< registered on each side; 0 = 64 KiB */
	size_t entries;          /**< of each queue; 0 = 64 */
	size_t sge;              /**< of each request; 0 = 4 */
	size_t reads;            /**< read limits; 0 = 4, SIZE_MAX = none */
	uint32_t mbuf_count;     /**< 0 = 2048 */
	uint8_t rnr_retry_count; /**< 0 = the adapter's default */
	uint8_t ack_timeout;     /**< 0 = the adapter's default */
	uint16_t vlan_id;        /**< 0 = no tag */
	uint32_t guesses_max;    /**< 0 = the adapter's default */
	bool busy_poll;          /**< of both adapters */
	/** Congestion control of both adapters: the other members are not looked at. */
	struct nd_adapter_config adapter;
	/** Changes the configuration of a side before it is opened; NULL = leave it. */
	void (*adapt)(unsigned int side, struct nd_adapter_config *config);
	/** What the application does beside polling, in each turn; NULL = nothing. */
	void (*turn)(void);
};

struct nd_side {
	struct nd_adapter *adapter;
	struct nd_cq *inbound;
	struct nd_cq *outbound;
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	uint8_t *memory;
	size_t memory_bytes;
	struct nd_mr *mr;
};

struct nd_pair {
	struct nd_pair_config config;
	struct nd_side side[2];
	struct nd_listener *listener;
	uint16_t listen_port; /**< network byte order */
	uint16_t ports[2];    /**< ethdev ports of the sides */
};

/** Open adapters, register memory, make completion queues; no connection yet. */
void nd_pair_open(struct nd_pair *pair, const struct nd_pair_config *config);

/** Open it again on the same ports after nd_pair_close(). */
void nd_pair_reopen(struct nd_pair *pair);

/** Make connectors and endpoints, and connect them. */
void nd_pair_connect(struct nd_pair *pair);

/** Make a connector and its endpoint on a side, with the pair's queues and sizes. */
void nd_pair_endpoint(struct nd_pair *pair, unsigned int side);

/** Start listening on side 1, any port. */
void nd_pair_listen(struct nd_pair *pair);

/** The listener's address, for connecting from side 0. */
socklen_t nd_pair_address(const struct nd_pair *pair, struct sockaddr_storage *address);

/** Close everything. */
void nd_pair_close(struct nd_pair *pair);

/** One turn of both engines. */
void nd_pair_poll(struct nd_pair *pair);

/** Poll until the operation is over. @return its status. */
nd_status nd_pair_finish(struct nd_pair *pair, nd_status status, struct nd_overlapped *overlapped);

/** Poll until the queue has given count results, 1..ND_PAIR_RESULTS, in order. */
void nd_pair_take(struct nd_pair *pair, struct nd_cq *cq, struct nd_result **results, size_t count);

/** Poll until this result comes; it must be the next of its queue. @return its status. */
nd_status nd_pair_result(struct nd_pair *pair, struct nd_cq *cq, struct nd_result *result);

/** Poll for a while; nothing must come from the queue. */
void nd_pair_quiet(struct nd_pair *pair, struct nd_cq *cq);

/** @return counter of an adapter by name; fails the test when there is none. */
uint64_t nd_pair_adapter_counter(const struct nd_adapter *adapter, const char *name);

/** @return counter of a side's adapter by name; fails the test when there is none. */
uint64_t nd_pair_counter(const struct nd_pair *pair, unsigned int side, const char *name);

/** Fill with bytes that differ from place to place and from seed to seed. */
void nd_pair_pattern(uint8_t *bytes, size_t count, uint32_t seed);

/** Bind a window on a side to [offset, offset + bytes) of its memory; waits for the result. */
struct nd_mw *nd_pair_bind(struct nd_pair *pair, unsigned int side, size_t offset, size_t bytes,
	uint32_t flags, struct nd_mw_descriptor *descriptor);

#endif
