/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cm/index.h"

#include <assert.h>
#include <string.h>

#include <rte_common.h>
#include <rte_malloc.h>

#include "base/assert.h"

static_assert(sizeof(struct cm_key) == 8 + 16 + 4 + 4, "the key is hashed as bytes: no padding");

struct cm_key
cm_key_make(uint32_t number, uint64_t guid, const struct wire_gid *gid)
{
	return (struct cm_key){.guid = guid, .gid = *gid, .number = number, .zero = 0};
}

bool
cm_index_init(struct cm_index *index, uint32_t record_max, const struct cm_hash_key *secret,
	int socket_id)
{
	uint32_t count = rte_align32pow2(record_max);

	index->buckets = rte_malloc_socket(
		"cm_index", count * sizeof(*index->buckets), RTE_CACHE_LINE_SIZE, socket_id);
	if (index->buckets == NULL)
		return false;
	for (uint32_t i = 0; i < count; i++)
		base_list_init(&index->buckets[i]);
	index->mask = count - 1;
	index->secret = *secret;
	return true;
}

void
cm_index_fini(struct cm_index *index)
{
	rte_free(index->buckets);
	index->buckets = NULL;
}

void
cm_index_node_init(struct cm_index_node *node)
{
	base_list_init(&node->link);
}

static struct base_list *
bucket_of(const struct cm_index *index, const struct cm_key *key)
{
	return &index->buckets[cm_hash(&index->secret, key, sizeof(*key)) & index->mask];
}

void
cm_index_insert(struct cm_index *index, struct cm_index_node *node, const struct cm_key *key)
{
	BASE_ASSERT(base_list_empty(&node->link));
	node->key = *key;
	base_list_append(bucket_of(index, key), &node->link);
}

void
cm_index_remove(struct cm_index_node *node)
{
	base_list_remove(&node->link);
}

struct cm_index_node *
cm_index_find(const struct cm_index *index, const struct cm_key *key)
{
	struct base_list *bucket = bucket_of(index, key);
	struct base_list *link;

	BASE_LIST_FOREACH (link, bucket) {
		struct cm_index_node *node = base_list_entry(link, struct cm_index_node, link);

		if (memcmp(&node->key, key, sizeof(*key)) == 0)
			return node;
	}
	return NULL;
}
