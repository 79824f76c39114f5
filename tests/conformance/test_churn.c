/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test of statement ND-181 (docs/rules.md): several threads make many connections in succession. */

#include <pthread.h>
#include <string.h>

#include "scene.h"
#include "support/engines.h"
#include "support/number.h"

#define CLIENTS 3u
#define SLOTS   4u
/**
 * Minimum number of connections that each client makes. All clients together make several times as
 * many connections as an adapter has endpoints.
 */
#define ROUNDS  80u

/** A client thread that connects, sends and disconnects. The main thread posts its sends. */
struct client {
	pthread_t thread;
	struct nd_endpoint *endpoint; /**< endpoint on which the main thread shall send, or NULL */
	struct nd_result sent;
	bool sent_done;
	nd_status failed;
	unsigned int rounds, refused;
	bool over;
};

/** A slot handles one connection of the listener after the other. */
struct slot {
	enum { SLOT_ASKING, SLOT_ACCEPTING, SLOT_CONNECTED } state;
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	struct nd_overlapped overlapped;
	nd_status status; /**< status of the slot's last asynchronous call */
	struct nd_result received;
};

static struct client clients[CLIENTS];
static struct slot slots[SLOTS];
static unsigned int messages;

TestSuite(nd_churn, .init = scene_open, .fini = scene_close);

/* ---- clients ---- */

static nd_status
wait_for(nd_status status, struct nd_overlapped *overlapped)
{
	return status == ND_PENDING ? nd_overlapped_get_result(overlapped, NULL, true) : status;
}

/** Let the main thread send a message on this endpoint, and wait for the result of the send. */
static nd_status
message_send(struct client *client, struct nd_endpoint *endpoint)
{
	__atomic_store_n(&client->sent_done, false, __ATOMIC_RELAXED);
	__atomic_store_n(&client->endpoint, endpoint, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&client->sent_done, __ATOMIC_ACQUIRE))
		sched_yield();
	return client->sent.status;
}

static nd_status
conversation(struct client *client, struct nd_connector *connector, struct nd_endpoint *endpoint)
{
	struct nd_overlapped connect = {0}, disconnect = {0};
	struct sockaddr_storage address;
	socklen_t length = nd_pair_address(&scene, &address);
	nd_status status =
		wait_for(nd_connector_connect(connector, endpoint, (struct sockaddr *)&address,
				 length, 6, 0, NULL, 0, &connect),
			&connect);

	if (status == ND_CONNECTION_REFUSED) {
		client->refused++;
		return ND_SUCCESS;
	}
	if (status == ND_SUCCESS)
		status = nd_connector_complete_connect(connector, NULL);
	if (status == ND_SUCCESS)
		status = message_send(client, endpoint);
	if (status == ND_SUCCESS)
		status = wait_for(nd_connector_disconnect(connector, &disconnect), &disconnect);
	return status;
}

static nd_status
client_round(struct client *client)
{
	struct nd_side *peer = &scene.side[PEER];
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	nd_status status = nd_adapter_create_connector(peer->adapter, &connector), released;

	if (status != ND_SUCCESS)
		return status;
	status = nd_connector_create_endpoint(
		connector, peer->inbound, peer->outbound, 2, 2, 1, 1, 1, 1, NULL, &endpoint);
	if (status != ND_SUCCESS)
		return status;
	status = conversation(client, connector, endpoint);
	released = nd_endpoint_release(endpoint);
	if (released == ND_SUCCESS)
		released = nd_connector_release(connector);
	return status == ND_SUCCESS ? released : status;
}

static void *
client_run(void *arg)
{
	struct client *client = arg;
	time_t since = 0;

	while ((!test_churn_over(&since) || client->rounds < ROUNDS) &&
		client->failed == ND_SUCCESS) {
		client->failed = client_round(client);
		client->rounds++;
	}
	__atomic_store_n(&client->over, true, __ATOMIC_RELEASE);
	return NULL;
}

/* ---- the main thread: polls, posts for the clients, and serves the listener ---- */

