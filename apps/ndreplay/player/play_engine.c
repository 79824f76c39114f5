/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* The adapter that replays our side. It receives the frames of the peer. */

#include "play_engine.h"

#include <arpa/inet.h>
#include <string.h>

#include <rte_common.h>
#include <rte_mbuf.h>

#include <ndpdk/nd_virtual.h>

/** Target ACK delay of the engine, encoded like an ACK timeout. */
#define ACK_DELAY    12
/** Size of an array that holds all counters of an adapter. */
#define COUNTERS_MAX ((size_t)256)

void
play_unjudged(struct play_engine *engine, const char *what)
{
	outcome_unjudged(engine->outcome, engine->number, what);
}

void
play_show(const struct play_engine *engine, const uint8_t *bytes, size_t count)
{
	if (engine->history != NULL)
		history_feed(engine->history,
			play_capture_time(&engine->clock, engine->clock.now_ns), bytes,
			(uint32_t)count, (uint32_t)count);
}

void
play_input(struct play_engine *engine, const uint8_t *bytes, size_t count)
{
	struct rte_mbuf *mbuf = rte_pktmbuf_alloc(engine->pool);
	char *room = mbuf == NULL ? NULL : rte_pktmbuf_append(mbuf, (uint16_t)count);

	if (room == NULL) {
		rte_pktmbuf_free(mbuf);
		play_unjudged(engine, "a frame does not fit into a packet buffer");
		return;
	}
	memcpy(room, bytes, count);
	play_show(engine, bytes, count);
	outcome_last(engine->outcome)->fed++;
	nd_engine_input(engine->clock.engine, &mbuf, 1);
	play_settle(&engine->clock);
}

uint64_t
play_engine_kept(const struct play_engine *engine)
{
	struct nd_counter counters[COUNTERS_MAX];
	size_t count = nd_adapter_counters(engine->adapter, counters, COUNTERS_MAX);
	uint64_t kept = 0;

	for (size_t i = 0; i < RTE_MIN(count, COUNTERS_MAX); i++)
		if (strcmp(counters[i].name, "rx_kept") == 0)
			kept += counters[i].value;
		else if (strcmp(counters[i].name, "rx_kept_executed") == 0 ||
			strcmp(counters[i].name, "rx_kept_dropped") == 0)
			kept -= counters[i].value;
	return kept;
}

static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

socklen_t
play_address(const uint8_t ip[16], uint16_t port, void *to)
{
	struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
	struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};

	if (memcmp(ip, mapped, sizeof(mapped)) == 0) {
		memcpy(&v4.sin_addr, ip + 12, 4);
		memcpy(to, &v4, sizeof(v4));
		return sizeof(v4);
	}
	memcpy(&v6.sin6_addr, ip, 16);
	memcpy(to, &v6, sizeof(v6));
	return sizeof(v6);
}

static uint64_t
clock_read(void *arg)
{
	const struct play_clock *clock = arg;

	return clock->now_ns;
}

/**
 * Find the facts that the answers of our side show.
 *
 * @param[out] cnps true if our side sent CNPs
 * @return timer code of our side's first RNR NAK; 0: there is none
 */
static uint8_t
answers_look(const struct play_recorded *recorded, bool *cnps)
{
	uint8_t code = 0;
	struct nd_model_frame frame;

	for (size_t i = 0; play_frame(recorded, i, &frame) != 0; i++) {
		if (frame.side != recorded->ours)
			continue;
		if (frame.part == ND_MODEL_FRAME_RNR_NAK && code == 0)
			code = frame.syndrome & 0x1F;
		if (frame.part == ND_MODEL_FRAME_CNP)
			*cnps = true;
	}
	return code;
}

/**
 * @return setting of the ACK timeout for this code in the REQ. The code contains the sum of the
 *         setting and the engine's ACK delay.
 */
static uint8_t
ack_timeout_for(uint8_t recorded)
{
	if (recorded > ACK_DELAY + 1)
		return recorded;
	return recorded == ACK_DELAY + 1 ? ACK_DELAY : ACK_DELAY - 2;
}

static void
config_fill(const struct play_recorded *recorded, uint16_t keep, struct nd_adapter_config *config)
{
	const struct nd_model_connection *connection = recorded->connection;
	const struct nd_model_side *side = &connection->side[recorded->ours];
	bool cnps = false;

	config->rnr_timer = answers_look(recorded, &cnps);
	config->no_cnps = !cnps;
	config->prefix_length = 1;
	config->path_mtu =
		connection->path_mtu_bytes != 0 ? connection->path_mtu_bytes : PLAY_MTU_DEFAULT;
	config->vlan_id = side->vlan ? side->vlan_tci & 0xFFF : 0;
	config->endpoints_max = 16;
	config->regions_max = 1 << 17;
	config->windows_max = (uint32_t)side->keys + 16;
	config->recovery = keep != 0 ? ND_RECOVERY_SELECTIVE : ND_RECOVERY_GO_BACK_N;
	config->keep_packets = keep;
	if (keep == 0)
		config->reorder_window_us = ND_REORDER_NONE;
	config->congestion = ND_CONGESTION_NONE;
	config->guesses_max = 1000000;
	config->ack_timeout = PLAY_ACK_TIMEOUT;
	if (side->data_seen) {
		config->dscp = side->tos >> 2;
		config->dscp_ack = side->ack_seen ? side->ack_tos >> 2 : 0;
		config->ttl = side->ttl;
		config->udp_source_port = side->udp_source_port;
	}
	if (side->comm_id != 0)
		config->rnr_retry_count = side->rnr_retry_count;
	if (connection->req_seen && recorded->ours == 0) {
		config->ack_timeout = ack_timeout_for(connection->ack_timeout);
		config->retry_count = connection->retry_count;
	}
}

bool
play_engine_open(struct play_engine *engine, const struct play_recorded *recorded, uint16_t keep,
	nd_transmit_fn transmit, void *arg)
{
	const struct nd_model_side *side = play_own_side(recorded);
	const struct nd_model_side *peer = play_peer_side(recorded);
	static const uint8_t seed[ND_VIRTUAL_SEED_BYTES] = "ndreplay";
	struct nd_virtual_config without_port = {
		.clock = clock_read, .clock_arg = &engine->clock, .seed = seed};
	struct nd_neighbour neighbour = {0};
	struct nd_adapter_config config = {
		.mbuf_pool = engine->pool,
		.neighbours = &neighbour,
		.neighbour_count = 1,
		.transmit = transmit,
		.transmit_arg = arg,
	};

	play_address(side->ip, 0, &config.address);
	play_address(peer->ip, 0, &neighbour.address);
	memcpy(neighbour.mac, peer->mac, sizeof(neighbour.mac));
	memcpy(without_port.mac, side->mac, sizeof(side->mac));
	config_fill(recorded, keep, &config);
	if (nd_failed(nd_adapter_open_virtual(&config, &without_port, &engine->adapter))) {
		play_unjudged(engine,
			"the engine refuses the addresses or settings of the replayed side");
		return false;
	}
	engine->clock.engine = nd_adapter_engine(engine->adapter);
	return !nd_failed(nd_adapter_create_completion_queue(
		engine->adapter, 2 * PLAY_QUEUE_ENTRIES, &engine->cq));
}
