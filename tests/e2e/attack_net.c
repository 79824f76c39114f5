/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "attack_net.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <rte_byteorder.h>
#include <rte_ip.h>

#include "engine/transmit.h"
#include "nd/adapter.h"
#include "support/eal.h"
#include "support/engines.h"
#include "support/nd_pair.h"
#include "wire/icrc.h"

#define TURN_NS     1000
#define PATIENCE_NS UINT64_C(20000000000)

#define ARP_SENDER_AT    22
#define ICMP6_AT         54
#define ND_OPTION_MAC_AT 26
#define ND_BYTES         32
#define IPV4_DST_AT      30
#define IPV6_DST_AT      38
#define ND_SOLICIT       135
#define ND_ADVERTISE     136

static struct net the_net;
static struct nd_result invalidated[64];
static uint32_t window_count;

static uint64_t
clock_read(void *arg)
{
	const struct net *net = arg;

	return net->now_ns;
}

/*
 * The victim has the addresses 192.0.2.1 and 2001:db8::1. Its network consists of the first four
 * addresses of each family. In a routed net, the bystander has an address outside the victim's
 * network.
 */
static struct sockaddr_storage
address_of(const struct net *net, enum net_name name)
{
	uint8_t host = net->routed && name == BYSTANDER ? 6 : (uint8_t)(1 + name);
	struct sockaddr_storage address = {0};
	struct sockaddr_in in = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(0xC0000200 + host)};
	struct sockaddr_in6 in6 = {.sin6_family = AF_INET6,
		.sin6_addr.s6_addr = {0x20, 0x01, 0x0D, 0xB8, [15] = host}};

	if (net->v6)
		memcpy(&address, &in6, sizeof(in6));
	else
		memcpy(&address, &in, sizeof(in));
	return address;
}

static struct rte_ether_addr
mac_of(enum net_name name)
{
	return (struct rte_ether_addr){{0x02, 0, 0, 0, 0, (uint8_t)(1 + name)}};
}

static void
queue_put(struct net_node *node, const struct net_frame *frame)
{
	if (node->deaf)
		return;
	cr_assert_lt(
		node->tail - node->head, NET_QUEUE_FRAMES, "queue of node %d is full", node->name);
	node->queue[node->tail++ % NET_QUEUE_FRAMES] = *frame;
}

static struct net_frame
frame_of(const struct net *net, const struct rte_mbuf *mbuf)
{
	struct net_frame frame = {.sent_ns = net->now_ns, .bytes = (uint16_t)mbuf->pkt_len};
	const void *bytes;

	cr_assert_leq(mbuf->pkt_len, NET_FRAME_BYTES);
	bytes = rte_pktmbuf_read(mbuf, 0, mbuf->pkt_len, frame.data);
	if (bytes != frame.data)
		memcpy(frame.data, bytes, mbuf->pkt_len);
	return frame;
}

static void
record(struct net *net, enum net_name from, const struct net_frame *frame)
{
	struct wire_view view;

	if (from == VICTIM && net->log_off)
		return;
	if (from == VICTIM) {
		cr_assert_lt(net->log_count, NET_LOG_FRAMES, "the log is full");
		net->log[net->log_count++] = *frame;
	} else if (from == ATTACKER &&
		wire_parse_bytes(frame->data, frame->bytes, &view) == WIRE_OK &&
		view.traits->request && view.traits->kind != WIRE_KIND_DATAGRAM) {
		net->request = *frame;
	} else if (from == BYSTANDER &&
		wire_parse_bytes(frame->data, frame->bytes, &view) == WIRE_OK &&
		view.traits->kind == WIRE_KIND_DATAGRAM) {
		net->mad = *frame;
	}
}

