/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Endpoints: creation by a connector, flush, batches, release. request.c posts requests. */

#include "nd/endpoint.h"

#include <rte_malloc.h>

#include <ndpdk/nd_extension.h>
#include <ndpdk/nd_srq.h>

#include "nd/call.h"
#include "nd/refuse.h"
#include "nd/status_map.h"
#include "rc/local.h"

struct create_call {
	struct nd_connector *connector;
	struct rc_qp_attr attr;
	struct nd_cq *inbound_cq;
	struct nd_cq *outbound_cq;
	struct nd_srq *srq; /* NULL: the endpoint has its own receive queue */
	uint8_t inbound_reads;
	uint8_t outbound_reads;
	struct nd_endpoint *endpoint;
};

/**
 * Allocate memory for an endpoint and its queue pair. The size is an odd number of cache lines,
 * because endpoints that are created one after the other have equal distances. With an even number
 * of lines, above all with whole pages, the endpoints would use only a few sets of a CPU cache.
 */
static struct nd_endpoint *
memory_take(const struct rc_qp_attr *attr)
{
	size_t bytes = sizeof(struct nd_endpoint) + rc_qp_bytes(attr);

	return rte_zmalloc_socket(
		"nd_endpoint", bytes | RTE_CACHE_LINE_SIZE, RTE_CACHE_LINE_SIZE, attr->socket_id);
}

static nd_status
create_prepare(void *arg, struct nd_engine **home)
{
	struct create_call *call = arg;
	struct nd_connector *connector = call->connector;
	nd_status refused = connector_answers(connector->state)->create_endpoint;
	struct nd_endpoint *endpoint;
	enum rc_status status;

	if (connector->endpoint != NULL)
		return ND_NOT_SUPPORTED;
	if (refused != ND_SUCCESS)
		return refused;
	endpoint = memory_take(&call->attr);
	if (endpoint == NULL)
		return ND_INSUFFICIENT_RESOURCES;
	call->attr.memory = endpoint_qp(endpoint);
	endpoint->home = call->inbound_cq->home;
	endpoint->connector = connector;
	endpoint->state = connector->state;
	endpoint->inbound_cq = call->inbound_cq;
	endpoint->outbound_cq = call->outbound_cq;
	endpoint->srq = call->srq;
	endpoint->inbound_reads = call->inbound_reads;
	endpoint->outbound_reads = call->outbound_reads;
	endpoint->inbound_reads_max = call->inbound_reads;
	endpoint->inline_max = call->attr.inline_max;
	endpoint->selective = connector->adapter->config.recovery == ND_RECOVERY_SELECTIVE;
	status = engine_qp_reserve(endpoint->home->engine, &endpoint->slot);
	if (status != RC_OK) {
		rte_free(endpoint);
		return status_of_call(status);
	}
	connector->endpoint = endpoint;
	call->endpoint = endpoint;
	*home = endpoint->home;
	return ND_SUCCESS;
}

static nd_status
create_execute(void *arg)
{
	struct create_call *call = arg;
	struct nd_endpoint *endpoint = call->endpoint;
	enum rc_status status =
		engine_qp_create(endpoint->home->engine, &call->attr, &endpoint->slot);

	if (status != RC_OK)
		return status_of_call(status);
	endpoint->inbound_cq->endpoints++;
	endpoint->outbound_cq->endpoints++;
	if (endpoint->srq != NULL)
		endpoint->srq->endpoints++;
	return ND_SUCCESS;
}

/** Free an endpoint that has no queue pair (any more). */
static void
endpoint_free(struct nd_endpoint *endpoint)
{
	struct nd_connector *connector = endpoint->connector;

	engine_qp_forget(connector->adapter->engine, &endpoint->slot);
	connector->endpoint = NULL;
	rte_free(endpoint);
}

static nd_status
create_finish(void *arg, nd_status created)
{
	struct create_call *call = arg;

	if (nd_failed(created))
		endpoint_free(call->endpoint);
	return created;
}

static bool
cq_foreign(const struct nd_connector *connector, const struct nd_cq *cq)
{
	return cq == NULL || cq->home->adapter != connector->adapter;
}

/**
 * @return whether both completion queues are given and are on different engines. An endpoint has
 * only one engine.
 */
static bool
cqs_apart(const struct nd_cq *inbound, const struct nd_cq *outbound)
{
	return inbound != NULL && outbound != NULL && inbound->home != outbound->home;
}

