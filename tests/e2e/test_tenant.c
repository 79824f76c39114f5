/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test an adapter that shares its port with the application. The application has its own protocol
 * stack on the port, receives the frames itself, or provides the packet buffers. Side 1 is this
 * adapter.
 */

#include <string.h>

#include <criterion/criterion.h>

#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_ip.h>

#include "base/be.h"
#include "base/dpdk_compat.h"
#include "support/eal.h"
#include "support/engines.h"
#include "support/nd_pair.h"

#define OWN    0xC0000202u /* address of side 1 */
#define PEER   0xC0000201u
#define OTHER  0xC0000263u
#define FRAMES 64
#define BYTES  8192

static struct nd_pair pair;
static struct rte_mempool *pool;

/* Frames that the adapter has passed to the application. */
static struct {
	struct nd_engine *engine;
	unsigned int calls, count;
	struct rte_mempool *pool;
	uint8_t types[FRAMES]; /* last byte of each frame */
	bool posts;            /* true if the function posts a request for each frame */
	struct nd_result results[FRAMES];
} heard;

static void
others_take(struct nd_engine *engine, struct rte_mbuf **mbufs, uint16_t count, void *arg)
{
	cr_assert_eq(arg, &heard);
	cr_assert_gt(count, 0);
	heard.engine = engine;
	heard.calls++;
	for (uint16_t i = 0; i < count; i++) {
		struct rte_mbuf *last = rte_pktmbuf_lastseg(mbufs[i]);

		cr_assert_lt(heard.count, FRAMES);
		cr_assert_eq(rte_mbuf_refcnt_read(mbufs[i]), 1, "somebody else holds it");
		heard.pool = mbufs[i]->pool;
		if (heard.posts)
			cr_assert_eq(nd_endpoint_send(pair.side[1].endpoint,
					     &heard.results[heard.count], NULL, 0, 0),
				ND_SUCCESS);
		heard.types[heard.count++] =
			*rte_pktmbuf_mtod_offset(last, uint8_t *, last->data_len - 1);
		rte_pktmbuf_free(mbufs[i]);
	}
}

static void
with_others(unsigned int side, struct nd_adapter_config *config)
{
	if (side != 1)
		return;
	config->other_frames = others_take;
	config->other_frames_arg = &heard;
}

/* ---- frames ---- */

/** @return a frame to side 1 with `mark` as its last byte */
static struct rte_mbuf *
frame_make(uint16_t ether_type, uint16_t bytes, uint8_t mark)
{
	static const uint8_t macs[12] = {0x02, 0, 0, 0, 0, 2, 0x02, 0, 0, 0, 0, 1};
	struct rte_mbuf *mbuf = rte_pktmbuf_alloc(pool);
	uint8_t *data;

	cr_assert_not_null(mbuf);
	data = (uint8_t *)rte_pktmbuf_append(mbuf, bytes);
	cr_assert_not_null(data);
	memset(data, 0, bytes);
	memcpy(data, macs, sizeof(macs));
	be_store16(data + 12, ether_type);
	data[bytes - 1] = mark;
	return mbuf;
}

static struct rte_mbuf *
v4_make(uint8_t protocol, uint16_t fragment, uint8_t mark)
{
	struct rte_mbuf *mbuf = frame_make(RTE_ETHER_TYPE_IPV4, 64, mark);
	uint8_t *ip = rte_pktmbuf_mtod_offset(mbuf, uint8_t *, 14);
	uint16_t sum;

	ip[0] = 0x45;
	be_store16(ip + 2, 50);
	be_store16(ip + 6, fragment);
	ip[8] = 64;
	ip[9] = protocol;
	be_store32(ip + 12, PEER);
	be_store32(ip + 16, OWN);
	sum = (uint16_t)~rte_raw_cksum(ip, 20);
	memcpy(ip + 10, &sum, sizeof(sum));
	return mbuf;
}

static struct rte_mbuf *
udp_make(uint16_t port, uint16_t fragment, uint8_t mark)
{
	struct rte_mbuf *mbuf = v4_make(IPPROTO_UDP, fragment, mark);
	uint8_t *udp = rte_pktmbuf_mtod_offset(mbuf, uint8_t *, 34);

	be_store16(udp, 1000);
	be_store16(udp + 2, port);
	be_store16(udp + 4, 30);
	return mbuf;
}

