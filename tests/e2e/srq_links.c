/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "srq_links.h"

#include <string.h>

#include <criterion/criterion.h>

#include "support/engines.h"

struct nd_pair pair;
struct nd_srq *srq;
struct srq_link links[LINKS];
struct nd_result received[ENTRIES], sent[ENTRIES];

static void
end_make(unsigned int link, unsigned int side)
{
	struct nd_connector **connector = &links[link].connectors[side];
	struct nd_endpoint **endpoint = &links[link].endpoints[side];
	struct nd_side *on = &pair.side[side];

	if (*connector == NULL)
		cr_assert_eq(nd_adapter_create_connector(on->adapter, connector), ND_SUCCESS);
	if (side == SERVER)
		cr_assert_eq(nd_connector_create_endpoint_with_srq(*connector, on->inbound,
				     on->outbound, srq, 16, 4, 4, 4, NULL, endpoint),
			ND_SUCCESS);
	else
		cr_assert_eq(nd_connector_create_endpoint(*connector, on->inbound, on->outbound, 16,
				     16, 4, 4, 4, 4, NULL, endpoint),
			ND_SUCCESS);
	nd_endpoint_set_context(*endpoint, &links[link]);
}

void
srq_link_connect(unsigned int number)
{
	struct nd_overlapped request = {0}, connect = {0}, accept = {0}, complete = {0};
	struct srq_link *link = &links[number];
	struct sockaddr_storage address;
	nd_status asked, connecting, accepting;
	socklen_t length = nd_pair_address(&pair, &address);

	end_make(number, CLIENT);
	cr_assert_eq(
		nd_adapter_create_connector(pair.side[SERVER].adapter, &link->connectors[SERVER]),
		ND_SUCCESS);
	asked = nd_listener_get_connection_request(
		pair.listener, link->connectors[SERVER], &request);
	connecting = nd_connector_connect(link->connectors[CLIENT], link->endpoints[CLIENT],
		(struct sockaddr *)&address, length, 6, 0, NULL, 0, &connect);
	cr_assert_eq(nd_pair_finish(&pair, asked, &request), ND_SUCCESS);
	end_make(number, SERVER);
	accepting = nd_connector_accept(
		link->connectors[SERVER], link->endpoints[SERVER], NULL, 0, &accept);
	cr_assert_eq(nd_pair_finish(&pair, connecting, &connect), ND_SUCCESS);
	cr_assert_eq(nd_pair_finish(&pair,
			     nd_connector_complete_connect(link->connectors[CLIENT], &complete),
			     &complete),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_finish(&pair, accepting, &accept), ND_SUCCESS);
}

nd_status
srq_make(size_t entries, size_t low, struct nd_srq **out)
{
	return nd_adapter_create_srq(
		pair.side[SERVER].adapter, test_engines() - 1, entries, 4, low, out);
}

void
links_setup(size_t low)
{
	memset(links, 0, sizeof(links));
	/*
	 * Allow so few RNR retries that a connection fails if it runs out of receives, although the
	 * shared queue has some.
	 */
	nd_pair_open(&pair, &(struct nd_pair_config){.path_mtu = 1024, .rnr_retry_count = 1});
	cr_assert_eq(srq_make(ENTRIES, low, &srq), ND_SUCCESS);
	nd_pair_listen(&pair);
	for (unsigned int i = 0; i < LINKS; i++)
		srq_link_connect(i);
}

void
links_teardown(void)
{
	nd_pair_close(&pair);
}

struct nd_sge
sge_of(unsigned int side, size_t offset, size_t length)
{
	return (struct nd_sge){pair.side[side].memory + offset, length, pair.side[side].mr};
}

nd_status
post(unsigned int number)
{
	struct nd_sge sge = sge_of(SERVER, number * SLOT, SLOT);

	return nd_srq_receive(srq, &received[number], &sge, 1);
}

void
post_all(unsigned int from, unsigned int count)
{
	for (unsigned int i = from; i < from + count; i++)
		cr_assert_eq(post(i), ND_SUCCESS);
}

size_t
posted(void)
{
	struct nd_srq_info info;

	cr_assert_eq(nd_srq_query(srq, &info), ND_SUCCESS);
	return info.posted;
}

void
send_start(unsigned int link, unsigned int number, size_t bytes)
{
	struct nd_sge sge = sge_of(CLIENT, link * 16384, bytes);

	nd_pair_pattern(pair.side[CLIENT].memory + link * 16384, bytes, link);
	cr_assert_eq(nd_endpoint_send(links[link].endpoints[CLIENT], &sent[number], &sge, 1, 0),
		ND_SUCCESS);
}

void
expect(unsigned int number, unsigned int link, size_t bytes)
{
	cr_assert_eq(received[number].bytes_transferred, bytes);
	cr_assert_eq(received[number].endpoint_context, &links[link]);
	cr_assert_arr_eq(pair.side[SERVER].memory + number * SLOT,
		pair.side[CLIENT].memory + link * 16384, bytes);
}

void
send_one(unsigned int link, unsigned int number, size_t bytes)
{
	send_start(link, number, bytes);
	cr_assert_eq(
		nd_pair_result(&pair, pair.side[SERVER].inbound, &received[number]), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[CLIENT].outbound, &sent[number]), ND_SUCCESS);
	cr_assert_eq(sent[number].endpoint_context, &links[link]);
	expect(number, link, bytes);
}
