/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test windows that are bound before the connection exists, so that private data can contain their
 * descriptors.
 */

#include <string.h>

#include <criterion/criterion.h>

#include <ndpdk/nd_extension.h>

#include "support/nd_pair.h"

#define READ  ND_OP_FLAG_ALLOW_READ
#define WRITE ND_OP_FLAG_ALLOW_WRITE

static struct nd_pair pair;
static struct nd_result invalidated[2];
static struct nd_mw *windows[2];

static void
setup(void)
{
	nd_pair_open(&pair, &(struct nd_pair_config){.path_mtu = 1024});
	for (unsigned int side = 0; side < 2; side++)
		cr_assert_eq(nd_adapter_create_memory_window(
				     pair.side[side].adapter, &invalidated[side], &windows[side]),
			ND_SUCCESS);
}

static void
teardown(void)
{
	nd_pair_close(&pair);
}

TestSuite(early, .init = setup, .fini = teardown);

static nd_status
bind_early(unsigned int number, uint32_t flags, struct nd_mw_descriptor *descriptor)
{
	struct nd_side *side = &pair.side[number];

	return nd_endpoint_bind_early(side->endpoint, side->mr, windows[number],
		side->memory + 4096, 4096, flags, descriptor);
}

static void
take_data(unsigned int number, struct nd_mw_descriptor *descriptor)
{
	uint8_t data[256];
	size_t bytes = sizeof(data);

	cr_assert_eq(nd_connector_get_connection_data(
			     pair.side[number].connector, NULL, NULL, data, &bytes),
		ND_SUCCESS);
	cr_assert_geq(bytes, sizeof(*descriptor));
	memcpy(descriptor, data, sizeof(*descriptor));
}

/*
 * Connect both sides. Each side sends the descriptor of its window in its private data.
 * @param remote remote[i] is set to the descriptor that side i received
 */
static void
connect_with_windows(struct nd_mw_descriptor remote[2])
{
	/* static, because it is pending when this function returns */
	static struct nd_overlapped accept;
	struct nd_overlapped request = {0}, connect = {0}, complete = {0};
	struct nd_mw_descriptor own[2];
	struct sockaddr_storage address;
	nd_status asked, connecting;
	socklen_t length;

	nd_pair_listen(&pair);
	length = nd_pair_address(&pair, &address);
	nd_pair_endpoint(&pair, 0);
	cr_assert_eq(bind_early(0, READ, &own[0]), ND_SUCCESS);
	cr_assert_eq(nd_adapter_create_connector(pair.side[1].adapter, &pair.side[1].connector),
		ND_SUCCESS);
	asked = nd_listener_get_connection_request(pair.listener, pair.side[1].connector, &request);
	connecting = nd_connector_connect(pair.side[0].connector, pair.side[0].endpoint,
		(struct sockaddr *)&address, length, 6, 0, &own[0], sizeof(own[0]), &connect);
	cr_assert_eq(nd_pair_finish(&pair, asked, &request), ND_SUCCESS);
	take_data(1, &remote[1]);
	nd_pair_endpoint(&pair, 1);
	cr_assert_eq(bind_early(1, WRITE, &own[1]), ND_SUCCESS);
	cr_assert_eq(nd_connector_accept(pair.side[1].connector, pair.side[1].endpoint, &own[1],
			     sizeof(own[1]), &accept),
		ND_PENDING);
	cr_assert_eq(nd_pair_finish(&pair, connecting, &connect), ND_SUCCESS);
	take_data(0, &remote[0]);
	cr_assert_eq(nd_pair_finish(&pair,
			     nd_connector_complete_connect(pair.side[0].connector, &complete),
			     &complete),
		ND_SUCCESS);
}

