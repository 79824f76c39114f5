/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test which ACKs are delayed until the application's answer, and when delayed ACKs are sent. The
 * adapters use the clock of the test. The test records the frames before the port receives them.
 */

#include <string.h>

#include <criterion/criterion.h>

#include <ndpdk/nd_extension.h>

#include "nd/adapter.h"
#include "support/nd_pair.h"
#include "wire/parse.h"

#define TURN_NS    1000     /* time between turns in quick succession */
#define PAUSE_NS   100000   /* a long pause between turns */
#define TIMEOUT_NS 70000000 /* longer than the ACK interval of 67 ms */
#define FRAMES_MAX 64

struct wire {
	const struct port_io *port;
	struct port_io io;
	/* frames that were sent since the last check, as letters of letter_of() */
	char frames[FRAMES_MAX + 1];
	size_t count;
};

static struct nd_pair pair;
static struct wire wires[2];
static uint64_t now_ns;
static struct nd_result sent[2], received[2];
/* windows[i] is the descriptor with which the other side accesses the memory of side i. */
static struct nd_mw_descriptor windows[2];

static uint64_t
test_clock(void *arg)
{
	(void)arg;
	return now_ns;
}

/*
 * @return letter of a frame. A: ACK, N: NAK, M: SEND or WRITE, R: READ, r: READ response, c:
 * connection management, 0: other.
 */
static char
letter_of(const struct rte_mbuf *mbuf)
{
	struct wire_view view;

	if (wire_parse(mbuf, &view) != WIRE_OK)
		return 0;
	if (view.traits->kind == WIRE_KIND_DATAGRAM)
		return 'c';
	if (view.traits->kind == WIRE_KIND_READ_REQUEST)
		return 'R';
	if (!view.traits->response)
		return 'M';
	if (view.traits->kind != WIRE_KIND_ACKNOWLEDGE)
		return 'r';
	return wire_aeth_type(view.aeth.syndrome) == WIRE_AETH_ACK ? 'A' : 'N';
}

static uint16_t
record(void *arg, struct rte_mbuf **mbufs, uint16_t count)
{
	struct wire *wire = arg;

	for (uint16_t i = 0; i < count && wire->count < FRAMES_MAX; i++) {
		char letter = letter_of(mbufs[i]);

		if (letter != 0)
			wire->frames[wire->count++] = letter;
	}
	return wire->port->transmit(wire->port->arg, mbufs, count);
}

static uint16_t
receive(void *arg, struct rte_mbuf **mbufs, uint16_t max)
{
	const struct wire *wire = arg;

	return wire->port->receive(wire->port->arg, mbufs, max);
}

static void
side_take(unsigned int side)
{
	struct engine *engine = pair.side[side].adapter->engine;
	struct wire *wire = &wires[side];

	*wire = (struct wire){.port = engine->io, .io = *engine->io};
	wire->io.arg = wire;
	wire->io.receive = receive;
	wire->io.transmit = record;
	now_ns = RTE_MAX(now_ns, engine_now_ns(engine));
	engine->io = &wire->io;
	engine->clock = (struct engine_clock){.now_ns = test_clock};
}

/* Advance the clock by TURN_NS and give a side one turn. */
static unsigned int
turn(unsigned int side)
{
	now_ns += TURN_NS;
	return nd_engine_poll(nd_adapter_engine(pair.side[side].adapter));
}

static void
pair_make(bool busy_poll)
{
	static const uint32_t rights = ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE;

	nd_pair_open(&pair, &(struct nd_pair_config){.path_mtu = 256, .busy_poll = busy_poll});
	nd_pair_connect(&pair);
	for (unsigned int side = 0; side < 2; side++)
		nd_pair_bind(&pair, side, 0, 4096, rights, &windows[side]);
	now_ns = 0;
	side_take(0);
	side_take(1);
	/* At this point, the queue pairs are idle and no frame is in flight. */
	for (unsigned int i = 0; i < 4; i++)
		turn(i % 2);
	wires[0].count = wires[1].count = 0;
}

static void
setup(void)
{
	pair_make(true);
}

static void
teardown(void)
{
	nd_pair_close(&pair);
}

TestSuite(conversation, .init = setup, .fini = teardown);