static struct rte_mbuf *
echo_make(uint8_t mark)
{
	struct rte_mbuf *mbuf = v4_make(IPPROTO_ICMP, 0, mark);
	uint8_t *icmp = rte_pktmbuf_mtod_offset(mbuf, uint8_t *, 34);
	uint16_t sum;

	icmp[0] = DPDK_ICMP_ECHO_REQUEST;
	sum = (uint16_t)~rte_raw_cksum(icmp, 30);
	memcpy(icmp + 2, &sum, sizeof(sum));
	return mbuf;
}

static struct rte_mbuf *
arp_make(uint32_t address, uint8_t mark)
{
	static const uint8_t head[8] = {0, 1, 8, 0, 6, 4, 0, 1};
	struct rte_mbuf *mbuf = frame_make(RTE_ETHER_TYPE_ARP, 60, mark);
	uint8_t *data = rte_pktmbuf_mtod(mbuf, uint8_t *);

	memset(data, 0xFF, 6);
	memcpy(data + 14, head, sizeof(head));
	memcpy(data + 22, data + 6, 6);
	be_store32(data + 28, PEER);
	be_store32(data + 38, address);
	return mbuf;
}

/** @return a RoCEv2 packet that is truncated after the tag of another VLAN */
static struct rte_mbuf *
tagged_make(uint8_t mark)
{
	struct rte_mbuf *mbuf = udp_make(4791, 0, mark);
	uint8_t *data = (uint8_t *)rte_pktmbuf_prepend(mbuf, 4);

	cr_assert_not_null(data);
	memmove(data, data + 4, 12);
	be_store16(data + 12, RTE_ETHER_TYPE_VLAN);
	be_store16(data + 14, 7);
	return mbuf;
}

static void
frames_send(struct rte_mbuf **mbufs, uint16_t count)
{
	cr_assert_eq(rte_eth_tx_burst(pair.ports[0], 0, mbufs, count), count);
	for (unsigned int i = 0; i < 8; i++)
		nd_pair_poll(&pair);
}

/* ---- the ports of the application ---- */

static struct rte_mempool *
pool_make(const char *name, uint16_t room)
{
	struct rte_mempool *made = rte_pktmbuf_pool_create(name, 4095, 32, 0, room, SOCKET_ID_ANY);

	cr_assert_not_null(made);
	return made;
}

static void
port_configure(uint16_t port_id, uint16_t rx_queues)
{
	struct rte_eth_conf conf = {0};
	uint16_t queues = (uint16_t)test_engines();

	cr_assert_eq(rte_eth_dev_configure(port_id, rx_queues, queues, &conf), 0);
	for (uint16_t i = 0; i < rx_queues; i++)
		cr_assert_eq(rte_eth_rx_queue_setup(port_id, i, 512, SOCKET_ID_ANY, NULL, pool), 0);
	for (uint16_t i = 0; i < queues; i++)
		cr_assert_eq(rte_eth_tx_queue_setup(port_id, i, 512, SOCKET_ID_ANY, NULL), 0);
	cr_assert_eq(rte_eth_dev_start(port_id), 0);
}

static void
setup(void)
{
	test_eal_init_large();
	memset(&heard, 0, sizeof(heard));
	pool = pool_make("tenant", BYTES);
}

TestSuite(tenant, .init = setup);

static void
expect_traffic(void)
{
	struct nd_side *side = pair.side;
	struct nd_mw_descriptor window;
	struct nd_result sent, received;
	struct nd_sge from = {side[0].memory, BYTES, side[0].mr};
	struct nd_sge to = {side[0].memory + BYTES, BYTES, side[0].mr};

	nd_pair_bind(&pair, 1, 0, BYTES, ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE, &window);
	nd_pair_pattern(side[0].memory, BYTES, 1);
	cr_assert_eq(
		nd_endpoint_write(side[0].endpoint, &sent, &from, 1, &window, 0, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, side[0].outbound, &sent), ND_SUCCESS);
	cr_assert_arr_eq(side[1].memory, side[0].memory, BYTES);
	cr_assert_eq(nd_endpoint_read(side[0].endpoint, &sent, &to, 1, &window, 0, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, side[0].outbound, &sent), ND_SUCCESS);
	cr_assert_arr_eq(side[0].memory + BYTES, side[0].memory, BYTES);
	cr_assert_eq(nd_endpoint_receive(side[1].endpoint, &received, NULL, 0), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send(side[0].endpoint, &sent, NULL, 0, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, side[0].outbound, &sent), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, side[1].inbound, &received), ND_SUCCESS);
}

/* ---- frames of other protocols ---- */

