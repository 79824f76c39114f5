/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of Network Direct statements (docs/rules.md) about memory windows and their binds, version
 * 1 of the SPI. Side 1 owns the memory.
 */

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "v1_pair.h"

static struct v1_side *const peer = &v1.side[0], *const owner = &v1.side[1];

TestSuite(spi_v1_window, .init = v1_setup, .fini = v1_teardown);

Test(spi_v1_window, nd_001_window_is_created_in_the_invalid_state)
{
	ND_MW_DESCRIPTOR nothing = {htobe64((uintptr_t)owner->memory), htobe64(64), 0};
	ND_RESULT closed;

	V1_OK(INDEndpoint_Invalidate(owner->endpoint, &closed, owner->mw, 0));
	cr_assert_eq(v1_expect(owner->out, &closed), ND_INVALIDATION_ERROR);
	v1_over(&v1);
	v1_reconnect(&v1);
	v1_refused_write(&v1, &nothing);
	v1_reconnect(&v1);
	v1_refused_read(&v1, &nothing);
}

/**
 * Maximum number of windows of an adapter, which is the default of nd_adapter_config.windows_max.
 */
#define WINDOWS_MAX (1u << 20)

Test(spi_v1_window, nd_002_windows_run_out)
{
	INDMemoryWindow **windows = calloc(WINDOWS_MAX + 1, sizeof(INDMemoryWindow *));
	HRESULT status = ND_SUCCESS;
	unsigned int count = 0;
	ND_RESULT result;

	while (count <= WINDOWS_MAX) {
		status = INDAdapter_CreateMemoryWindow(owner->adapter, &result, &windows[count]);
		if (status != ND_SUCCESS)
			break;
		count++;
	}
	cr_assert_eq(status, ND_INSUFFICIENT_RESOURCES);
	cr_assert_null(windows[count]);
	v1_release(windows[--count]);
	windows[count] = v1_window(owner, &result);
	for (unsigned int i = 0; i <= count; i++)
		v1_release(windows[i]);
	free(windows);
}

Test(spi_v1_window, nd_003_nothing_is_made_on_a_removed_device)
{
	INDMemoryWindow *window = NULL;
	INDCompletionQueue *cq = NULL;
	INDConnector *connector = NULL;
	INDListen *listen = NULL;
	OVERLAPPED overlapped = {0};
	ND_MR_HANDLE mr = NULL;
	ND_RESULT result;

	(void)v1_bound(owner, 0, 64, V1_BOTH);
	v1_unplug(1);
	cr_assert_eq(
		INDAdapter_CreateMemoryWindow(owner->adapter, &result, &window), ND_DEVICE_REMOVED);
	cr_assert_eq(INDAdapter_CreateCompletionQueue(owner->adapter, 1, &cq), ND_DEVICE_REMOVED);
	cr_assert_eq(INDAdapter_CreateConnector(owner->adapter, &connector), ND_DEVICE_REMOVED);
	cr_assert_eq(INDAdapter_Listen(owner->adapter, 0, 6, htons(7), NULL, &listen),
		ND_DEVICE_REMOVED);
	cr_assert_eq(INDAdapter_RegisterMemory(owner->adapter, &v1, 8, &overlapped, &mr),
		ND_DEVICE_REMOVED);
	cr_assert_null(mr);
	/*
	 * Calls that release objects still succeed. The end of the suite releases the other
	 * objects.
	 */
	v1_release(owner->mw);
	V1_OK(v1_deregister(owner, owner->mr));
}

Test(spi_v1_window, nd_004_the_accessing_side_needs_no_window)
{
	ND_MW_DESCRIPTOR remote = v1_bound(owner, 4096, 64, V1_BOTH);

	v1_release(peer->mw);
	v1_expect_write(&v1, &remote, 4096);
	v1_expect_read(&v1, &remote, 4096);
}

Test(spi_v1_window, nd_005_bound_window_is_refused_by_another_endpoint)
{
	ND_MW_DESCRIPTOR remote = v1_bound(owner, 4096, 64, V1_BOTH), again;
	INDEndpoint *endpoints[2];
	ND_RESULT bound;

	v1_connect_again(&v1, endpoints);
	cr_assert_eq(INDEndpoint_Bind(endpoints[1], &bound, owner->mr, owner->mw, owner->memory, 64,
			     V1_BOTH, &again),
		ND_INVALID_DEVICE_STATE);
	v1_quiet(owner->out);
	v1_expect_write(&v1, &remote, 4096);
}

