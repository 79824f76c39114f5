/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Many legitimate connection requests arrive at once, together with requests with forged source
 * addresses (SEC-040, SEC-042). The attacker can send from any address, even from the legitimate
 * peer's, but does not receive the answers to forged addresses. Two thousand simultaneous connects
 * must succeed, and existing connections must continue. The victim must keep endpoints free and
 * send few answers.
 */

#include <netinet/in.h>
#include <stddef.h>
#include <string.h>

#include <criterion/criterion.h>

#include "engine/qps.h"
#include "engine/transmit.h"
#include "nd/adapter.h"
#include "storm_server.h"

#define MS      UINT64_C(1000000)
#define SECOND  (1000 * MS)
#define CLIENTS 2000u

static struct net *net;
static struct storm_side *server, *client;
static struct net_link live;
static struct nd_mw_descriptor descriptor;

/* Source address of the attacker's requests. */
enum sender {
	HONEST,  /* forged address of the legitimate peer */
	ANYBODY, /* forged address, new for each request */
	/* The attacker's own address. The attacker receives the REP and answers with MRAs only. */
	REAL,
};

/* One kind of forged request and its rate. */
struct stream {
	uint32_t per_second;
	enum sender sender;
	uint32_t service; /* added to the correct service ID */
	/* UINT32_MAX if the request has no queue pair number. Other values have no effect. */
	uint32_t qpn;
	uint64_t next_ns;
};

static struct stream streams[] = {
	{.per_second = 400, .sender = HONEST, .qpn = UINT32_MAX},
	{.per_second = 8000, .sender = HONEST, .service = 1},
	{.per_second = 100, .sender = HONEST},
	{.per_second = 500, .sender = ANYBODY},
	{.per_second = 300, .sender = REAL},
};

static uint64_t forged_count;

/* REPs that the attacker received. The REPs contain the communication IDs of the victim. */
static struct wire_cm_msg reps[4096];
static uint32_t rep_count;

static void
rep_learn(const struct net_frame *frame)
{
	const struct wire_gid attacker = wire_gid_from_v4(0xC0000201 + ATTACKER);
	struct wire_view view;
	struct wire_cm_msg msg;

	if (rep_count == RTE_DIM(reps) ||
		wire_parse_bytes(frame->data, frame->bytes, &view) != WIRE_OK ||
		view.payload_bytes != LIMIT_MAD_BYTES || !wire_gid_equal(&view.dst, &attacker) ||
		wire_cm_decode(frame->data + view.payload_offset, LIMIT_MAD_BYTES, &msg) !=
			WIRE_MAD_OK ||
		msg.attribute != WIRE_CM_REP)
		return;
	reps[rep_count++] = msg;
}

static void
send_forged(const struct cm_route *route, const struct wire_cm_msg *msg)
{
	struct engine *engine = net->nodes[ATTACKER].adapter->engine;

	engine_mad_send(engine, route, msg);
	engine_transmit(engine);
	forged_count++;
}

static struct cm_route
route_from(struct wire_gid gid)
{
	return (struct cm_route){
		.local_gid = gid,
		.remote_gid = wire_gid_from_v4(0xC0000201 + VICTIM),
		.remote_mac = net->nodes[VICTIM].io.mac,
	};
}

/* For each half-open connection of the attacker, send an MRA that requests 68.7 s more. */
static void
mras_send(void)
{
	const struct cm_route route = route_from(wire_gid_from_v4(0xC0000201 + ATTACKER));

	for (uint32_t i = 0; i < rep_count; i++) {
		struct wire_cm_msg mra = {.attribute = WIRE_CM_MRA,
			.local_comm_id = reps[i].remote_comm_id,
			.remote_comm_id = reps[i].local_comm_id,
			.mra = {.message = 1, .service_timeout = 24}};

		send_forged(&route, &mra);
	}
}

static void
forge(const struct stream *stream)
{
	static uint32_t number;
	const uint32_t addresses[] = {[HONEST] = 0xC0000201 + BYSTANDER,
		[ANYBODY] = 0x0A000000 + number,
		[REAL] = 0xC0000201 + ATTACKER};
	const struct cm_route route = route_from(wire_gid_from_v4(addresses[stream->sender]));
	struct wire_cm_msg req = {.attribute = WIRE_CM_REQ};
	const struct wire_ip_cm header = {
		.ip_version = 4, .src_port = 1, .src = route.local_gid, .dst = route.remote_gid};

	number++;
	req.local_comm_id = 0x50000000 + number;
	req.transaction_id = number;
	req.req = (struct wire_cm_req){
		.service_id =
			(WIRE_SERVICE_PREFIX | 6u << 16 | rte_be_to_cpu_16(net->listen_port)) +
			stream->service,
		.local_ca_guid = 0x4711,
		.local_qpn = stream->qpn == UINT32_MAX ? 0 : 2 + number,
		.starting_psn = number,
		.remote_cm_timeout = 20,
		.local_cm_timeout = 20,
		.retry_count = 7,
		.path_mtu = 3,
		.max_cm_retries = 15,
		.pkey = 0xFFFF,
		.local_gid = route.local_gid,
		.remote_gid = route.remote_gid,
	};
	wire_ip_cm_store(req.private_data, &header);
	send_forged(&route, &req);
}