/** Make a frame of each kind that is not for the adapter, marked 1, 2, 3... @return their number */
static uint16_t
others_make(struct rte_mbuf **mbufs)
{
	uint16_t count = 0;

	mbufs[count++] = v4_make(IPPROTO_TCP, 0, 1);
	mbufs[count++] = udp_make(53, 0, 2);
	mbufs[count++] = udp_make(4791, 0x2000, 3); /* first fragment of a datagram */
	mbufs[count++] = udp_make(53, 0x0010, 4);
	mbufs[count++] = tagged_make(5);
	mbufs[count++] = frame_make(0x88CC, 60, 6);
	mbufs[count++] = arp_make(OTHER, 7);
	mbufs[count++] = arp_make(OWN, 8); /* both stacks need the ARP request */
	return count;
}

static uint64_t
counted(const char *name)
{
	return nd_pair_counter(&pair, 1, name);
}

static uint64_t
dropped(void)
{
	struct nd_counter counters[256];
	size_t count = nd_adapter_counters(pair.side[1].adapter, counters, RTE_DIM(counters));
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		if (strncmp(counters[i].name, "drop_", 5) == 0)
			sum += counters[i].value;
	return sum;
}

Test(tenant, application_gets_what_is_not_roce)
{
	unsigned int buffers = rte_mempool_avail_count(pool);
	struct rte_mbuf *mbufs[FRAMES];
	uint64_t replies;
	uint16_t count;

	nd_pair_open(&pair, &(struct nd_pair_config){.adapt = with_others});
	nd_pair_connect(&pair);
	heard.count = heard.calls = 0; /* forget ARP requests */
	replies = counted("neigh_tx_replies");
	count = others_make(mbufs);
	mbufs[count] = echo_make(99);
	frames_send(mbufs, (uint16_t)(count + 1));
	cr_assert_eq(heard.count, count);
	for (uint16_t i = 0; i < count; i++)
		cr_assert_eq(heard.types[i], i + 1, "frame %u: %u", i, heard.types[i]);
	cr_assert_lt(heard.calls, count, "frames of a turn come together");
	cr_assert_eq(heard.engine, nd_adapter_engine(pair.side[1].adapter));
	cr_assert_eq(counted("neigh_tx_replies"), replies + 1, "the adapter answers, too");
	cr_assert_eq(counted("neigh_rx_echo"), 1);
	cr_assert_geq(counted("rx_others"), count);
	cr_assert_eq(counted("drop_foreign") + counted("drop_fragment") + counted("drop_vlan"), 0);
	expect_traffic();
	nd_pair_close(&pair);
	cr_assert_eq(rte_mempool_avail_count(pool), buffers, "packet buffers are lost");
}

Test(tenant, without_a_function_such_frames_are_counted)
{
	struct rte_mbuf *mbufs[FRAMES];
	uint64_t foreign, before;

	nd_pair_open(&pair, &(struct nd_pair_config){0});
	nd_pair_connect(&pair);
	before = dropped();
	foreign = counted("drop_foreign");
	frames_send(mbufs, others_make(mbufs));
	cr_assert_eq(counted("drop_foreign"), foreign + 3);
	cr_assert_eq(counted("drop_fragment"), 2);
	cr_assert_eq(dropped(), before + 6, "of the eight, ARP is for the adapter");
	cr_assert_eq(counted("rx_others"), 0);
	nd_pair_close(&pair);
}

Test(tenant, damaged_roce_packets_are_not_for_the_application)
{
	struct rte_mbuf *mbuf;
	uint64_t before;

	nd_pair_open(&pair, &(struct nd_pair_config){.adapt = with_others});
	nd_pair_connect(&pair);
	heard.count = 0;
	before = dropped();
	mbuf = udp_make(4791, 0, 1);
	frames_send(&mbuf, 1);
	cr_assert_eq(heard.count, 0);
	cr_assert_eq(dropped(), before + 1);
	nd_pair_close(&pair);
}

