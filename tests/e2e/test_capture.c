/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Captures of the stack's own traffic. Each test writes one file with the name of the test. wire.py
 * evaluates the files with tshark and ndreplay, and compares them with captures of Linux. As far as
 * possible, the tests do the same operations as the captures of pcap_fixtures. The environment
 * variable NDPDK_CAPTURES is the path of the folder for the files. Without this variable, the tests
 * run but keep no files.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <ndpdk/nd_extension.h>

#include "recorder.h"
#include "support/nd_pair.h"
#include "wire/opcode.h"

#define READ_WRITE (ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE)

static struct nd_pair pair;
static struct nd_result received[64];

static void
open_recorded(const char *name, const struct nd_pair_config *config)
{
	const char *folder = getenv("NDPDK_CAPTURES");
	char path[512] = "/dev/null";

	if (folder != NULL)
		snprintf(path, sizeof(path), "%s/%s.pcap", folder, name);
	nd_pair_open(&pair, config);
	cr_assert(recorder_start(path), "%s cannot be recorded", path);
}

static void
connect_recorded(const char *name, const struct nd_pair_config *config)
{
	open_recorded(name, config);
	nd_pair_connect(&pair);
}

/** Receive all frames that are in flight, then close the pair and the capture file. */
static void
close_recorded(unsigned int frames_min)
{
	unsigned int frames;

	for (unsigned int i = 0; i < 1000; i++)
		nd_pair_poll(&pair);
	frames = recorder_stop();
	cr_assert_geq(
		frames, frames_min, "%u frames were recorded, %u expected", frames, frames_min);
	nd_pair_close(&pair);
}

static void
disconnect(unsigned int side)
{
	struct nd_overlapped overlapped = {0};

	cr_assert_eq(nd_pair_finish(&pair,
			     nd_connector_disconnect(pair.side[side].connector, &overlapped),
			     &overlapped),
		ND_SUCCESS);
}

static void
receives_post(unsigned int side, unsigned int count)
{
	struct nd_sge sge = {
		pair.side[side].memory, pair.side[side].memory_bytes, pair.side[side].mr};

	for (unsigned int i = 0; i < count; i++)
		cr_assert_eq(nd_endpoint_receive(pair.side[side].endpoint, &received[i], &sge, 1),
			ND_SUCCESS);
}

/**
 * Post count messages of this size at once on side 0. The messages with odd numbers have these
 * flags.
 */
static void
sends(unsigned int count, size_t bytes, uint32_t flags)
{
	struct nd_sge sge = {pair.side[0].memory, bytes, pair.side[0].mr};
	struct nd_result sent[64], *got[64];

	for (unsigned int i = 0; i < count; i++)
		cr_assert_eq(nd_endpoint_send(pair.side[0].endpoint, &sent[i], &sge, bytes > 0,
				     i & 1 ? flags : 0),
			ND_SUCCESS);
	nd_pair_take(&pair, pair.side[1].inbound, got, count);
	nd_pair_take(&pair, pair.side[0].outbound, got, count);
	for (unsigned int i = 0; i < count; i++)
		cr_assert_eq(got[i]->status, ND_SUCCESS);
}

static nd_status
write_window(const struct nd_mw_descriptor *window, uint64_t offset, size_t bytes)
{
	struct nd_sge sge = {pair.side[0].memory, bytes, pair.side[0].mr};
	struct nd_result result;

	cr_assert_eq(nd_endpoint_write(
			     pair.side[0].endpoint, &result, &sge, bytes > 0, window, offset, 0),
		ND_SUCCESS);
	return nd_pair_result(&pair, pair.side[0].outbound, &result);
}

static nd_status
read_window(const struct nd_mw_descriptor *window, uint64_t offset, size_t bytes)
{
	struct nd_sge sge = {pair.side[0].memory, bytes, pair.side[0].mr};
	struct nd_result result;

	cr_assert_eq(nd_endpoint_read(
			     pair.side[0].endpoint, &result, &sge, bytes > 0, window, offset, 0),
		ND_SUCCESS);
	return nd_pair_result(&pair, pair.side[0].outbound, &result);
}

static struct nd_mw *
window_open(uint32_t flags, struct nd_mw_descriptor *window)
{
	return nd_pair_bind(&pair, 1, 0, pair.side[1].memory_bytes, flags, window);
}

