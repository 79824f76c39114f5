/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/srq.h"

#include <rte_malloc.h>

#include "base/limits.h"

/*
 * The queue is low while the number of posted receives is below its low mark. An event is recorded
 * when a message takes a receive and the queue is low afterwards, even if it was low before. So if
 * the owner posts too few receives after a notification, and arms the queue, it gets the next
 * notification. A new queue that was never filled causes no event before the first message. An
 * empty queue causes an event for each message that finds it empty, because there is no receive to
 * take.
 */

static bool
entries_valid(uint32_t entries)
{
	return entries > 0 && entries <= LIMIT_QUEUE_ENTRIES;
}

static void *
memory_take(uint32_t entries, uint32_t sge_max, int socket_id)
{
	return rte_zmalloc_socket("rc_srq",
		rc_ring_bytes(entries, rc_receive_wqe_bytes(sge_max), 0), RTE_CACHE_LINE_SIZE,
		socket_id);
}

enum rc_status
rc_srq_init(struct rc_srq *srq, const struct rc_srq_attr *attr)
{
	void *memory;

	if (!entries_valid(attr->entries) || attr->sge_max > LIMIT_SGE)
		return RC_INVALID_ARGUMENT;
	memory = memory_take(attr->entries, attr->sge_max, attr->socket_id);
	if (memory == NULL)
		return RC_NO_RESOURCES;
	*srq = (struct rc_srq){
		.low = attr->low,
		.sge_max = attr->sge_max,
		.socket_id = attr->socket_id,
		.low_fn = attr->low_fn,
		.low_arg = attr->low_arg,
	};
	rc_ring_init(&srq->ring, memory, attr->entries, rc_receive_wqe_bytes(attr->sge_max));
	return RC_OK;
}

void
rc_srq_fini(struct rc_srq *srq)
{
	rte_free(srq->ring.elements);
	srq->ring.elements = NULL;
}

enum rc_status
rc_srq_post(struct rc_srq *srq, const struct rc_receive_wr *wr)
{
	return rc_receive_append(&srq->ring, srq->sge_max, wr);
}

enum rc_status
rc_srq_resize(struct rc_srq *srq, uint32_t entries)
{
	const uint32_t count = rc_srq_count(srq);
	struct rc_ring ring;
	void *memory;

	if (!entries_valid(entries))
		return RC_INVALID_ARGUMENT;
	if (entries < count)
		return RC_QUEUE_FULL;
	memory = memory_take(entries, srq->sge_max, srq->socket_id);
	if (memory == NULL)
		return RC_NO_RESOURCES;
	rc_ring_init(&ring, memory, entries, rc_receive_wqe_bytes(srq->sge_max));
	for (; ring.tail < count; ring.tail++)
		memcpy(rc_ring_at(&ring, ring.tail),
			rc_ring_at(&srq->ring, srq->ring.head + ring.tail), ring.stride_bytes);
	rte_free(srq->ring.elements);
	srq->ring = ring;
	return RC_OK;
}

void
rc_srq_fall(struct rc_srq *srq)
{
	/* If the owner is notified now, the event is not recorded for the next arming. */
	srq->fell = !srq->armed;
	if (srq->fell)
		return;
	srq->armed = false;
	if (srq->low_fn != NULL)
		srq->low_fn(srq->low_arg);
}

void
rc_srq_set_low(struct rc_srq *srq, uint32_t low)
{
	srq->low = low;
	if (rc_srq_count(srq) < low)
		rc_srq_fall(srq);
}

bool
rc_srq_arm(struct rc_srq *srq)
{
	if (srq->fell && rc_srq_count(srq) < srq->low)
		return false;
	srq->fell = false;
	srq->armed = true;
	return true;
}