/* In its callback, the protocol stack may answer with a message of its own. */
Test(tenant, application_may_post_while_it_takes_frames)
{
	struct nd_result received[FRAMES];
	struct rte_mbuf *mbufs[FRAMES];
	uint16_t count;

	nd_pair_open(&pair, &(struct nd_pair_config){.adapt = with_others});
	nd_pair_connect(&pair);
	heard.count = 0;
	heard.posts = true;
	count = others_make(mbufs);
	for (uint16_t i = 0; i < count; i++)
		cr_assert_eq(nd_endpoint_receive(pair.side[0].endpoint, &received[i], NULL, 0),
			ND_SUCCESS);
	frames_send(mbufs, count);
	cr_assert_eq(heard.count, count);
	for (uint16_t i = 0; i < count; i++) {
		cr_assert_eq(nd_pair_result(&pair, pair.side[1].outbound, &heard.results[i]),
			ND_SUCCESS);
		cr_assert_eq(nd_pair_result(&pair, pair.side[0].inbound, &received[i]), ND_SUCCESS);
	}
	nd_pair_close(&pair);
}

/* ---- the application receives ---- */

#define TURN_FRAMES 32 /* frames that nd_engine_input() takes per turn */
#define TAKE_MAX    100

static struct {
	bool deaf; /* true to receive nothing, so that frames remain in the port */
	unsigned int taken;
	unsigned int bursts; /* number of bursts with more frames than a turn takes */
} receiver;

/** Receive like an application that inspects frames before it passes them to the engine. */
static void
receive_and_give(void)
{
	struct nd_engine *engine = nd_adapter_engine(pair.side[1].adapter);
	struct rte_mbuf *mbufs[TAKE_MAX];

	for (uint16_t queue = 0; queue < test_engines() && !receiver.deaf; queue++) {
		uint16_t count = rte_eth_rx_burst(pair.ports[1], queue, mbufs, TAKE_MAX);

		receiver.taken += count;
		receiver.bursts += count > TURN_FRAMES;
		cr_assert_geq(nd_engine_input(engine, mbufs, count), count);
	}
}

static void
with_own_port(unsigned int side, struct nd_adapter_config *config)
{
	if (side != 1)
		return;
	port_configure(config->port_id, (uint16_t)test_engines());
	config->port_configured = true;
}

static void
with_input_only(unsigned int side, struct nd_adapter_config *config)
{
	with_own_port(side, config);
	with_others(side, config);
	config->input_only = side == 1;
}

/* The path MTU is 1024, because the MTU of net_ring is 1500. */
static const struct nd_pair_config input_only = {
	.adapt = with_input_only, .turn = receive_and_give, .path_mtu = 1024};

Test(tenant, application_receives_and_gives)
{
	unsigned int buffers = rte_mempool_avail_count(pool);
	struct rte_mbuf *mbufs[FRAMES];
	uint64_t before;
	uint16_t count;

	nd_pair_open(&pair, &input_only);
	nd_pair_connect(&pair);
	expect_traffic();
	heard.count = 0;
	count = others_make(mbufs);
	frames_send(mbufs, count);
	cr_assert_eq(heard.count, count);

	/* The engine must not receive from the port, even if the application does not. */
	receiver.deaf = true;
	before = counted("rx_frames");
	mbufs[0] = arp_make(OWN, 1);
	frames_send(mbufs, 1);
	cr_assert_eq(counted("rx_frames"), before);
	receiver.deaf = false;
	nd_pair_poll(&pair);
	cr_assert_eq(counted("rx_frames"), before + 1);
	nd_pair_close(&pair);
	rte_eth_dev_stop(pair.ports[1]);
	cr_assert_eq(rte_mempool_avail_count(pool), buffers, "packet buffers are lost");
}

Test(tenant, any_number_of_frames_can_be_given)
{
	struct nd_mw_descriptor window;
	struct nd_result sent;
	struct nd_sge from;

	nd_pair_open(&pair,
		&(struct nd_pair_config){.adapt = with_input_only,
			.turn = receive_and_give,
			.path_mtu = 256,
			.memory_bytes = 65536});
	nd_pair_connect(&pair);
	nd_pair_bind(&pair, 1, 0, 65536, ND_OP_FLAG_ALLOW_WRITE, &window);
	nd_pair_pattern(pair.side[0].memory, 65536, 2);
	from = (struct nd_sge){pair.side[0].memory, 65536, pair.side[0].mr};
	receiver.deaf = true;
	cr_assert_eq(nd_endpoint_write(pair.side[0].endpoint, &sent, &from, 1, &window, 0, 0),
		ND_SUCCESS);
	for (unsigned int i = 0; i < 16; i++)
		nd_pair_poll(&pair);
	receiver.deaf = false;
	receiver.bursts = 0;
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
	cr_assert_gt(receiver.bursts, 0, "there never was more than a turn takes");
	cr_assert_arr_eq(pair.side[1].memory, pair.side[0].memory, 65536);
	cr_assert_eq(nd_engine_input(nd_adapter_engine(pair.side[1].adapter), NULL, 0), 0);
	nd_pair_close(&pair);
}

