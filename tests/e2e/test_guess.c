/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * A peer that guesses keys is barred for a limited time: its connection requests are dropped. Other
 * peers are not affected (SEC-031, SEC-051).
 */

#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include <rte_log.h>

#include "attack_net.h"

#define MS UINT64_C(1000000)

static struct net *net;
static FILE *log_file;

static void
start(uint32_t guesses_max, uint32_t guess_interval_ms)
{
	net = net_open(&(struct net_limits){
		.guesses_max = guesses_max, .guess_interval_ms = guess_interval_ms});
	log_file = tmpfile();
	cr_assert_not_null(log_file);
	cr_assert_eq(rte_openlog_stream(log_file), 0);
}

static void
stop(void)
{
	net_close(net);
	cr_assert_eq(rte_openlog_stream(NULL), 0);
	fclose(log_file);
}

/** @return number of warnings in the log about key guesses from this address */
static unsigned int
warnings(const char *address)
{
	unsigned int count = 0;
	char line[256];

	fflush(log_file);
	rewind(log_file);
	while (fgets(line, sizeof(line), log_file) != NULL)
		count += strstr(line, address) != NULL && strstr(line, "guesses keys") != NULL;
	return count;
}

enum request {
	WRITE,
	READ,
	SEND_AND_INVALIDATE,
	REQUESTS,
};

/** Make a connection and guess one key. The guess ends the connection. */
static void
guess(enum net_name from, enum request request)
{
	struct net_node *node = &net->nodes[from];
	struct net_link link = net_connect(net, from);
	struct nd_sge sge = {node->memory, 64, node->mr};
	struct nd_result result, received;
	struct nd_mw_descriptor wrong =
		net_forge(0xDEADBEEF, net->nodes[VICTIM].memory, NET_MEMORY_BYTES);
	nd_status status = ND_UNSUCCESSFUL;

	cr_assert_eq(nd_endpoint_receive(link.endpoints[1], &received, NULL, 0), ND_SUCCESS);
	if (request == WRITE)
		status = nd_endpoint_write(link.endpoints[0], &result, &sge, 1, &wrong, 0, 0);
	else if (request == READ)
		status = nd_endpoint_read(link.endpoints[0], &result, &sge, 1, &wrong, 0, 0);
	else
		status = nd_endpoint_send_and_invalidate(
			link.endpoints[0], &result, NULL, 0, &wrong, 0);
	cr_assert_eq(status, ND_SUCCESS);
	cr_assert_eq(net_result(net, link.outbound[0], &result), ND_REMOTE_ERROR);
	cr_assert_eq(net_result(net, link.inbound[1], &received),
		request == SEND_AND_INVALIDATE ? ND_INVALIDATION_ERROR : ND_CANCELED);
	net_disconnect(net, &link);
}

static void
write_through(const struct net_link *link, const struct nd_mw_descriptor *descriptor)
{
	struct net_node *node = &net->nodes[link->from];
	struct nd_sge sge = {node->memory, 64, node->mr};
	struct nd_result result;

	cr_assert_eq(nd_endpoint_write(link->endpoints[0], &result, &sge, 1, descriptor, 0, 0),
		ND_SUCCESS);
	cr_assert_eq(net_result(net, link->outbound[0], &result), ND_SUCCESS);
}

Test(guess, peer_is_barred_for_a_while_and_others_are_not)
{
	struct nd_mw_descriptor descriptor;
	struct net_link kept, link;

	start(REQUESTS, 1000);
	kept = net_connect(net, ATTACKER);
	net_bind(net, &kept, 0, 4096, ND_OP_FLAG_ALLOW_WRITE, &descriptor);
	for (enum request request = WRITE; request < REQUESTS; request++) {
		cr_assert_eq(net_counter(net, "cm_guesses"), request);
		cr_assert_eq(net_counter(net, "cm_barred"), 0);
		cr_assert_eq(warnings("192.0.2.2"), 0);
		guess(ATTACKER, request);
	}
	cr_assert_eq(net_counter(net, "cm_guesses"), REQUESTS);
	cr_assert_eq(net_counter(net, "cm_bars"), 1);
	cr_assert_eq(net_counter(net, "cm_barred"), 1);
	cr_assert_eq(net_counter(net, "refused_key"), 2);
	cr_assert_eq(net_counter(net, "refused_invalidate"), 1);
	cr_assert_eq(warnings("192.0.2.2"), 1);

	/* While the attacker is barred, its request is dropped without an answer. */
	cr_assert_not(net_try_connect(net, ATTACKER, &link, 300 * MS));
	cr_assert_eq(net->log_count, 0, "the victim sent %u frames", net->log_count);
	cr_assert_eq(net_counter(net, "cm_drop_barred"), 2, "%lu requests dropped",
		net_counter(net, "cm_drop_barred"));
	write_through(&kept, &descriptor);
	cr_assert(net_try_connect(net, BYSTANDER, &link, 300 * MS), "another peer is barred");

	/*
	 * The attacker retransmits its request until the bar has ended. Then the request is
	 * accepted.
	 */
	cr_assert(net_try_connect(net, ATTACKER, &link, 3000 * MS), "barred for ever");
	cr_assert_eq(net_counter(net, "cm_barred"), 0);
	write_through(&kept, &descriptor);
	cr_assert_eq(warnings("192.0.2"), 1);
	stop();
}

