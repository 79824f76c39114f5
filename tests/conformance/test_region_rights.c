/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of Network Direct statements (docs/rules.md) about memory regions with rights and tokens,
 * as in ND v2 and NDK. The tests use the native calls that serve both (nd_region.h). Other files of
 * this folder test the same statements for memory that is registered without rights.
 */

#include <pthread.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include <rte_byteorder.h>

#include <ndpdk/nd_region.h>

#include "access.h"

#define LOCAL  ND_MR_FLAG_ALLOW_LOCAL_WRITE
#define SINK   ND_MR_FLAG_RDMA_READ_SINK
#define REMOTE (ND_MR_FLAG_ALLOW_REMOTE_READ | ND_MR_FLAG_ALLOW_REMOTE_WRITE)

#define THREADS       4
#define THREAD_ROUNDS 200
#define MAX_BYTES     (UINT64_C(1) << 47)

static struct nd_result invalidated;

TestSuite(nd_region, .init = scene_connected, .fini = scene_close);

static nd_status
try_region(void *buffer, size_t size, uint32_t flags, struct nd_mr **mr)
{
	const struct nd_buffer one = {buffer, size};

	return nd_adapter_register_region(
		scene.side[OWNER].adapter, &one, 1, NULL, flags, NULL, mr);
}

/**
 * Register the owner's memory again, with these rights. The scene then binds its windows to the new
 * region.
 */
static struct nd_mr *
region(uint32_t flags)
{
	struct nd_side *owner = &scene.side[OWNER];
	struct nd_mr *mr = NULL;

	ASSERT_ND(try_region(owner->memory, SCENE_BYTES, flags, &mr), ND_SUCCESS);
	owner->mr = mr;
	return mr;
}

static nd_status
deregister(struct nd_mr *mr)
{
	return nd_adapter_deregister_memory(scene.side[OWNER].adapter, mr, NULL);
}

static struct nd_mw_descriptor
key_of(const struct nd_mr *mr, size_t offset, size_t bytes)
{
	struct nd_mw_descriptor key = {
		.base = rte_cpu_to_be_64((uintptr_t)scene.side[OWNER].memory + offset),
		.length = rte_cpu_to_be_64(bytes)};
	uint32_t token = 0;

	ASSERT_ND(nd_mr_get_remote_token(scene.side[OWNER].adapter, mr, &token), ND_SUCCESS);
	key.token = token;
	return key;
}

/*
 * ND-025, ND-026: a deregistration returns DEVICE_BUSY while a window is bound, and succeeds after
 * the window was invalidated.
 */
Test(nd_region, region_nd_025_bound_memory_stays_registered)
{
	struct nd_mr *mr = region(REMOTE);
	struct nd_mw *mw = scene_window(OWNER, &invalidated);
	struct nd_mw_descriptor window, key = key_of(mr, 0, 64);

	cr_assert_eq(ND_DEVICE_BUSY, ND_STATUS(0x80000011u));
	scene_bind(mw, 0, 64, READ_WRITE, &window);
	ASSERT_ND(deregister(mr), ND_DEVICE_BUSY);
	access_expect_write(&window, 0, 64);
	access_expect_write(&key, 0, 64);
	ASSERT_ND(scene_invalidate(mw), ND_SUCCESS);
	ASSERT_ND(deregister(mr), ND_SUCCESS);
	access_expect_write_refused(&key, 0);
}

/*
 * ND-027: a bind with ALLOW_WRITE to a region without ALLOW_LOCAL_WRITE returns ACCESS_VIOLATION.
 */
Test(nd_region, region_nd_027_window_needs_local_write)
{
	static const uint32_t without[] = {
		0, SINK, ND_MR_FLAG_ALLOW_REMOTE_READ, SINK | ND_MR_FLAG_ALLOW_REMOTE_READ};
	struct nd_mw *mw = scene_window(OWNER, &invalidated);
	struct nd_mw_descriptor window;
	struct nd_result bound;

	cr_assert_eq(ND_ACCESS_VIOLATION, ND_STATUS(0xC0000005u));
	for (size_t i = 0; i < RTE_DIM(without); i++) {
		region(without[i]);
		ASSERT_ND(scene_bind_post(&bound, mw, 0, 64, ND_OP_FLAG_ALLOW_WRITE, &window),
			ND_ACCESS_VIOLATION);
		ASSERT_ND(scene_bind_post(&bound, mw, 0, 64, READ_WRITE, &window),
			ND_ACCESS_VIOLATION);
		nd_pair_quiet(&scene, scene.side[OWNER].outbound);
		scene_bind(mw, 0, 64, ND_OP_FLAG_ALLOW_READ, &window);
		access_expect_read(&window, 0, 64);
		ASSERT_ND(scene_invalidate(mw), ND_SUCCESS);
	}
}

