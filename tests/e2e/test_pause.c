/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * An engine is not polled for ten seconds, its clock jumps forward or back by ten seconds, or a
 * link is down for a short time. No operation may end if its answer has arrived or can still
 * arrive. Missing answers must still be detected in time.
 */

#include <criterion/criterion.h>

#include <ndpdk/nd_extension.h>

#include "attack_net.h"
#include "nd/adapter.h"
#include "support/engines.h"

#define MS       UINT64_C(1000000)
#define PAUSE_NS (10000 * MS)
#define JUNK     100 /* number of frames, more than one burst */

static struct net *net;
static struct net_link link;
static struct nd_result sent[2], received[2];

static void
setup(void)
{
	net = net_open(&(struct net_limits){.retry_count = {[ATTACKER] = 1, [VICTIM] = 1}});
	net->log_off = true;
	link = net_connect(net, ATTACKER);
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(
			nd_endpoint_receive(link.endpoints[0], &received[i], NULL, 0), ND_SUCCESS);
}

static void
teardown(void)
{
	net_close(net);
}

TestSuite(pause, .init = setup, .fini = teardown);

static void
message_send(unsigned int number)
{
	cr_assert_eq(nd_endpoint_send(link.endpoints[1], &sent[number], NULL, 0, 0), ND_SUCCESS);
}

static void
expect_sent(unsigned int number)
{
	nd_status status = net_result(net, link.outbound[1], &sent[number]);

	cr_assert_eq(status, ND_SUCCESS, "%s", nd_status_name(status));
}

/*
 * Stop polling the victim for PAUSE_NS. The answer to its message is queued after many other
 * frames.
 */
static void
answer_and_pause(void)
{
	static const uint8_t junk[64];

	for (unsigned int i = 0; i < JUNK; i++)
		net_inject(net, junk, sizeof(junk));
	test_poll(net->nodes[ATTACKER].adapter);
	net->now_ns += PAUSE_NS;
}

Test(pause, answer_behind_many_frames_is_found_before_the_timer)
{
	message_send(0);
	answer_and_pause();
	expect_sent(0);
	cr_assert_eq(net_counter(net, "retries_timeout"), 0);
}

/*
 * After the pause, the application posts before it polls. The post must not time out the first
 * message.
 */
Test(pause, post_before_the_next_turn_ends_no_wait)
{
	message_send(0);
	answer_and_pause();
	message_send(1);
	expect_sent(0);
	expect_sent(1);
	cr_assert_eq(net_counter(net, "retries_timeout"), 0);
}

Test(pause, missing_answer_is_found_missing_while_frames_keep_coming)
{
	static const uint8_t junk[64];

	net->nodes[ATTACKER].deaf = true;
	message_send(0);
	net->now_ns += PAUSE_NS;
	for (unsigned int turn = 0; turn < 100; turn++) {
		for (unsigned int i = 0; i < JUNK; i++)
			net_inject(net, junk, sizeof(junk));
		test_poll(net->nodes[VICTIM].adapter);
		net->now_ns += 1000;
	}
	cr_assert_eq(net_counter(net, "retries_timeout"), 1);
}

/*
 * The port is full before a pause and accepts frames after the pause. The pause does not count as
 * time in which the port was stuck.
 */
Test(pause, port_is_not_taken_for_stuck)
{
	net->nodes[VICTIM].send_max = 0;
	message_send(0);
	for (unsigned int i = 0; i < 1000; i++) {
		net->now_ns += MS;
		net_step(net, net->now_ns);
	}
	net->now_ns += PAUSE_NS;
	net->nodes[VICTIM].send_max = UINT16_MAX;
	expect_sent(0);
}

Test(pause, short_outage_of_the_link)
{
	cr_assert_eq(nd_connector_set_keepalive(link.connectors[1], 1000), ND_SUCCESS);
	net->nodes[ATTACKER].deaf = true;
	net->nodes[ATTACKER].meddle = net_lose;
	message_send(0);
	net_run(net, 50 * MS);
	net->nodes[ATTACKER].deaf = false;
	net->nodes[ATTACKER].meddle = NULL;
	expect_sent(0);
	cr_assert_eq(net_counter(net, "retries_timeout"), 1);
	message_send(1);
	expect_sent(1);
	net_run(net, PAUSE_NS);
	cr_assert_eq(net_counter(net, "end_keepalive"), 0);
}

/*
 * Advance the time in steps of 1 ms. Long steps are not possible, because the deadlines of the
 * engines are ahead of a clock that was set back.
 */
static void
run_steps(unsigned int ms)
{
	for (unsigned int i = 0; i < ms; i++)
		net_run(net, MS);
}

/* Let the network lose the message, then set the clock of all adapters back. */
static void
lose_and_go_back(uint64_t back_ns)
{
	net_run(net, PAUSE_NS);
	net->nodes[ATTACKER].deaf = true;
	message_send(0);
	net_run(net, 10 * MS);
	net->nodes[ATTACKER].deaf = false;
	net->now_ns -= back_ns;
}

static bool
is_sent(void)
{
	struct nd_result *got;

	return nd_cq_get_results(link.outbound[1], &got, 1) == 1 && got->status == ND_SUCCESS;
}

/*
 * After the clock was set back, the timer of 67 ms neither expires at once nor takes more than
 * twice its time.
 */
Test(pause, clock_that_goes_back_keeps_no_timer_waiting)
{
	lose_and_go_back(PAUSE_NS);
	run_steps(40);
	cr_assert_eq(net_counter(net, "retries_timeout"), 0);
	run_steps(200);
	cr_assert(is_sent(), "the message was not sent again");
	cr_assert_eq(net_counter(net, "clock_backward"), 1);
	message_send(1);
	run_steps(10);
	cr_assert(is_sent());
}

/*
 * The clock goes back a little, as if the thread had moved to another processor. The engine's time
 * then stops until the clock has caught up.
 */
Test(pause, clock_that_goes_back_a_little_stands)
{
	struct engine *engine = net->nodes[VICTIM].adapter->engine;
	uint64_t before_ns;

	lose_and_go_back(50 * MS);
	before_ns = engine_now_ns(engine);
	run_steps(30);
	cr_assert_eq(engine_now_ns(engine), before_ns);
	cr_assert_eq(net_counter(net, "clock_backward"), 1);
	run_steps(250);
	cr_assert(is_sent(), "the message was not sent again");
	cr_assert_eq(net_counter(net, "clock_backward"), 1);
}

/*
 * After the clock was set back, a new connection and an idle connection with keepalives still work.
 * Both have timers.
 */
Test(pause, clock_that_goes_back_stops_no_connection)
{
	struct net_link other;

	cr_assert_eq(nd_connector_set_keepalive(link.connectors[1], 50), ND_SUCCESS);
	net_run(net, PAUSE_NS);
	net->now_ns -= PAUSE_NS;
	other = net_connect(net, BYSTANDER);
	cr_assert_eq(net_counter(net, "end_keepalive"), 0);
	net->nodes[ATTACKER].deaf = true;
	net->nodes[ATTACKER].meddle = net_lose;
	run_steps(1000);
	cr_assert_eq(net_counter(net, "end_keepalive"), 1);
	net_disconnect(net, &other);
}