/** Send the forged requests that are due. @return time at which the next request is due */
static uint64_t
attack(void)
{
	uint64_t next_ns = UINT64_MAX;

	for (size_t i = 0; i < RTE_DIM(streams); i++) {
		struct stream *stream = &streams[i];

		if (stream->next_ns == 0)
			stream->next_ns = net->now_ns;
		for (; stream->next_ns <= net->now_ns;
			stream->next_ns += SECOND / stream->per_second)
			forge(stream);
		next_ns = RTE_MIN(next_ns, stream->next_ns);
	}
	return next_ns;
}

static void
live_write(void)
{
	struct net_node *node = &net->nodes[BYSTANDER];
	struct nd_sge sge = {node->memory, 64, node->mr};
	struct nd_result result;

	cr_assert_eq(nd_endpoint_write(live.endpoints[0], &result, &sge, 1, &descriptor, 0, 0),
		ND_SUCCESS);
	cr_assert_eq(net_result(net, live.outbound[0], &result), ND_SUCCESS);
}

/**
 * Run the attack for duration_ns, or until all connects of the client have ended.
 * @return time that the attack ran, in ns
 */
static uint64_t
run(uint64_t duration_ns)
{
	uint64_t began_ns = net->now_ns, polled_ns = 0;

	while (net->now_ns - began_ns < duration_ns) {
		net_step(net, RTE_MIN(attack(), polled_ns + MS));
		if (net->now_ns - polled_ns < MS)
			continue;
		polled_ns = net->now_ns;
		storm_server_poll(server);
		if (client == NULL)
			continue;
		storm_client_poll(client);
		if (client->connected_count + client->failed_count == client->end_max)
			break;
	}
	return net->now_ns - began_ns;
}

static void
setup(void)
{
	net = net_open(&(struct net_limits){.endpoints_max = 4096});
	client = NULL;
	live = net_connect(net, BYSTANDER);
	net_bind(net, &live, 0, 4096, ND_OP_FLAG_ALLOW_WRITE, &descriptor);
	net->log_off = true;
	/*
	 * The attacker must not receive the REPs, because its own stack does not know these
	 * connections.
	 */
	net->nodes[ATTACKER].deaf = true;
	net->to_attacker = rep_learn;
	server = storm_server_start(net);
}

static void
teardown(void)
{
	net_close(net);
}

TestSuite(storm, .init = setup, .fini = teardown, .timeout = 240);

Test(storm, honest_storm_passes_under_attack)
{
	uint64_t took_ns;

	memset(net->victim_frames, 0, sizeof(net->victim_frames));
	run(5 * SECOND);
	mras_send();
	live_write();
	client = storm_client_start(net, BYSTANDER, CLIENTS);
	took_ns = run(12 * SECOND);
	cr_assert_eq(client->connected_count, CLIENTS, "%u of %u connected, %u failed",
		client->connected_count, CLIENTS, client->failed_count);
	cr_assert_leq(took_ns, 2 * SECOND, "it took %lu ms", took_ns / MS);
	client = NULL;
	run(SECOND);
	live_write();
	cr_assert_eq(server->connected_count, CLIENTS);
	cr_assert_eq(server->no_endpoint_count, 0, "endpoints ran out");
	cr_assert_leq(net_counter(net, "cm_half_open_now"), 2048);
	cr_assert_eq(net_counter(net, "cm_drop_rate"), 0);
	/* The victim does not amplify an attack: it sends fewer answers than it gets requests. */
	cr_assert_lt(net->victim_frames[ATTACKER], forged_count, "%lu frames for %lu requests",
		net->victim_frames[ATTACKER], forged_count);
	cr_assert_gt(net_counter(net, "cm_drop_invalid"), 1000);
	cr_assert_gt(net_counter(net, "cm_drop_unanswered"), 10000);
}

static void
attack_stop(void)
{
	for (size_t i = 0; i < RTE_DIM(streams); i++)
		streams[i].next_ns = UINT64_MAX;
}

