/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Tests of Network Direct statements (docs/rules.md, section ND L): registered memory. */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "access.h"
#include "nd/adapter.h"
#include "unit/mem_fixture.h"

#define THREADS        4
#define THREAD_ROUNDS  300
#define MAX_REGISTERED (UINT64_C(1) << 47)

static struct nd_result invalidated;

TestSuite(nd_registration, .init = scene_connected, .fini = scene_close);

static nd_status
try_register(const void *buffer, size_t size, struct nd_mr **mr)
{
	return nd_adapter_register_memory(scene.side[OWNER].adapter, buffer, size, NULL, mr);
}

static nd_status
deregister(void *mr)
{
	return nd_adapter_deregister_memory(scene.side[OWNER].adapter, mr, NULL);
}

/*
 * The handle is set only when the registration succeeds. In this library a registration never
 * returns pending.
 */
Test(nd_registration, nd_203_handle_is_stored_on_success_only)
{
	struct nd_mr *const untouched = (struct nd_mr *)(void *)&invalidated;
	struct nd_overlapped overlapped = {0};
	struct nd_mr *mr = untouched;
	uint8_t byte = 0;

	cr_assert(nd_failed(try_register(NULL, 1, &mr)));
	cr_assert_eq(mr, untouched);
	cr_assert(nd_failed(try_register(&byte, 0, &mr)));
	cr_assert_eq(mr, untouched);
	cr_assert(nd_failed(try_register(&byte, SIZE_MAX, &mr)));
	cr_assert_eq(mr, untouched);
	ASSERT_ND(nd_adapter_register_memory(scene.side[OWNER].adapter, &byte, 1, &overlapped, &mr),
		ND_SUCCESS);
	cr_assert_neq(mr, untouched);
	ASSERT_ND(deregister(mr), ND_SUCCESS);
}

Test(nd_registration, nd_204_impossible_buffers_and_sizes_are_refused)
{
	struct nd_adapter_info info;
	size_t bytes = sizeof(info);
	struct nd_mr *mr;

	ASSERT_ND(nd_adapter_query(scene.side[OWNER].adapter, ND_VERSION_1, &info, &bytes),
		ND_SUCCESS);
	ASSERT_ND(try_register((void *)(UINTPTR_MAX - 99), 200, &mr), ND_ACCESS_VIOLATION);
	ASSERT_ND(try_register((void *)4096, info.max_registration_size + 1, &mr),
		ND_INVALID_PARAMETER);
	ASSERT_ND(try_register((void *)4096, SIZE_MAX, &mr), ND_INVALID_PARAMETER);
	ASSERT_ND(try_register((void *)4096, info.max_registration_size, &mr), ND_SUCCESS);
	ASSERT_ND(deregister(mr), ND_SUCCESS);
}

Test(nd_registration, nd_205_nothing_is_an_invalid_parameter)
{
	struct nd_mr *mr;

	cr_assert_eq(ND_INVALID_PARAMETER, ND_STATUS(0xC000000Du));
	ASSERT_ND(try_register(NULL, 0, &mr), ND_INVALID_PARAMETER);
}

Test(nd_registration, nd_206_no_bytes_are_an_invalid_buffer_size)
{
	struct nd_mr *mr;
	uint8_t byte = 0;

	cr_assert_eq(ND_INVALID_BUFFER_SIZE, ND_STATUS(0xC0000206u));
	ASSERT_ND(try_register(&byte, 0, &mr), ND_INVALID_BUFFER_SIZE);
	ASSERT_ND(try_register(&byte, 1, &mr), ND_SUCCESS);
}

Test(nd_registration, nd_207_bad_handles_are_found_out)
{
	struct nd_mw_descriptor window;
	struct nd_mr *mr;
	uint8_t byte = 0;

	ASSERT_ND(try_register(&byte, 1, &mr), ND_SUCCESS);
	ASSERT_ND(deregister(mr), ND_SUCCESS);
	ASSERT_ND(deregister(mr), ND_INVALID_HANDLE);
	ASSERT_ND(deregister(NULL), ND_INVALID_HANDLE);
	ASSERT_ND(deregister(&byte), ND_INVALID_HANDLE);
	ASSERT_ND(deregister((void *)UINTPTR_MAX), ND_INVALID_HANDLE);
	ASSERT_ND(deregister(scene_window(OWNER, &invalidated)), ND_INVALID_HANDLE);
	ASSERT_ND(deregister((uint8_t *)scene.side[OWNER].mr + 1), ND_INVALID_HANDLE);
	ASSERT_ND(deregister(scene.side[PEER].mr), ND_INVALID_HANDLE);
	scene_bind(scene_window(OWNER, &invalidated), 0, 64, READ_WRITE, &window);
	access_expect_write(&window, 0, 64);
}