/* ND-028: a window with READ|WRITE can be bound to a region without remote flags. */
Test(nd_region, region_nd_028_window_needs_no_remote_flags)
{
	struct nd_mw_descriptor window;
	uint32_t token = 7;

	region(LOCAL | SINK);
	scene_bind(scene_window(OWNER, &invalidated), 64, 128, READ_WRITE, &window);
	access_expect_read(&window, 64, 128);
	access_expect_write(&window, 64, 128);
	ASSERT_ND(nd_mr_get_remote_token(scene.side[OWNER].adapter, scene.side[OWNER].mr, &token),
		ND_ACCESS_VIOLATION);
	cr_assert_eq(token, 7);
}

/* ND-029: the token is valid as soon as the registration has returned. */
Test(nd_region, region_nd_029_token_is_there_at_once)
{
	struct nd_mw_descriptor key = key_of(region(REMOTE), 0, 64);

	access_expect_write(&key, 0, 64);
	access_expect_read(&key, 0, 64);
}

/* ND-030: a token is valid for the peer after it was copied as bytes from a message. */
Test(nd_region, region_nd_030_token_travels_as_bytes)
{
	struct nd_side *owner = &scene.side[OWNER], *peer = &scene.side[PEER];
	struct nd_mw_descriptor key = key_of(region(REMOTE), 0, 64);
	uint32_t token = key.token;
	struct nd_sge out = {&token, sizeof(token), NULL};
	struct nd_sge in = {peer->memory + 1, sizeof(token), peer->mr};
	struct nd_result sent, received;

	ASSERT_ND(nd_endpoint_receive(peer->endpoint, &received, &in, 1), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_send(owner->endpoint, &sent, &out, 1, 0), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, peer->inbound, &received), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, owner->outbound, &sent), ND_SUCCESS);
	key.token = 0;
	memcpy(&key.token, peer->memory + 1, sizeof(token));
	access_expect_write(&key, 0, 64);
}

/* ND-031: the remote address of a byte is its address in the owner's memory, not an offset. */
Test(nd_region, region_nd_031_address_is_the_owner_s)
{
	struct nd_mr *mr = region(REMOTE);
	struct nd_mw_descriptor key = key_of(mr, 1000, 64);

	access_expect_write(&key, 1000, 64);
	key.base = rte_cpu_to_be_64(1000);
	access_expect_write_refused(&key, 0);
}

/* ND-041: without a valid token the peer has no access, whatever rights the region has. */
Test(nd_region, region_nd_041_rights_need_a_valid_token)
{
	struct nd_mw_descriptor key = key_of(region(REMOTE), 0, 64);

	for (unsigned int bit = 0; bit < 32; bit += 5) {
		struct nd_mw_descriptor other = key;

		other.token ^= UINT32_C(1) << bit;
		access_expect_write_refused(&other, 0);
		scene_reconnect();
	}
	access_expect_write(&key, 0, 64);
}

/* ND-049: a Read or a Write with an invalid token ends the connection on both sides. */
Test(nd_region, region_nd_049_use_behind_the_end_is_fatal)
{
	struct nd_mr *mr = region(REMOTE);
	struct nd_mw_descriptor key = key_of(mr, 0, 64);

	access_expect_read(&key, 0, 64);
	ASSERT_ND(deregister(mr), ND_SUCCESS);
	access_expect_read_refused(&key);
	scene_reconnect();
	access_expect_write_refused(&key, 0);
}