/* Replace the node's own MAC address in a frame by the MAC address that the network knows. */
static void
source_translate(const struct net_node *node, struct net_frame *frame)
{
	uint8_t *icmp = frame->data + ICMP6_AT;
	struct rte_ipv6_hdr ip;
	uint16_t type = (uint16_t)(frame->data[12] << 8 | frame->data[13]), sum = 0;

	memcpy(frame->data + RTE_ETHER_ADDR_LEN, &node->mac, sizeof(node->mac));
	if (type == RTE_ETHER_TYPE_ARP)
		memcpy(frame->data + ARP_SENDER_AT, &node->mac, sizeof(node->mac));
	if (type != RTE_ETHER_TYPE_IPV6 || frame->data[20] != IPPROTO_ICMPV6 ||
		(icmp[0] != ND_SOLICIT && icmp[0] != ND_ADVERTISE) ||
		frame->bytes < ICMP6_AT + ND_BYTES)
		return;
	memcpy(icmp + ND_OPTION_MAC_AT, &node->mac, sizeof(node->mac));
	memcpy(icmp + 2, &sum, sizeof(sum));
	memcpy(&ip, frame->data + RTE_ETHER_HDR_LEN, sizeof(ip));
	sum = rte_ipv6_udptcp_cksum(&ip, icmp);
	memcpy(icmp + 2, &sum, sizeof(sum));
}

static bool
ip_is_for(const struct net_node *node, const struct net_frame *frame)
{
	struct sockaddr_storage address = address_of(node->net, node->name);
	uint16_t type = (uint16_t)(frame->data[12] << 8 | frame->data[13]);
	const struct sockaddr_in6 *in6 = (const void *)&address;
	const struct sockaddr_in *in = (const void *)&address;

	if (node->net->v6)
		return type == RTE_ETHER_TYPE_IPV6 &&
			memcmp(frame->data + IPV6_DST_AT, &in6->sin6_addr, 16) == 0;
	return type == RTE_ETHER_TYPE_IPV4 &&
		memcmp(frame->data + IPV4_DST_AT, &in->sin_addr, 4) == 0;
}

/* @return true if the attacker, as gateway, forwards the frames between these two nodes */
static bool
apart(const struct net_node *from, const struct net_node *to)
{
	return from->net->routed && (from->name == BYSTANDER) != (to->name == BYSTANDER);
}

/*
 * Forward a frame if it was sent to the gateway's MAC address and is for the node `to`. The
 * forwarded frame has the gateway's MAC address as its source.
 */
static void
gateway_forward(const struct net_node *from, const struct net_node *to, struct net_frame *frame)
{
	const struct net_node *gateway = &from->net->nodes[ATTACKER];

	/* In the bystander's network, the gateway's MAC address never changes. */
	if (!ip_is_for(to, frame) ||
		(from->name != BYSTANDER &&
			memcmp(frame->data, &gateway->mac, sizeof(gateway->mac)) != 0))
		return;
	memcpy(frame->data, &to->mac, sizeof(to->mac));
	memcpy(frame->data + RTE_ETHER_ADDR_LEN, &gateway->mac, sizeof(gateway->mac));
}

static void
deliver(const struct net_node *from, struct net_node *to, struct net_frame frame)
{
	struct net *net = to->net;
	struct rte_ether_addr own = mac_of(to->name);

	if (frame.data[0] & 1) {
		if (from != to && !apart(from, to))
			queue_put(to, &frame);
		return;
	}
	if (apart(from, to))
		gateway_forward(from, to, &frame);
	if (memcmp(frame.data, &to->mac, sizeof(to->mac)) != 0)
		return;
	memcpy(frame.data, &own, sizeof(own));
	net->victim_frames[to->name] += from->name == VICTIM;
	if (from->name == VICTIM && to->name == ATTACKER && net->to_attacker != NULL)
		net->to_attacker(&frame);
	queue_put(to, &frame);
}

static uint16_t
transmit(void *arg, struct rte_mbuf **mbufs, uint16_t count)
{
	struct net_node *node = arg;
	struct net *net = node->net;

	count = RTE_MIN(count, node->send_max);
	for (uint16_t i = 0; i < count; i++) {
		struct net_frame frame = frame_of(net, mbufs[i]);

		if (node->meddle != NULL && node->meddle(&frame)) {
			rte_pktmbuf_free(mbufs[i]);
			continue;
		}
		source_translate(node, &frame);
		record(net, node->name, &frame);
		for (unsigned int to = 0; to < NET_NODES; to++)
			deliver(node, &net->nodes[to], frame);
		rte_pktmbuf_free(mbufs[i]);
	}
	return count;
}