Test(spi_v1_window, nd_006_window_goes_to_another_endpoint_after_invalidation)
{
	INDEndpoint *endpoints[2];
	ND_MW_DESCRIPTOR remote;
	ND_RESULT result;

	(void)v1_bound(owner, 0, 64, V1_BOTH);
	v1_connect_again(&v1, endpoints);
	v1_invalidated(owner);
	V1_OK(INDEndpoint_Bind(endpoints[1], &result, owner->mr, owner->mw, owner->memory + 8192,
		64, V1_BOTH, &remote));
	v1_done(owner->out, &result);
	peer->endpoint = endpoints[0];
	v1_expect_write(&v1, &remote, 8192);
}

Test(spi_v1_window, nd_007_window_goes_to_another_range_or_registration)
{
	static uint8_t other[4096];
	ND_MW_DESCRIPTOR remote;
	ND_MR_HANDLE mr;
	ND_RESULT result;

	remote = v1_bound(owner, 0, 64, V1_BOTH);
	v1_expect_write(&v1, &remote, 0);
	v1_invalidated(owner);
	remote = v1_bound(owner, 4096, 128, V1_BOTH);
	v1_expect_write(&v1, &remote, 4096);
	v1_invalidated(owner);
	V1_OK(v1_register(owner, other, sizeof(other), &mr));
	V1_OK(INDEndpoint_Bind(
		owner->endpoint, &result, mr, owner->mw, other, 64, V1_BOTH, &remote));
	v1_done(owner->out, &result);
	peer->memory[0] = 'o';
	V1_OK(v1_write(peer, &result, 0, 1, &remote, 0));
	v1_done(peer->out, &result);
	cr_assert_eq(other[0], 'o');
}

Test(spi_v1_window, refused_bind_stores_no_descriptor)
{
	INDEndpoint *endpoint = v1_endpoint(owner, v1_connector(owner), &v1_limits);
	ND_MW_DESCRIPTOR remote, before;
	ND_RESULT bound;

	memset(&before, 0x5a, sizeof(before));
	remote = before;
	cr_assert_eq(INDEndpoint_Bind(endpoint, &bound, owner->mr, owner->mw, owner->memory, 64,
			     V1_BOTH, &remote),
		ND_CONNECTION_INVALID);
	cr_assert_eq(memcmp(&remote, &before, sizeof(before)), 0);
}

Test(spi_v1_window, nd_008_unconnected_endpoint_does_not_bind)
{
	INDEndpoint *endpoint = v1_endpoint(owner, v1_connector(owner), &v1_limits);
	ND_MW_DESCRIPTOR remote;
	ND_RESULT bound;

	cr_assert_eq(INDEndpoint_Bind(endpoint, &bound, owner->mr, owner->mw, owner->memory, 64,
			     V1_BOTH, &remote),
		ND_CONNECTION_INVALID);
	v1_disconnect(&v1);
	cr_assert_eq(v1_bind(peer, &bound, 0, 64, V1_BOTH, &remote), ND_CONNECTION_INVALID);
	v1_quiet(owner->out);
	v1_quiet(peer->out);
}

/** A function of type v1_post that posts a Bind. */
static HRESULT
bind_post(ND_RESULT *result, DWORD flags, ND_MW_DESCRIPTOR *remote)
{
	return v1_bind(owner, result, 4096, 64, V1_BOTH | flags, remote);
}

Test(spi_v1_window, nd_009_full_queue_does_not_bind)
{
	ND_MW_DESCRIPTOR remote;

	v1_full(&v1, bind_post);
	remote = v1_bound(owner, 4096, 64, V1_BOTH);
	v1_expect_write(&v1, &remote, 4096);
}

static HRESULT
range_bind(ptrdiff_t offset, size_t bytes)
{
	static ND_MW_DESCRIPTOR remote;
	static ND_RESULT bound;

	return INDEndpoint_Bind(owner->endpoint, &bound, owner->mr, owner->mw,
		(const void *)((uintptr_t)owner->memory + (uintptr_t)offset), bytes, V1_BOTH,
		&remote);
}

