/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "scene.h"

#include <string.h>

#include <rte_dev.h>
#include <rte_ethdev.h>

#include "support/engines.h"

/**
 * The owner reads from this offset in the peer's memory, and stores the bytes at the same offset in
 * its own memory.
 */
#define SOURCE_OFFSET (SCENE_BYTES - 4096)
#define HELD_BYTES    64
#define SCENE_GUESSES 10000

struct nd_pair scene;

void
scene_open_as(struct nd_pair_config config)
{
	if (config.path_mtu == 0)
		config.path_mtu = SCENE_MTU;
	if (config.memory_bytes == 0)
		config.memory_bytes = SCENE_BYTES;
	/*
	 * The default of guesses_max would block a peer after many refused accesses. In the tests
	 * even more accesses are refused, and the peer must still be able to connect again.
	 */
	config.guesses_max = SCENE_GUESSES;
	nd_pair_open(&scene, &config);
}

void
scene_open(void)
{
	scene_open_as((struct nd_pair_config){0});
}

void
scene_connected(void)
{
	scene_open();
	nd_pair_connect(&scene);
}

void
scene_close(void)
{
	nd_pair_close(&scene);
}

static void
drain(struct nd_cq *cq)
{
	struct nd_result *result;

	while (nd_cq_get_results(cq, &result, 1) != 0)
		;
}

void
scene_reconnect(void)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct nd_side *side = &scene.side[i];

		ASSERT_ND(nd_endpoint_release(side->endpoint), ND_SUCCESS);
		ASSERT_ND(nd_connector_release(side->connector), ND_SUCCESS);
		side->connector = NULL;
	}
	/* Poll until the last results and messages of the old connection have arrived. */
	for (unsigned int i = 0; i < 100; i++)
		nd_pair_poll(&scene);
	for (unsigned int i = 0; i < 2; i++) {
		drain(scene.side[i].inbound);
		drain(scene.side[i].outbound);
	}
	nd_pair_connect(&scene);
}

void
scene_second(struct nd_side first[2])
{
	first[0] = scene.side[0];
	first[1] = scene.side[1];
	scene.side[0].connector = NULL;
	nd_pair_connect(&scene);
}

void
scene_unplug(unsigned int side)
{
	char name[RTE_ETH_NAME_MAX_LEN];

	cr_assert_eq(rte_eth_dev_get_name_by_port(scene.ports[side], name), 0);
	cr_assert_eq(rte_eal_hotplug_remove("vdev", name), 0);
}

struct nd_adapter_info
scene_limits(void)
{
	struct nd_adapter_info info;
	size_t bytes = sizeof(info);

	ASSERT_ND(nd_adapter_query(scene.side[OWNER].adapter, ND_VERSION_1, &info, &bytes),
		ND_SUCCESS);
	return info;
}

void
scene_poll(unsigned int side)
{
	test_poll(scene.side[side].adapter);
}

struct nd_mw *
scene_window(unsigned int side, struct nd_result *invalidate_result)
{
	struct nd_mw *mw = NULL;

	ASSERT_ND(nd_adapter_create_memory_window(scene.side[side].adapter, invalidate_result, &mw),
		ND_SUCCESS);
	return mw;
}

nd_status
scene_bind_post(struct nd_result *result, struct nd_mw *mw, size_t offset, size_t bytes,
	uint32_t flags, struct nd_mw_descriptor *descriptor)
{
	struct nd_side *owner = &scene.side[OWNER];
	/* The offset may be negative. Add it as an integer, because a pointer must not wrap. */
	const void *buffer = (const void *)((uintptr_t)owner->memory + offset);

	return nd_endpoint_bind(
		owner->endpoint, result, owner->mr, mw, buffer, bytes, flags, descriptor);
}

void
scene_bind(struct nd_mw *mw, size_t offset, size_t bytes, uint32_t flags,
	struct nd_mw_descriptor *descriptor)
{
	struct nd_result bound;

	ASSERT_ND(scene_bind_post(&bound, mw, offset, bytes, flags, descriptor), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].outbound, &bound), ND_SUCCESS);
}

nd_status
scene_invalidate(struct nd_mw *mw)
{
	struct nd_result invalidated;

	ASSERT_ND(nd_endpoint_invalidate(scene.side[OWNER].endpoint, &invalidated, mw, 0),
		ND_SUCCESS);
	return nd_pair_result(&scene, scene.side[OWNER].outbound, &invalidated);
}