/* Fail unless the side has sent exactly these frames since the last check. */
static void
expect_sent(unsigned int side, const char *frames)
{
	struct wire *wire = &wires[side];

	wire->frames[wire->count] = '\0';
	cr_assert_str_eq(wire->frames, frames, "side %u sent \"%s\", \"%s\" expected", side,
		wire->frames, frames);
	wire->count = 0;
}

enum message { SEND, WRITE, WRITE_IMM, MESSAGES };

static void
post(unsigned int side, enum message message)
{
	struct nd_endpoint *endpoint = pair.side[side].endpoint;
	struct nd_result *result = &sent[side];
	struct nd_sge sge = {pair.side[side].memory, 8, pair.side[side].mr};
	const struct nd_mw_descriptor *to = &windows[1 - side];
	nd_status status;

	if (message == SEND)
		status = nd_endpoint_send(endpoint, result, &sge, 1, 0);
	else if (message == WRITE)
		status = nd_endpoint_write(endpoint, result, &sge, 1, to, 0, 0);
	else
		status = nd_endpoint_write_with_imm(endpoint, result, &sge, 1, to, 0, 7, 0);
	cr_assert_eq(status, ND_SUCCESS);
}

static void
receive_post(unsigned int side, enum message message)
{
	struct nd_sge sge = {pair.side[side].memory + 1024, 8, pair.side[side].mr};

	if (message != WRITE)
		cr_assert_eq(
			nd_endpoint_receive(pair.side[side].endpoint, &received[side], &sge, 1),
			ND_SUCCESS);
}

/* Fail unless the queue has this result already. The engine gets no turn. */
static void
expect_result(struct nd_cq *cq, struct nd_result *result)
{
	struct nd_result *got;

	cr_assert_eq(nd_cq_get_results(cq, &got, 1), 1);
	cr_assert_eq(got, result);
	cr_assert_eq(got->status, ND_SUCCESS, "%s", nd_status_name(got->status));
}

static void
expect_no_result(struct nd_cq *cq)
{
	struct nd_result *got;

	cr_assert_eq(nd_cq_get_results(cq, &got, 1), 0);
}

/* Send a message from side 0 to side 1. Fail unless side 1 sends these frames in its turn. */
static void
deliver(enum message message, const char *frames)
{
	receive_post(1, message);
	post(0, message);
	expect_sent(0, "M");
	turn(0);
	cr_assert_neq(turn(1), 0);
	if (message != WRITE)
		expect_result(pair.side[1].inbound, &received[1]);
	expect_sent(1, frames);
}

/*
 * Answer from side 1 and wait for the results of both sides. Each message must be acknowledged
 * once.
 */
static void
answer(enum message message, const char *now, const char *later)
{
	receive_post(0, message);
	post(1, message);
	expect_sent(1, now);
	turn(1);
	expect_sent(1, later);
	turn(0);
	expect_result(pair.side[0].outbound, &sent[0]);
	if (message != WRITE)
		expect_result(pair.side[0].inbound, &received[0]);
	turn(0);
	expect_sent(0, "A");
	turn(1);
	expect_result(pair.side[1].outbound, &sent[1]);
	expect_sent(1, "");
}

static void
converse(enum message message)
{
	deliver(message, "A");
	answer(message, "M", "");
}

/* Fail unless the first ACK is sent before the answer, and all later ACKs after their answer. */
static void
expect_conversation(enum message message)
{
	converse(message);
	for (unsigned int i = 0; i < 3; i++) {
		deliver(message, "");
		answer(message, "M", "A");
	}
}

Test(conversation, ack_of_a_send_waits_for_the_answer)
{
	expect_conversation(SEND);
}

Test(conversation, ack_of_a_write_waits_for_the_answer)
{
	expect_conversation(WRITE);
}

Test(conversation, ack_of_a_write_with_immediate_waits_for_the_answer)
{
	expect_conversation(WRITE_IMM);
}

/* Without busy_poll, the application may stop polling after an exchange, so no ACK is delayed. */
Test(conversation, nothing_waits_without_busy_poll)
{
	teardown();
	pair_make(false);
	for (unsigned int i = 0; i < 3; i++) {
		deliver(SEND, "A");
		answer(SEND, "M", "");
	}
}

/* If side 1 never posts, no ACK is delayed, because the delay would have no benefit. */
Test(conversation, message_that_is_not_answered_is_acknowledged_at_once)
{
	for (unsigned int i = 0; i < 4; i++) {
		deliver((enum message)(i % MESSAGES), "A");
		turn(0);
		expect_result(pair.side[0].outbound, &sent[0]);
	}
}