static uint16_t
receive(void *arg, struct rte_mbuf **mbufs, uint16_t max)
{
	struct net_node *node = arg;
	uint16_t count = 0;

	while (count < max && node->head != node->tail && node->take_max > 0) {
		const struct net_frame *frame = &node->queue[node->head++ % NET_QUEUE_FRAMES];
		struct rte_mbuf *mbuf = rte_pktmbuf_alloc(node->adapter->engines[0].pool);

		cr_assert_not_null(mbuf);
		memcpy(rte_pktmbuf_append(mbuf, frame->bytes), frame->data, frame->bytes);
		mbufs[count++] = mbuf;
		if (node->take_max != UINT32_MAX)
			node->take_max--;
	}
	return count;
}

/**
 * Receive function of every engine except the first. The function returns no frames, because all
 * frames arrive at the first engine, which hands over frames for other engines.
 */
static uint16_t
receive_nothing(void *arg, struct rte_mbuf **mbufs, uint16_t max)
{
	(void)arg;
	(void)mbufs;
	(void)max;
	return 0;
}

static void
node_open(struct net_node *node, const struct net_limits *limits)
{
	bool knows = node->name != VICTIM && limits->victim_known;
	bool resolves = limits->resolve && !knows && !(limits->routed && node->name == BYSTANDER);
	struct nd_neighbour neighbours[NET_NODES];
	struct nd_adapter_config config = {
		.address = address_of(node->net, node->name),
		.path_mtu =
			limits->path_mtu[node->name] != 0 ? limits->path_mtu[node->name] : NET_PMTU,
		.mbuf_count = 1024,
		.engines = test_engines(),
		.endpoints_max = limits->endpoints_max != 0 ? limits->endpoints_max : 256,
		.regions_max = 16,
		.windows_max = 512,
		.neighbours = neighbours,
		.neighbour_count = resolves ? 0 : NET_NODES - 1,
		.guesses_max = limits->guesses_max,
		.guess_interval_ms = limits->guess_interval_ms,
		.half_open_max = limits->half_open_max,
		.ack_delay = limits->ack_delay[node->name],
		.ack_timeout = limits->ack_timeout[node->name],
		.retry_count = limits->retry_count[node->name],
		.keepalive_ms = limits->keepalive_ms[node->name],
		.rnr_retry_count = limits->rnr_retry_count[node->name],
		.rnr_timer = limits->rnr_timer[node->name],
		.peer_timeout_ms = limits->peer_timeout_ms,
	};
	struct adapter_parts parts = {.clock = {.now_ns = clock_read, .arg = node->net},
		.seed = {(uint8_t)(1 + node->name)}};
	char why[192];
	nd_status status;

	for (unsigned int i = 0, other = 0; other < NET_NODES; other++) {
		struct rte_ether_addr mac = mac_of(other);

		if (other == node->name)
			continue;
		neighbours[i].address = address_of(node->net, other);
		memcpy(neighbours[i++].mac, mac.addr_bytes, sizeof(mac.addr_bytes));
	}
	if (limits->routed && node->name == VICTIM) {
		config.prefix_length = limits->v6 ? 126 : 30;
		config.gateway = address_of(node->net, ATTACKER);
	}
	node->take_max = UINT32_MAX;
	node->send_max = UINT16_MAX;
	node->io = (struct port_io){.receive = receive,
		.transmit = transmit,
		.arg = node,
		.mac = mac_of(node->name),
		.mtu = NET_PMTU + PORT_HEADER_BYTES_MAX,
		.socket_id = SOCKET_ID_ANY};
	status = adapter_config_check(&config, why, sizeof(why));
	cr_assert_eq(status, ND_SUCCESS, "%s", why);
	node->other_io = node->io;
	node->other_io.receive = receive_nothing;
	for (uint32_t i = 0; i < config.engines; i++) {
		parts.queues[i].io = i == 0 ? &node->io : &node->other_io;
		parts.queues[i].pool =
			engine_pool_create(config.mbuf_count, NET_PMTU, SOCKET_ID_ANY);
		cr_assert_not_null(parts.queues[i].pool);
	}
	cr_assert_eq(adapter_create(&config, &parts, &node->adapter), ND_SUCCESS);
	cr_assert_eq(nd_adapter_register_memory(
			     node->adapter, node->memory, sizeof(node->memory), NULL, &node->mr),
		ND_SUCCESS);
}

