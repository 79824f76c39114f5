/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "ndk/queue.h"

#include <stdlib.h>

struct ndk_queue *
queue_create(uint32_t depth)
{
	uint64_t count = 1;
	struct ndk_queue *queue;

	while (count < (uint64_t)depth + 1)
		count *= 2;
	queue = calloc(1, sizeof(*queue) + count * sizeof(queue->records[0]));
	if (queue == NULL)
		return NULL;
	queue->count = depth + 1;
	queue->mask = (uint32_t)(count - 1);
	queue->records = (struct ndk_record *)(queue + 1);
	for (uint64_t i = 0; i < count; i++)
		queue->records[i].queue = queue;
	return queue;
}