struct setting {
	const char *name;
	size_t offset;
	uint32_t max;
	uint32_t by_default;
};

#define SETTING(member, max, by_default)                                                           \
	{                                                                                          \
#member, offsetof(struct nd_adapter_config, member), max, by_default               \
	}

/*
 * Each limit of docs/security.md is a setting of the configuration, with a default and a checked
 * maximum.
 */
Test(storm, limits_are_settings)
{
	static const struct setting settings[] = {
		SETTING(half_open_max, 1 << 20, 512),
		SETTING(connections_per_second, 1000000, 1000),
		SETTING(answers_per_second, 1000000, 1000),
		SETTING(proof_lifetime_s, 86400, 3600),
		SETTING(mra_max_ms, 86400000, 120000),
		SETTING(guess_bar_max_ms, 86400000, 3000),
		SETTING(keep_packets, LIMIT_KEEP_PACKETS, 512),
	};
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = 0x010200C0};
	char why[192];

	for (size_t i = 0; i < RTE_DIM(settings); i++) {
		const struct setting *setting = &settings[i];
		struct nd_adapter_config config = {0};
		uint32_t *value = (uint32_t *)((char *)&config + setting->offset);

		memcpy(&config.address, &in, sizeof(in));
		cr_assert_eq(adapter_config_check(&config, why, sizeof(why)), ND_SUCCESS);
		cr_assert_eq(*value, setting->by_default, "%s: %u", setting->name, *value);
		*value = setting->max;
		cr_assert_eq(adapter_config_check(&config, why, sizeof(why)), ND_SUCCESS);
		*value = setting->max + 1;
		cr_assert_eq(adapter_config_check(&config, why, sizeof(why)), ND_INVALID_PARAMETER);
		cr_assert_eq(strncmp(why, setting->name, strlen(setting->name)), 0, "%s", why);
	}
}

Test(storm, open_places_are_a_setting)
{
	net_close(net);
	net = net_open(&(struct net_limits){.endpoints_max = 4096, .half_open_max = 40});
	net->log_off = true;
	net->nodes[ATTACKER].deaf = true;
	server = storm_server_start(net);
	run(SECOND / 10);
	cr_assert_gt(net_counter(net, "cm_held_now"), 0);
	/*
	 * No sender has proven that it owns its source address. Such senders may use only half of
	 * the 40 half-open connections.
	 */
	cr_assert_eq(net_counter(net, "cm_half_open_now"), 20);
}

/* However many MRAs a peer sends, the victim waits for it only for a limited time. */
Test(storm, mras_hold_no_connection_for_ever)
{
	run(2 * SECOND);
	attack_stop();
	for (unsigned int minute = 0; minute < 4; minute++) {
		mras_send();
		run(50 * SECOND);
		if (minute == 0)
			cr_assert_gt(net_counter(net, "cm_half_open_now"), 100);
	}
	cr_assert_eq(net_counter(net, "cm_half_open_now"), 0);
	cr_assert_eq(server->connected_count, 0);
	live_write();
}

/*
 * Without an attack and without an earlier connection, the clients need no retransmission of a
 * request.
 */
Test(storm, honest_storm_alone_needs_no_repeat)
{
	uint64_t took_ns;

	net_disconnect(net, &live);
	attack_stop();
	client = storm_client_start(net, BYSTANDER, CLIENTS);
	took_ns = run(12 * SECOND);
	cr_assert_eq(client->connected_count, CLIENTS, "%u of %u connected",
		client->connected_count, CLIENTS);
	cr_assert_leq(took_ns, 200 * MS, "it took %lu ms", took_ns / MS);
	cr_assert_eq(net_counter(net, "cm_rx_req"), 1 + CLIENTS);
}

/**
 * Make a thousand connections of one peer, and one connection of another peer.
 * @return the first peer
 */
static struct storm_side *
thousand_connect(void)
{
	struct storm_side *peer;

	net_close(net);
	net = net_open(&(struct net_limits){.endpoints_max = 4096});
	live = net_connect(net, ATTACKER);
	net->log_off = true;
	attack_stop();
	server = storm_server_start(net);
	peer = storm_client_start(net, BYSTANDER, 1000);
	client = peer;
	run(12 * SECOND);
	client = NULL;
	run(SECOND);
	cr_assert_eq(server->connected_count, 1000);
	return peer;
}

static void
disconnect_all(struct storm_side *side)
{
	for (uint32_t i = 0; i < side->end_max; i++) {
		struct storm_end *end = &side->ends[i];

		if (end->state != STORM_CONNECTED)
			continue;
		end->overlapped = (struct nd_overlapped){0};
		cr_assert_eq(nd_connector_disconnect(end->connector, &end->overlapped), ND_PENDING);
	}
}

