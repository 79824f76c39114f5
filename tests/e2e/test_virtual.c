/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test adapters without a port. A queue of frames connects two adapters in virtual time. The same
 * seed must produce the same frames, and another seed must produce other frames.
 */

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <rte_mbuf.h>

#include <ndpdk/nd.h>
#include <ndpdk/nd_virtual.h>

#include "support/eal.h"

#define TCP        6
#define FRAMES     256
#define STEPS_MAX  100000
#define STEP_NS    UINT64_C(1000)
#define CONNECT_NS UINT64_C(2000000000)

struct node {
	struct nd_adapter *adapter;
	struct nd_cq *cq;
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	struct rte_mbuf *in[FRAMES];
	unsigned int in_count;
};

static struct node nodes[2];
static uint64_t now_ns;
static uint64_t hash; /* hash of all sent frames and their times */
static unsigned int steps;
static unsigned int losing; /* number of frames of node 0 that will still be dropped */

static uint64_t
clock_read(void *arg)
{
	cr_assert_eq(arg, &now_ns);
	return now_ns;
}

static void
hash_add(const void *bytes, size_t count)
{
	const uint8_t *byte = bytes;

	for (size_t i = 0; i < count; i++)
		hash = (hash ^ byte[i]) * UINT64_C(0x100000001B3);
}

static uint16_t
transmit(uint16_t port_id, uint16_t queue_id, struct rte_mbuf **mbufs, uint16_t count, void *arg)
{
	struct node *from = arg, *to = &nodes[from == nodes];

	cr_assert_eq(port_id, 0);
	cr_assert_eq(queue_id, 0);
	for (uint16_t i = 0; i < count; i++) {
		struct rte_mbuf *copy = rte_pktmbuf_copy(mbufs[i], mbufs[i]->pool, 0, UINT32_MAX);
		uint8_t bytes[8192];

		cr_assert_not_null(copy);
		hash_add(
			rte_pktmbuf_read(mbufs[i], 0, mbufs[i]->pkt_len, bytes), mbufs[i]->pkt_len);
		hash_add(&now_ns, sizeof(now_ns));
		rte_pktmbuf_free(mbufs[i]);
		if (from == nodes && losing != 0) {
			losing--;
			rte_pktmbuf_free(copy);
			continue;
		}
		cr_assert_lt(to->in_count, FRAMES);
		to->in[to->in_count++] = copy;
	}
	return count;
}

static struct nd_adapter_config
config_of(unsigned int side)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(0xC0000201 + side)};
	struct nd_adapter_config config = {
		.mbuf_count = 1024, .transmit = transmit, .transmit_arg = &nodes[side]};

	memcpy(&config.address, &address, sizeof(address));
	return config;
}

static struct nd_virtual_config
virtual_of(unsigned int side, const uint8_t *seed)
{
	return (struct nd_virtual_config){.clock = clock_read,
		.clock_arg = &now_ns,
		.mac = {2, 0, 0, 0, 0, (uint8_t)(side + 1)},
		.seed = seed};
}

static void
turn(void)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct nd_engine *engine = nd_adapter_engine(nodes[i].adapter);
		struct rte_mbuf *in[FRAMES];
		unsigned int count = nodes[i].in_count;

		memcpy(in, nodes[i].in, count * sizeof(in[0]));
		nodes[i].in_count = 0;
		nd_engine_input(engine, in, (uint16_t)count);
		nd_engine_poll(engine);
	}
}

/*
 * Advance the time by STEP_NS if frames are in flight. Otherwise advance it to the next deadline.
 */
static void
step(void)
{
	uint64_t next_ns = UINT64_MAX;

	turn();
	for (unsigned int i = 0; i < 2; i++) {
		uint64_t due_ns = nd_engine_next_deadline(nd_adapter_engine(nodes[i].adapter));

		next_ns = due_ns < next_ns ? due_ns : next_ns;
	}
	cr_assert_lt(++steps, STEPS_MAX, "nothing more happens");
	if (nodes[0].in_count + nodes[1].in_count != 0 || next_ns < now_ns + STEP_NS ||
		next_ns == UINT64_MAX)
		next_ns = now_ns + STEP_NS;
	now_ns = next_ns;
}

