/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Two threads call the same method of an object at the same time. One call must succeed. */

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include "spi/device.h"
#include "spi/link.h"
#include "spi/operation.h"
#include "spi/port.h"
#include "spi_pair.h"
#include "support/together.h"
#include "wire/cm_msg.h"

/** Number of rounds. In each round, each thread makes one call. */
#define RACES 20u

static struct spi_pair pair;
/** Barrier for both threads. Between rounds, met is 2, so that no thread waits. */
static struct together together = {.met = 2};

/** Object for which both threads call the method, and the operations and statuses of both calls. */
struct race {
	void *object;
	OVERLAPPED overlapped[2];
	HRESULT status[2];
};

static struct race race;

static void
setup(void)
{
	spi_pair_configure();
	spi_pair_open(&pair);
}

static void
teardown(void)
{
	together_end(&together);
	spi_pair_close(&pair);
}

TestSuite(spi_race, .init = setup, .fini = teardown);

nd_status __real_spi_operation_begin(
	struct spi_object *object, OVERLAPPED *overlapped, struct spi_operation **operation);
nd_status __wrap_spi_operation_begin(
	struct spi_object *object, OVERLAPPED *overlapped, struct spi_operation **operation);
uint16_t __real_spi_port_choose(void);
uint16_t __wrap_spi_port_choose(void);

nd_status
__wrap_spi_operation_begin(
	struct spi_object *object, OVERLAPPED *overlapped, struct spi_operation **operation)
{
	together_meet(&together);
	return __real_spi_operation_begin(object, overlapped, operation);
}

uint16_t
__wrap_spi_port_choose(void)
{
	together_meet(&together);
	return __real_spi_port_choose();
}

/** Run a round. Fail unless one call succeeds and the other one returns `refusal`. */
static void
race_run(HRESULT refusal)
{
	unsigned int refused = 0;

	together_run(&together);
	for (unsigned int i = 0; i < 2; i++) {
		race.status[i] = spi_pair_finish(race.object, race.status[i], &race.overlapped[i]);
		if (race.status[i] == refusal)
			refused++;
		else
			cr_assert_eq(race.status[i], ND_SUCCESS, "%#x", (unsigned)race.status[i]);
	}
	cr_assert_eq(refused, 1, "%u of 2 calls are refused", refused);
}

static bool registering;

static void
region_change(unsigned int number, void *arg)
{
	IND2MemoryRegion *region = race.object;

	(void)arg;
	if (registering)
		race.status[number] = IND2MemoryRegion_Register(region, pair.side[0].memory,
			SPI_PAIR_BYTES, ND_MR_FLAG_ALLOW_LOCAL_WRITE, &race.overlapped[number]);
	else
		race.status[number] = IND2MemoryRegion_Deregister(region, &race.overlapped[number]);
}

Test(spi_race, register_and_deregister)
{
	IND2MemoryRegion *region = NULL;

	cr_assert_eq(IND2Adapter_CreateMemoryRegion(pair.side[0].adapter, &IID_IND2MemoryRegion,
			     pair.side[0].file, (void **)&region),
		ND_SUCCESS);
	race.object = region;
	cr_assert(together_begin(&together, region_change, NULL));
	for (unsigned int i = 0; i < RACES; i++) {
		registering = true;
		race_run(ND_INVALID_DEVICE_STATE);
		cr_assert_neq(IND2MemoryRegion_GetLocalToken(region), 0);
		registering = false;
		race_run(ND_INVALID_DEVICE_STATE);
		cr_assert_eq(IND2MemoryRegion_GetLocalToken(region), 0);
	}
	cr_assert_eq(IND2MemoryRegion_Release(region), 0);
}

static void
connector_bind(unsigned int number, void *arg)
{
	(void)arg;
	race.status[number] = IND2Connector_Bind((IND2Connector *)race.object,
		(struct sockaddr *)&pair.side[0].address, sizeof(struct sockaddr_in));
}

Test(spi_race, bind_connector)
{
	cr_assert(together_begin(&together, connector_bind, NULL));
	for (unsigned int i = 0; i < RACES; i++) {
		race.object = spi_pair_connector(&pair, 0);
		race_run(STATUS_ADDRESS_ALREADY_ASSOCIATED);
		cr_assert_eq(IND2Connector_Release((IND2Connector *)race.object), 0);
	}
}

static void
connector_disconnect(unsigned int number, void *arg)
{
	(void)arg;
	race.status[number] =
		IND2Connector_Disconnect((IND2Connector *)race.object, &race.overlapped[number]);
}

/** Release connectors and queue pairs, and create new ones for the next connection. */
static void
connection_release(void)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct spi_side *side = &pair.side[i];

		cr_assert_eq(IND2Connector_Release(side->connector), 0);
		cr_assert_eq(IND2QueuePair_Release(side->qp), 0);
		side->connector = NULL;
		side->qp = spi_pair_queue_pair(&pair, i, 4);
	}
}