static bool
is_disconnected(struct storm_side *side)
{
	for (uint32_t i = 0; i < side->end_max; i++)
		if (side->ends[i].state == STORM_CONNECTED &&
			nd_overlapped_get_result(&side->ends[i].overlapped, NULL, false) ==
				ND_PENDING)
			return false;
	return true;
}

/**
 * Send a message on the live connection. @return number of frames that the victim sent until the
 * send had completed
 */
static uint64_t
live_send(void)
{
	struct nd_result sent, received;
	uint64_t before = net_counter(net, "tx_frames");

	cr_assert_eq(nd_endpoint_receive(live.endpoints[0], &received, NULL, 0), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send(live.endpoints[1], &sent, NULL, 0, 0), ND_SUCCESS);
	cr_assert_eq(net_result(net, live.inbound[0], &received), ND_SUCCESS);
	cr_assert_eq(net_result(net, live.outbound[1], &sent), ND_SUCCESS);
	return net_counter(net, "tx_frames") - before;
}

/*
 * A thousand DREQs wait for a port that accepts one frame at a time. A message of another
 * connection may have to wait for the frames in the output and for the frames of one turn, but not
 * for all DREQs.
 */
Test(storm, own_disconnects_take_no_queue_pair_its_turn)
{
	const uint64_t most = LIMIT_OUT_PACKETS + LIMIT_OUT_DATAGRAMS + 64;
	uint64_t messages = 0;

	thousand_connect();
	net->nodes[VICTIM].send_max = 0;
	disconnect_all(server);
	net_run(net, 20 * MS);
	cr_assert_not(is_disconnected(server));
	net->nodes[VICTIM].send_max = 1;
	for (; !is_disconnected(server); messages++) {
		uint64_t frames = live_send();

		cr_assert_leq(frames, most, "%lu frames before message %lu", frames, messages);
	}
	cr_assert_gt(messages, 20, "%lu messages", messages);
}

/*
 * A peer sends a thousand DREQs at once. The ACK of a message waits only for the DREPs to DREQs
 * that arrived before the message.
 */
Test(storm, disconnects_of_a_peer_are_answered_in_the_order_of_their_arrival)
{
	struct storm_side *peer = thousand_connect();

	net->nodes[VICTIM].send_max = 1;
	disconnect_all(peer);
	cr_assert_leq(live_send(), 1000 + LIMIT_BURST);
	net_run(net, MS);
	cr_assert(is_disconnected(peer));
	cr_assert_eq(
		net_counter(net, "cm_rx_dreq"), 1000, "%lu DREQs", net_counter(net, "cm_rx_dreq"));
	cr_assert_eq(net_counter(net, "cm_tx_drep"), 1000);
}

/*
 * A thousand connections have sent a message, and their peer no longer answers, so all their timers
 * expire in the same tick. One turn retransmits for a limited number of connections, so that
 * arriving frames are processed in time. All connections end.
 */
Test(storm, deadlines_of_a_thousand_queue_pairs_are_spread_over_turns)
{
	struct nd_result sent[1000];
	uint64_t most = 0, turns = 0, before, until_ns;

	thousand_connect();
	net->nodes[BYSTANDER].deaf = true;
	for (uint32_t i = 0, n = 0; i < server->end_max; i++)
		if (server->ends[i].state == STORM_CONNECTED)
			cr_assert_eq(
				nd_endpoint_send(server->ends[i].endpoint, &sent[n++], NULL, 0, 0),
				ND_SUCCESS);
	until_ns = net->now_ns + 3 * SECOND;
	before = net_counter(net, "retries_timeout");
	while (net_counter(net, "retries_timeout") < before + 1000) {
		uint64_t count = net_counter(net, "retries_timeout");

		net_step(net, net->now_ns + SECOND);
		count = net_counter(net, "retries_timeout") - count;
		most = RTE_MAX(most, count);
		turns += count != 0;
	}
	cr_assert_leq(most, ENGINE_DEADLINES_PER_TURN, "%lu in a turn", most);
	cr_assert_leq(turns, 100, "%lu turns", turns);
	for (uint32_t ended = 0; ended < 1000;) {
		struct nd_result *result;

		net_step(net, net->now_ns + SECOND);
		cr_assert_lt(net->now_ns, until_ns, "%u of 1000 have ended", ended);
		while (nd_cq_get_results(server->cq, &result, 1) != 0) {
			cr_assert_eq(result->status, ND_IO_TIMEOUT);
			ended++;
		}
	}
}
