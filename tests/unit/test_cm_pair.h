/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_TEST_CM_PAIR_H
#define NDPDK_UNIT_TEST_CM_PAIR_H

#include "test_cm_link.h"

/*
 * Functions that make connections between the two ends of a link. Unless a test says otherwise,
 * side 0 is active and side 1 is passive.
 */

#define QPN_ACTIVE  0x000111u
#define QPN_PASSIVE 0x000222u

static inline struct cm_connect_attr
link_connect_attr(struct link *link, unsigned int side, uint32_t qpn)
{
	return (struct cm_connect_attr){
		.route = {.local_gid = link->end[side].gid, .remote_gid = link->end[1 - side].gid},
		.service_id = TEST_SERVICE,
		.src_port = 50000,
		.endpoint = {.qpn = qpn,
			.starting_psn = 0x123456,
			.inbound_reads = 4,
			.outbound_reads = 8,
			.rnr_retry_count = 6},
		.path_mtu = 3,
		.retry_count = 7,
		.ack_timeout = 14,
		.traffic_class = 0x68,
		.hop_limit = 64,
	};
}

static inline struct cm_id *
link_connect(struct link *link, unsigned int side, uint32_t qpn)
{
	struct cm_connect_attr attr = link_connect_attr(link, side, qpn);
	struct cm_id *id = NULL;

	cr_assert_eq(cm_connect(link->end[side].cm, &attr, link->now_ns, &id), RC_OK);
	return id;
}

static inline struct cm_listener *
link_listen(struct link *link, unsigned int side, uint32_t backlog)
{
	const struct cm_listen_attr attr = {
		.service_id = TEST_SERVICE, .backlog = backlog, .context = link};
	struct cm_listener *listener = NULL;

	cr_assert_eq(cm_listen(link->end[side].cm, &attr, &listener), RC_OK);
	return listener;
}

/* @return cm_id of the newest event, which must have this kind */
static inline struct cm_id *
end_event_id(const struct end *end, enum cm_event_kind kind)
{
	const struct seen_event *seen = &end->events[end->event_count - 1];

	cr_assert_gt(end->event_count, 0, "no event, wanted %d", kind);
	cr_assert_eq(seen->kind, kind, "event %d, wanted %d", seen->kind, kind);
	return seen->id;
}

static inline struct cm_endpoint
pair_callee(uint32_t qpn)
{
	return (struct cm_endpoint){.qpn = qpn,
		.starting_psn = 0x654321,
		.inbound_reads = 3,
		.outbound_reads = 2,
		.rnr_retry_count = 5};
}

static inline void
pair_accept(struct link *link, struct cm_id *id, uint32_t qpn)
{
	struct cm_endpoint callee = pair_callee(qpn);

	cr_assert_eq(cm_accept(id, &callee, link->now_ns), RC_OK);
}

/* Send a REQ. Then ids[0], the active side, is in REQ_SENT, and ids[1] is in REQ_RECEIVED. */
static inline void
pair_request(struct link *link, struct cm_id *ids[2])
{
	ids[0] = link_connect(link, 0, QPN_ACTIVE);
	link_run(link, 1);
	ids[1] = end_event_id(&link->end[1], CM_EVENT_REQUEST);
}

/* Send a REQ and a REP. Then ids[0] is in REP_RECEIVED, and ids[1] is in REP_SENT. */
static inline void
pair_reply(struct link *link, struct cm_id *ids[2])
{
	pair_request(link, ids);
	pair_accept(link, ids[1], QPN_PASSIVE);
	link_run(link, 1);
	cr_assert_eq(ids[0], end_event_id(&link->end[0], CM_EVENT_ACCEPTED));
}

static inline void
pair_establish(struct link *link, struct cm_id *ids[2])
{
	pair_reply(link, ids);
	cr_assert_eq(cm_confirm(ids[0], link->now_ns), RC_OK);
	link_run(link, 1);
	cr_assert_eq(ids[1], end_event_id(&link->end[1], CM_EVENT_ESTABLISHED));
}

/* Deliver a message to an end as if the other side had sent it. */
static inline void
end_take(struct end *end, const struct wire_cm_msg *msg)
{
	const struct cm_route from = {
		.local_gid = end->gid,
		.remote_gid = end->link->end[1 - end->side].gid,
	};

	cm_input(end->cm, &from, msg, end->link->now_ns);
}

static inline void
pair_check_empty(struct link *link)
{
	for (unsigned int side = 0; side < 2; side++) {
		const struct cm *cm = link->end[side].cm;

		cr_assert_eq(cm_id_count(cm), 0, "side %u: %u ids left", side, cm_id_count(cm));
		cr_assert_eq(cm_deadline(cm), BASE_TIME_NEVER, "side %u: timer runs", side);
	}
	link_stop(link);
}

#endif