/**
 * @return whether one of the queues is NULL, or they are on different engines. An endpoint has only
 * one engine.
 */
static bool
srq_foreign(const struct nd_srq *srq, const struct nd_cq *inbound)
{
	return srq == NULL || inbound == NULL || srq->home != inbound->home;
}

/**
 * Create an endpoint.
 * @param call the caller has set all members except the outputs and those that the connector sets
 */
static nd_status
create(struct create_call *call, size_t *max_inline_data, struct nd_endpoint **endpoint)
{
	static const struct call_stages stages = {create_prepare, create_execute, create_finish};
	struct nd_adapter *adapter = call->connector->adapter;
	nd_status status;

	BASE_ASSERT(endpoint != NULL);
	if (adapter_removed(adapter))
		return ND_DEVICE_REMOVED;
	call->attr.cc = &adapter->cc;
	call->attr.receive_cq = &call->inbound_cq->rc;
	call->attr.send_cq = &call->outbound_cq->rc;
	call->attr.inline_max = LIMIT_INLINE_BYTES;
	call->attr.inbound_reads_max = call->inbound_reads;
	call->attr.socket_id = adapter->socket_id;
	status = staged_call(adapter, &stages, call);
	if (nd_failed(status))
		return status;
	if (max_inline_data != NULL)
		*max_inline_data = LIMIT_INLINE_BYTES;
	*endpoint = call->endpoint;
	return ND_SUCCESS;
}

/** A limit that one argument of nd_connector_create_endpoint() must observe. */
struct check {
	int parameter;    /**< number of the argument, starting after the object */
	const char *text; /**< name of the argument, or the sentence to log if limit is 0 */
	size_t value;
	size_t limit; /**< larger values are refused */
};

static nd_status
checks_look(const char *function, const struct check *checks, size_t count)
{
	for (const struct check *check = checks; check < checks + count; check++) {
		if (check->value <= check->limit)
			continue;
		if (check->limit == 0)
			return REFUSE_IN(function, check->parameter, "%s", check->text);
		return REFUSE_IN(function, check->parameter, "%s %zu: expected 0 to %zu",
			check->text, check->value, check->limit);
	}
	return ND_SUCCESS;
}

nd_status
nd_connector_create_endpoint(struct nd_connector *connector, struct nd_cq *inbound_cq,
	struct nd_cq *outbound_cq, size_t inbound_entries, size_t outbound_entries,
	size_t inbound_sge, size_t outbound_sge, size_t inbound_read_limit,
	size_t outbound_read_limit, size_t *max_inline_data, struct nd_endpoint **endpoint)
{
	const struct check checks[] = {
		{1, "inbound_cq is NULL or of another adapter", cq_foreign(connector, inbound_cq),
			0},
		{2, "outbound_cq is NULL or of another adapter", cq_foreign(connector, outbound_cq),
			0},
		{2, "outbound_cq is on another engine than inbound_cq",
			cqs_apart(inbound_cq, outbound_cq), 0},
		{3, "inbound_entries", inbound_entries, ADAPTER_QUEUE_ENTRIES_MAX},
		{4, "outbound_entries", outbound_entries, ADAPTER_QUEUE_ENTRIES_MAX},
		{5, "inbound_sge", inbound_sge, LIMIT_SGE},
		{6, "outbound_sge", outbound_sge, LIMIT_SGE},
		{7, "inbound_read_limit", inbound_read_limit, LIMIT_READS},
		{8, "outbound_read_limit", outbound_read_limit, LIMIT_READS},
		{10, "endpoint is NULL", endpoint == NULL, 0},
	};
	nd_status status = checks_look(__func__, checks, RTE_DIM(checks));
	struct create_call call = {
		.connector = connector,
		.inbound_cq = inbound_cq,
		.outbound_cq = outbound_cq,
		.inbound_reads = (uint8_t)inbound_read_limit,
		.outbound_reads = (uint8_t)outbound_read_limit,
		.attr = {.receive_entries = (uint32_t)inbound_entries,
			.send_entries = (uint32_t)outbound_entries,
			.receive_sge_max = (uint32_t)inbound_sge,
			.send_sge_max = (uint32_t)outbound_sge},
	};

	return nd_failed(status) ? status : create(&call, max_inline_data, endpoint);
}

