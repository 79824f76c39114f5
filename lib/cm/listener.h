/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CM_LISTENER_H
#define NDPDK_CM_LISTENER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "cm/cm.h"
#include "cm/index.h"

/**
 * One service for which requests are accepted. The structure is in the free list, or in the index
 * by service ID and address.
 */
struct cm_listener {
	struct cm *cm;
	void *context;
	uint32_t backlog;
	/** number of the listener's connections in REQ_RECEIVED, 0..backlog */
	uint32_t pending_count;
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
 * @return listener of a service on this address (CM-012); if none, on any address; NULL if there is
 * none
 */
struct cm_listener *cm_listener_find(
	const struct cm_listener_table *table, uint64_t service_id, const struct wire_gid *address);

/**
 * Count a connection that enters REQ_RECEIVED. The caller has checked that the backlog is not full.
 */
void cm_listener_attach(struct cm_listener *listener, struct cm_id *id);

/**
 * Undo cm_listener_attach() when a connection leaves REQ_RECEIVED. Has no effect if the listener
 * was closed.
 */
void cm_listener_detach(struct cm_id *id);

#endif
