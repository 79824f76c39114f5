/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * A peer vanishes suddenly, in each state of a connection. The tests check when this side detects
 * it, and which reason this side reports. There is one test for each row of the table in
 * docs/timeouts.md.
 */

#include <criterion/criterion.h>

#include "nd/adapter.h"

#include <ndpdk/nd_extension.h>

#include "attack_net.h"
#include "support/refusal.h"

#define MS           UINT64_C(1000000)
#define INTERVAL_NS  (UINT64_C(4096) << 14) /* interval of the ACK timer */
#define RETRIES_NS   (27 * INTERVAL_NS)     /* time of all transmissions with seven retries */
#define PLAN_NS      (11750 * MS)           /* time of all transmissions of a REQ or DREQ */
/* time for the REP that a REQ allows */
#define GRANTED_NS   (UINT64_C(16) * (UINT64_C(4096) << 19))
#define PENDING_NS   (60000 * MS) /* time for the application to answer a request */
#define STUCK_NS     (5000 * MS)
#define RNR_NS       (10 * MS) /* longer than one RNR wait */
#define KEEPALIVE_MS 1000
#define KEEPALIVE_NS (KEEPALIVE_MS * MS)
#define SLACK_NS     (MS / 4) /* tolerance for timers and turns */

static struct net *net;
static struct net_link link;

static void
vanish(enum net_name name)
{
	net->nodes[name].deaf = true;
	net->nodes[name].meddle = net_lose;
}

static void
start(void)
{
	net = net_open(&(struct net_limits){
		.keepalive_ms = {[VICTIM] = KEEPALIVE_MS},
		.rnr_retry_count = {[ATTACKER] = 7},
	});
	net->log_off = true;
}

static void
start_connected(void)
{
	start();
	link = net_connect(net, ATTACKER);
}

static void
teardown(void)
{
	net_close(net);
}

TestSuite(vanish, .init = start_connected, .fini = teardown);

static void
expect_reason(struct nd_connector *connector, enum nd_end_reason reason)
{
	struct nd_end end;

	cr_assert_eq(nd_connector_get_end_reason(connector, &end), ND_SUCCESS);
	cr_assert_eq(end.reason, reason, "%s", nd_end_reason_text(end.reason));
}

/* Fail unless the victim's connection ends after a time in this range, with this reason. */
static void
expect_end(uint64_t least_ns, uint64_t most_ns, enum nd_end_reason reason)
{
	struct nd_overlapped told = {0};
	uint64_t since_ns = net->now_ns, took_ns;
	nd_status status = nd_connector_notify_disconnect(link.connectors[1], &told);

	while (status == ND_PENDING && net->now_ns < since_ns + 2 * most_ns + PLAN_NS) {
		/* Advance the time in steps, because an engine with a full output is never idle. */
		if (net->nodes[VICTIM].send_max == 0)
			net->now_ns += SLACK_NS / 2;
		net_step(net, since_ns + 2 * most_ns + PLAN_NS);
		status = nd_overlapped_get_result(&told, NULL, false);
	}
	took_ns = net->now_ns - since_ns;
	cr_assert_eq(status, ND_SUCCESS, "%s", nd_status_name(status));
	cr_assert(took_ns >= least_ns && took_ns <= most_ns + SLACK_NS, "%lu ms, not %lu to %lu",
		took_ns / MS, least_ns / MS, most_ns / MS);
	expect_reason(link.connectors[1], reason);
}

/*
 * The peer vanishes after an idle period: neither side has sent anything since the connection was
 * made.
 */
Test(vanish, established_and_idle)
{
	net_run(net, 10 * KEEPALIVE_NS);
	vanish(ATTACKER);
	expect_end(RETRIES_NS, 3 * KEEPALIVE_NS / 2 + RETRIES_NS, ND_END_KEEPALIVE);
	cr_assert_eq(net_counter(net, "end_keepalive"), 1);
}

/*
 * The victim only receives. The victim detects the dead peer some time after the peer's last
 * message.
 */