static void
finish(struct nd_overlapped *overlapped, nd_status status)
{
	while (status == ND_PENDING) {
		status = nd_overlapped_get_result(overlapped, NULL, false);
		if (status == ND_PENDING)
			step();
	}
	cr_assert_eq(status, ND_SUCCESS, "%s", nd_status_name(status));
}

static void
node_open(unsigned int side, const uint8_t *seed)
{
	const struct nd_adapter_config config = config_of(side);
	const struct nd_virtual_config without_port = virtual_of(side, seed);

	cr_assert_eq(nd_adapter_open_virtual(&config, &without_port, &nodes[side].adapter),
		ND_SUCCESS, "%s", nd_adapter_open_error());
	cr_assert_eq(nd_adapter_create_completion_queue(nodes[side].adapter, 16, &nodes[side].cq),
		ND_SUCCESS);
	cr_assert_eq(nd_adapter_create_connector(nodes[side].adapter, &nodes[side].connector),
		ND_SUCCESS);
}

static void
endpoint_make(struct node *node)
{
	cr_assert_eq(nd_connector_create_endpoint(node->connector, node->cq, node->cq, 4, 4, 1, 1,
			     1, 1, NULL, &node->endpoint),
		ND_SUCCESS);
}

static void
connect_nodes(void)
{
	struct nd_overlapped listening = {0}, connecting = {0}, accepting = {0};
	struct sockaddr_in peer = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0xC0000202)};
	struct nd_listener *listener;
	nd_status connected, accepted;

	cr_assert_eq(nd_adapter_listen(nodes[1].adapter, 0, TCP, 0, &peer.sin_port, &listener),
		ND_SUCCESS);
	cr_assert_eq(nd_listener_get_connection_request(listener, nodes[1].connector, &listening),
		ND_PENDING);
	endpoint_make(&nodes[0]);
	connected = nd_connector_connect(nodes[0].connector, nodes[0].endpoint,
		(struct sockaddr *)&peer, sizeof(peer), TCP, 0, NULL, 0, &connecting);
	finish(&listening, ND_PENDING);
	endpoint_make(&nodes[1]);
	accepted = nd_connector_accept(nodes[1].connector, nodes[1].endpoint, NULL, 0, &accepting);
	finish(&connecting, connected);
	cr_assert_eq(nd_connector_complete_connect(nodes[0].connector, NULL), ND_SUCCESS);
	finish(&accepting, accepted);
}

static void
result_expect(struct nd_cq *cq, const struct nd_result *expected)
{
	struct nd_result *result;

	while (nd_cq_get_results(cq, &result, 1) == 0)
		step();
	cr_assert_eq(result, expected);
	cr_assert_eq(result->status, ND_SUCCESS, "%s", nd_status_name(result->status));
}