/** @return error message from opening side 1's port with this configuration */
static const char *
refusal(struct nd_adapter_config *config, nd_status status)
{
	struct nd_adapter *adapter;
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_addr.s_addr = rte_cpu_to_be_32(OTHER)};

	config->port_id = pair.ports[1];
	config->engines = test_engines();
	if (config->mbuf_pool == NULL)
		config->mbuf_count = 512;
	memcpy(&config->address, &address, sizeof(address));
	cr_assert_eq(nd_adapter_open(config, &adapter), status, "%s", nd_adapter_open_error());
	return nd_adapter_open_error();
}

static void
ports_only(void)
{
	nd_pair_open(&pair, &(struct nd_pair_config){0});
	nd_pair_close(&pair);
}

Test(tenant, input_only_needs_a_port_of_the_application)
{
	ports_only();
	cr_assert_str_eq(
		refusal(&(struct nd_adapter_config){.input_only = true}, ND_INVALID_PARAMETER),
		"input_only requires port_configured: the application must receive the frames");
}

/* ---- the application's packet buffers ---- */

static void
with_pool(unsigned int side, struct nd_adapter_config *config)
{
	if (side == 1) {
		config->mbuf_pool = pool;
		return;
	}
	config->other_frames = others_take;
	config->other_frames_arg = &heard;
}

Test(tenant, packet_buffers_may_be_the_applications)
{
	unsigned int buffers = rte_mempool_avail_count(pool);

	nd_pair_open(&pair, &(struct nd_pair_config){.adapt = with_pool});
	nd_pair_connect(&pair);
	cr_assert_eq(heard.pool, pool, "the adapter sends from another one");
	expect_traffic();
	nd_pair_close(&pair);
	/* After the close, the pool exists, and all buffers outside the rings are free. */
	cr_assert_eq(rte_mempool_lookup("tenant"), pool);
	cr_assert_geq(rte_mempool_avail_count(pool) + 64, buffers);
	nd_pair_reopen(&pair);
	nd_pair_connect(&pair);
	expect_traffic();
	nd_pair_close(&pair);
}

Test(tenant, packet_buffers_that_are_too_small_are_refused)
{
	struct rte_mempool *small = pool_make("small", 1024);
	struct nd_adapter *adapter;
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_addr.s_addr = rte_cpu_to_be_32(OTHER)};
	struct nd_adapter_config config = {.engines = test_engines(), .mbuf_pool = small};
	const char *why;

	ports_only();
	why = refusal(&(struct nd_adapter_config){.mbuf_pool = small, .path_mtu = 1024},
		ND_INVALID_PARAMETER);
	cr_assert_not_null(strstr(why, "buffers of mbuf_pool have 1024 bytes"), "%s", why);

	/* The default path MTU is the largest path MTU that fits into the buffers. */
	config.port_id = pair.ports[1];
	memcpy(&config.address, &address, sizeof(address));
	cr_assert_eq(nd_adapter_open(&config, &adapter), ND_SUCCESS, "%s", nd_adapter_open_error());
	cr_assert_eq(nd_adapter_path_mtu(adapter), 512);
	nd_adapter_close(adapter);
}

/* test_steer.c tests the flow rules themselves. */
Test(tenant, flow_rules_are_refused_with_a_status)
{
	nd_pair_open(&pair, &input_only);
	cr_assert_eq(nd_adapter_install_flow_rules(pair.side[0].adapter), ND_SUCCESS,
		"the adapter has configured the port: nothing to do");
	cr_assert_eq(nd_adapter_install_flow_rules(pair.side[1].adapter), ND_INVALID_DEVICE_STATE);
	nd_pair_close(&pair);
	cr_assert_eq(rte_eth_dev_stop(pair.ports[1]), 0);
	nd_pair_open(&pair, &(struct nd_pair_config){.adapt = with_own_port, .path_mtu = 1024});
	cr_assert_eq(nd_adapter_install_flow_rules(pair.side[1].adapter), ND_NOT_SUPPORTED,
		"net_ring takes no rules");
	nd_pair_close(&pair);
}

/* ---- transmitted frames ---- */

static struct {
	unsigned int calls, refused, lost, passed;
	bool ended;
} sender;

/*
 * Every fourth call accepts no frame, and each other call accepts up to 8 frames. Every fifth frame
 * is lost.
 */
