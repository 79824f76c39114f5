/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * The victim's port accepts no frames for some time, or never again. These tests check which
 * operations end, and when (docs/timeouts.md). The adapters run in virtual time.
 */

#include <criterion/criterion.h>

#include <ndpdk/nd_extension.h>

#include "attack_net.h"
#include "nd/adapter.h"

#define MS            UINT64_C(1000000)
#define INTERVAL_NS   (UINT64_C(4096) << 14) /* interval of the ACK timer */
#define STUCK_NS      (5000 * MS)
#define PLAN_NS       (11750 * MS) /* time of all tries of a DREQ and the last wait */
#define BUSY_NS       (10 * MS)    /* interval at which a message is offered to a full port again */
#define LINKS         6
#define MESSAGE_BYTES 65536u
#define TRIES         4 /* number of transmissions, of which three are retries */

/* Advance the time in small steps, because an engine with a full output is never idle. */
#define STEP_NS (MS / 4)

static struct net *net;
static struct net_link links[LINKS];
static struct nd_result sent[LINKS], received[LINKS];

static void
step(void)
{
	net->now_ns += STEP_NS;
	net_step(net, net->now_ns);
}

static nd_status
wait_for(struct nd_overlapped *overlapped, uint64_t patience_ns)
{
	uint64_t until_ns = net->now_ns + patience_ns;
	nd_status status = ND_PENDING;

	while (status == ND_PENDING && net->now_ns < until_ns) {
		step();
		status = nd_overlapped_get_result(overlapped, NULL, false);
	}
	return status;
}

static void
expect_timeout(struct nd_cq *cq, const struct nd_result *result)
{
	uint64_t until_ns = net->now_ns + 2 * STUCK_NS;
	struct nd_result *got;

	while (nd_cq_get_results(cq, &got, 1) == 0) {
		cr_assert_lt(net->now_ns, until_ns, "a request does not end");
		step();
	}
	cr_assert_eq(got, result);
	cr_assert_eq(got->status, ND_IO_TIMEOUT, "%s", nd_status_name(got->status));
}

static void
message_post(unsigned int i)
{
	struct net_node *victim = &net->nodes[VICTIM], *peer = &net->nodes[links[i].from];
	struct nd_sge out = {victim->memory, MESSAGE_BYTES, victim->mr};
	struct nd_sge in = {peer->memory, MESSAGE_BYTES, peer->mr};

	cr_assert_eq(nd_endpoint_receive(links[i].endpoints[0], &received[i], &in, 1), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send(links[i].endpoints[1], &sent[i], &out, 1, 0), ND_SUCCESS);
}

/* On each connection, post the next message if the previous one has arrived. */
static void
messages_go_on(void)
{
	struct nd_result *got;

	for (unsigned int i = 0; i < LINKS; i++) {
		if (nd_cq_get_results(links[i].outbound[1], &got, 1) == 0)
			continue;
		cr_assert_eq(got->status, ND_SUCCESS, "%s", nd_status_name(got->status));
		cr_assert_eq(net_result(net, links[i].inbound[0], &received[i]), ND_SUCCESS);
		message_post(i);
	}
}

/* Fill the output of the victim with messages, then start a disconnect of another connection. */
static struct net_link
disconnect_begin(struct nd_overlapped *overlapped)
{
	struct net_link link;

	net = net_open(&(struct net_limits){0});
	net->log_off = true;
	for (unsigned int i = 0; i < LINKS; i++)
		links[i] = net_connect(net, BYSTANDER);
	link = net_connect(net, ATTACKER);
	net->nodes[VICTIM].send_max = 0;
	for (unsigned int i = 0; i < LINKS; i++)
		message_post(i);
	net_run(net, MS);
	cr_assert_eq(rc_out_room(&net->nodes[VICTIM].adapter->engine->rc), 0);
	cr_assert_eq(nd_connector_disconnect(link.connectors[1], overlapped), ND_PENDING);
	return link;
}

/*
 * The port accepts no frame. The requests end with the timeout of the port. The disconnect ends
 * after at most twice the time of all its transmissions.
 */
Test(stuck, disconnect_over_a_port_that_never_takes_anything_ends)
{
	struct nd_overlapped bye = {0};
	uint64_t start_ns, took_ns;

	disconnect_begin(&bye);
	start_ns = net->now_ns;
	cr_assert_eq(wait_for(&bye, 3 * PLAN_NS), ND_SUCCESS);
	took_ns = net->now_ns - start_ns;
	cr_assert(took_ns >= PLAN_NS && took_ns <= 2 * PLAN_NS + 2 * STEP_NS, "%lu ns",
		(unsigned long)took_ns);
	for (unsigned int i = 0; i < LINKS; i++)
		expect_timeout(links[i].outbound[1], &sent[i]);
	net_close(net);
}