Test(vanish, established_and_receiving_only)
{
	struct nd_result received, sent;

	for (unsigned int i = 0; i < 8; i++) {
		cr_assert_eq(
			nd_endpoint_receive(link.endpoints[1], &received, NULL, 0), ND_SUCCESS);
		cr_assert_eq(nd_endpoint_send(link.endpoints[0], &sent, NULL, 0, 0), ND_SUCCESS);
		cr_assert_eq(net_result(net, link.inbound[1], &received), ND_SUCCESS);
		cr_assert_eq(net_result(net, link.outbound[0], &sent), ND_SUCCESS);
		net_run(net, KEEPALIVE_NS / 3);
	}
	/* The victim sends no keepalives while the peer sends messages. */
	cr_assert_eq(net_counter(net, "tx_keepalives"), 0);
	vanish(ATTACKER);
	expect_end(
		KEEPALIVE_NS / 2 + RETRIES_NS, 3 * KEEPALIVE_NS / 2 + RETRIES_NS, ND_END_KEEPALIVE);
}

Test(vanish, posting)
{
	struct nd_result sent;

	vanish(ATTACKER);
	cr_assert_eq(nd_endpoint_send(link.endpoints[1], &sent, NULL, 0, 0), ND_SUCCESS);
	expect_end(RETRIES_NS, RETRIES_NS, ND_END_RETRIES);
	cr_assert_eq(net_result(net, link.outbound[1], &sent), ND_IO_TIMEOUT);
}

/*
 * If the peer vanishes during RNR retries without limit, the victim waits only for a limited time.
 */
Test(vanish, in_rnr_waits_without_end)
{
	struct nd_result sent;

	cr_assert_eq(nd_endpoint_send(link.endpoints[1], &sent, NULL, 0, 0), ND_SUCCESS);
	net_run(net, 10 * KEEPALIVE_NS);
	expect_reason(link.connectors[1], ND_END_NONE);
	cr_assert_gt(net_counter(net, "rx_rnr_naks"), 1000);
	vanish(ATTACKER);
	expect_end(RETRIES_NS, RNR_NS + RETRIES_NS, ND_END_RETRIES);
}

/* The victim's port accepts no more frames. The timeout of the port ends the connection. */
Test(vanish, waiting_for_the_port)
{
	struct nd_result sent;

	net->nodes[VICTIM].send_max = 0;
	cr_assert_eq(nd_endpoint_send(link.endpoints[1], &sent, NULL, 0, 0), ND_SUCCESS);
	expect_end(STUCK_NS, STUCK_NS + 8 * INTERVAL_NS, ND_END_PORT_STUCK);
}

Test(vanish, idle_and_waiting_for_the_port)
{
	net->nodes[VICTIM].send_max = 0;
	expect_end(KEEPALIVE_NS + STUCK_NS, 3 * KEEPALIVE_NS / 2 + STUCK_NS + 8 * INTERVAL_NS,
		ND_END_PORT_STUCK);
}

static void
note_time(struct nd_overlapped *overlapped, void *arg)
{
	(void)overlapped;
	*(uint64_t *)arg = net->now_ns;
}

/*
 * The disconnect ends after all DREQs. The queue pair then is in TIMEWAIT: the connector can be
 * released, but the queue pair number is not reused yet.
 */
Test(vanish, disconnecting)
{
	uint64_t since_ns = net->now_ns, ended_ns = 0, took_ns;
	struct nd_overlapped bye = {.callback = note_time, .callback_arg = &ended_ns};
	nd_status status;

	vanish(ATTACKER);
	status = nd_connector_disconnect(link.connectors[1], &bye);
	cr_assert_eq(net_finish(net, status, &bye, 2 * PLAN_NS), ND_SUCCESS);
	took_ns = ended_ns - since_ns;
	cr_assert(took_ns >= PLAN_NS && took_ns <= PLAN_NS + SLACK_NS, "%lu ms", took_ns / MS);
	expect_reason(link.connectors[1], ND_END_LOCAL_DISCONNECT);
	cr_assert_eq(nd_endpoint_release(link.endpoints[1]), ND_SUCCESS);
	cr_assert_eq(nd_connector_release(link.connectors[1]), ND_SUCCESS);
}

/*
 * A peer that answers gets one keepalive per interval. If some answers are lost, the connection
 * remains, and requests work.
 */
