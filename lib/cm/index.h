/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CM_INDEX_H
#define NDPDK_CM_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "cm/hash.h"
#include "wire/gid.h"

/**
 * Key of a record in an index: a number of the peer (communication ID or QPN), its CA GUID and its
 * address (CM-004, CM-008). Because the key contains the address, no peer can refer to records of
 * another peer (SEC-044). The key is hashed as bytes: it has no padding, and only cm_key_make()
 * creates a key.
 */
struct cm_key {
	uint64_t guid;
	struct wire_gid gid;
	uint32_t number;
	uint32_t zero;
};

/** Node in a hash index, a member of a record. A node is in at most one index at a time. */
struct cm_index_node {
	struct base_list link;
	struct cm_key key;
};

/**
 * Hash index with chaining. The nodes are members of the records, so an insertion needs no memory
 * and cannot fail. There is at least one bucket per record. The hash is keyed, so peers cannot make
 * chains long (SEC-048).
 */
struct cm_index {
	struct base_list *buckets;
	uint32_t mask;
	struct cm_hash_key secret;
};

struct cm_key cm_key_make(uint32_t number, uint64_t guid, const struct wire_gid *gid);

/** Allocate buckets for record_max records. @return false: out of memory. */
bool cm_index_init(struct cm_index *index, uint32_t record_max, const struct cm_hash_key *secret,
	int socket_id);
void cm_index_fini(struct cm_index *index);

/** Initialise a node that is in no index. */
void cm_index_node_init(struct cm_index_node *node);

/**
 * Insert a node that is in no index. Two nodes may have equal keys. cm_index_find() then returns
 * the node that was inserted first.
 */
void cm_index_insert(struct cm_index *index, struct cm_index_node *node, const struct cm_key *key);

/** Remove the node from its index. Has no effect if the node is in no index. */
void cm_index_remove(struct cm_index_node *node);

/** @return the node with this key, or NULL. */
struct cm_index_node *cm_index_find(const struct cm_index *index, const struct cm_key *key);

#endif
