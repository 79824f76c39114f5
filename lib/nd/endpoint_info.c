/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Queries of an endpoint. The queue pair is read on its home engine, and the connection on the
 * first engine.
 */

#include <ndpdk/nd_extension.h>

#include "base/sized.h"
#include "nd/call.h"
#include "nd/endpoint.h"
#include "nd/refuse.h"
#include "rc/query.h"

static const enum nd_endpoint_state states[] = {
	[CONNECTOR_IDLE] = ND_ENDPOINT_IDLE,
	[CONNECTOR_RESOLVING] = ND_ENDPOINT_CONNECTING,
	[CONNECTOR_REQUESTING] = ND_ENDPOINT_CONNECTING,
	[CONNECTOR_ANSWERED] = ND_ENDPOINT_CONNECTING,
	[CONNECTOR_ASKED] = ND_ENDPOINT_CONNECTING,
	[CONNECTOR_ACCEPTING] = ND_ENDPOINT_CONNECTING,
	[CONNECTOR_CONNECTED] = ND_ENDPOINT_CONNECTED,
	[CONNECTOR_DISCONNECTING] = ND_ENDPOINT_DISCONNECTING,
	[CONNECTOR_BROKEN] = ND_ENDPOINT_ENDED,
	[CONNECTOR_DEAD] = ND_ENDPOINT_ENDED,
	[CONNECTOR_FAILED] = ND_ENDPOINT_ENDED,
};

static_assert(RTE_DIM(states) == CONNECTOR_FAILED + 1, "states lists every state of a connector");

const char *
nd_endpoint_state_text(enum nd_endpoint_state state)
{
	static const char *const texts[] = {
		[ND_ENDPOINT_IDLE] = "idle",
		[ND_ENDPOINT_CONNECTING] = "connecting",
		[ND_ENDPOINT_CONNECTED] = "connected",
		[ND_ENDPOINT_DISCONNECTING] = "disconnecting",
		[ND_ENDPOINT_ENDED] = "ended",
	};

	return (unsigned int)state < RTE_DIM(texts) ? texts[state] : "unknown";
}

struct info_call {
	struct nd_endpoint *endpoint;
	struct nd_endpoint_info info;
};

static nd_status
info_prepare(void *arg, struct nd_engine **home)
{
	struct info_call *call = arg;

	*home = call->endpoint->home;
	return ND_SUCCESS;
}

static nd_status
info_execute(void *arg)
{
	struct info_call *call = arg;
	const struct nd_endpoint *endpoint = call->endpoint;
	struct rc_qp_info qp;

	rc_qp_query(endpoint->slot.qp, engine_now_ns(endpoint->home->engine), &qp);
	call->info = (struct nd_endpoint_info){
		.inbound_outstanding = qp.receives,
		.inbound_free = qp.shared ? 0 : qp.receives_max - qp.receives,
		.outbound_outstanding = qp.sends,
		.outbound_free = qp.sends_max - qp.sends,
		.path_mtu = qp.pmtu_bytes,
	};
	return ND_SUCCESS;
}

static nd_status
info_finish(void *arg, nd_status executed)
{
	struct info_call *call = arg;
	const struct nd_connector *connector = call->endpoint->connector;

	call->info.state = states[connector->state];
	call->info.end_reason = connector->end.reason;
	call->info.end_status = connector->end.status;
	return executed;
}

nd_status
nd_endpoint_query_sized(struct nd_endpoint *endpoint, struct nd_endpoint_info *info, size_t size)
{
	static const struct call_stages stages = {info_prepare, info_execute, info_finish};
	struct info_call call = {.endpoint = endpoint};

	if (info == NULL)
		return REFUSE_IN("nd_endpoint_query", 1, "info is NULL");
	staged_call(endpoint->connector->adapter, &stages, &call);
	base_sized_write(info, size, &call.info, sizeof(call.info));
	return ND_SUCCESS;
}