/*
 * Let the gateway resolve an unknown address, as a router does before it forwards to this address.
 */
static void
gateway_ask(struct net *net)
{
	struct engine *engine = net->nodes[ATTACKER].adapter->engine;

	if (!net->routed || net->victim_known)
		return;
	neigh_doubt(engine->neigh, &net->nodes[VICTIM].adapter->address, net->now_ns);
	engine->wake_ns = 0;
	engine_transmit(engine);
}

struct net *
net_open(const struct net_limits *limits)
{
	struct net *net = &the_net;

	test_eal_init_large();
	memset(net, 0, sizeof(*net));
	net->now_ns = 1000000000;
	net->limits = *limits;
	net->v6 = limits->v6;
	net->routed = limits->routed;
	net->victim_known = limits->victim_known;
	for (unsigned int i = 0; i < NET_NODES; i++) {
		net->nodes[i].net = net;
		net->nodes[i].name = i;
		net->nodes[i].mac = mac_of(i);
		node_open(&net->nodes[i], limits);
	}
	nd_pair_pattern(net->nodes[VICTIM].memory, NET_MEMORY_BYTES, 0);
	cr_assert_eq(nd_adapter_listen(net->nodes[VICTIM].adapter, 0, 6, 0, &net->listen_port,
			     &net->listener),
		ND_SUCCESS);
	gateway_ask(net);
	return net;
}

void
net_close(struct net *net)
{
	for (unsigned int i = 0; i < NET_NODES; i++)
		nd_adapter_close(net->nodes[i].adapter);
}

bool
net_lose(struct net_frame *frame)
{
	(void)frame;
	return true;
}

void
net_restart(struct net *net, enum net_name name)
{
	struct net_node *node = &net->nodes[name];

	node->meddle = net_lose;
	nd_adapter_close(node->adapter);
	node->meddle = NULL;
	node->head = node->tail;
	node_open(node, &net->limits);
}

void
net_step(struct net *net, uint64_t until_ns)
{
	uint64_t next_ns = until_ns;
	unsigned int moved = 0;

	net->now_ns += TURN_NS;
	for (unsigned int i = 0; i < NET_NODES; i++) {
		struct nd_adapter *adapter = net->nodes[i].adapter;

		moved += test_poll(adapter);
		for (uint32_t k = 0; k < adapter->config.engines; k++)
			next_ns = RTE_MIN(next_ns, engine_deadline_ns(adapter->engines[k].engine));
	}
	if (moved == 0 && next_ns > net->now_ns)
		net->now_ns = next_ns;
}

void
net_run(struct net *net, uint64_t duration_ns)
{
	uint64_t until_ns = net->now_ns + duration_ns;

	while (net->now_ns < until_ns)
		net_step(net, until_ns);
}

nd_status
net_finish(
	struct net *net, nd_status status, struct nd_overlapped *overlapped, uint64_t patience_ns)
{
	uint64_t until_ns = net->now_ns + patience_ns;

	while (status == ND_PENDING && net->now_ns < until_ns) {
		net_step(net, until_ns);
		status = nd_overlapped_get_result(overlapped, NULL, false);
	}
	return status;
}

