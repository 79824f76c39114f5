/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "shared.h"

#include <stdlib.h>
#include <string.h>

#include <ndpdk/nd_srq.h>

#define ALIGN_BYTES 64u

static nd_status
post(struct shared_receives *shared, struct request *request)
{
	const struct nd_sge sge = {
		shared->memory + (size_t)request->slot * shared->bytes, shared->bytes, shared->mr};

	return nd_srq_receive(shared->srq, &request->result, &sge, 1);
}

static size_t
index_of(struct nd_adapter *adapter, const struct nd_engine *engine)
{
	size_t index = 0;

	while (nd_adapter_get_engine(adapter, index) != engine)
		index++;
	return index;
}

static nd_status
make(struct shared_receives *shared, const struct nd_engine *engine, uint32_t count)
{
	const size_t memory_bytes = (size_t)count * shared->bytes;
	nd_status status;

	shared->memory = aligned_alloc(ALIGN_BYTES, memory_bytes);
	shared->requests = calloc(count, sizeof(*shared->requests));
	if (shared->memory == NULL || shared->requests == NULL)
		return ND_NO_MEMORY;
	memset(shared->memory, 0, memory_bytes);
	status = nd_adapter_register_memory(
		shared->adapter, shared->memory, memory_bytes, NULL, &shared->mr);
	if (!nd_failed(status))
		status = nd_adapter_create_srq(shared->adapter, index_of(shared->adapter, engine),
			count, 1, 0, &shared->srq);
	for (uint32_t i = 0; i < count && !nd_failed(status); i++) {
		shared->requests[i] = (struct request){.kind = REQUEST_RECEIVE, .slot = i};
		status = post(shared, &shared->requests[i]);
	}
	return status;
}

nd_status
shared_open(struct shared_receives *shared, struct nd_adapter *adapter,
	const struct nd_engine *engine, uint32_t count, uint32_t size_bytes)
{
	const uint32_t bytes = RTE_MAX(size_bytes, (uint32_t)CONTROL_LENGTH_MAX);
	nd_status status;

	*shared = (struct shared_receives){
		.adapter = adapter, .bytes = RTE_ALIGN_CEIL(bytes, ALIGN_BYTES)};
	status = make(shared, engine, count);
	if (nd_failed(status))
		shared_close(shared);
	return status;
}

void
shared_close(struct shared_receives *shared)
{
	if (shared->srq != NULL)
		nd_srq_release(shared->srq);
	if (shared->mr != NULL)
		nd_adapter_deregister_memory(shared->adapter, shared->mr, NULL);
	free(shared->memory);
	free(shared->requests);
	*shared = (struct shared_receives){0};
}

void
shared_give_back(struct session *session, struct request *request)
{
	/* The receive was taken from the shared receive queue, so this queue has a free entry. */
	if (request->session == NULL)
		session_posted(session, post(session->shared, request), "shared receive");
}