/*
 * The port becomes slow, so it always has a backlog. The disconnect must not wait until the backlog
 * is empty.
 */
Test(stuck, disconnect_leaves_when_a_full_port_moves_again)
{
	struct nd_overlapped bye = {0}, gone = {0};
	struct net_link link = disconnect_begin(&bye);
	nd_status status = ND_PENDING;
	uint64_t moving_ns;

	cr_assert_eq(nd_connector_notify_disconnect(link.connectors[0], &gone), ND_PENDING);
	cr_assert_eq(wait_for(&bye, 3100 * MS), ND_PENDING);
	net->nodes[VICTIM].send_max = 1;
	moving_ns = net->now_ns;
	while (status == ND_PENDING && net->now_ns < moving_ns + 100 * MS) {
		net_step(net, net->now_ns + MS);
		messages_go_on();
		status = nd_overlapped_get_result(&bye, NULL, false);
	}
	cr_assert_eq(status, ND_SUCCESS);
	cr_assert_lt(net->now_ns - moving_ns, BUSY_NS + MS, "%lu ns",
		(unsigned long)(net->now_ns - moving_ns));
	cr_assert_eq(nd_overlapped_get_result(&gone, NULL, false), ND_SUCCESS);
	net->nodes[VICTIM].send_max = UINT16_MAX;
	for (unsigned int i = 0; i < LINKS; i++) {
		cr_assert_eq(net_result(net, links[i].outbound[1], &sent[i]), ND_SUCCESS);
		cr_assert_eq(net_result(net, links[i].inbound[0], &received[i]), ND_SUCCESS);
	}
	net_close(net);
}

/* Select go-back-N, because selective recovery sends probes, which these tests do not expect. */
static void
go_back_n(struct nd_endpoint *endpoint)
{
	cr_assert_eq(nd_endpoint_set_recovery(endpoint, ND_RECOVERY_GO_BACK_N), ND_SUCCESS);
}

/*
 * Let the victim send an empty message. The packets of this message are in the log.
 * @return time after which the message is given up
 */
static uint64_t
send_gives_up(uint16_t send_max)
{
	struct net_link link;
	struct nd_result result;
	uint64_t start_ns;

	net = net_open(&(struct net_limits){.retry_count = {[ATTACKER] = TRIES - 1}});
	net->accepting = go_back_n;
	link = net_connect(net, ATTACKER);
	net->nodes[ATTACKER].deaf = true;
	net->nodes[VICTIM].send_max = send_max;
	net->log_count = 0;
	start_ns = net->now_ns;
	cr_assert_eq(nd_endpoint_send(link.endpoints[1], &result, NULL, 0, 0), ND_SUCCESS);
	expect_timeout(link.outbound[1], &result);
	return net->now_ns - start_ns;
}

static unsigned int
sends_logged(void)
{
	unsigned int count = 0;

	for (uint32_t i = 0; i < net->log_count; i++)
		count += net_view(&net->log[i]).bth.opcode == WIRE_RC_SEND_ONLY;
	return count;
}

/*
 * The peer does not answer, and the port accepts all frames. The message ends after its last retry.
 */
Test(stuck, port_that_takes_all_and_a_peer_that_is_gone)
{
	const uint64_t tries_ns = (1 + 2 + 4 + 4) * INTERVAL_NS;
	uint64_t took_ns = send_gives_up(UINT16_MAX);

	cr_assert(took_ns >= tries_ns && took_ns < tries_ns + INTERVAL_NS / 8, "%lu ns",
		(unsigned long)took_ns);
	cr_assert_eq(sends_logged(), TRIES);
	net_close(net);
}

/*
 * The peer does not answer, and the port accepts no frame. No try is sent, so the timeout of the
 * port applies.
 */
Test(stuck, port_that_takes_nothing_and_a_peer_that_is_gone)
{
	uint64_t took_ns = send_gives_up(0);

	cr_assert(took_ns >= STUCK_NS && took_ns <= STUCK_NS + 8 * INTERVAL_NS + 2 * STEP_NS,
		"%lu ns", (unsigned long)took_ns);
	cr_assert_eq(sends_logged(), 0);
	net_close(net);
}
