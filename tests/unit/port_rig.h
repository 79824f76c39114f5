/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_PORT_RIG_H
#define NDPDK_UNIT_PORT_RIG_H

#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include <rte_dev.h>
#include <rte_eth_ring.h>
#include <rte_ethdev.h>
#include <rte_log.h>
#include <rte_ring.h>

#include "base/limits.h"
#include "port/port.h"
#include "support/eal.h"

/*
 * Functions that open and close a port on virtual devices. They check that all buffers return to
 * the pool.
 */

#define MBUFS     256
#define TAP_MBUFS 8192 /* more packet buffers than fit into the queues of net_tap */
#define DATA_ROOM 2048
#define WHY_BYTES 160

struct fixture {
	struct rte_mempool *pool;
	struct port *port;
	enum port_error error;
	char why[WHY_BYTES];
};

static inline void
fixture_start(struct fixture *fixture)
{
	memset(fixture, 0, sizeof(*fixture));
	fixture->pool = test_pool_create(MBUFS, DATA_ROOM);
}

static inline enum port_error
open_with(struct fixture *fixture, struct port_config config)
{
	for (uint16_t i = 0; i < LIMIT_ENGINES; i++)
		if (config.pools[i] == NULL)
			config.pools[i] = fixture->pool;
	fixture->port = NULL;
	fixture->why[0] = '\0';
	fixture->error = port_open(&config, &fixture->port, fixture->why, sizeof(fixture->why));
	cr_assert_eq(fixture->error == PORT_OK, fixture->port != NULL);
	cr_assert_eq(fixture->error == PORT_OK, fixture->why[0] == '\0');
	cr_assert_null(strchr(fixture->why, '\n'));
	return fixture->error;
}

static inline void
open_ok(struct fixture *fixture, uint16_t port_id)
{
	open_with(fixture, (struct port_config){.port_id = port_id, .queue_count = 1});
	cr_assert_eq(fixture->error, PORT_OK, "not opened: %s", fixture->why);
}

static inline void
expect_why(const struct fixture *fixture, enum port_error error, const char *why)
{
	cr_assert_eq(fixture->error, error, "error %d, expected %d: %s", fixture->error, error,
		fixture->why);
	cr_assert_str_eq(fixture->why, why);
}

static inline void
fixture_stop(struct fixture *fixture)
{
	unsigned int available;

	port_close(fixture->port);
	available = rte_mempool_avail_count(fixture->pool);
	cr_assert_eq(available, MBUFS, "%u of %u buffers came back", available, MBUFS);
	rte_mempool_free(fixture->pool);
}

static inline uint16_t
port_add(const char *name, const char *args)
{
	char driver[32];
	uint16_t port_id;

	snprintf(driver, sizeof(driver), "%.*s", (int)strlen(name) - 1, name); /* without the 0 */
	cr_assert_eq(test_device_add(driver, args), 0, "no device %s", name);
	cr_assert_eq(rte_eth_dev_get_port_by_name(name, &port_id), 0);
	return port_id;
}

static inline struct rte_ring *
cable_wire(const char *way, unsigned int queue)
{
	char name[RTE_RING_NAMESIZE];
	struct rte_ring *ring;

	snprintf(name, sizeof(name), "%s%u", way, queue);
	ring = rte_ring_create(name, 64, SOCKET_ID_ANY, RING_F_SP_ENQ | RING_F_SC_DEQ);
	cr_assert_not_null(ring);
	return ring;
}

/*
 * Create two ports that are connected by rings: one ring for each queue and direction. A frame sent
 * on TX queue k of one port arrives on RX queue k of the other port.
 */
static inline void
cable_add(uint16_t port_ids[2], unsigned int queue_count)
{
	struct rte_ring *there[LIMIT_ENGINES], *back[LIMIT_ENGINES];
	int a, b;

	test_eal_init();
	for (unsigned int queue = 0; queue < queue_count; queue++) {
		there[queue] = cable_wire("there", queue);
		back[queue] = cable_wire("back", queue);
	}
	a = rte_eth_from_rings("cable_a", back, queue_count, there, queue_count, 0);
	b = rte_eth_from_rings("cable_b", there, queue_count, back, queue_count, 0);
	cr_assert(a >= 0 && b >= 0);
	port_ids[0] = (uint16_t)a;
	port_ids[1] = (uint16_t)b;
}

/* File that receives all messages of EAL, ethdev and the driver until log_take() is called. */
static FILE *log_file;

static inline void
log_start(void)
{
	log_file = tmpfile();
	cr_assert_not_null(log_file);
	cr_assert_eq(rte_openlog_stream(log_file), 0);
}

static inline const char *
log_take(void)
{
	static char text[1024];
	size_t bytes;

	cr_assert_eq(rte_openlog_stream(NULL), 0);
	rewind(log_file);
	bytes = fread(text, 1, sizeof(text) - 1, log_file);
	text[bytes] = '\0';
	fclose(log_file);
	return text;
}

#endif