/* ND-203: the call stores the handle only if the registration succeeds. */
Test(nd_region, region_nd_203_handle_is_stored_on_success_only)
{
	struct nd_mr *const untouched = (struct nd_mr *)(void *)&invalidated;
	struct nd_mr *mr = untouched;
	uint8_t byte = 0;

	cr_assert(nd_failed(try_region(NULL, 1, REMOTE, &mr)));
	cr_assert(nd_failed(try_region(&byte, 0, REMOTE, &mr)));
	cr_assert(nd_failed(try_region(&byte, 1, 4, &mr)));
	cr_assert_eq(mr, untouched);
	ASSERT_ND(try_region(&byte, 1, REMOTE, &mr), ND_SUCCESS);
	cr_assert_neq(mr, untouched);
	ASSERT_ND(deregister(mr), ND_SUCCESS);
}

/* ND-204: impossible buffers return ACCESS_VIOLATION. Too many bytes return INVALID_PARAMETER. */
Test(nd_region, region_nd_204_impossible_buffers_and_sizes_are_refused)
{
	struct nd_mr *mr;

	ASSERT_ND(try_region((void *)(UINTPTR_MAX - 99), 200, REMOTE, &mr), ND_ACCESS_VIOLATION);
	ASSERT_ND(try_region((void *)4096, MAX_BYTES + 1, REMOTE, &mr), ND_INVALID_PARAMETER);
	ASSERT_ND(try_region((void *)4096, MAX_BYTES, REMOTE, &mr), ND_SUCCESS);
	ASSERT_ND(deregister(mr), ND_SUCCESS);
}

/* ND-205, ND-206: 0 bytes at NULL return INVALID_PARAMETER, elsewhere INVALID_BUFFER_SIZE. */
Test(nd_region, region_nd_205_no_bytes_are_no_region)
{
	struct nd_mr *mr;
	uint8_t byte = 0;

	ASSERT_ND(try_region(NULL, 0, REMOTE, &mr), ND_INVALID_PARAMETER);
	ASSERT_ND(try_region(&byte, 0, REMOTE, &mr), ND_INVALID_BUFFER_SIZE);
}

/* ND-207: each call that takes a region's handle detects invalid handles. */
Test(nd_region, region_nd_207_bad_handles_are_found_out)
{
	struct nd_adapter *adapter = scene.side[OWNER].adapter;
	struct nd_mr *mr = region(REMOTE);
	struct nd_mr *bad[] = {NULL, (struct nd_mr *)(void *)&invalidated,
		(struct nd_mr *)((uintptr_t)mr + 8), scene.side[PEER].mr,
		(struct nd_mr *)scene_window(OWNER, &invalidated), mr};
	uint32_t token;

	ASSERT_ND(deregister(mr), ND_SUCCESS);
	for (size_t i = 0; i < RTE_DIM(bad); i++) {
		ASSERT_ND(deregister(bad[i]), ND_INVALID_HANDLE);
		ASSERT_ND(nd_mr_get_local_token(adapter, bad[i], &token), ND_INVALID_HANDLE);
		ASSERT_ND(nd_mr_get_remote_token(adapter, bad[i], &token), ND_INVALID_HANDLE);
	}
}

/*
 * ND-208: every endpoint of the adapter may use the region. A peer with the token may use it
 * through every endpoint.
 */
Test(nd_region, region_nd_208_region_serves_every_endpoint)
{
	struct nd_mw_descriptor key = key_of(region(REMOTE), 4096, 512);
	struct nd_side sides[4][2];

	memcpy(sides[0], scene.side, sizeof(sides[0]));
	for (unsigned int i = 1; i < 4; i++) {
		struct nd_side first[2];

		scene_second(first);
		memcpy(sides[i], scene.side, sizeof(sides[i]));
	}
	for (unsigned int i = 0; i < 8; i++) {
		memcpy(scene.side, sides[i % 4], sizeof(scene.side));
		access_expect_write(&key, 4096, 512);
		access_expect_read(&key, 4096, 512);
	}
}

/* ND-209: one buffer is registered with different rights. Each token gives only its own rights. */
Test(nd_region, region_nd_209_same_buffer_with_different_rights)
{
	struct nd_mr *reading = region(ND_MR_FLAG_ALLOW_REMOTE_READ);
	struct nd_mr *writing = region(ND_MR_FLAG_ALLOW_REMOTE_WRITE);
	struct nd_mw_descriptor read = key_of(reading, 0, 64), write = key_of(writing, 0, 64);

	cr_assert_neq(read.token, write.token);
	access_expect_read(&read, 0, 64);
	access_expect_write(&write, 0, 64);
	access_expect_write_refused(&read, 0);
	scene_reconnect();
	access_expect_read_refused(&write);
	scene_reconnect();
	ASSERT_ND(deregister(writing), ND_SUCCESS);
	access_expect_read(&read, 0, 64);
}

