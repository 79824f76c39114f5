/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test functions that create objects while one allocation fails, with each allocation in turn
 * (B-068, B-069, B-071, B-084, B-085). The function must report an error and free everything, and
 * must succeed when it is called again. The test replaces the allocation functions of EAL by its
 * own.
 */

#include <stdlib.h>

#include <criterion/criterion.h>

#include <rte_malloc.h>

#include "cm/cm.h"
#include "neigh/neigh.h"
#include "support/eal.h"
#include "support/rc_peer.h"

#define ALLOCATIONS_MAX 64

static unsigned int left = UINT32_MAX; /* number of allocations that still succeed */

void *__real_rte_zmalloc_socket(const char *type, size_t size, unsigned int align, int socket);
void *__real_rte_malloc_socket(const char *type, size_t size, unsigned int align, int socket);
void *__wrap_rte_zmalloc_socket(const char *type, size_t size, unsigned int align, int socket);
void *__wrap_rte_malloc_socket(const char *type, size_t size, unsigned int align, int socket);

static bool
refused(void)
{
	if (left == UINT32_MAX)
		return false;
	return left == 0 || left-- == 0;
}

void *
__wrap_rte_zmalloc_socket(const char *type, size_t size, unsigned int align, int socket)
{
	return refused() ? NULL : __real_rte_zmalloc_socket(type, size, align, socket);
}

void *
__wrap_rte_malloc_socket(const char *type, size_t size, unsigned int align, int socket)
{
	return refused() ? NULL : __real_rte_malloc_socket(type, size, align, socket);
}

static unsigned int
allocated(void)
{
	struct rte_malloc_socket_stats stats;

	cr_assert_eq(rte_malloc_get_socket_stats((int)rte_socket_id(), &stats), 0);
	return stats.alloc_count;
}

static struct rc_peer peer;
static uint8_t memory[8192];

/* A function that creates an object and destroys it. @return status of the creation */
typedef enum rc_status (*attempt_fn)(void);

static enum rc_status
attempt_cq(void)
{
	struct rc_cq cq;
	enum rc_status status = rc_cq_init(&cq, 16, SOCKET_ID_ANY, NULL, NULL);

	if (status == RC_OK)
		rc_cq_fini(&cq);
	return status;
}

static enum rc_status
attempt_qp(void)
{
	struct rc_peer_options options;
	struct rc_qp *qp = NULL;
	enum rc_status status;

	rc_peer_defaults(&options);
	options.qp.send_cq = &peer.send_cq;
	options.qp.receive_cq = &peer.receive_cq;
	options.qp.qpn = 0x456;
	status = rc_qp_create(&peer.ctx, &options.qp, &qp);
	if (status == RC_OK)
		rc_qp_destroy(qp);
	return status;
}

static enum rc_status
attempt_domain(void)
{
	struct mem_domain *domain = NULL;
	enum rc_status status = mem_domain_create(&(struct mem_domain_config){.key_slots = 256,
							  .key_slots_max = 256,
							  .region_max = 8,
							  .window_max = 8,
							  .reader_max = 1,
							  .socket_id = SOCKET_ID_ANY,
							  .random = &peer.random},
		&domain);

	if (status == RC_OK)
		mem_domain_destroy(domain);
	return status;
}

/* Register two buffers, because a region of one buffer has no segment tree. */
static enum rc_status
attempt_region(void)
{
	struct mem_buffer buffers[] = {{memory, 4096}, {memory + 4096, 4096}};
	const struct mem_region_attr attr = {.base = 0x100000,
		.buffers = buffers,
		.buffer_count = RTE_DIM(buffers),
		.rights = MEM_LOCAL_WRITE};
	struct mem_region *region = NULL;
	enum rc_status status = mem_region_register(peer.mem, &attr, &region);
	uint64_t release;

	if (status == RC_OK)
		cr_assert_eq(mem_region_deregister(peer.mem, region, &release), RC_OK);
	return status;
}

static bool
cm_send(void *arg, const struct cm_route *route, const struct wire_cm_msg *msg)
{
	(void)arg, (void)route, (void)msg;
	return true;
}

static void
cm_event(void *arg, struct cm_id *id, const struct cm_event *event)
{
	(void)arg, (void)id, (void)event;
}

static bool
cm_is_local(void *arg, const struct wire_gid *gid)
{
	(void)arg, (void)gid;
	return true;
}

static void
neigh_send(void *arg, const uint8_t *frame, uint16_t bytes)
{
	(void)arg, (void)frame, (void)bytes;
}

static enum rc_status
attempt_cm(void)
{
	static const struct cm_ops ops = {
		.send = cm_send, .event = cm_event, .is_local = cm_is_local};
	const struct cm_config config = {
		.ca_guid = 1, .random = &peer.random, .socket_id = SOCKET_ID_ANY};
	struct cm *cm = NULL;
	enum rc_status status = cm_create(&config, &ops, NULL, &cm);

	if (status == RC_OK)
		cm_destroy(cm);
	return status;
}

static enum rc_status
attempt_neigh(void)
{
	const struct neigh_config config = {.address = wire_gid_from_v4(0xC0000201),
		.mac = {{2, 0, 0, 0, 0, 1}},
		.send = neigh_send,
		.prefix_length = 24,
		.entries_max = 16,
		.socket_id = SOCKET_ID_ANY};
	struct neigh *neigh = NULL;
	enum rc_status status = neigh_create(&config, &neigh);

	if (status == RC_OK)
		neigh_destroy(neigh);
	return status;
}

static void
check(attempt_fn attempt)
{
	enum rc_status status = RC_NO_RESOURCES;
	unsigned int before, count = 0;

	rc_peer_start(&peer, NULL);
	before = allocated();
	for (; status != RC_OK; count++) {
		cr_assert_lt(count, ALLOCATIONS_MAX);
		left = count;
		status = attempt();
		left = UINT32_MAX;
		cr_assert(status == RC_OK || status == RC_NO_RESOURCES, "%u: %s", count,
			rc_status_name(status));
		cr_assert_eq(allocated(), before, "%u allocations succeed: memory is left", count);
	}
	cr_assert_gt(count, 1, "nothing was refused");
	cr_assert_eq(attempt(), RC_OK);
	rc_peer_stop(&peer);
}

Test(no_memory, completion_queue)
{
	check(attempt_cq);
}

Test(no_memory, queue_pair)
{
	check(attempt_qp);
}

Test(no_memory, domain)
{
	check(attempt_domain);
}

Test(no_memory, connection_manager)
{
	check(attempt_cm);
}

Test(no_memory, neighbours)
{
	check(attempt_neigh);
}

Test(no_memory, region_of_two_buffers)
{
	check(attempt_region);
}