/*
 * NotifyDisconnect reports the disconnect of this side, although the second Disconnect was refused.
 */
Test(spi_race, disconnect)
{
	cr_assert(together_begin(&together, connector_disconnect, NULL));
	for (unsigned int i = 0; i < RACES; i++) {
		OVERLAPPED notify = {0};

		spi_pair_connect(&pair);
		race.object = pair.side[0].connector;
		race_run(ND_CONNECTION_INVALID);
		cr_assert_eq(spi_pair_finish(race.object,
				     IND2Connector_NotifyDisconnect(
					     (IND2Connector *)race.object, &notify),
				     &notify),
			STATUS_CONNECTION_DISCONNECTED);
		connection_release();
	}
}

/** When this thread acquires this lock, run spi_links_end() first, as if exit() were called. */
static _Thread_local pthread_mutex_t *exit_at;
static unsigned int natives_released;

int __real_pthread_mutex_lock(pthread_mutex_t *lock);
int __wrap_pthread_mutex_lock(pthread_mutex_t *lock);
nd_status __real_nd_connector_release(struct nd_connector *connector);
nd_status __wrap_nd_connector_release(struct nd_connector *connector);
nd_status
__real_nd_connector_disconnect(struct nd_connector *connector, struct nd_overlapped *overlapped);
nd_status
__wrap_nd_connector_disconnect(struct nd_connector *connector, struct nd_overlapped *overlapped);

int
__wrap_pthread_mutex_lock(pthread_mutex_t *lock)
{
	if (lock == exit_at) {
		exit_at = NULL;
		spi_links_end();
	}
	return __real_pthread_mutex_lock(lock);
}

nd_status
__wrap_nd_connector_release(struct nd_connector *connector)
{
	natives_released++;
	return __real_nd_connector_release(connector);
}

static pid_t parent;

nd_status
__wrap_nd_connector_disconnect(struct nd_connector *connector, struct nd_overlapped *overlapped)
{
	if (parent != 0 && getpid() != parent)
		_exit(EXIT_FAILURE);
	return __real_nd_connector_disconnect(connector, overlapped);
}

/* A fork() child inherits its parent's connections. The child's exit() must not disconnect them. */
Test(spi_race, child_leaves_connections_of_its_parent)
{
	int status = 0;
	pid_t child;

	spi_pair_connect(&pair);
	parent = getpid();
	child = fork();
	if (child == 0) {
		spi_links_end();
		_exit(EXIT_SUCCESS);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_assert_eq(status, 0, "the child ends a connection");
}

/* exit() ignores a connection whose last reference was released, but which is still in the list. */
Test(spi_race, released_link_is_not_taken_at_exit)
{
	IND2Connector *connector = spi_pair_connector(&pair, 0);

	exit_at = &spi_device_get(0)->links_lock;
	cr_assert_eq(IND2Connector_Release(connector), 0);
	cr_assert_null(exit_at);
	cr_assert_eq(natives_released, 1);
}

/** Offset of the attribute ID of a MAD in an IPv4 frame without VLAN tag. */
#define MAD_ATTRIBUTE_AT (14 + 20 + 8 + 12 + 8 + 16)

/**
 * Number of received DREQs. The first is dropped. Atomic, because a thread of the library also
 * polls.
 */
static unsigned int dreqs;

static uint16_t
lose_dreq(uint16_t port, uint16_t queue, struct rte_mbuf *mbufs[], uint16_t count, uint16_t max,
	void *arg)
{
	uint16_t kept = 0;

	(void)port;
	(void)queue;
	(void)max;
	(void)arg;
	for (uint16_t i = 0; i < count; i++) {
		const uint8_t *bytes = rte_pktmbuf_mtod(mbufs[i], const uint8_t *);
		const bool is_dreq = rte_pktmbuf_data_len(mbufs[i]) > MAD_ATTRIBUTE_AT + 1 &&
			bytes[MAD_ATTRIBUTE_AT] == 0 && bytes[MAD_ATTRIBUTE_AT + 1] == WIRE_CM_DREQ;

		if (is_dreq && __atomic_fetch_add(&dreqs, 1, __ATOMIC_RELAXED) == 0)
			rte_pktmbuf_free(mbufs[i]);
		else
			mbufs[kept++] = mbufs[i];
	}
	return kept;
}

/* If a DREQ is lost, exit() waits until it was retransmitted. */
Test(spi_race, exit_repeats_a_lost_disconnect)
{
	uint16_t port;

	spi_pair_connect(&pair);
	cr_assert_eq(rte_eth_dev_get_port_by_name("net_ring_spi_port_1", &port), 0);
	cr_assert_not_null(rte_eth_add_rx_callback(port, 0, lose_dreq, NULL));
	spi_links_end();
	cr_assert_geq(__atomic_load_n(&dreqs, __ATOMIC_RELAXED), 2);
}