Test(vanish, peer_that_is_there_is_asked_once_per_interval)
{
	struct nd_result received, sent;
	uint64_t asked;

	net_run(net, 100 * KEEPALIVE_NS);
	asked = net_counter(net, "tx_keepalives");
	cr_assert(asked >= 60 && asked <= 100, "%lu", (unsigned long)asked);
	net->nodes[ATTACKER].meddle = net_lose;
	net_run(net, 3 * KEEPALIVE_NS / 2);
	net->nodes[ATTACKER].meddle = NULL;
	net_run(net, KEEPALIVE_NS);
	cr_assert_gt(net_counter(net, "retries_timeout"), 0);
	cr_assert_eq(nd_endpoint_receive(link.endpoints[0], &received, NULL, 0), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send(link.endpoints[1], &sent, NULL, 0, 0), ND_SUCCESS);
	cr_assert_eq(net_result(net, link.inbound[0], &received), ND_SUCCESS);
	cr_assert_eq(net_result(net, link.outbound[1], &sent), ND_SUCCESS);
	expect_reason(link.connectors[1], ND_END_NONE);
}

/*
 * The default keepalive interval of the victim's adapter applies only to the victim's connections.
 * A connector may have another interval.
 */
Test(vanish, connector_with_an_interval_of_its_own)
{
	struct net_link other = net_connect(net, BYSTANDER);
	struct nd_overlapped told = {0};
	nd_status status;

	cr_assert_eq(nd_connector_set_keepalive(link.connectors[1], 0), ND_SUCCESS);
	ASSERT_REFUSED(nd_connector_set_keepalive(link.connectors[1], 86400001),
		ND_INVALID_PARAMETER_1,
		"nd_connector_set_keepalive: parameter 1, interval_ms 86400001: expected 0 to "
		"86400000");
	cr_assert_eq(nd_connector_set_keepalive(other.connectors[0], 100), ND_SUCCESS);
	cr_assert_eq(nd_connector_set_keepalive(other.connectors[1], 0), ND_SUCCESS);
	net_run(net, 2 * KEEPALIVE_NS);
	cr_assert_eq(net_counter(net, "tx_keepalives"), 0);
	vanish(VICTIM);
	status = nd_connector_notify_disconnect(other.connectors[0], &told);
	cr_assert_eq(net_finish(net, status, &told, 150 * MS + RETRIES_NS + SLACK_NS), ND_SUCCESS);
	expect_reason(other.connectors[0], ND_END_KEEPALIVE);
	expect_reason(link.connectors[1], ND_END_NONE);
}

/*
 * The peer restarts with the same queue pair numbers, communication IDs and PSNs. Its first request
 * equals the request of the lost connection, so it ends the old connection. The next request
 * succeeds. No key of the old connection is valid on the new connection.
 */
Test(vanish, peer_that_restarts_with_the_same_numbers)
{
	struct nd_overlapped told = {0}, connect = {0};
	struct nd_mw_descriptor old;
	struct nd_result written;
	struct net_link again = {.from = ATTACKER}, next;
	struct nd_sge sge;
	uint8_t before;
	nd_status telling;

	net_bind(net, &link, 0, 4096, ND_OP_FLAG_ALLOW_WRITE, &old);
	telling = nd_connector_notify_disconnect(link.connectors[1], &told);
	net_run(net, 3 * KEEPALIVE_NS);
	net_restart(net, ATTACKER);
	net_connector_make(net, &again, 0);
	net_endpoint_make(&again, 0);
	cr_assert_eq(net_finish(net, net_connect_start(net, &again, &connect), &connect, PLAN_NS),
		ND_CONNECTION_REFUSED);
	expect_reason(again.connectors[0], ND_END_STALE);
	cr_assert_eq(net_finish(net, telling, &told, MS), ND_SUCCESS);
	expect_reason(link.connectors[1], ND_END_STALE);

	next = net_connect(net, ATTACKER);
	before = net->nodes[VICTIM].memory[0];
	net->nodes[ATTACKER].memory[0] = (uint8_t)~before;
	sge = (struct nd_sge){net->nodes[ATTACKER].memory, 1, net->nodes[ATTACKER].mr};
	cr_assert_eq(
		nd_endpoint_write(next.endpoints[0], &written, &sge, 1, &old, 0, 0), ND_SUCCESS);
	cr_assert_eq(net_result(net, next.outbound[0], &written), ND_REMOTE_ERROR);
	cr_assert_eq(net->nodes[VICTIM].memory[0], before);
}