/** Start a connect on side 0 and wait until side 1 has the request. */
static void
request_arrive(const void *data, size_t bytes, struct nd_overlapped *connect)
{
	struct nd_overlapped request = {0};
	struct sockaddr_storage address;
	socklen_t length;
	nd_status asked;

	nd_pair_listen(&pair);
	nd_pair_endpoint(&pair, 0);
	length = nd_pair_address(&pair, &address);
	cr_assert_eq(nd_adapter_create_connector(pair.side[1].adapter, &pair.side[1].connector),
		ND_SUCCESS);
	asked = nd_listener_get_connection_request(pair.listener, pair.side[1].connector, &request);
	cr_assert_eq(nd_connector_connect(pair.side[0].connector, pair.side[0].endpoint,
			     (struct sockaddr *)&address, length, 6, 0, data, bytes, connect),
		ND_PENDING);
	cr_assert_eq(nd_pair_finish(&pair, asked, &request), ND_SUCCESS);
}

static void
reject_with_data(const char *name, bool v6)
{
	struct nd_overlapped connect = {0};

	open_recorded(name, &(struct nd_pair_config){.v6 = v6});
	request_arrive("why", 3, &connect);
	cr_assert_eq(nd_connector_reject(pair.side[1].connector, "because", 7), ND_SUCCESS);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &connect), ND_CONNECTION_REFUSED);
	close_recorded(2);
}

