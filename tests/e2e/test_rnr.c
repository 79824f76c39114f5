/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test messages that arrive before their receive is posted: an RNR NAK tells the sender how long to
 * wait.
 */

#include <string.h>

#include <criterion/criterion.h>

#include "attack_net.h"
#include "base/encoded_time.h"
#include "wire/opcode.h"

#define MS            1000000u
/* Upper limit of the round-trip time of the network. */
#define ROUND_TRIP_NS (MS / 10)

static struct net *net;
static struct net_link connection;

static void
start(uint8_t victim_timer, uint8_t attacker_timer)
{
	struct net_limits limits = {0};

	limits.rnr_timer[VICTIM] = victim_timer;
	limits.rnr_timer[ATTACKER] = attacker_timer;
	net = net_open(&limits);
	connection = net_connect(net, ATTACKER);
}

static void
teardown(void)
{
	net_disconnect(net, &connection);
	net_close(net);
}

TestSuite(rnr, .fini = teardown);

/*
 * @return the RNR NAK that the victim has sent, or NULL; the test fails if there is more than one
 */
static const struct net_frame *
rnr_nak(void)
{
	const struct net_frame *found = NULL;

	for (uint32_t i = 0; i < net->log_count; i++) {
		const struct wire_view view = net_view(&net->log[i]);

		if (view.bth.opcode != WIRE_RC_ACKNOWLEDGE ||
			wire_aeth_type(view.aeth.syndrome) != WIRE_AETH_RNR_NAK)
			continue;
		cr_assert_null(found, "two RNR NAKs");
		found = &net->log[i];
	}
	return found;
}

/*
 * The attacker sends a message, and the victim posts the receive immediately after its RNR NAK.
 * Fail unless the attacker waits for the time in the RNR NAK.
 * @param code expected timer code of the RNR NAK
 */
static void
expect_wait(uint8_t code)
{
	const uint64_t wait_ns = base_rnr_timer_ns(code), until_ns = net->now_ns + 10 * MS;
	struct nd_result sent, received;
	const struct net_frame *nak;
	uint64_t begin_ns;

	cr_assert_eq(nd_endpoint_send(connection.endpoints[0], &sent, NULL, 0, 0), ND_SUCCESS);
	while ((nak = rnr_nak()) == NULL) {
		cr_assert_lt(net->now_ns, until_ns, "no RNR NAK");
		net_step(net, until_ns);
	}
	cr_assert_eq(net_view(nak).aeth.syndrome & WIRE_RNR_TIMER_MASK, code);
	begin_ns = nak->sent_ns;
	cr_assert_eq(nd_endpoint_receive(connection.endpoints[1], &received, NULL, 0), ND_SUCCESS);
	cr_assert_eq(net_result(net, connection.outbound[0], &sent), ND_SUCCESS);
	cr_assert_geq(net->now_ns - begin_ns, wait_ns, "sent again after %lu ns",
		(unsigned long)(net->now_ns - begin_ns));
	cr_assert_leq(net->now_ns - begin_ns, wait_ns + wait_ns / 4 + ROUND_TRIP_NS,
		"sent again after %lu ns", (unsigned long)(net->now_ns - begin_ns));
	cr_assert_eq(net_result(net, connection.inbound[1], &received), ND_SUCCESS);
	cr_assert_not_null(rnr_nak());
}

/*
 * The sender waits for the time that the receiver has configured. The sender's own setting does not
 * matter.
 */
Test(rnr, timer_of_the_receiver)
{
	start(20, 5);
	expect_wait(20);
}

Test(rnr, shortest_timer)
{
	start(1, 31);
	expect_wait(1);
}

Test(rnr, default_timer)
{
	start(0, 0);
	expect_wait(12);
}
