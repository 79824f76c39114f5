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
 * Two adapters in one process, connected by rings and polled by the test. The tests use only the
 * public API. Side 0 connects, side 1 listens. Any unexpected result fails the test.
 */

/**
 * Assert the status of a call, and print a wrong status by name. refusal_check() asserts that the
 * call logged a line if and only if it refused a parameter.
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

/** Maximum number of results that one call of nd_pair_take() returns. */
#define ND_PAIR_RESULTS 64

struct nd_pair_config {
	uint16_t path_mtu; /**< path MTU in bytes; 0 = 4096 */
	bool v6;
	size_t memory_bytes;     /**< number of registered bytes on each side; 0 = 64 KiB */
	size_t entries;          /**< number of entries of each queue; 0 = 64 */
	size_t sge;              /**< maximum number of SGEs of each request; 0 = 4 */
	size_t reads;            /**< read limits; 0 = 4, SIZE_MAX = a limit of 0 */
	uint32_t mbuf_count;     /**< number of packet buffers of each adapter; 0 = 2048 */
	uint8_t rnr_retry_count; /**< RNR retry count; 0 = the adapter's default */
	uint8_t ack_timeout;     /**< encoded ACK timeout; 0 = the adapter's default */
	uint16_t vlan_id;        /**< VLAN ID; 0 = no tag */
	uint32_t guesses_max;    /**< see struct nd_adapter_config; 0 = the adapter's default */
	bool busy_poll;          /**< set for both adapters */
	/** Configuration of both adapters. Only the congestion control members are used. */
	struct nd_adapter_config adapter;
	/** Called before a side is opened, to change its configuration. May be NULL. */
	void (*adapt)(unsigned int side, struct nd_adapter_config *config);
	/**
	 * Called after each poll of all engines, for applications that do more than polling. May be
	 * NULL.
	 */
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
	uint16_t ports[2];
};

/** Open the adapters, register memory and create the completion queues, without connecting. */
void nd_pair_open(struct nd_pair *pair, const struct nd_pair_config *config);

void nd_pair_reopen(struct nd_pair *pair);

void nd_pair_connect(struct nd_pair *pair);

void nd_pair_endpoint(struct nd_pair *pair, unsigned int side);

void nd_pair_listen(struct nd_pair *pair);

socklen_t nd_pair_address(const struct nd_pair *pair, struct sockaddr_storage *address);

/** Close everything. */
void nd_pair_close(struct nd_pair *pair);

void nd_pair_poll(struct nd_pair *pair);

/** Poll until an operation with this initial status has completed. @return its final status */
nd_status nd_pair_finish(struct nd_pair *pair, nd_status status, struct nd_overlapped *overlapped);

/** Poll until the queue has returned count results, 1 .. ND_PAIR_RESULTS, in queue order. */
void nd_pair_take(struct nd_pair *pair, struct nd_cq *cq, struct nd_result **results, size_t count);

/**
 * Poll until this result arrives, which must be the next result of its queue. @return its status
 */
nd_status nd_pair_result(struct nd_pair *pair, struct nd_cq *cq, struct nd_result *result);

void nd_pair_quiet(struct nd_pair *pair, struct nd_cq *cq);

/** @return a counter of an adapter, by name. The test fails if the counter does not exist. */
uint64_t nd_pair_adapter_counter(const struct nd_adapter *adapter, const char *name);

uint64_t nd_pair_counter(const struct nd_pair *pair, unsigned int side, const char *name);

void nd_pair_pattern(uint8_t *bytes, size_t count, uint32_t seed);

/** Bind a window on a side to [offset, offset + bytes) of its memory, and wait for the result. */
struct nd_mw *nd_pair_bind(struct nd_pair *pair, unsigned int side, size_t offset, size_t bytes,
	uint32_t flags, struct nd_mw_descriptor *descriptor);

#endif