TestSuite(vanish_early, .init = start, .fini = teardown);

/*
 * The attacker sends a request, and vanishes after the victim's application has received the
 * request.
 */
static void
request_and_vanish(void)
{
	static struct nd_overlapped request, connect;
	nd_status asked;

	link = (struct net_link){.from = ATTACKER};
	net_connector_make(net, &link, 0);
	net_connector_make(net, &link, 1);
	net_endpoint_make(&link, 0);
	asked = nd_listener_get_connection_request(net->listener, link.connectors[1], &request);
	cr_assert_eq(net_connect_start(net, &link, &connect), ND_PENDING);
	cr_assert_eq(net_finish(net, asked, &request, KEEPALIVE_NS), ND_SUCCESS);
	vanish(ATTACKER);
}

Test(vanish_early, connecting)
{
	struct nd_overlapped connect = {0};
	uint64_t since_ns = net->now_ns, took_ns;

	vanish(VICTIM);
	link = (struct net_link){.from = ATTACKER};
	net_connector_make(net, &link, 0);
	net_endpoint_make(&link, 0);
	cr_assert_eq(
		net_finish(net, net_connect_start(net, &link, &connect), &connect, 2 * PLAN_NS),
		ND_IO_TIMEOUT);
	took_ns = net->now_ns - since_ns;
	cr_assert(took_ns >= PLAN_NS && took_ns <= PLAN_NS + SLACK_NS, "%lu ms", took_ns / MS);
	expect_reason(link.connectors[0], ND_END_CONNECT_TIMEOUT);
	net->nodes[ATTACKER].deaf = true; /* for teardown */
}

/* If the application does not answer, the request expires after a minute. */
Test(vanish_early, asked_and_not_accepted)
{
	request_and_vanish();
	net_run(net, PENDING_NS - 2 * KEEPALIVE_NS);
	expect_reason(link.connectors[1], ND_END_NONE);
	net_run(net, 2 * KEEPALIVE_NS + MS);
	expect_reason(link.connectors[1], ND_END_CONNECT_TIMEOUT);
}

/*
 * The victim sends no keepalive before the peer has confirmed, because the peer could not answer
 * it.
 */
Test(vanish_early, accepted_and_not_confirmed)
{
	struct nd_overlapped accept = {0};
	uint64_t since_ns, took_ns;
	nd_status status;

	request_and_vanish();
	net_endpoint_make(&link, 1);
	since_ns = net->now_ns;
	status = nd_connector_accept(link.connectors[1], link.endpoints[1], NULL, 0, &accept);
	cr_assert_eq(net_finish(net, status, &accept, 2 * GRANTED_NS), ND_IO_TIMEOUT);
	took_ns = net->now_ns - since_ns;
	cr_assert(took_ns >= PLAN_NS && took_ns <= GRANTED_NS + SLACK_NS, "%lu ms", took_ns / MS);
	expect_reason(link.connectors[1], ND_END_CONNECT_TIMEOUT);
	cr_assert_eq(net_counter(net, "tx_keepalives"), 0);
}

/* The tests use values of peer_timeout_ms from the minimum to the maximum. */
#define TIMEOUT_MS_MIN      20u
#define TIMEOUT_MS_MAX      3600000u
#define TIMEOUT_MS_NEXT(ms) ((ms)*4 / 3)

/* Open all nodes with this peer_timeout_ms. Makes no connection. @return the timeout in ns */
static uint64_t
start_with_timeout(uint32_t peer_timeout_ms)
{
	net = net_open(&(struct net_limits){.peer_timeout_ms = peer_timeout_ms});
	net->log_off = true;
	return peer_timeout_ms * MS;
}

/*
 * A dead peer is detected within the peer timeout, but not before a quarter of this time, because a
 * live peer may be slow for a moment.
 */
