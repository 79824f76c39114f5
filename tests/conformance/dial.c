/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "dial.h"

#include <rte_ethdev.h>

/* Offsets in bytes from the start of an Ethernet frame without VLAN tag and IPv4 options. */
#define ETHER_TYPE    12
#define IPV4_PROTOCOL 23
#define UDP_PORT      36
#define BTH           42
#define MAD_ATTRIBUTE (BTH + 12 + 8 + 16)
#define ROCE_PORT     4791
#define PROTOCOL_UDP  17

bool (*dial_look)(const struct dial_frame *frame);

nd_status
dial_start(const void *data, size_t bytes, struct nd_overlapped *connect)
{
	struct nd_side *peer = &scene.side[PEER];
	struct sockaddr_storage address;
	socklen_t length = nd_pair_address(&scene, &address);

	return nd_connector_connect(peer->connector, peer->endpoint, (struct sockaddr *)&address,
		length, 6, 0, data, bytes, connect);
}

void
dial_take(void)
{
	struct nd_side *owner = &scene.side[OWNER];
	struct nd_overlapped request = {0};

	ASSERT_ND(nd_adapter_create_connector(owner->adapter, &owner->connector), ND_SUCCESS);
	ASSERT_ND(nd_pair_finish(&scene,
			  nd_listener_get_connection_request(
				  scene.listener, owner->connector, &request),
			  &request),
		ND_SUCCESS);
}

void
dial_request(const void *data, size_t bytes, struct nd_overlapped *connect)
{
	if (scene.listener == NULL)
		nd_pair_listen(&scene);
	if (scene.side[PEER].connector == NULL)
		nd_pair_endpoint(&scene, PEER);
	ASSERT_ND(dial_start(data, bytes, connect), ND_PENDING);
	dial_take();
}

nd_status
dial_accept(const void *data, size_t bytes, struct nd_overlapped *accept)
{
	struct nd_side *owner = &scene.side[OWNER];

	nd_pair_endpoint(&scene, OWNER);
	return nd_connector_accept(owner->connector, owner->endpoint, data, bytes, accept);
}

void
dial_answer(struct nd_overlapped *accept)
{
	struct nd_overlapped connect = {0};

	dial_request(NULL, 0, &connect);
	ASSERT_ND(dial_accept(NULL, 0, accept), ND_PENDING);
	ASSERT_ND(nd_pair_finish(&scene, ND_PENDING, &connect), ND_SUCCESS);
}

void
dial_complete(void)
{
	ASSERT_ND(nd_connector_complete_connect(scene.side[PEER].connector, NULL), ND_SUCCESS);
}

void
dial_finish(struct nd_overlapped *connect)
{
	struct nd_overlapped accept = {0};

	ASSERT_ND(dial_accept(NULL, 0, &accept), ND_PENDING);
	ASSERT_ND(nd_pair_finish(&scene, ND_PENDING, connect), ND_SUCCESS);
	dial_complete();
	ASSERT_ND(nd_pair_finish(&scene, ND_PENDING, &accept), ND_SUCCESS);
}

void
dial_endpoint(unsigned int number, size_t inbound_reads, size_t outbound_reads)
{
	struct nd_side *side = &scene.side[number];

	if (side->connector == NULL)
		ASSERT_ND(nd_adapter_create_connector(side->adapter, &side->connector), ND_SUCCESS);
	ASSERT_ND(nd_connector_create_endpoint(side->connector, side->inbound, side->outbound, 64,
			  64, 4, 4, inbound_reads, outbound_reads, NULL, &side->endpoint),
		ND_SUCCESS);
}

static uint32_t
bytes_at(const uint8_t *bytes, unsigned int count)
{
	uint32_t value = 0;

	while (count-- != 0)
		value = value << 8 | *bytes++;
	return value;
}

/** @return true if the test's dial_look() requests that this frame is dropped */
static bool
lost(uintptr_t side, const struct rte_mbuf *mbuf)
{
	const uint8_t *frame = rte_pktmbuf_mtod(mbuf, const uint8_t *);
	struct dial_frame seen = {.side = (unsigned int)side};

	if (dial_look == NULL || mbuf->data_len < BTH + 12 ||
		bytes_at(frame + ETHER_TYPE, 2) != RTE_ETHER_TYPE_IPV4 ||
		frame[IPV4_PROTOCOL] != PROTOCOL_UDP || bytes_at(frame + UDP_PORT, 2) != ROCE_PORT)
		return false;
	seen.opcode = frame[BTH];
	seen.qp = bytes_at(frame + BTH + 5, 3);
	seen.psn = bytes_at(frame + BTH + 9, 3);
	if (seen.qp == 1)
		seen.attribute = (uint16_t)bytes_at(frame + MAD_ATTRIBUTE, 2);
	return dial_look(&seen);
}

static uint16_t
transmit(uint16_t port_id, uint16_t queue_id, struct rte_mbuf **mbufs, uint16_t count, void *arg)
{
	for (uint16_t i = 0; i < count; i++) {
		if (lost((uintptr_t)arg, mbufs[i]))
			rte_pktmbuf_free(mbufs[i]);
		else if (rte_eth_tx_burst(port_id, queue_id, &mbufs[i], 1) != 1)
			return i;
	}
	return count;
}

void
dial_tap(unsigned int side, struct nd_adapter_config *config)
{
	dial_look = NULL;
	config->transmit = transmit;
	config->transmit_arg = (void *)(uintptr_t)side;
}