/**
 * Use the owner's region: send from it to the peer, and let the peer read and write through a
 * window.
 */
static void
use_region(uint32_t seed)
{
	struct nd_side *owner = &scene.side[OWNER], *peer = &scene.side[PEER];
	struct nd_sge out = {owner->memory + 4096, 512, owner->mr};
	struct nd_sge in = {peer->memory, 512, peer->mr};
	struct nd_result sent, received;
	struct nd_mw_descriptor window;
	struct nd_mw *mw = scene_window(OWNER, &invalidated);

	nd_pair_pattern(owner->memory + 4096, 512, seed);
	ASSERT_ND(nd_endpoint_receive(peer->endpoint, &received, &in, 1), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_send(owner->endpoint, &sent, &out, 1, 0), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, peer->inbound, &received), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, owner->outbound, &sent), ND_SUCCESS);
	cr_assert(scene_arrived(4096, 512));
	scene_bind(mw, 1024, 2048, READ_WRITE, &window);
	access_expect_write(&window, 1024, 2048);
	access_expect_read(&window, 1024, 2048);
}

Test(nd_registration, nd_208_region_serves_every_endpoint)
{
	struct nd_side sides[4][2];

	memcpy(sides[0], scene.side, sizeof(sides[0]));
	for (unsigned int i = 1; i < 4; i++) {
		struct nd_side before[2];

		scene_second(before);
		memcpy(sides[i], scene.side, sizeof(sides[i]));
	}
	for (unsigned int i = 0; i < 8; i++) {
		memcpy(scene.side, sides[i % 4], sizeof(scene.side));
		use_region(208 + i);
	}
}

/*
 * A buffer can be registered several times with different rights. Version 1 has only one kind of
 * registration, so the test makes the other registrations with internal calls of the engine.
 */
Test(nd_registration, nd_209_same_buffer_registered_several_times)
{
	struct nd_side *owner = &scene.side[OWNER];
	struct nd_mr *all = owner->mr, *twice, *reading;
	struct nd_mw_descriptor window;
	struct nd_result bound;
	struct nd_mw *mw;

	ASSERT_ND(try_register(owner->memory, SCENE_BYTES, &twice), ND_SUCCESS);
	reading = (struct nd_mr *)fixture_region(owner->adapter->mem, (uintptr_t)owner->memory,
		owner->memory, SCENE_BYTES, MEM_WINDOW_BIND);
	cr_assert(all != twice && twice != reading);
	owner->mr = reading;
	mw = scene_window(OWNER, &invalidated);
	ASSERT_ND(scene_bind_post(&bound, mw, 0, 64, READ_WRITE, &window), ND_ACCESS_VIOLATION);
	scene_bind(mw, 0, 64, ND_OP_FLAG_ALLOW_READ, &window);
	access_expect_read(&window, 0, 64);
	ASSERT_ND(deregister(all), ND_SUCCESS);
	owner->mr = twice;
	scene_bind(scene_window(OWNER, &invalidated), 0, 64, READ_WRITE, &window);
	access_expect_write(&window, 0, 64);
	ASSERT_ND(deregister(twice), ND_DEVICE_BUSY);
	ASSERT_ND(deregister(reading), ND_DEVICE_BUSY);
	ASSERT_ND(scene_invalidate(mw), ND_SUCCESS);
	ASSERT_ND(deregister(reading), ND_SUCCESS);
	access_expect_write(&window, 0, 64);
}

/**
 * A thread that registers and deregisters its own memory. Only the main thread calls assertions.
 */
struct registrar {
	pthread_t thread;
	unsigned int number;
	const char *failure; /**< error message, or NULL; valid after the thread's end */
	bool over;           /**< atomic; true when the thread has ended */
};

