/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_OWNER_H
#define NDPDK_MEM_OWNER_H

#include <stdint.h>

#include <rte_common.h>

#include "base/list.h"
#include "base/status.h"

struct mem_window;

/** Bound windows by the queue pair that bound them: a hash of lists of fixed size. Writers only. */
struct mem_owner_table {
	struct base_list *buckets;
	uint32_t mask;
};

/** @return RC_OK, RC_NO_RESOURCES; valid for mem_owner_table_fini() either way. */
enum rc_status mem_owner_table_init(
	struct mem_owner_table *table, uint32_t window_max, int socket_id) __rte_warn_unused_result;

void mem_owner_table_fini(struct mem_owner_table *table);

/** The window's owner must be set before, and stay as it is while the window is in the table. */
void mem_owner_table_insert(struct mem_owner_table *table, struct mem_window *window);
void mem_owner_table_remove(struct mem_window *window);

/** @return list of windows, linked by owner_link, that holds all of the owner's; maybe others. */
struct base_list *mem_owner_table_bucket(const struct mem_owner_table *table, uint32_t owner);

#endif