static void
all_operations(void)
{
	struct nd_mw_descriptor window;

	window_open(READ_WRITE, &window);
	receives_post(1, 4);
	sends(2, 300, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	cr_assert_eq(write_window(&window, 1, 300), ND_SUCCESS);
	cr_assert_eq(write_window(&window, 0, 10000), ND_SUCCESS);
	cr_assert_eq(read_window(&window, 2, 301), ND_SUCCESS);
	cr_assert_eq(read_window(&window, 0, 10000), ND_SUCCESS);
	sends(2, 10000, 0);
	disconnect(0);
}

Test(capture, send)
{
	connect_recorded("send", &(struct nd_pair_config){.path_mtu = 1024});
	receives_post(1, 2);
	sends(2, 65536, 0);
	disconnect(0);
	close_recorded(5 + 2 * 64 + 1);
}

Test(capture, send_mtu256)
{
	connect_recorded("send_mtu256", &(struct nd_pair_config){.path_mtu = 256});
	receives_post(1, 2);
	sends(2, 65536, 0);
	disconnect(0);
	close_recorded(5 + 2 * 256 + 1);
}

Test(capture, send_odd)
{
	static const size_t sizes[] = {1, 2, 3, 5, 1023, 1025};

	connect_recorded("send_odd", &(struct nd_pair_config){.path_mtu = 1024});
	for (unsigned int i = 0; i < 6; i++) {
		receives_post(1, 2);
		sends(2, sizes[i], 0);
	}
	disconnect(0);
	close_recorded(20);
}

Test(capture, send_zero)
{
	connect_recorded("send_zero", &(struct nd_pair_config){.path_mtu = 4096});
	receives_post(1, 3);
	sends(3, 0, 0);
	disconnect(0);
	close_recorded(9);
}

Test(capture, solicited)
{
	connect_recorded("solicited", &(struct nd_pair_config){.path_mtu = 4096});
	receives_post(1, 6);
	sends(6, 64, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	disconnect(0);
	close_recorded(12);
}

Test(capture, write)
{
	struct nd_mw_descriptor window;

	connect_recorded("write", &(struct nd_pair_config){.path_mtu = 4096});
	window_open(READ_WRITE, &window);
	cr_assert_eq(write_window(&window, 0, 65536), ND_SUCCESS);
	cr_assert_eq(write_window(&window, 0, 65536), ND_SUCCESS);
	receives_post(1, 1);
	sends(1, 16, 0);
	disconnect(0);
	close_recorded(5 + 2 * 16 + 2);
}

Test(capture, write_zero)
{
	struct nd_mw_descriptor window;

	connect_recorded("write_zero", &(struct nd_pair_config){.path_mtu = 4096});
	window_open(READ_WRITE, &window);
	for (unsigned int i = 0; i < 3; i++)
		cr_assert_eq(write_window(&window, 0, 0), ND_SUCCESS);
	receives_post(1, 1);
	sends(1, 16, 0);
	disconnect(0);
	close_recorded(9);
}

Test(capture, read)
{
	struct nd_mw_descriptor window;

	connect_recorded("read", &(struct nd_pair_config){.path_mtu = 1024});
	window_open(READ_WRITE, &window);
	cr_assert_eq(read_window(&window, 0, 65536), ND_SUCCESS);
	cr_assert_eq(read_window(&window, 0, 65536), ND_SUCCESS);
	receives_post(1, 1);
	sends(1, 16, 0);
	disconnect(0);
	close_recorded(5 + 2 * 64 + 2);
}

Test(capture, read_odd)
{
	static const size_t sizes[] = {1, 2, 3, 5, 1023, 1025};
	struct nd_mw_descriptor window;

	connect_recorded("read_odd", &(struct nd_pair_config){.path_mtu = 1024});
	window_open(READ_WRITE, &window);
	for (unsigned int i = 0; i < 6; i++)
		cr_assert_eq(read_window(&window, i, sizes[i]), ND_SUCCESS);
	receives_post(1, 1);
	sends(1, 16, 0);
	disconnect(0);
	close_recorded(18);
}

Test(capture, window)
{
	struct nd_mw_descriptor window;
	struct nd_result sent;

	connect_recorded("window", &(struct nd_pair_config){.path_mtu = 4096});
	window_open(READ_WRITE, &window);
	receives_post(1, 2);
	for (unsigned int i = 0; i < 3; i++)
		cr_assert_eq(write_window(&window, 0, 100), ND_SUCCESS);
	cr_assert_eq(read_window(&window, 0, 100), ND_SUCCESS);
	cr_assert_eq(
		nd_endpoint_send_and_invalidate(pair.side[0].endpoint, &sent, NULL, 0, &window, 0),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
	cr_assert_eq(write_window(&window, 0, 100), ND_REMOTE_ERROR);
	close_recorded(15);
}

Test(capture, window_read_only)
{
	struct nd_mw_descriptor window;

	connect_recorded("window_read_only", &(struct nd_pair_config){.path_mtu = 4096});
	window_open(ND_OP_FLAG_ALLOW_READ, &window);
	cr_assert_eq(read_window(&window, 0, 100), ND_SUCCESS);
	cr_assert_eq(write_window(&window, 0, 100), ND_REMOTE_ERROR);
	close_recorded(9);
}

static void
immediate_take(unsigned int count)
{
	struct nd_result *got[64];

	nd_pair_take(&pair, pair.side[1].inbound, got, count);
	for (unsigned int i = 0; i < count; i++)
		cr_assert_eq(got[i]->status, ND_SUCCESS);
}

Test(capture, send_imm)
{
	static const size_t sizes[] = {1500, 1500, 7, 0};
	struct nd_result sent;

	connect_recorded("send_imm", &(struct nd_pair_config){.path_mtu = 1024});
	receives_post(1, 4);
	for (unsigned int i = 0; i < 4; i++) {
		struct nd_sge sge = {pair.side[0].memory, sizes[i], pair.side[0].mr};

		cr_assert_eq(nd_endpoint_send_with_imm(pair.side[0].endpoint, &sent, &sge,
				     sizes[i] > 0, 0x01020304 + i, 0),
			ND_SUCCESS);
		cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
	}
	immediate_take(4);
	disconnect(0);
	close_recorded(13);
}

static void
writes_imm(const char *name, size_t bytes)
{
	struct nd_mw_descriptor window;
	struct nd_result written;
	struct nd_sge sge = {0};

	connect_recorded(name, &(struct nd_pair_config){.path_mtu = 4096});
	window_open(READ_WRITE, &window);
	receives_post(1, 3);
	sge = (struct nd_sge){pair.side[0].memory, bytes, pair.side[0].mr};
	for (unsigned int i = 0; i < 3; i++) {
		cr_assert_eq(nd_endpoint_write_with_imm(pair.side[0].endpoint, &written, &sge,
				     bytes > 0, &window, 0, 0x01020304 + i, 0),
			ND_SUCCESS);
		cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &written), ND_SUCCESS);
	}
	immediate_take(3);
	disconnect(0);
	close_recorded(11);
}

Test(capture, write_imm)
{
	writes_imm("write_imm", 9000);
}

Test(capture, write_imm_zero)
{
	writes_imm("write_imm_zero", 0);
}

static void
atomics(const char *name, bool swap)
{
	struct nd_mw_descriptor window;
	struct nd_result result;
	struct nd_sge original = {0};

	connect_recorded(name, &(struct nd_pair_config){.path_mtu = 4096});
	window_open(ND_OP_FLAG_ALLOW_ATOMIC, &window);
	original = (struct nd_sge){pair.side[0].memory, 8, pair.side[0].mr};
	/* Use an offset at which the address is a multiple of 8. */
	uint64_t offset = -(uintptr_t)pair.side[1].memory & 7;
	for (unsigned int i = 0; i < 6; i++) {
		nd_status status = swap ? nd_endpoint_compare_and_swap(pair.side[0].endpoint,
						  &result, &original, &window, offset, i, i + 1, 0)
					: nd_endpoint_fetch_and_add(pair.side[0].endpoint, &result,
						  &original, &window, offset, 3, 0);

		cr_assert_eq(status, ND_SUCCESS, "%s", nd_status_name(status));
		cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &result), ND_SUCCESS);
	}
	receives_post(1, 1);
	sends(1, 16, 0);
	disconnect(0);
	close_recorded(5 + 2 * 6 + 2);
}