void
scene_receive(unsigned int side, struct nd_result *result)
{
	ASSERT_ND(nd_endpoint_receive(scene.side[side].endpoint, result, NULL, 0), ND_SUCCESS);
}

void
scene_send(unsigned int side, struct nd_result *result)
{
	ASSERT_ND(nd_endpoint_send(scene.side[side].endpoint, result, NULL, 0, 0), ND_SUCCESS);
}

nd_status
scene_alone(unsigned int side, struct nd_cq *cq, struct nd_result *result)
{
	struct nd_result *got;

	/*
	 * If only a timer can produce the result, this loop takes long. If no result comes, the
	 * test's timeout ends the loop.
	 */
	while (nd_cq_get_results(cq, &got, 1) == 0)
		scene_poll(side);
	cr_assert_eq(got, result, "another result came first, with status %s",
		nd_status_name(got->status));
	return got->status;
}

void
scene_write_post(const struct nd_mw_descriptor *window, uint64_t offset, size_t bytes,
	struct nd_result *result)
{
	struct nd_side *peer = &scene.side[PEER];
	struct nd_sge from = {peer->memory, bytes, peer->mr};

	ASSERT_ND(
		nd_endpoint_write(peer->endpoint, result, &from, 1, window, offset, 0), ND_SUCCESS);
}

void
scene_read_post(const struct nd_mw_descriptor *window, uint64_t offset, size_t bytes,
	struct nd_result *result)
{
	struct nd_side *peer = &scene.side[PEER];
	struct nd_sge to = {peer->memory, bytes, peer->mr};

	ASSERT_ND(nd_endpoint_read(peer->endpoint, result, &to, 1, window, offset, 0), ND_SUCCESS);
}

nd_status
scene_write(const struct nd_mw_descriptor *window, uint64_t offset, size_t bytes)
{
	struct nd_result result;

	scene_write_post(window, offset, bytes, &result);
	return nd_pair_result(&scene, scene.side[PEER].outbound, &result);
}

nd_status
scene_read(const struct nd_mw_descriptor *window, uint64_t offset, size_t bytes)
{
	struct nd_result result;

	scene_read_post(window, offset, bytes, &result);
	return nd_pair_result(&scene, scene.side[PEER].outbound, &result);
}

void
scene_source(struct nd_mw_descriptor *source)
{
	struct nd_side *peer = &scene.side[PEER];
	static struct nd_result invalidated;
	struct nd_result bound;

	ASSERT_ND(
		nd_endpoint_bind(peer->endpoint, &bound, peer->mr, scene_window(PEER, &invalidated),
			peer->memory + SOURCE_OFFSET, HELD_BYTES, ND_OP_FLAG_ALLOW_READ, source),
		ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, peer->outbound, &bound), ND_SUCCESS);
}

void
scene_hold(const struct nd_mw_descriptor *source, struct nd_result *read)
{
	struct nd_side *owner = &scene.side[OWNER];
	struct nd_sge to = {owner->memory + SOURCE_OFFSET, HELD_BYTES, owner->mr};

	ASSERT_ND(nd_endpoint_read(owner->endpoint, read, &to, 1, source, 0, 0), ND_SUCCESS);
}

void
scene_expect_over(void)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct nd_overlapped notify = {0};
		struct nd_result result;
		nd_status status = nd_connector_notify_disconnect(scene.side[i].connector, &notify);

		ASSERT_ND(nd_pair_finish(&scene, status, &notify), ND_SUCCESS);
		ASSERT_ND(nd_endpoint_send(scene.side[i].endpoint, &result, NULL, 0, 0),
			ND_CONNECTION_INVALID);
	}
}

void
scene_expect_alive(void)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct nd_result received, sent;

		scene_receive(1 - i, &received);
		ASSERT_ND(nd_endpoint_send(scene.side[i].endpoint, &sent, NULL, 0, 0), ND_SUCCESS);
		ASSERT_ND(nd_pair_result(&scene, scene.side[1 - i].inbound, &received), ND_SUCCESS);
		ASSERT_ND(nd_pair_result(&scene, scene.side[i].outbound, &sent), ND_SUCCESS);
	}
}

bool
scene_arrived(size_t offset, size_t bytes)
{
	return memcmp(scene.side[OWNER].memory + offset, scene.side[PEER].memory, bytes) == 0;
}
