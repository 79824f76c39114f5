/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CM_LISTENER_H
#define NDPDK_CM_LISTENER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "cm/cm.h"
#include "cm/index.h"

/** One service that takes requests: in the free list, or in the index by (service ID, address). */
struct cm_listener {
	struct cm *cm;
	void *context;
	uint32_t backlog;
	uint32_t pending_count; /**< connections in REQ_RECEIVED, 0..backlog */
	struct base_list pending;
	struct cm_index_node by_service;
	struct base_list link;
};

struct cm_listener_table {
	struct cm_listener *slots;
	struct base_list free;
	struct cm_index by_service;
};

#define CM_LISTENER_MAX (1u << 16)

/** @param slot_count 1..CM_LISTENER_MAX @return false: out of memory. */
bool cm_listener_table_init(struct cm_listener_table *table, uint32_t slot_count,
	const struct cm_hash_key *secret, int socket_id);
void cm_listener_table_fini(struct cm_listener_table *table);

/**
 * @return the listener of a service at this address, else the one at any address, or NULL (CM-012).
 */
struct cm_listener *cm_listener_find(
	const struct cm_listener_table *table, uint64_t service_id, const struct wire_gid *address);

/** A connection enters REQ_RECEIVED: count it. The caller has checked the backlog. */
void cm_listener_attach(struct cm_listener *listener, struct cm_id *id);

/** The connection leaves REQ_RECEIVED. No effect when its listener has been closed. */
void cm_listener_detach(struct cm_id *id);

#endif
