/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "threads_link.h"

#include <criterion/criterion.h>

#define ENTRIES 32
#define READS   4

nd_status
link_wait(nd_status status, struct nd_overlapped *overlapped)
{
	return status == ND_PENDING ? nd_overlapped_get_result(overlapped, NULL, true) : status;
}

static void
endpoint_make(struct link *link, const struct nd_pair *pair, unsigned int side,
	struct nd_cq *const cqs[2])
{
	struct nd_cq *inbound = cqs != NULL ? cqs[side] : pair->side[side].inbound;
	struct nd_cq *outbound = cqs != NULL ? cqs[side] : pair->side[side].outbound;

	cr_assert_eq(nd_connector_create_endpoint(link->connector[side], inbound, outbound, ENTRIES,
			     ENTRIES, 1, 1, READS, READS, NULL, &link->endpoint[side]),
		ND_SUCCESS);
}

void
link_connect(struct link *link, struct nd_pair *pair, struct nd_cq *const cqs[2])
{
	struct nd_overlapped request = {0}, connect = {0}, accept = {0}, complete = {0};
	nd_status asked, connecting, accepting;
	struct sockaddr_storage address;
	socklen_t length;

	if (pair->listener == NULL)
		nd_pair_listen(pair);
	length = nd_pair_address(pair, &address);
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(
			nd_adapter_create_connector(pair->side[i].adapter, &link->connector[i]),
			ND_SUCCESS);
	endpoint_make(link, pair, 0, cqs);
	asked = nd_listener_get_connection_request(pair->listener, link->connector[1], &request);
	connecting = nd_connector_connect(link->connector[0], link->endpoint[0],
		(struct sockaddr *)&address, length, 6, 0, NULL, 0, &connect);
	cr_assert_eq(link_wait(asked, &request), ND_SUCCESS);
	endpoint_make(link, pair, 1, cqs);
	accepting = nd_connector_accept(link->connector[1], link->endpoint[1], NULL, 0, &accept);
	cr_assert_eq(link_wait(connecting, &connect), ND_SUCCESS);
	cr_assert_eq(
		link_wait(nd_connector_complete_connect(link->connector[0], &complete), &complete),
		ND_SUCCESS);
	cr_assert_eq(link_wait(accepting, &accept), ND_SUCCESS);
}

void
link_disconnect(struct link *link)
{
	struct nd_overlapped notify = {0}, disconnect = {0};
	nd_status notifying = nd_connector_notify_disconnect(link->connector[1], &notify);

	cr_assert_eq(
		link_wait(nd_connector_disconnect(link->connector[0], &disconnect), &disconnect),
		ND_SUCCESS);
	cr_assert_eq(link_wait(notifying, &notify), ND_SUCCESS);
	for (unsigned int i = 0; i < 2; i++) {
		cr_assert_eq(nd_endpoint_release(link->endpoint[i]), ND_SUCCESS);
		cr_assert_eq(nd_connector_release(link->connector[i]), ND_SUCCESS);
	}
}