Test(spi_v1_window, nd_010_range_outside_the_registration_is_refused)
{
	ND_MW_DESCRIPTOR remote;

	cr_assert_eq(range_bind(0, V1_BYTES + 1), ND_INVALID_PARAMETER_5);
	cr_assert_eq(range_bind(1, V1_BYTES), ND_INVALID_PARAMETER_5);
	cr_assert_eq(range_bind(V1_BYTES - 1, 2), ND_INVALID_PARAMETER_5);
	cr_assert_eq(range_bind(0, SIZE_MAX), ND_INVALID_PARAMETER_5);
	cr_assert_eq(range_bind(0, 0), ND_INVALID_PARAMETER_5);
	v1_quiet(owner->out);
	remote = v1_bound(owner, 0, V1_BYTES, V1_BOTH);
	v1_expect_write(&v1, &remote, 0);
}

Test(spi_v1_window, nd_032_range_that_begins_outside_is_refused)
{
	cr_assert_eq(range_bind(-1, 64), ND_INVALID_PARAMETER_4);
	cr_assert_eq(range_bind(-1, V1_BYTES + 2), ND_INVALID_PARAMETER_4);
	cr_assert_eq(range_bind(V1_BYTES, 1), ND_INVALID_PARAMETER_4);
	v1_quiet(owner->out);
	(void)v1_bound(owner, V1_BYTES - 1, 1, V1_BOTH);
}

Test(spi_v1_window, nd_011_allow_read_alone)
{
	ND_MW_DESCRIPTOR remote = v1_bound(owner, 4096, 64, ND_OP_FLAG_ALLOW_READ);

	v1_expect_read(&v1, &remote, 4096);
	v1_refused_write(&v1, &remote);
}

Test(spi_v1_window, nd_012_allow_write_alone)
{
	ND_MW_DESCRIPTOR remote = v1_bound(owner, 4096, 64, ND_OP_FLAG_ALLOW_WRITE);

	v1_expect_write(&v1, &remote, 4096);
	v1_refused_read(&v1, &remote);
}

Test(spi_v1_window, nd_013_both_rights)
{
	ND_MW_DESCRIPTOR remote = v1_bound(owner, 4096, 64, V1_BOTH);

	v1_expect_read(&v1, &remote, 4096);
	v1_expect_write(&v1, &remote, 4096);
}

Test(spi_v1_window, nd_014_bind_without_a_right_is_refused)
{
	ND_MW_DESCRIPTOR remote;
	ND_RESULT bound;

	cr_assert_eq(v1_bind(owner, &bound, 0, 64, 0, &remote), ND_INVALID_PARAMETER_6);
	cr_assert_eq(v1_bind(owner, &bound, 0, 64, ND_OP_FLAG_SILENT_SUCCESS, &remote),
		ND_INVALID_PARAMETER_6);
	v1_quiet(owner->out);
	v1_alive(&v1);
}

Test(spi_v1_window, nd_015_bind_gives_one_result)
{
	ND_MW_DESCRIPTOR remote;
	ND_RESULT bound = {.Status = ND_FAILURE};

	V1_OK(v1_bind(owner, &bound, 0, 64, V1_BOTH, &remote));
	v1_done(owner->out, &bound);
	v1_quiet(owner->out);
	v1_quiet(owner->in);
}

Test(spi_v1_window, nd_016_silent_bind_gives_no_result)
{
	ND_MW_DESCRIPTOR remote;
	ND_RESULT bound;

	V1_OK(v1_bind(owner, &bound, 4096, 64, V1_BOTH | ND_OP_FLAG_SILENT_SUCCESS, &remote));
	v1_quiet(owner->out);
	v1_quiet(owner->in);
	v1_expect_write(&v1, &remote, 4096);
}