static const char *
register_round(size_t bytes)
{
	struct nd_adapter *adapter = scene.side[OWNER].adapter;
	struct nd_overlapped overlapped = {0};
	struct nd_mr *mr;
	nd_status status;
	/* The largest buffer needs no memory, because nobody accesses its bytes. */
	void *buffer = bytes < MAX_REGISTERED ? malloc(bytes) : (void *)4096;

	if (nd_adapter_register_memory(adapter, buffer, bytes, NULL, &mr) != ND_SUCCESS)
		return "not registered";
	status = nd_adapter_deregister_memory(adapter, mr, &overlapped);
	if (status != ND_SUCCESS)
		return "not deregistered";
	if (bytes < MAX_REGISTERED)
		free(buffer);
	return nd_adapter_deregister_memory(adapter, mr, &overlapped) == ND_SUCCESS
		? "deregistered twice"
		: NULL;
}

static void *
registrar_main(void *arg)
{
	struct registrar *registrar = arg;

	for (unsigned int i = 0; i < THREAD_ROUNDS && registrar->failure == NULL; i++) {
		unsigned int power = (i * 7 + registrar->number) % 22;

		registrar->failure = register_round((size_t)1 << power);
	}
	if (registrar->failure == NULL)
		registrar->failure = register_round(MAX_REGISTERED);
	__atomic_store_n(&registrar->over, true, __ATOMIC_RELEASE);
	return NULL;
}

Test(nd_registration, nd_210_repeated_by_several_threads)
{
	struct registrar registrars[THREADS] = {0};
	struct mem_domain *mem = scene.side[OWNER].adapter->mem;
	uint32_t regions = fixture_stats(mem).regions;

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
	cr_assert_eq(fixture_stats(mem).regions, regions);
	scene_expect_alive();
}

static void
count_call(struct nd_overlapped *overlapped, void *count)
{
	(void)overlapped;
	++*(unsigned int *)count;
}

/** Request a notification, cause one result, and wait to see whether it is reported only once. */
static void
complete_once(struct nd_overlapped *overlapped)
{
	struct nd_result received, sent;

	ASSERT_ND(
		nd_cq_notify(scene.side[OWNER].inbound, ND_CQ_NOTIFY_ANY, overlapped), ND_PENDING);
	ASSERT_ND(nd_overlapped_get_result(overlapped, NULL, false), ND_PENDING);
	scene_receive(OWNER, &received);
	ASSERT_ND(nd_endpoint_send(scene.side[PEER].endpoint, &sent, NULL, 0, 0), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].inbound, &received), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &sent), ND_SUCCESS);
	nd_pair_quiet(&scene, scene.side[OWNER].inbound);
	ASSERT_ND(nd_overlapped_get_result(overlapped, NULL, false), ND_SUCCESS);
}

static void
expect_events(int event_fd, eventfd_t expected)
{
	eventfd_t count = 0;

	(void)eventfd_read(event_fd, &count);
	cr_assert_eq(count, expected, "written %llu times", (unsigned long long)count);
}

/*
 * On Windows, an operation queues one packet to the completion port if hEvent is NULL, and no
 * packet if the lowest bit of hEvent is set. The native API has no completion port. An operation
 * reports once to its callback and once to its eventfd, if they are given, and its status can be
 * polled. An operation that completes at once reports nothing.
 */
Test(nd_registration, nd_211_operation_is_reported_exactly_once)
{
	int event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	unsigned int called = 0;
	struct nd_overlapped by_callback = {.callback = count_call, .callback_arg = &called};
	struct nd_overlapped by_event = {.event_fd = event_fd};
	struct nd_overlapped by_both = {
		.event_fd = event_fd, .callback = count_call, .callback_arg = &called};
	struct nd_overlapped at_once = by_both, polled = {0};
	struct nd_mr *mr;
	uint8_t byte = 0;

	cr_assert_gt(event_fd, 0);
	complete_once(&by_callback);
	cr_assert_eq(called, 1, "called %u times", called);
	expect_events(event_fd, 0);
	complete_once(&by_event);
	cr_assert_eq(called, 1);
	expect_events(event_fd, 1);
	complete_once(&by_both);
	cr_assert_eq(called, 2);
	expect_events(event_fd, 1);
	complete_once(&polled);
	ASSERT_ND(nd_adapter_register_memory(scene.side[OWNER].adapter, &byte, 1, &at_once, &mr),
		ND_SUCCESS);
	ASSERT_ND(
		nd_adapter_deregister_memory(scene.side[OWNER].adapter, mr, &at_once), ND_SUCCESS);
	nd_pair_quiet(&scene, scene.side[OWNER].inbound);
	cr_assert_eq(called, 2);
	expect_events(event_fd, 0);
	close(event_fd);
}