nd_status
net_result(struct net *net, struct nd_cq *cq, struct nd_result *result)
{
	uint64_t until_ns = net->now_ns + PATIENCE_NS;
	struct nd_result *got;

	while (nd_cq_get_results(cq, &got, 1) == 0) {
		cr_assert_lt(net->now_ns, until_ns, "a result does not come");
		net_step(net, until_ns);
	}
	cr_assert_eq(got, result, "another result came first: %s", nd_status_name(got->status));
	return got->status;
}

void
net_connector_make(struct net *net, struct net_link *link, unsigned int side)
{
	struct nd_adapter *adapter = net->nodes[side == 0 ? link->from : VICTIM].adapter;

	cr_assert_eq(
		nd_engine_create_completion_queue(test_home(adapter), 64, &link->inbound[side]),
		ND_SUCCESS);
	cr_assert_eq(
		nd_engine_create_completion_queue(test_home(adapter), 64, &link->outbound[side]),
		ND_SUCCESS);
	cr_assert_eq(nd_adapter_create_connector(adapter, &link->connectors[side]), ND_SUCCESS);
}

void
net_endpoint_make(struct net_link *link, unsigned int side)
{
	cr_assert_eq(
		nd_connector_create_endpoint(link->connectors[side], link->inbound[side],
			link->outbound[side], 32, 32, 4, 4, 4, 4, NULL, &link->endpoints[side]),
		ND_SUCCESS);
}

static void
end_release(const struct net_link *link, unsigned int side)
{
	if (link->endpoints[side] != NULL)
		cr_assert_eq(nd_endpoint_release(link->endpoints[side]), ND_SUCCESS);
	cr_assert_eq(nd_connector_release(link->connectors[side]), ND_SUCCESS);
	cr_assert_eq(nd_cq_release(link->inbound[side]), ND_SUCCESS);
	cr_assert_eq(nd_cq_release(link->outbound[side]), ND_SUCCESS);
}

nd_status
net_connect_start(struct net *net, struct net_link *link, struct nd_overlapped *overlapped)
{
	struct sockaddr_storage address = address_of(net, VICTIM);

	/*
	 * The cast serves both address families, because sin_port and sin6_port have the same
	 * offset.
	 */
	((struct sockaddr_in *)&address)->sin_port = net->listen_port;
	return nd_connector_connect(link->connectors[0], link->endpoints[0],
		(struct sockaddr *)&address,
		net->v6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in), 6, 0, NULL, 0,
		overlapped);
}

bool
net_try_connect(struct net *net, enum net_name from, struct net_link *link, uint64_t patience_ns)
{
	struct nd_overlapped request = {0}, connect = {0}, accept = {0}, complete = {0};
	nd_status asked, connecting, status;

	*link = (struct net_link){.from = from};
	net->log_count = 0;
	net_connector_make(net, link, 0);
	net_connector_make(net, link, 1);
	net_endpoint_make(link, 0);
	asked = nd_listener_get_connection_request(net->listener, link->connectors[1], &request);
	connecting = net_connect_start(net, link, &connect);
	status = net_finish(net, asked, &request, patience_ns);
	if (status == ND_PENDING) {
		cr_assert_eq(
			nd_connector_cancel_overlapped_requests(link->connectors[0]), ND_SUCCESS);
		cr_assert_eq(nd_listener_cancel_overlapped_requests(net->listener), ND_SUCCESS);
		net_run(net, 1000000);
		end_release(link, 0);
		end_release(link, 1);
		return false;
	}
	cr_assert_eq(status, ND_SUCCESS, "%s", nd_status_name(status));
	net_endpoint_make(link, 1);
	if (net->accepting != NULL)
		net->accepting(link->endpoints[1]);
	status = nd_connector_accept(link->connectors[1], link->endpoints[1], NULL, 0, &accept);
	cr_assert_eq(net_finish(net, connecting, &connect, PATIENCE_NS), ND_SUCCESS);
	cr_assert_eq(net_finish(net, nd_connector_complete_connect(link->connectors[0], &complete),
			     &complete, PATIENCE_NS),
		ND_SUCCESS);
	cr_assert_eq(net_finish(net, status, &accept, PATIENCE_NS), ND_SUCCESS);
	return true;
}