/*
 * After a conversation, side 1 receives a message and does not answer. The ACK of this message is
 * delayed until the next turn. Later ACKs are not delayed.
 */
Test(conversation, ends_with_a_message_that_is_not_answered)
{
	converse(SEND);
	deliver(SEND, "");
	cr_assert_eq(turn(1), 1, "an application that sleeps when there is nothing to do");
	expect_sent(1, "A");
	turn(0);
	expect_result(pair.side[0].outbound, &sent[0]);
	for (unsigned int i = 0; i < 3; i++) {
		deliver(SEND, "A");
		turn(0);
		expect_result(pair.side[0].outbound, &sent[0]);
	}
}

/*
 * If turns are far apart, no ACK is delayed, because the time of the next turn cannot be predicted.
 */
Test(conversation, nothing_waits_when_turns_are_far_apart)
{
	converse(SEND);
	now_ns += PAUSE_NS;
	deliver(SEND, "A");
	answer(SEND, "M", "");
	/* After turns in quick succession, the next ACK is delayed again. */
	deliver(SEND, "");
	answer(SEND, "M", "A");
}

Test(conversation, nothing_waits_for_an_application_that_answers_late)
{
	for (unsigned int i = 0; i < 3; i++) {
		deliver(SEND, "A");
		now_ns += PAUSE_NS;
		answer(SEND, "M", "");
	}
}

Test(conversation, response_of_a_read_does_not_wait)
{
	struct nd_sge sge = {pair.side[0].memory, 8, pair.side[0].mr};
	struct nd_result read;

	converse(SEND);
	cr_assert_eq(nd_endpoint_read(pair.side[0].endpoint, &read, &sge, 1, &windows[1], 0, 0),
		ND_SUCCESS);
	turn(1);
	expect_sent(1, "r");
}

Test(conversation, nak_does_not_wait)
{
	converse(SEND);
	post(0, SEND);
	turn(1);
	expect_sent(1, "N");
}

/*
 * If the application stops polling, the peer retransmits the message. The message is executed once.
 */
Test(conversation, peer_repeats_when_the_application_stays_away)
{
	converse(SEND);
	deliver(SEND, "");
	now_ns += TIMEOUT_NS;
	turn(0);
	expect_sent(0, "M");
	expect_no_result(pair.side[0].outbound);
	turn(1);
	expect_sent(1, "AA");
	expect_no_result(pair.side[1].inbound);
	turn(0);
	expect_result(pair.side[0].outbound, &sent[0]);
	cr_assert_eq(nd_pair_counter(&pair, 1, "rx_duplicates"), 1);
}

/* Fail unless a delayed ACK of side 1 is sent before end() ends the connection. */
static void
expect_acknowledged_at_the_end(void (*end)(void))
{
	converse(SEND);
	deliver(SEND, "");
	end();
	turn(0);
	expect_result(pair.side[0].outbound, &sent[0]);
}

static void
end_by_disconnect(void)
{
	static struct nd_overlapped disconnect;

	cr_assert_eq(nd_connector_disconnect(pair.side[1].connector, &disconnect), ND_PENDING);
	expect_sent(1, "Ac");
}

static void
end_by_release(void)
{
	cr_assert_eq(nd_endpoint_release(pair.side[1].endpoint), ND_SUCCESS);
	expect_sent(1, "Ac");
}

static void
end_by_flush(void)
{
	cr_assert_eq(nd_endpoint_flush(pair.side[1].endpoint), ND_SUCCESS);
	expect_sent(1, "A");
}

Test(conversation, disconnect_sends_the_ack_first)
{
	expect_acknowledged_at_the_end(end_by_disconnect);
}

Test(conversation, release_sends_the_ack_first)
{
	expect_acknowledged_at_the_end(end_by_release);
}

Test(conversation, flush_sends_the_ack_first)
{
	expect_acknowledged_at_the_end(end_by_flush);
}

Test(conversation, closing_the_adapter_sends_the_ack_first)
{
	converse(SEND);
	deliver(SEND, "");
	nd_adapter_close(pair.side[1].adapter);
	pair.side[1].adapter = NULL;
	expect_sent(1, "Ac");
	turn(0);
	expect_result(pair.side[0].outbound, &sent[0]);
}
