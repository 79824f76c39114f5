/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Reasons why connections and attempts to connect end. Connector and connection manager report a
 * cause where they handle it. Only the first cause is recorded, because later causes are
 * consequences. Example: when a queue pair has failed, this side sends a DREQ; the peer's answer to
 * it is not recorded as a reason.
 */

#include "nd/end.h"

#include "base/sized.h"
#include "nd/call.h"
#include "nd/refuse.h"
#include "nd/status_map.h"

#define REASON(counter, text)                                                                      \
	{                                                                                          \
		counter, "connections and attempts that ended: " text, text                        \
	}

static const struct {
	const char *counter;
	const char *help; /* description of the counter */
	const char *text;
} reasons[] = {
	[ND_END_NONE] = REASON("end_none", "not ended"),
	[ND_END_LOCAL_DISCONNECT] = REASON("end_local_disconnect", "this side disconnected"),
	[ND_END_PEER_DISCONNECT] = REASON("end_peer_disconnect", "the peer disconnected"),
	[ND_END_RETRIES] = REASON("end_retries", "the peer did not acknowledge a request"),
	[ND_END_RNR_RETRIES] = REASON("end_rnr_retries",
		"the peer had no receive posted, or could not complete an invalidate in time"),
	[ND_END_KEEPALIVE] = REASON("end_keepalive", "the peer did not answer a keepalive"),
	[ND_END_PORT_STUCK] = REASON("end_port_stuck", "the port accepted no packets"),
	[ND_END_REFUSED_HERE] = REASON("end_refused_here", "a request of the peer was refused"),
	[ND_END_REFUSED_BY_PEER] = REASON("end_refused_by_peer", "the peer refused a request"),
	[ND_END_BAD_RESPONSE] = REASON(
		"end_bad_response", "the peer sent a response that does not match its request"),
	[ND_END_LOCAL_ERROR] = REASON("end_local_error", "an error on this side"),
	[ND_END_REJECTED] = REASON("end_rejected", "the peer rejected the connection"),
	[ND_END_LOCAL_REJECT] = REASON("end_local_reject", "this side rejected the connection"),
	[ND_END_CONNECT_TIMEOUT] =
		REASON("end_connect_timeout", "the peer did not answer in time while connecting"),
	[ND_END_UNREACHABLE] = REASON("end_unreachable", "the peer cannot be reached"),
	[ND_END_CANCELED] = REASON("end_canceled", "the connection attempt was cancelled"),
	[ND_END_STALE] =
		REASON("end_stale", "the peer uses its queue pair for another connection now"),
	[ND_END_ADAPTER_CLOSING] = REASON("end_adapter_closing", "the adapter was closed"),
};

static_assert(RTE_DIM(reasons) == ND_END_REASONS, "reasons lists every reason");

const char *
end_counter_name(unsigned int reason)
{
	return reasons[reason].counter;
}

const char *
end_counter_text(unsigned int reason)
{
	return reasons[reason].help;
}

const char *
nd_end_reason_text(enum nd_end_reason reason)
{
	return (unsigned int)reason < ND_END_REASONS ? reasons[reason].text : "unknown";
}

void
connector_ends(struct nd_connector *connector, const struct nd_end *end)
{
	if (connector->end.reason != ND_END_NONE)
		return;
	connector->end = *end;
	connector->adapter->ends[end->reason]++;
}

void
connector_ends_by_qp(struct nd_connector *connector, const struct nd_end *end)
{
	if (connector->end.reason == ND_END_PEER_DISCONNECT) {
		connector->adapter->ends[ND_END_PEER_DISCONNECT]--;
		connector->end.reason = ND_END_NONE;
	}
	connector_ends(connector, end);
}

struct nd_end
end_of_event(const struct cm_event *event, nd_status status)
{
	struct nd_end end = {.status = status, .reject_reason = event->reject_reason};

	if (event->accepted_mtu != 0)
		end.accepted_path_mtu = (uint16_t)wire_pmtu_bytes(event->accepted_mtu);
	if (event->kind == CM_EVENT_UNREACHABLE)
		end.reason = ND_END_CONNECT_TIMEOUT;
	else if (event->reject_reason == WIRE_REJ_STALE_CONNECTION)
		end.reason = ND_END_STALE;
	else if (event->reject_reason == 0)
		end.reason = ND_END_PEER_DISCONNECT;
	else if (event->kind != CM_EVENT_REJECTED && event->reject_reason == WIRE_REJ_TIMEOUT)
		end.reason = ND_END_CONNECT_TIMEOUT;
	else
		end.reason = ND_END_REJECTED;
	return end;
}

/* Reasons of queue pair errors. An error that the table does not list is a local error. */
static const struct {
	enum rc_status error;
	enum nd_end_reason theirs; /* reason if a request of the peer caused the error */
	enum nd_end_reason ours;
} failures[] = {
	{RC_RETRY_EXCEEDED, ND_END_RETRIES, ND_END_RETRIES},
	{RC_RNR_RETRY_EXCEEDED, ND_END_RNR_RETRIES, ND_END_RNR_RETRIES},
	{RC_PEER_SILENT, ND_END_KEEPALIVE, ND_END_KEEPALIVE},
	{RC_PORT_STUCK, ND_END_PORT_STUCK, ND_END_PORT_STUCK},
	{RC_REMOTE_INVALID_REQUEST, ND_END_REFUSED_HERE, ND_END_REFUSED_BY_PEER},
	{RC_REMOTE_ACCESS, ND_END_REFUSED_HERE, ND_END_REFUSED_BY_PEER},
	{RC_REMOTE_OPERATION, ND_END_REFUSED_HERE, ND_END_REFUSED_BY_PEER},
	{RC_RECEIVE_TOO_SMALL, ND_END_REFUSED_HERE, ND_END_LOCAL_ERROR},
	{RC_BAD_RESPONSE, ND_END_BAD_RESPONSE, ND_END_BAD_RESPONSE},
};

static enum nd_end_reason
reason_of_qp(const struct rc_qp *qp)
{
	for (size_t i = 0; i < RTE_DIM(failures); i++) {
		if (failures[i].error == qp->error)
			return qp->own_request ? failures[i].ours : failures[i].theirs;
	}
	return ND_END_LOCAL_ERROR;
}

struct nd_end
end_of_qp(const struct rc_qp *qp)
{
	return (struct nd_end){
		.reason = reason_of_qp(qp),
		.status = status_of_result(qp->error),
	};
}

struct nd_end
end_of_cancel(const struct nd_connector *connector)
{
	return (struct nd_end){
		.reason = connector->adapter->closing ? ND_END_ADAPTER_CLOSING : ND_END_CANCELED,
		.status = ND_CANCELED,
	};
}

struct end_call {
	const struct nd_connector *connector;
	struct nd_end end;
};

static nd_status
end_run(void *arg)
{
	struct end_call *call = arg;

	call->end = call->connector->end;
	return ND_SUCCESS;
}

nd_status
nd_connector_get_end_reason_sized(struct nd_connector *connector, struct nd_end *end, size_t size)
{
	struct end_call call = {.connector = connector};
	nd_status status;

	if (end == NULL)
		return REFUSE_IN("nd_connector_get_end_reason", 0, "end is NULL");
	status = adapter_call(connector->adapter, end_run, &call);
	if (status == ND_SUCCESS)
		base_sized_write(end, size, &call.end, sizeof(call.end));
	return status;
}