Test(vanish_in_time, established)
{
	for (uint32_t ms = TIMEOUT_MS_MIN; ms <= TIMEOUT_MS_MAX; ms = TIMEOUT_MS_NEXT(ms)) {
		const uint64_t most_ns = start_with_timeout(ms);
		struct nd_result sent;

		link = net_connect(net, ATTACKER);
		net_run(net, 3 * most_ns);
		vanish(ATTACKER);
		expect_end(most_ns / 4, most_ns - SLACK_NS, ND_END_KEEPALIVE);
		net_close(net);

		(void)start_with_timeout(ms);
		link = net_connect(net, ATTACKER);
		vanish(ATTACKER);
		cr_assert_eq(nd_endpoint_send(link.endpoints[1], &sent, NULL, 0, 0), ND_SUCCESS);
		expect_end(most_ns / 4, most_ns - SLACK_NS, ND_END_RETRIES);
		net_close(net);
	}
}

Test(vanish_in_time, connecting)
{
	for (uint32_t ms = TIMEOUT_MS_MIN; ms <= TIMEOUT_MS_MAX; ms = TIMEOUT_MS_NEXT(ms)) {
		const uint64_t most_ns = start_with_timeout(ms);
		struct nd_overlapped connect = {0};
		const uint64_t since_ns = net->now_ns;

		vanish(VICTIM);
		link = (struct net_link){.from = ATTACKER};
		net_connector_make(net, &link, 0);
		net_endpoint_make(&link, 0);
		cr_assert_eq(
			net_finish(net, net_connect_start(net, &link, &connect), &connect, most_ns),
			ND_IO_TIMEOUT);
		cr_assert_gt(net->now_ns - since_ns, most_ns / 5);
		net->nodes[ATTACKER].deaf = true; /* for teardown */
		net_close(net);
	}
}

Test(vanish_in_time, other_members)
{
	struct nd_adapter_config config = {.peer_timeout_ms = 500, .retry_count = 7};
	char why[192];

	((struct sockaddr_in *)&config.address)->sin_family = AF_INET;
	((struct sockaddr_in *)&config.address)->sin_addr.s_addr = htonl(0xC6336401);
	cr_assert_eq(adapter_config_check(&config, why, sizeof(why)), ND_SUCCESS, "%s", why);
	cr_assert_eq(config.retry_count, 7);
	cr_assert_eq(config.keepalive_ms, 125);
	config.peer_timeout_ms = 19;
	cr_assert_eq(adapter_config_check(&config, why, sizeof(why)), ND_INVALID_PARAMETER);
	cr_assert_str_eq(why, "peer_timeout_ms is 19, but must be 20 to 3600000");
}

/*
 * If the peer timeout is below 100 ms, the default ACK delay leaves time for three retries. A
 * configured ACK delay that is too long is refused.
 */
Test(vanish_in_time, ack_delay)
{
	static const struct {
		uint32_t ms;
		uint8_t given, delay, retries;
	} cases[] = {
		{20, 0, 8, 3},
		{99, 0, 10, 3},
		{100, 0, 12, 1},
		{100, 10, 10, 3},
		{60, 12, 12, 1},
	};
	struct nd_adapter_config config, address = {0};
	char why[192];

	((struct sockaddr_in *)&address.address)->sin_family = AF_INET;
	((struct sockaddr_in *)&address.address)->sin_addr.s_addr = htonl(0xC6336401);
	for (size_t i = 0; i < RTE_DIM(cases); i++) {
		config = address;
		config.peer_timeout_ms = cases[i].ms;
		config.ack_delay = cases[i].given;
		cr_assert_eq(
			adapter_config_check(&config, why, sizeof(why)), ND_SUCCESS, "%s", why);
		cr_assert_eq(config.ack_delay, cases[i].delay);
		cr_assert_eq(config.retry_count, cases[i].retries);
	}
	config = address;
	config.peer_timeout_ms = 50;
	config.ack_delay = 12;
	cr_assert_eq(adapter_config_check(&config, why, sizeof(why)), ND_INVALID_PARAMETER);
	cr_assert_str_eq(why,
		"peer_timeout_ms is 50, but the retries take 50.3 ms with ack_delay 12, "
		"ack_timeout 1, retry_count 1: set these to 0, or peer_timeout_ms to at least 51");
	config = address;
	config.ack_delay = 32;
	cr_assert_eq(adapter_config_check(&config, why, sizeof(why)), ND_INVALID_PARAMETER);
	cr_assert_str_eq(why, "ack_delay is 32, but must be 1 to 31");
}