/**
 * An attacker makes many connections in advance and guesses a key on each. Each guess extends the
 * bar.
 */
Test(guess, hoarded_connections_buy_nothing)
{
	struct net_link links[20], link;
	struct nd_mw_descriptor wrong;
	struct nd_result results[20];

	start(4, 100);
	wrong = net_forge(0x12345678, net->nodes[VICTIM].memory, 64);
	for (unsigned int i = 0; i < 20; i++)
		links[i] = net_connect(net, ATTACKER);
	for (unsigned int i = 0; i < 20; i++) {
		struct net_node *node = &net->nodes[ATTACKER];
		struct nd_sge sge = {node->memory, 1, node->mr};

		cr_assert_eq(nd_endpoint_write(
				     links[i].endpoints[0], &results[i], &sge, 1, &wrong, 0, 0),
			ND_SUCCESS);
		cr_assert_eq(net_result(net, links[i].outbound[0], &results[i]), ND_REMOTE_ERROR);
	}
	net_step(net, net->now_ns);
	cr_assert_eq(net_counter(net, "cm_guesses"), 20);
	cr_assert_eq(net_counter(net, "cm_bars"), 1);
	net_run(net, 1600 * MS);
	cr_assert_eq(net_counter(net, "cm_barred"), 1, "free after 16 of 17 intervals");
	net_run(net, 100 * MS);
	cr_assert_eq(net_counter(net, "cm_barred"), 0, "barred after 17 intervals");
	cr_assert(net_try_connect(net, ATTACKER, &link, 10 * MS));
	stop();
}

/**
 * A peer that behaves correctly writes on all its connections while their windows are invalidated.
 * Each write is refused, and the peer is barred. The bar ends before the peer gives up its next
 * connection request.
 */
Test(guess, peer_that_loses_a_race_on_many_connections_is_not_barred_for_long)
{
	static struct net_link links[80];
	struct nd_mw_descriptor descriptors[80];
	struct nd_result results[80];
	struct nd_mw *windows[80];
	struct net_link link;

	start(0, 0);
	for (unsigned int i = 0; i < 80; i++) {
		links[i] = net_connect(net, BYSTANDER);
		windows[i] =
			net_bind(net, &links[i], 0, 4096, ND_OP_FLAG_ALLOW_WRITE, &descriptors[i]);
	}
	for (unsigned int i = 0; i < 80; i++) {
		struct net_node *node = &net->nodes[BYSTANDER];
		struct nd_sge sge = {node->memory, 1, node->mr};

		cr_assert_eq(nd_mw_release(net->nodes[VICTIM].adapter, windows[i]), ND_SUCCESS);
		cr_assert_eq(nd_endpoint_write(links[i].endpoints[0], &results[i], &sge, 1,
				     &descriptors[i], 0, 0),
			ND_SUCCESS);
	}
	for (unsigned int i = 0; i < 80; i++)
		cr_assert_eq(net_result(net, links[i].outbound[0], &results[i]), ND_REMOTE_ERROR);
	cr_assert_eq(net_counter(net, "cm_guesses"), 80);
	cr_assert_eq(net_counter(net, "cm_bars"), 1);
	cr_assert(net_try_connect(net, BYSTANDER, &link, 4000 * MS), "barred for too long");
	stop();
}

/** SEC-033: the rate of log messages is limited, whatever the peer does. */
Test(guess, warnings_are_limited)
{
	start(1, 1);
	for (unsigned int i = 0; i < 30; i++) {
		guess(i % 2 == 0 ? ATTACKER : BYSTANDER, WRITE);
		net_run(net, 2 * MS);
	}
	cr_assert_eq(net_counter(net, "cm_bars"), 30);
	cr_assert_eq(warnings("192.0.2."), 8, "%u warnings", warnings("192.0.2."));
	net_run(net, 10000 * MS);
	guess(BYSTANDER, WRITE);
	cr_assert_eq(warnings("192.0.2."), 9);
	cr_assert_eq(warnings("(22 warnings suppressed)"), 1);
	stop();
}