Test(spi_v1_window, nd_017_silent_bind_that_fails_gives_a_result)
{
	ND_MW_DESCRIPTOR source = v1_bound(peer, 0, 64, V1_BOTH), remote;
	ND_RESULT read, bound;

	v1_hold();
	V1_OK(v1_read(owner, &read, 1024, 64, &source, 0));
	V1_OK(v1_bind(owner, &bound, 4096, 64,
		V1_BOTH | ND_OP_FLAG_SILENT_SUCCESS | ND_OP_FLAG_READ_FENCE, &remote));
	V1_OK(INDEndpoint_Flush(owner->endpoint));
	v1_let();
	cr_assert_eq(v1_expect(owner->out, &read), ND_CANCELED);
	cr_assert_eq(v1_expect(owner->out, &bound), ND_CANCELED);
}

Test(spi_v1_window, nd_019_fenced_bind_waits_for_earlier_reads)
{
	HRESULT status;

	cr_assert(v1_past_a_read(&v1, bind_post, 0, &status), "bound although a Read is open");
	cr_assert_eq(status, ND_SUCCESS);
	v1_reconnect(&v1);
	cr_assert_not(v1_past_a_read(&v1, bind_post, ND_OP_FLAG_READ_FENCE, &status),
		"the window was open before the Read was complete");
	cr_assert_eq(status, ND_REMOTE_ERROR);
}

Test(spi_v1_window, nd_020_descriptor_is_filled_when_bind_returns)
{
	ND_MW_DESCRIPTOR remote, copy;
	ND_RESULT bound;

	memset(&remote, 0, sizeof(remote));
	v1_hold();
	V1_OK(v1_bind(owner, &bound, 4096, 64, V1_BOTH, &remote));
	copy = remote;
	v1_let();
	cr_assert_neq(copy.Length, 0);
	v1_done(owner->out, &bound);
	cr_assert_eq(memcmp(&copy, &remote, sizeof(copy)), 0);
	v1_expect_write(&v1, &copy, 4096);
}

Test(spi_v1_window, nd_021_descriptor_is_in_network_byte_order)
{
	ND_MW_DESCRIPTOR remote = v1_bound(owner, 4096, 0x1234, V1_BOTH);
	const uint8_t *bytes = (const uint8_t *)&remote;

	cr_assert_eq(sizeof(remote), 20);
	cr_assert_eq(be64toh(remote.Length), 0x1234);
	cr_assert_eq(bytes[14], 0x12);
	cr_assert_eq(bytes[15], 0x34);
	cr_assert_eq(be64toh(remote.Base), (uintptr_t)owner->memory + 4096);
}

/**
 * Bind the owner's window, and send its descriptor directly after the bind. @return the descriptor
 * that the peer received
 */
static ND_MW_DESCRIPTOR
told_descriptor(void)
{
	ND_RESULT received, bound, sent;
	ND_MW_DESCRIPTOR remote;
	ND_SGE sge;

	V1_OK(v1_receive(peer, &received, 128, sizeof(remote)));
	V1_OK(v1_bind(owner, &bound, 4096, 64, V1_BOTH, &remote));
	memcpy(owner->memory + 77, &remote, sizeof(remote));
	sge = v1_sge(owner, 77, sizeof(remote));
	V1_OK(INDEndpoint_Send(owner->endpoint, &sent, &sge, 1, 0));
	v1_done(peer->in, &received);
	memcpy(&remote, peer->memory + 128, sizeof(remote));
	v1_expect_write(&v1, &remote, 4096);
	v1_done(owner->out, &bound);
	v1_done(owner->out, &sent);
	return remote;
}

Test(spi_v1_window, nd_022_descriptor_is_usable_when_its_message_arrives)
{
	for (unsigned int i = 0; i < 50; i++) {
		(void)told_descriptor();
		v1_invalidated(owner);
	}
}

Test(spi_v1_window, nd_030_token_travels_byte_for_byte)
{
	ND_MW_DESCRIPTOR told = told_descriptor(), swapped = told;

	swapped.Token = __builtin_bswap32(told.Token);
	v1_expect_read(&v1, &told, 4096);
	v1_refused_write(&v1, &swapped);
}

Test(spi_v1_window, nd_023_overlapping_windows_have_their_own_rights)
{
	static ND_RESULT invalidated;
	ND_MW_DESCRIPTOR reads = v1_bound(owner, 4096, 4096, ND_OP_FLAG_ALLOW_READ), writes;

	owner->mw = v1_window(owner, &invalidated);
	writes = v1_bound(owner, 4160, 4096, ND_OP_FLAG_ALLOW_WRITE);
	v1_expect_read(&v1, &reads, 4096);
	v1_expect_write(&v1, &writes, 4160);
	v1_refused_write(&v1, &reads);
}