/* Connect, and send a message. Its first two tries are lost. @return hash of all frames */
static uint64_t
play(const uint8_t *seed)
{
	static char text[] = "a message";
	struct nd_result sent, received;
	char into[sizeof(text)] = "";
	struct nd_sge sge = {into, sizeof(into), NULL};
	struct nd_mr *mr;

	now_ns = 1;
	steps = 0;
	hash = UINT64_C(0xCBF29CE484222325);
	memset(nodes, 0, sizeof(nodes));
	node_open(0, seed);
	node_open(1, seed);
	connect_nodes();
	cr_assert_lt(now_ns, CONNECT_NS, "connecting waited for a timer");
	cr_assert_eq(nd_adapter_register_memory(nodes[1].adapter, into, sizeof(into), NULL, &mr),
		ND_SUCCESS);
	sge.mr = mr;
	cr_assert_eq(nd_endpoint_receive(nodes[1].endpoint, &received, &sge, 1), ND_SUCCESS);
	losing = 2;
	cr_assert_eq(nd_endpoint_send(nodes[0].endpoint, &sent,
			     &(struct nd_sge){text, sizeof(text), NULL}, 1, 0),
		ND_SUCCESS);
	result_expect(nodes[0].cq, &sent);
	result_expect(nodes[1].cq, &received);
	cr_assert_str_eq(into, text);
	cr_assert_eq(losing, 0);
	cr_assert_gt(now_ns, 2 * UINT64_C(67000000), "two ACK timeouts");
	for (unsigned int i = 0; i < 2; i++)
		nd_adapter_close(nodes[i].adapter);
	for (unsigned int i = 0; i < 2; i++)
		rte_pktmbuf_free_bulk(nodes[i].in, nodes[i].in_count);
	return hash;
}

Test(virtual, same_seed_gives_the_same_frames)
{
	uint8_t seed[ND_VIRTUAL_SEED_BYTES] = {1, 2, 3};
	uint64_t first, second, other;

	test_eal_init_large();
	first = play(seed);
	second = play(seed);
	seed[31]++;
	other = play(seed);
	cr_assert_eq(first, second);
	cr_assert_neq(first, other);
	cr_assert_neq(play(NULL), play(NULL), "random numbers of the system");
}

static void
refused(const struct nd_adapter_config *config, const struct nd_virtual_config *given,
	const char *why)
{
	struct nd_adapter *adapter = (struct nd_adapter *)&now_ns;

	cr_assert_eq(nd_adapter_open_virtual(config, given, &adapter), ND_INVALID_PARAMETER);
	cr_assert_str_eq(nd_adapter_open_error(), why);
	cr_assert_eq((void *)adapter, (void *)&now_ns);
}

Test(virtual, refuses_what_it_cannot_do)
{
	struct nd_adapter_config config = config_of(0);
	struct nd_virtual_config given = virtual_of(0, NULL);

	test_eal_init_large();
	refused(NULL, &given, "config is NULL");
	refused(&config, NULL, "virtual_config is NULL");
	config.transmit = NULL;
	refused(&config, &given, "an adapter without a port requires transmit");
	config = config_of(0);
	given.clock = NULL;
	refused(&config, &given, "an adapter without a port requires a clock");
	given = virtual_of(0, NULL);
	given.mac[0] = 1;
	refused(&config, &given, "the adapter's MAC address is not a unicast address");
	given = virtual_of(0, NULL);
	given.mtu = 351;
	refused(&config, &given, "mtu is 351, but must be 352 to 65535");
	given.mtu = 1500;
	config.path_mtu = 2048;
	refused(&config, &given, "an mtu of 1500 is too small for a path MTU of 2048");
	config = config_of(0);
	config.name = "1";
	refused(&config, &given,
		"name is \"1\", but must be 1 to 63 letters, digits and _-.:/, and begin with a "
		"letter");
}

Test(virtual, path_mtu_is_that_of_its_mtu)
{
	struct nd_adapter_config config = config_of(0);
	struct nd_virtual_config given = virtual_of(0, NULL);
	struct nd_adapter *adapter;

	test_eal_init_large();
	cr_assert_eq(nd_adapter_open_virtual(&config, &given, &adapter), ND_SUCCESS);
	cr_assert_eq(nd_adapter_path_mtu(adapter), 4096);
	cr_assert_str_eq(nd_adapter_name(adapter), "virtual");
	nd_adapter_close(adapter);
	given.mtu = 352;
	config.name = "mine";
	cr_assert_eq(nd_adapter_open_virtual(&config, &given, &adapter), ND_SUCCESS);
	cr_assert_eq(nd_adapter_path_mtu(adapter), 256);
	cr_assert_str_eq(nd_adapter_name(adapter), "mine");
	nd_adapter_close(adapter);
}
