/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Shared receive queues: the transport's queue, and notifications when few receives are left (low
 * watermark). request.c posts receives. endpoint.c creates endpoints that use a shared queue.
 */

#include "nd/srq.h"

#include <stdlib.h>

#include <ndpdk/nd_srq.h>

#include "base/sized.h"
#include "nd/call.h"
#include "nd/refuse.h"
#include "nd/status_map.h"

/*
 * Called when the fill level has fallen below the watermark: complete all pending notifications.
 * Called only once per notification (RC-162).
 */
static void
fell_low(void *arg)
{
	struct nd_srq *srq = arg;

	overlapped_finish_all(&srq->notifies, ND_SUCCESS);
}

struct srq_call {
	struct nd_engine *home;
	struct nd_srq *srq;
	uint32_t entries;
	uint32_t max_sge;
	uint32_t low;
	struct nd_overlapped *overlapped;
	struct nd_srq_info info;
};

static nd_status
create_run(void *arg)
{
	struct srq_call *call = arg;
	struct nd_srq *srq = calloc(1, sizeof(*srq));
	const struct rc_srq_attr attr = {
		.entries = call->entries,
		.sge_max = call->max_sge,
		.low = call->low,
		.socket_id = call->home->adapter->socket_id,
		.low_fn = fell_low,
		.low_arg = srq,
	};

	if (srq == NULL)
		return ND_NO_MEMORY;
	if (rc_srq_init(&srq->rc, &attr) != RC_OK) {
		free(srq);
		return ND_NO_MEMORY;
	}
	srq->home = call->home;
	base_list_init(&srq->notifies);
	base_list_append(&call->home->srqs, &srq->node);
	call->srq = srq;
	return ND_SUCCESS;
}

/*
 * Convert a watermark to 32 bits. All watermarks above the largest queue size become one value,
 * which no queue reaches.
 */
static uint32_t
low_of(size_t low_watermark)
{
	return (uint32_t)RTE_MIN(low_watermark, (size_t)LIMIT_QUEUE_ENTRIES + 1);
}

nd_status
nd_adapter_create_srq(struct nd_adapter *adapter, size_t engine_index, size_t entries,
	size_t max_sge, size_t low_watermark, struct nd_srq **srq)
{
	struct srq_call call;
	nd_status status;

	if (engine_index >= nd_adapter_engine_count(adapter))
		return REFUSE(1, "engine_index %zu: expected less than %zu", engine_index,
			(size_t)nd_adapter_engine_count(adapter));
	if (entries == 0 || entries > ADAPTER_QUEUE_ENTRIES_MAX)
		return REFUSE(
			2, "entries %zu: expected 1 to %u", entries, ADAPTER_QUEUE_ENTRIES_MAX);
	if (max_sge > LIMIT_SGE)
		return REFUSE(3, "max_sge %zu: expected 0 to %u", max_sge, LIMIT_SGE);
	if (srq == NULL)
		return REFUSE(5, "srq is NULL");
	if (adapter_removed(adapter))
		return ND_DEVICE_REMOVED;
	call = (struct srq_call){
		.home = &adapter->engines[engine_index],
		.entries = (uint32_t)entries,
		.max_sge = (uint32_t)max_sge,
		.low = low_of(low_watermark),
	};
	status = home_call(call.home, create_run, &call);
	if (!nd_failed(status))
		*srq = call.srq;
	return status;
}

static nd_status
modify_run(void *arg)
{
	struct srq_call *call = arg;
	struct rc_srq *srq = &call->srq->rc;
	enum rc_status status = RC_OK;

	if (call->entries != 0 && call->entries != srq->ring.entries)
		status = rc_srq_resize(srq, call->entries);
	if (status != RC_OK)
		return status == RC_QUEUE_FULL ? ND_BUFFER_OVERFLOW : status_of_call(status);
	if (call->low != 0)
		rc_srq_set_low(srq, call->low);
	return ND_SUCCESS;
}

nd_status
nd_srq_modify(struct nd_srq *srq, size_t entries, size_t low_watermark)
{
	struct srq_call call = {
		.srq = srq, .entries = (uint32_t)entries, .low = low_of(low_watermark)};

	if (entries > ADAPTER_QUEUE_ENTRIES_MAX)
		return REFUSE(
			1, "entries %zu: expected 0 to %u", entries, ADAPTER_QUEUE_ENTRIES_MAX);
	return home_call(srq->home, modify_run, &call);
}

static nd_status
notify_cancel(struct nd_overlapped *overlapped)
{
	struct nd_srq *srq = overlapped_core(overlapped)->object;

	overlapped_finish(overlapped, ND_CANCELED);
	if (base_list_empty(&srq->notifies))
		rc_srq_disarm(&srq->rc);
	return ND_SUCCESS;
}

static nd_status
notify_run(void *arg)
{
	struct srq_call *call = arg;
	struct nd_srq *srq = call->srq;

	if (!rc_srq_arm(&srq->rc))
		return ND_SUCCESS;
	return overlapped_begin(call->overlapped, srq->home, srq, &srq->notifies, notify_cancel);
}

nd_status
nd_srq_notify(struct nd_srq *srq, struct nd_overlapped *overlapped)
{
	struct srq_call call = {.srq = srq, .overlapped = overlapped};

	if (!overlapped_usable(overlapped))
		return REFUSE(0, OVERLAPPED_UNUSABLE);
	if (adapter_removed(srq->home->adapter) && !srq->home->adapter->closing)
		return ND_DEVICE_REMOVED;
	return home_call(srq->home, notify_run, &call);
}

void
srq_cancel(struct nd_srq *srq)
{
	overlapped_finish_all(&srq->notifies, ND_CANCELED);
	rc_srq_disarm(&srq->rc);
}

static nd_status
cancel_run(void *arg)
{
	srq_cancel(arg);
	return ND_SUCCESS;
}

nd_status
nd_srq_cancel_overlapped_requests(struct nd_srq *srq)
{
	return home_call(srq->home, cancel_run, srq);
}

static nd_status
query_run(void *arg)
{
	struct srq_call *call = arg;
	const struct rc_srq *srq = &call->srq->rc;

	call->info = (struct nd_srq_info){
		.entries = srq->ring.entries,
		.max_sge = srq->sge_max,
		.low_watermark = srq->low,
		.posted = rc_srq_count(srq),
		.endpoints = call->srq->endpoints,
	};
	return ND_SUCCESS;
}

nd_status
nd_srq_query_sized(struct nd_srq *srq, struct nd_srq_info *info, size_t size)
{
	struct srq_call call = {.srq = srq};
	nd_status status;

	if (info == NULL)
		return REFUSE_IN("nd_srq_query", 1, "info is NULL");
	status = home_call(srq->home, query_run, &call);
	if (status == ND_SUCCESS)
		base_sized_write(info, size, &call.info, sizeof(call.info));
	return status;
}

void
srq_close(struct nd_srq *srq)
{
	srq_cancel(srq);
	base_list_remove(&srq->node);
	rc_srq_fini(&srq->rc);
	free(srq);
}

static nd_status
release_run(void *arg)
{
	struct nd_srq *srq = arg;

	if (srq->endpoints != 0)
		return ND_DEVICE_BUSY;
	srq_close(srq);
	return ND_SUCCESS;
}

nd_status
nd_srq_release(struct nd_srq *srq)
{
	if (srq == NULL)
		return ND_SUCCESS;
	return home_call(srq->home, release_run, srq);
}