nd_status
nd_connector_create_endpoint_with_srq(struct nd_connector *connector, struct nd_cq *inbound_cq,
	struct nd_cq *outbound_cq, struct nd_srq *srq, size_t outbound_entries, size_t outbound_sge,
	size_t inbound_read_limit, size_t outbound_read_limit, size_t *max_inline_data,
	struct nd_endpoint **endpoint)
{
	const struct check checks[] = {
		{1, "inbound_cq is NULL or of another adapter", cq_foreign(connector, inbound_cq),
			0},
		{2, "outbound_cq is NULL or of another adapter", cq_foreign(connector, outbound_cq),
			0},
		{2, "outbound_cq is on another engine than inbound_cq",
			cqs_apart(inbound_cq, outbound_cq), 0},
		{3, "srq is NULL or on another engine than inbound_cq",
			srq_foreign(srq, inbound_cq), 0},
		{4, "outbound_entries", outbound_entries, ADAPTER_QUEUE_ENTRIES_MAX},
		{5, "outbound_sge", outbound_sge, LIMIT_SGE},
		{6, "inbound_read_limit", inbound_read_limit, LIMIT_READS},
		{7, "outbound_read_limit", outbound_read_limit, LIMIT_READS},
		{9, "endpoint is NULL", endpoint == NULL, 0},
	};
	nd_status status = checks_look(__func__, checks, RTE_DIM(checks));
	struct create_call call = {
		.connector = connector,
		.inbound_cq = inbound_cq,
		.outbound_cq = outbound_cq,
		.srq = srq,
		.inbound_reads = (uint8_t)inbound_read_limit,
		.outbound_reads = (uint8_t)outbound_read_limit,
		.attr = {.send_entries = (uint32_t)outbound_entries,
			.send_sge_max = (uint32_t)outbound_sge},
	};

	if (nd_failed(status))
		return status;
	call.attr.srq = &srq->rc;
	call.attr.receive_sge_max = srq->rc.sge_max;
	return create(&call, max_inline_data, endpoint);
}

struct attach_call {
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	uint8_t inbound_reads;
	uint8_t outbound_reads;
};

/** @return ND_SUCCESS: the endpoint can be moved to this connector, or get new read limits there */
static nd_status
attach_check(const struct attach_call *call)
{
	const struct nd_connector *from = call->endpoint->connector, *to = call->connector;

	if (endpoint_flushing(call->endpoint))
		return ND_INVALID_DEVICE_STATE;
	if (to->endpoint != NULL && to->endpoint != call->endpoint)
		return ND_NOT_SUPPORTED;
	if (connector_answers(to->state)->create_endpoint != ND_SUCCESS)
		return connector_answers(to->state)->create_endpoint;
	/* A connection request that is not accepted yet (ASKED) does not use the endpoint. */
	if (from->state != CONNECTOR_ASKED && connector_answers(from->state)->connect != ND_SUCCESS)
		return connector_answers(from->state)->connect;
	if (to->state != CONNECTOR_ASKED && connector_answers(to->state)->connect != ND_SUCCESS)
		return connector_answers(to->state)->connect;
	return to != from && to->waiting != NULL ? ND_CONNECTION_ACTIVE : ND_SUCCESS;
}

static nd_status
attach_run(void *arg)
{
	const struct attach_call *call = arg;
	struct nd_endpoint *endpoint = call->endpoint;
	nd_status status = attach_check(call);

	if (status != ND_SUCCESS)
		return status;
	endpoint->connector->endpoint = NULL;
	endpoint->connector = call->connector;
	call->connector->endpoint = endpoint;
	__atomic_store_n(&endpoint->state, call->connector->state, __ATOMIC_RELAXED);
	endpoint->inbound_reads = call->inbound_reads;
	endpoint->outbound_reads = call->outbound_reads;
	return ND_SUCCESS;
}

nd_status
nd_connector_attach_endpoint(struct nd_connector *connector, struct nd_endpoint *endpoint,
	size_t inbound_read_limit, size_t outbound_read_limit)
{
	struct attach_call call = {
		connector, endpoint, (uint8_t)inbound_read_limit, (uint8_t)outbound_read_limit};

	if (endpoint == NULL || endpoint->home->adapter != connector->adapter)
		return REFUSE(1, "endpoint is NULL or of another adapter");
	if (inbound_read_limit > endpoint->inbound_reads_max)
		return REFUSE(2, "inbound_read_limit %zu: expected 0 to %u, the endpoint's limit",
			inbound_read_limit, endpoint->inbound_reads_max);
	if (outbound_read_limit > LIMIT_READS)
		return REFUSE(3, "outbound_read_limit %zu: expected 0 to %u", outbound_read_limit,
			LIMIT_READS);
	return adapter_call(connector->adapter, attach_run, &call);
}