Test(early, windows_in_private_data_work)
{
	struct nd_mw_descriptor remote[2];
	struct nd_result written, read;
	struct nd_sge from, to;

	connect_with_windows(remote);
	from = (struct nd_sge){pair.side[0].memory, 3000, pair.side[0].mr};
	nd_pair_pattern(pair.side[0].memory, 8192, 1);
	cr_assert_eq(nd_endpoint_write(pair.side[0].endpoint, &written, &from, 1, &remote[0], 8, 0),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &written), ND_SUCCESS);
	cr_assert_arr_eq(pair.side[1].memory + 4104, pair.side[0].memory, 3000);
	to = (struct nd_sge){pair.side[1].memory, 4096, pair.side[1].mr};
	cr_assert_eq(nd_endpoint_read(pair.side[1].endpoint, &read, &to, 1, &remote[1], 0, 0),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].outbound, &read), ND_SUCCESS);
	cr_assert_arr_eq(pair.side[1].memory, pair.side[0].memory + 4096, 4096);
}

Test(early, window_has_its_rights_only)
{
	struct nd_mw_descriptor remote[2];
	struct nd_result read;
	struct nd_sge to;

	connect_with_windows(remote);
	to = (struct nd_sge){pair.side[0].memory, 64, pair.side[0].mr};
	cr_assert_eq(nd_endpoint_read(pair.side[0].endpoint, &read, &to, 1, &remote[0], 0, 0),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &read), ND_REMOTE_ERROR);
	cr_assert_eq(nd_pair_counter(&pair, 1, "refused_rights"), 1);
}

Test(early, owner_closes_it)
{
	struct nd_mw_descriptor remote[2];
	struct nd_result closed, written;
	struct nd_sge from;

	connect_with_windows(remote);
	from = (struct nd_sge){pair.side[0].memory, 64, pair.side[0].mr};
	cr_assert_eq(nd_endpoint_write(pair.side[0].endpoint, &written, &from, 1, &remote[0], 0, 0),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &written), ND_SUCCESS);
	cr_assert_eq(
		nd_endpoint_invalidate(pair.side[1].endpoint, &closed, windows[1], 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].outbound, &closed), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_write(pair.side[0].endpoint, &written, &from, 1, &remote[0], 0, 0),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &written), ND_REMOTE_ERROR);
	cr_assert_eq(nd_pair_counter(&pair, 1, "refused_key"), 1);
}

/*
 * Invalid binds before a connection are refused. The release of an endpoint ends the binding of its
 * window.
 */
Test(early, refusals)
{
	struct nd_mw_descriptor descriptor = {0};
	struct nd_side *side = &pair.side[0];
	struct nd_mw_info info;

	nd_pair_endpoint(&pair, 0);
	ASSERT_ND(bind_early(0, 0, &descriptor), ND_INVALID_PARAMETER_6);
	ASSERT_ND(bind_early(0, READ | ND_OP_FLAG_SILENT_SUCCESS, &descriptor),
		ND_INVALID_PARAMETER_6);
	ASSERT_ND(bind_early(0, READ, NULL), ND_INVALID_PARAMETER_7);
	ASSERT_ND(nd_endpoint_bind_early(side->endpoint, side->mr, windows[0],
			  side->memory + side->memory_bytes, 1, READ, &descriptor),
		ND_INVALID_PARAMETER_4);
	cr_assert_eq(descriptor.token, 0, "unchanged");
	cr_assert_eq(bind_early(0, READ, &descriptor), ND_SUCCESS);
	cr_assert_eq(bind_early(0, READ, &descriptor), ND_INVALID_DEVICE_STATE, "bound");
	nd_endpoint_release(side->endpoint);
	side->endpoint = NULL;
	cr_assert_eq(nd_mw_query(side->adapter, windows[0], &info), ND_SUCCESS);
	cr_assert(!info.bound);
}

Test(early, too_late)
{
	struct nd_mw_descriptor descriptor;

	nd_pair_connect(&pair);
	cr_assert_eq(bind_early(0, READ, &descriptor), ND_INVALID_DEVICE_STATE);
	cr_assert_eq(bind_early(1, READ, &descriptor), ND_INVALID_DEVICE_STATE);
}