struct registrar {
	pthread_t thread;
	unsigned int number;
	const char *failure;
	bool over; /**< atomic */
};

static const char *
register_round(size_t bytes)
{
	void *buffer = bytes < MAX_BYTES ? malloc(bytes) : (void *)4096;
	struct nd_adapter *adapter = scene.side[OWNER].adapter;
	uint32_t local;
	struct nd_mr *mr;

	if (try_region(buffer, bytes, REMOTE, &mr) != ND_SUCCESS)
		return "not registered";
	if (nd_mr_get_local_token(adapter, mr, &local) != ND_SUCCESS ||
		nd_adapter_find_region(adapter, local) != mr)
		return "not found by its token";
	if (deregister(mr) != ND_SUCCESS)
		return "not deregistered";
	if (bytes < MAX_BYTES)
		free(buffer);
	return nd_adapter_find_region(adapter, local) != NULL ? "found behind its end" : NULL;
}

static void *
registrar_main(void *arg)
{
	struct registrar *registrar = arg;

	for (unsigned int i = 0; i < THREAD_ROUNDS && registrar->failure == NULL; i++)
		registrar->failure = register_round((size_t)1 << (i * 7 + registrar->number) % 22);
	if (registrar->failure == NULL)
		registrar->failure = register_round(MAX_BYTES);
	__atomic_store_n(&registrar->over, true, __ATOMIC_RELEASE);
	return NULL;
}

/* ND-210: several threads repeatedly register from 1 byte up to the maximum. */
Test(nd_region, region_nd_210_repeated_by_several_threads)
{
	struct registrar registrars[THREADS] = {0};

	for (unsigned int i = 0; i < THREADS; i++) {
		registrars[i].number = i;
		cr_assert_eq(
			pthread_create(&registrars[i].thread, NULL, registrar_main, &registrars[i]),
			0);
	}
	for (unsigned int i = 0; i < THREADS; i++) {
		while (!__atomic_load_n(&registrars[i].over, __ATOMIC_ACQUIRE))
			nd_pair_poll(&scene);
		pthread_join(registrars[i].thread, NULL);
	}
	for (unsigned int i = 0; i < THREADS; i++)
		cr_assert_null(registrars[i].failure, "thread %u: %s", i, registrars[i].failure);
	scene_expect_alive();
}

/* ND-018: a bind with the flag ALLOW_NOTHING succeeds. Its window gives no access. */
Test(nd_region, region_nd_018_window_without_rights_grants_nothing)
{
	struct nd_mr *mr = region(REMOTE);
	struct nd_mw *mw = scene_window(OWNER, &invalidated);
	struct nd_mw_descriptor window;

	scene_bind(mw, 0, 64, ND_OP_FLAG_ALLOW_NOTHING, &window);
	ASSERT_ND(deregister(mr), ND_DEVICE_BUSY);
	access_expect_read_refused(&window);
}

/* ND-067: the result of the receive contains the token that the message invalidated. */
Test(nd_region, region_nd_067_receive_tells_the_token)
{
	struct nd_side *owner = &scene.side[OWNER], *peer = &scene.side[PEER];
	struct nd_mw *mw = scene_window(OWNER, &invalidated);
	struct nd_mw_descriptor window;
	struct nd_result sent, received, *taken[2];

	region(LOCAL);
	scene_bind(mw, 0, 64, READ_WRITE, &window);
	scene_receive(OWNER, &received);
	ASSERT_ND(nd_endpoint_send_and_invalidate(peer->endpoint, &sent, NULL, 0, &window, 0),
		ND_SUCCESS);
	nd_pair_take(&scene, owner->inbound, taken, 2);
	cr_assert(taken[0] == &invalidated && taken[1] == &received);
	cr_assert_eq(received.flags, ND_RESULT_INVALIDATED);
	cr_assert_eq(received.imm_data, window.token);
	ASSERT_ND(nd_pair_result(&scene, peer->outbound, &sent), ND_SUCCESS);
	cr_assert_eq(sent.flags, 0);
}