static void
clients_serve(void)
{
	struct nd_result *got;

	for (unsigned int i = 0; i < CLIENTS; i++) {
		struct nd_endpoint *endpoint =
			__atomic_exchange_n(&clients[i].endpoint, NULL, __ATOMIC_ACQUIRE);

		if (endpoint != NULL)
			ASSERT_ND(nd_endpoint_send(endpoint, &clients[i].sent, NULL, 0, 0),
				ND_SUCCESS);
	}
	while (nd_cq_get_results(scene.side[PEER].outbound, &got, 1) == 1)
		for (unsigned int i = 0; i < CLIENTS; i++)
			if (got == &clients[i].sent)
				__atomic_store_n(&clients[i].sent_done, true, __ATOMIC_RELEASE);
}

static void
slot_ask(struct slot *slot)
{
	memset(slot, 0, sizeof(*slot));
	ASSERT_ND(nd_adapter_create_connector(scene.side[OWNER].adapter, &slot->connector),
		ND_SUCCESS);
	slot->status = nd_listener_get_connection_request(
		scene.listener, slot->connector, &slot->overlapped);
}

static void
slot_accept(struct slot *slot)
{
	struct nd_side *owner = &scene.side[OWNER];

	ASSERT_ND(nd_connector_create_endpoint(slot->connector, owner->inbound, owner->outbound, 2,
			  2, 1, 1, 1, 1, NULL, &slot->endpoint),
		ND_SUCCESS);
	ASSERT_ND(nd_endpoint_receive(slot->endpoint, &slot->received, NULL, 0), ND_SUCCESS);
	memset(&slot->overlapped, 0, sizeof(slot->overlapped));
	slot->status =
		nd_connector_accept(slot->connector, slot->endpoint, NULL, 0, &slot->overlapped);
}

static void
slot_step(struct slot *slot)
{
	nd_status status = slot->status;

	if (status == ND_PENDING)
		status = nd_overlapped_get_result(&slot->overlapped, NULL, false);
	if (status == ND_PENDING)
		return;
	ASSERT_ND(status, ND_SUCCESS);
	switch (slot->state) {
	case SLOT_ASKING:
		slot_accept(slot);
		slot->state = SLOT_ACCEPTING;
		break;
	case SLOT_ACCEPTING:
		memset(&slot->overlapped, 0, sizeof(slot->overlapped));
		slot->state = SLOT_CONNECTED;
		slot->status = nd_connector_notify_disconnect(slot->connector, &slot->overlapped);
		break;
	case SLOT_CONNECTED:
		ASSERT_ND(nd_endpoint_release(slot->endpoint), ND_SUCCESS);
		ASSERT_ND(nd_connector_release(slot->connector), ND_SUCCESS);
		slot_ask(slot);
		break;
	}
}

static void
turn(void)
{
	struct nd_result *got;

	nd_pair_poll(&scene);
	clients_serve();
	for (unsigned int i = 0; i < SLOTS; i++)
		slot_step(&slots[i]);
	while (nd_cq_get_results(scene.side[OWNER].inbound, &got, 1) == 1)
		messages += got->status == ND_SUCCESS;
}

/*
 * Several threads connect and disconnect repeatedly. No endpoint leaks, although more endpoints are
 * created in total than can exist at the same time. A connect may fail only because it is refused.
 */
Test(nd_churn, nd_181_connections_without_pause)
{
	unsigned int rounds = 0, refused = 0;

	nd_pair_listen(&scene);
	for (unsigned int i = 0; i < SLOTS; i++)
		slot_ask(&slots[i]);
	for (unsigned int i = 0; i < CLIENTS; i++)
		cr_assert_eq(pthread_create(&clients[i].thread, NULL, client_run, &clients[i]), 0);
	for (unsigned int i = 0; i < CLIENTS; i++) {
		while (!__atomic_load_n(&clients[i].over, __ATOMIC_ACQUIRE))
			turn();
		cr_assert_eq(pthread_join(clients[i].thread, NULL), 0);
		ASSERT_ND(clients[i].failed, ND_SUCCESS);
		rounds += clients[i].rounds;
		refused += clients[i].refused;
	}
	cr_assert_geq(rounds, CLIENTS * ROUNDS);
	cr_assert_eq(messages, rounds - refused);
	cr_assert_lt(refused, rounds / 2, "hardly a connection was made");
	ASSERT_ND(nd_listener_release(scene.listener), ND_SUCCESS);
}