Test(spi_v1_window, nd_024_window_of_another_adapter_object_is_refused)
{
	INDAdapter *adapter = NULL;
	INDMemoryWindow *window = NULL;
	ND_MW_DESCRIPTOR remote;
	ND_RESULT bound, invalidated;

	cr_assert_eq(NdOpenV1Adapter(
			     (struct sockaddr *)&owner->address, sizeof(owner->address), &adapter),
		S_OK);
	V1_OK(INDAdapter_CreateMemoryWindow(adapter, &invalidated, &window));
	cr_assert_eq(INDEndpoint_Bind(owner->endpoint, &bound, owner->mr, window, owner->memory, 64,
			     V1_BOTH, &remote),
		ND_INVALID_PARAMETER_3);
	cr_assert_eq(INDEndpoint_Bind(owner->endpoint, &bound, owner->mr, peer->mw, owner->memory,
			     64, V1_BOTH, &remote),
		ND_INVALID_PARAMETER_3);
	v1_quiet(owner->out);
	v1_release(window);
	v1_release(adapter);
}

Test(spi_v1_window, nd_025_bound_memory_is_busy)
{
	(void)v1_bound(owner, 0, 64, V1_BOTH);
	cr_assert_eq(v1_deregister(owner, owner->mr), ND_DEVICE_BUSY);
	v1_invalidated(owner);
	V1_OK(v1_deregister(owner, owner->mr));
}

Test(spi_v1_window, nd_026_busy_is_said_at_once)
{
	OVERLAPPED overlapped = {.Internal = 77};

	(void)v1_bound(owner, 0, 64, V1_BOTH);
	cr_assert_eq(INDAdapter_DeregisterMemory(owner->adapter, owner->mr, &overlapped),
		ND_DEVICE_BUSY);
}

Test(spi_v1_window, nd_036_never_connected_endpoint_does_not_bind)
{
	INDEndpoint *endpoint = v1_endpoint(owner, v1_connector(owner), &v1_limits);
	ND_MW_DESCRIPTOR remote;
	ND_RESULT bound;

	cr_assert_eq((uint32_t)INDEndpoint_Bind(endpoint, &bound, owner->mr, owner->mw,
			     owner->memory, 64, V1_BOTH, &remote),
		0xC000023Au);
}

Test(spi_v1_window, nd_040_silent_success_hides_successes_only)
{
	ND_MW_DESCRIPTOR remote = v1_bound(owner, 4096, 64, ND_OP_FLAG_ALLOW_READ);
	ND_RESULT results[2];

	V1_OK(v1_read(peer, &results[0], 0, 64, &remote, ND_OP_FLAG_SILENT_SUCCESS));
	v1_quiet(peer->out);
	V1_OK(v1_write(peer, &results[1], 0, 64, &remote, ND_OP_FLAG_SILENT_SUCCESS));
	cr_assert_eq(v1_expect(peer->out, &results[1]), ND_REMOTE_ERROR);
}

Test(spi_v1_window, nd_041_rights_need_the_token)
{
	ND_MW_DESCRIPTOR remote = v1_bound(owner, 4096, 64, V1_BOTH);

	v1_expect_write(&v1, &remote, 4096);
	remote.Token ^= htobe32(1);
	v1_refused_read(&v1, &remote);
}

Test(spi_v1_window, nd_042_flags_have_the_numbers_of_user_mode)
{
	ND_MW_DESCRIPTOR remote = v1_bound(owner, 4096, 64, 0x10);
	ND_RESULT sent;

	v1_expect_write(&v1, &remote, 4096);
	/*
	 * 0x20 is one bit of the kernel interface's remote write right. Version 1 does not define
	 * it.
	 */
	cr_assert_eq(v1_send(owner, &sent, 0, 8, 0x20), ND_INVALID_PARAMETER_4);
	cr_assert_eq(v1_bind(peer, &sent, 0, 64, 0x30, &remote), ND_INVALID_PARAMETER_6);
}
