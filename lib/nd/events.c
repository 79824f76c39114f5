/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Passes the events of an engine to the objects that they concern: events of the connection manager
 * and of queue pairs. At the end of a turn, finished operations are reported to their owners.
 */

#include "nd/events.h"

#include "nd/connector.h"
#include "nd/listener.h"

static void
cm_event(void *arg, struct cm_id *id, const struct cm_event *event)
{
	enum cm_owner *owner = cm_id_context(id);

	(void)arg;
	if (event->kind == CM_EVENT_REQUEST)
		listener_request(event->listener_context, id, event);
	else if (owner == NULL)
		return;
	else if (*owner == CM_OWNER_REQUEST)
		listener_request_gone((struct nd_request *)owner);
	else
		connector_event((struct nd_connector *)owner, event);
}

/**
 * Handle an event of a queue pair. The engine calls this when no transport code is on the stack, so
 * handlers may call the transport.
 */
static void
qp_event(void *arg, struct engine_qp *slot, enum rc_event event)
{
	struct nd_endpoint *endpoint = base_list_entry(slot, struct nd_endpoint, slot);

	(void)arg;
	if (event == RC_EVENT_FIRST_PACKET)
		connector_traffic_seen(endpoint->connector);
	else
		connector_qp_failed(endpoint->connector);
}

static void
settle(void *arg)
{
	struct nd_engine *home = arg;

	if (unlikely(!base_list_empty(&home->finished)))
		overlapped_settle(home);
}

static void
others(void *arg, struct rte_mbuf **mbufs, uint16_t count)
{
	struct nd_engine *home = arg;
	const struct nd_adapter_config *config = &home->adapter->config;

	config->other_frames(home, mbufs, count, config->other_frames_arg);
}

struct engine_ops
events_ops(struct nd_engine *home)
{
	return (struct engine_ops){
		.qp_event = qp_event,
		.cm_event = cm_event,
		.settle = settle,
		.others = home->adapter->config.other_frames != NULL ? others : NULL,
		.arg = home,
	};
}