Test(capture, fetch_add)
{
	atomics("fetch_add", false);
}

Test(capture, compare_swap)
{
	atomics("compare_swap", true);
}

Test(capture, receiver_not_ready)
{
	struct nd_result sent;
	struct nd_sge sge = {0};

	connect_recorded("receiver_not_ready", &(struct nd_pair_config){.path_mtu = 4096});
	sge = (struct nd_sge){pair.side[0].memory, 100, pair.side[0].mr};
	cr_assert_eq(nd_endpoint_send(pair.side[0].endpoint, &sent, &sge, 1, 0), ND_SUCCESS);
	for (unsigned int i = 0; i < 100; i++)
		nd_pair_poll(&pair);
	receives_post(1, 1);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
	disconnect(0);
	close_recorded(9);
}

Test(capture, lost_send)
{
	connect_recorded("lost_send", &(struct nd_pair_config){.path_mtu = 1024});
	receives_post(1, 8);
	recorder_lose(1, WIRE_RC_SEND_MIDDLE, 7, 1);
	sends(8, 5000, 0);
	disconnect(0);
	close_recorded(50);
}

Test(capture, lost_read)
{
	struct nd_mw_descriptor window;

	connect_recorded("lost_read", &(struct nd_pair_config){.path_mtu = 1024});
	window_open(READ_WRITE, &window);
	recorder_lose(0, WIRE_RC_READ_RESPONSE_MIDDLE, 2, 1);
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(read_window(&window, 0, 8000), ND_SUCCESS);
	receives_post(1, 1);
	sends(1, 16, 0);
	disconnect(0);
	close_recorded(25);
}

Test(capture, passive_disconnects)
{
	connect_recorded("passive_disconnects", &(struct nd_pair_config){.path_mtu = 4096});
	receives_post(1, 4);
	sends(4, 64, 0);
	disconnect(1);
	close_recorded(9);
}

Test(capture, reject)
{
	reject_with_data("reject", false);
}

Test(capture, reject_v6)
{
	reject_with_data("reject_v6", true);
}

Test(capture, nobody_listens)
{
	struct nd_overlapped connect = {0};
	struct sockaddr_storage address;
	socklen_t length;

	open_recorded("nobody_listens", &(struct nd_pair_config){.path_mtu = 4096});
	pair.listen_port = 4000;
	length = nd_pair_address(&pair, &address);
	nd_pair_endpoint(&pair, 0);
	cr_assert_eq(nd_pair_finish(&pair,
			     nd_connector_connect(pair.side[0].connector, pair.side[0].endpoint,
				     (struct sockaddr *)&address, length, 6, 0, NULL, 0, &connect),
			     &connect),
		ND_CONNECTION_REFUSED);
	close_recorded(2);
}

Test(capture, slow_accept)
{
	struct nd_overlapped connect = {0}, accept = {0}, complete = {0};
	nd_status accepting;

	open_recorded("slow_accept", &(struct nd_pair_config){.path_mtu = 4096});
	request_arrive(NULL, 0, &connect);
	/*
	 * Side 0 retransmits the request after 250 ms, and side 1 answers the retransmission with
	 * an MRA.
	 */
	for (unsigned int i = 0; i < 400; i++) {
		nd_pair_poll(&pair);
		usleep(1000);
	}
	nd_pair_endpoint(&pair, 1);
	accepting = nd_connector_accept(
		pair.side[1].connector, pair.side[1].endpoint, "accepted", 8, &accept);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &connect), ND_SUCCESS);
	cr_assert_eq(nd_pair_finish(&pair,
			     nd_connector_complete_connect(pair.side[0].connector, &complete),
			     &complete),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_finish(&pair, accepting, &accept), ND_SUCCESS);
	disconnect(0);
	close_recorded(7);
}

Test(capture, mixed_v6)
{
	connect_recorded("mixed_v6", &(struct nd_pair_config){.path_mtu = 1024, .v6 = true});
	all_operations();
	close_recorded(55);
}

Test(capture, mixed_vlan)
{
	connect_recorded("mixed_vlan", &(struct nd_pair_config){.path_mtu = 1024, .vlan_id = 77});
	all_operations();
	close_recorded(55);
}

Test(capture, mixed_vlan_v6)
{
	connect_recorded("mixed_vlan_v6",
		&(struct nd_pair_config){.path_mtu = 4096, .v6 = true, .vlan_id = 77});
	all_operations();
	close_recorded(20);
}