struct net_link
net_connect(struct net *net, enum net_name from)
{
	struct net_link link;

	cr_assert(net_try_connect(net, from, &link, PATIENCE_NS), "no connection");
	return link;
}

void
net_disconnect(struct net *net, struct net_link *link)
{
	end_release(link, 0);
	end_release(link, 1);
	net_run(net, 1000000);
}

struct nd_mw *
net_bind(struct net *net, const struct net_link *link, size_t offset, size_t bytes, uint32_t flags,
	struct nd_mw_descriptor *descriptor)
{
	struct net_node *victim = &net->nodes[VICTIM];
	struct nd_result result;
	struct nd_mw *mw;

	cr_assert_eq(nd_adapter_create_memory_window(
			     victim->adapter, &invalidated[window_count++ % 64], &mw),
		ND_SUCCESS);
	cr_assert_eq(nd_endpoint_bind(link->endpoints[1], &result, victim->mr, mw,
			     victim->memory + offset, bytes, flags, descriptor),
		ND_SUCCESS);
	cr_assert_eq(net_result(net, link->outbound[1], &result), ND_SUCCESS);
	return mw;
}

void
net_invalidate(struct net *net, const struct net_link *link, struct nd_mw *mw)
{
	struct nd_result result;

	cr_assert_eq(nd_endpoint_invalidate(link->endpoints[1], &result, mw, 0), ND_SUCCESS);
	cr_assert_eq(net_result(net, link->outbound[1], &result), ND_SUCCESS);
}

struct nd_mw_descriptor
net_forge(uint32_t token, const void *address, uint64_t bytes)
{
	return (struct nd_mw_descriptor){
		.base = rte_cpu_to_be_64((uintptr_t)address),
		.length = rte_cpu_to_be_64(bytes),
		.token = rte_cpu_to_be_32(token),
	};
}

uint32_t
net_token(const struct nd_mw_descriptor *descriptor)
{
	return rte_be_to_cpu_32(descriptor->token);
}

void
net_replay(struct net *net, const struct net_frame *frame)
{
	queue_put(&net->nodes[VICTIM], frame);
}

void
net_inject(struct net *net, const uint8_t *data, uint16_t bytes)
{
	struct net_frame frame = {.sent_ns = net->now_ns, .bytes = bytes};

	memcpy(frame.data, data, bytes);
	queue_put(&net->nodes[VICTIM], &frame);
}

void
net_move(struct net *net, enum net_name name, const struct rte_ether_addr *mac)
{
	net->nodes[name].mac = *mac;
	if (name == ATTACKER)
		gateway_ask(net);
}

void
net_announce(struct net *net, enum net_name name)
{
	struct engine *engine = net->nodes[name].adapter->engine;

	neigh_announce(engine->neigh);
	engine_transmit(engine);
}

void
net_seal(struct net_frame *frame)
{
	const size_t ip = RTE_ETHER_HDR_LEN;
	const size_t behind_bth = ip + 20 + 8 + 12;
	const size_t end = frame->bytes - sizeof(uint32_t);
	struct wire_icrc icrc;
	rte_le32_t value;

	wire_icrc_start(&icrc, frame->data + ip, false);
	wire_icrc_add(&icrc, frame->data + behind_bth, end - behind_bth);
	value = rte_cpu_to_le_32(wire_icrc_value(&icrc));
	memcpy(frame->data + end, &value, sizeof(value));
}

struct wire_view
net_view(const struct net_frame *frame)
{
	struct wire_view view;
	enum wire_drop drop = wire_parse_bytes(frame->data, frame->bytes, &view);

	cr_assert_eq(drop, WIRE_OK, "%s", wire_drop_name(drop));
	return view;
}

uint64_t
net_counter(const struct net *net, const char *name)
{
	return nd_pair_adapter_counter(net->nodes[VICTIM].adapter, name);
}