static uint16_t
transmit(uint16_t port_id, uint16_t queue_id, struct rte_mbuf **mbufs, uint16_t count, void *arg)
{
	cr_assert_eq(arg, &sender);
	cr_assert_eq(port_id, pair.ports[1]);
	cr_assert_lt(queue_id, test_engines());
	cr_assert_gt(count, 0);
	if (sender.calls++ % 4 == 3 && !sender.ended) {
		sender.refused++;
		return 0;
	}
	count = RTE_MIN(count, 8);
	for (uint16_t i = 0; i < count; i++) {
		if ((sender.passed + sender.lost) % 5 == 4) {
			rte_pktmbuf_free(mbufs[i]);
			sender.lost++;
		} else {
			cr_assert_eq(rte_eth_tx_burst(port_id, queue_id, &mbufs[i], 1), 1);
			sender.passed++;
		}
	}
	return count;
}

static void
with_transmit(unsigned int side, struct nd_adapter_config *config)
{
	if (side != 1)
		return;
	config->transmit = transmit;
	config->transmit_arg = &sender;
}

Test(tenant, application_transmits_and_may_lose)
{
	nd_pair_open(&pair, &(struct nd_pair_config){.adapt = with_transmit, .path_mtu = 1024});
	nd_pair_connect(&pair);
	for (unsigned int i = 0; i < 4; i++)
		expect_traffic();
	cr_assert_gt(sender.refused, 0);
	cr_assert_gt(sender.lost, 0);
	cr_assert_eq(counted("tx_frames"), sender.passed + sender.lost, "a frame left another way");
	sender.ended = true;
	nd_pair_close(&pair);
}

/* ---- processes ---- */

static bool secondary;

/* The linker redirects EAL's function to this function. */
enum rte_proc_type_t __wrap_rte_eal_process_type(void);

enum rte_proc_type_t
__wrap_rte_eal_process_type(void)
{
	return secondary ? RTE_PROC_SECONDARY : RTE_PROC_PRIMARY;
}

Test(tenant, secondary_process_opens_no_adapter)
{
	const char *why;

	ports_only();
	secondary = true;
	why = refusal(&(struct nd_adapter_config){0}, ND_NOT_SUPPORTED);
	cr_assert_not_null(
		strstr(why, "a secondary process of DPDK cannot open adapters"), "%s", why);
	secondary = false;
	nd_pair_reopen(&pair);
	nd_pair_close(&pair);
}

static void
with_owner(unsigned int side, struct nd_adapter_config *config)
{
	config->own_port = side == 1;
}

/* own_port is an option, because dpdk-dumpcap shows only ports without an owner. */
Test(tenant, port_of_an_adapter_is_owned_if_asked)
{
	struct rte_eth_dev_owner owner;

	nd_pair_open(&pair, &(struct nd_pair_config){.adapt = with_owner});
	cr_assert_eq(rte_eth_dev_owner_get(pair.ports[0], &owner), 0);
	cr_assert_eq(owner.id, RTE_ETH_DEV_NO_OWNER);
	cr_assert_eq(rte_eth_dev_owner_get(pair.ports[1], &owner), 0);
	cr_assert_str_eq(owner.name, "ndpdk");
	nd_pair_close(&pair);
	cr_assert_eq(rte_eth_dev_owner_get(pair.ports[1], &owner), 0);
	cr_assert_eq(owner.id, RTE_ETH_DEV_NO_OWNER);
	cr_assert_not_null(strstr(
		refusal(&(struct nd_adapter_config){.own_port = true, .port_configured = true},
			ND_INVALID_PARAMETER),
		"own_port cannot be set together with port_configured"));
}

Test(tenant, port_of_another_owner_is_left_alone)
{
	struct rte_eth_dev_owner owner = {.name = "bond0"};
	const char *why;

	ports_only();
	cr_assert_eq(rte_eth_dev_owner_new(&owner.id), 0);
	cr_assert_eq(rte_eth_dev_owner_set(pair.ports[1], &owner), 0);
	why = refusal(&(struct nd_adapter_config){0}, ND_SHARING_VIOLATION);
	cr_assert_not_null(strstr(why, "belongs to bond0"), "%s", why);
	cr_assert_eq(rte_eth_dev_owner_get(pair.ports[1], &owner), 0);
	cr_assert_str_eq(owner.name, "bond0");
	cr_assert_eq(rte_eth_dev_owner_unset(pair.ports[1], owner.id), 0);
	nd_pair_reopen(&pair);
	nd_pair_close(&pair);
}