static nd_status
release_prepare(void *arg, struct nd_engine **home)
{
	struct nd_endpoint *endpoint = arg;

	connector_endpoint_leaves(endpoint->connector);
	engine_qp_leave(&endpoint->slot);
	*home = endpoint->home;
	return ND_SUCCESS;
}

static nd_status
release_execute(void *arg)
{
	struct nd_endpoint *endpoint = arg;

	rc_qp_error(endpoint->slot.qp, RC_FLUSHED);
	engine_qp_destroy(endpoint->home->engine, &endpoint->slot);
	endpoint->inbound_cq->endpoints--;
	endpoint->outbound_cq->endpoints--;
	if (endpoint->srq != NULL)
		endpoint->srq->endpoints--;
	return ND_SUCCESS;
}

static nd_status
release_finish(void *arg, nd_status executed)
{
	endpoint_free(arg);
	return executed;
}

void
endpoint_close(struct nd_endpoint *endpoint)
{
	struct nd_engine *home;

	release_prepare(endpoint, &home);
	release_execute(endpoint);
	release_finish(endpoint, ND_SUCCESS);
}

nd_status
nd_endpoint_release(struct nd_endpoint *endpoint)
{
	static const struct call_stages stages = {release_prepare, release_execute, release_finish};

	if (endpoint == NULL)
		return ND_SUCCESS;
	return staged_call(endpoint->connector->adapter, &stages, endpoint);
}

static nd_status
flush_run(void *arg)
{
	struct nd_endpoint *endpoint = arg;

	/*
	 * Execute no further requests. The connection itself stays until the application
	 * disconnects (ND-125).
	 */
	__atomic_store_n(&endpoint->flushing, true, __ATOMIC_RELAXED);
	rc_qp_error(endpoint->slot.qp, RC_FLUSHED);
	return ND_SUCCESS;
}

nd_status
nd_endpoint_flush(struct nd_endpoint *endpoint)
{
	return home_call(endpoint->home, flush_run, endpoint);
}

struct context_call {
	struct nd_endpoint *endpoint;
	void *context;
};

static nd_status
context_run(void *arg)
{
	struct context_call *call = arg;

	call->endpoint->slot.qp->owner = call->context;
	return ND_SUCCESS;
}

void
nd_endpoint_set_context(struct nd_endpoint *endpoint, void *context)
{
	struct context_call call = {endpoint, context};

	(void)home_call(endpoint->home, context_run, &call);
}

struct recovery_call {
	struct nd_endpoint *endpoint;
	enum nd_recovery recovery;
};

static nd_status
recovery_run(void *arg)
{
	struct recovery_call *call = arg;
	enum connector_state state = call->endpoint->connector->state;

	/*
	 * In state ASKED, a connection request was taken, but no limits have been negotiated yet.
	 */
	if (state != CONNECTOR_IDLE && state != CONNECTOR_ASKED)
		return ND_INVALID_DEVICE_STATE;
	call->endpoint->selective = call->recovery == ND_RECOVERY_SELECTIVE;
	return ND_SUCCESS;
}

nd_status
nd_endpoint_set_recovery(struct nd_endpoint *endpoint, enum nd_recovery recovery)
{
	struct recovery_call call = {endpoint, recovery};

	if (recovery != ND_RECOVERY_SELECTIVE && recovery != ND_RECOVERY_GO_BACK_N)
		return REFUSE(0, "recovery %u: expected a value of enum nd_recovery",
			(unsigned int)recovery);
	return adapter_call(endpoint->connector->adapter, recovery_run, &call);
}

void
nd_endpoint_start_request_batch(struct nd_endpoint *endpoint)
{
	endpoint->batching = true;
	endpoint_prefetch(endpoint);
}

void
nd_endpoint_submit_request_batch(struct nd_endpoint *endpoint)
{
	struct nd_engine *home = endpoint->home;

	BASE_ASSERT(engine_is_owned(home->engine));
	endpoint->batching = false;
	/*
	 * Binds and invalidates are executed at once, so there may be no request that must be
	 * transmitted.
	 */
	if (!rc_local_ready(endpoint->slot.qp))
		engine_qp_kick(home->engine, &endpoint->slot);
	home_settle(home);
}
