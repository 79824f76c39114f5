/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * An attacker with a valid connection gets no data and always the same answer (SEC-010, SEC-014,
 * SEC-015, SEC-030..SEC-032). The tests check every packet. The attacker forges descriptors, and
 * the network delays, duplicates and drops frames as the test requires.
 */

#include <string.h>

#include <criterion/criterion.h>

#include "attack_net.h"
#include "support/nd_pair.h"
#include "base/random.h"
#include "nd/connector.h"

#define READ_WRITE (ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE)
#define MS         UINT64_C(1000000)
#define WINDOW     8192u /* size of the attacker's own windows, in bytes */
#define STEAL      64u   /* size of an attempted access, in bytes */

static struct net *net;
static uint8_t before[NET_MEMORY_BYTES];
static struct net_node *victim, *attacker;

static void
setup(void)
{
	net = net_open(&(struct net_limits){.guesses_max = 1000});
	victim = &net->nodes[VICTIM];
	attacker = &net->nodes[ATTACKER];
	memcpy(before, victim->memory, sizeof(before));
	memset(attacker->memory, 0xA5, sizeof(attacker->memory));
}

static void
teardown(void)
{
	net_close(net);
}

TestSuite(attack, .init = setup, .fini = teardown);

static void
check_untouched(const char *what)
{
	for (size_t i = 0; i < NET_MEMORY_BYTES; i++)
		cr_assert_eq(victim->memory[i], before[i], "%s: byte %zu of the victim changed",
			what, i);
}

static void
check_learned_nothing(const char *what)
{
	for (size_t i = 0; i < NET_MEMORY_BYTES; i++)
		cr_assert_eq(
			attacker->memory[i], 0xA5, "%s: byte %zu of the attacker changed", what, i);
}

/** The seven reasons for a refusal (SEC-030), and an access with the key of the region itself. */
static const char *const case_names[] = {"unknown slot", "wrong tag", "other endpoint's key",
	"dead key", "out of range", "missing right", "invalidated", "key of the memory"};

enum {
	UNKNOWN_SLOT,
	WRONG_TAG,
	OTHER_ENDPOINT,
	DEAD,
	OUT_OF_RANGE,
	MISSING_RIGHT,
	INVALIDATED,
	MEMORY_KEY,
	CASES,
};

/** Bind the windows that this case requires. @return the descriptor that the attacker uses */
static struct nd_mw_descriptor
case_make(unsigned int number, const struct net_link *link, const struct net_link *other, bool read)
{
	struct nd_mw_descriptor own, result;
	struct nd_mw *mw = net_bind(net, link, 0, WINDOW, READ_WRITE, &own);

	result = own;
	switch (number) {
	case UNKNOWN_SLOT:
		return net_forge(net_token(&own) ^ 0x80000000, victim->memory, WINDOW);
	case WRONG_TAG:
		return net_forge(net_token(&own) ^ 1, victim->memory, WINDOW);
	case OTHER_ENDPOINT:
		net_bind(net, other, 0, WINDOW, READ_WRITE, &result);
		return result;
	case DEAD:
		cr_assert_eq(nd_mw_release(victim->adapter, mw), ND_SUCCESS);
		return result;
	case OUT_OF_RANGE:
		return net_forge(net_token(&own), victim->memory + WINDOW - STEAL + 1, WINDOW);
	case MISSING_RIGHT:
		net_bind(net, link, 0, WINDOW,
			read ? ND_OP_FLAG_ALLOW_WRITE : ND_OP_FLAG_ALLOW_READ, &result);
		return result;
	case INVALIDATED:
		net_invalidate(net, link, mw);
		return result;
	case MEMORY_KEY:
		return net_forge(
			mem_region_key(region_of(victim->mr)), victim->memory, NET_MEMORY_BYTES);
	}
	cr_assert_fail("no such case");
	return result;
}

static void
post(const struct net_link *link, bool read, size_t bytes,
	const struct nd_mw_descriptor *descriptor, struct nd_result *result)
{
	struct nd_sge sge = {attacker->memory, bytes, attacker->mr};
	nd_status status;

	if (read)
		status = nd_endpoint_read(
			link->endpoints[0], result, &sge, bytes > 0, descriptor, 0, 0);
	else
		status = nd_endpoint_write(
			link->endpoints[0], result, &sge, bytes > 0, descriptor, 0, 0);
	cr_assert_eq(status, ND_SUCCESS, "%s", nd_status_name(status));
}

/** @return the only RC packet in the log; fails the test if the log has more or none */
static struct net_frame
answer(const char *what)
{
	struct net_frame found = {0};
	unsigned int count = 0;

	for (uint32_t i = 0; i < net->log_count; i++) {
		if (net_view(&net->log[i]).traits->kind == WIRE_KIND_DATAGRAM)
			continue;
		found = net->log[i];
		count++;
	}
	cr_assert_eq(count, 1, "%s: %u answers", what, count);
	return found;
}

/**
 * Clear the fields that differ between connections and packets: UDP source port, IP identification
 * and checksum, destination QPN, PSN, MSN, and the ICRC, which was verified before.
 */
static void
normalise(struct net_frame *frame)
{
	const struct wire_view view = net_view(frame);
	uint16_t bth = view.bth_offset;

	cr_assert(view.traits->has_aeth);
	memset(frame->data + 18, 0, 2);
	memset(frame->data + 24, 0, 2);
	memset(frame->data + bth - 8, 0, 2);
	memset(frame->data + bth + 5, 0, 3);
	memset(frame->data + bth + 9, 0, 3);
	memset(frame->data + bth + 13, 0, 3);
	memset(frame->data + frame->bytes - 4, 0, 4);
}

/** Fail unless the answer equals the first answer. The first call stores the answer. */
static void
check_same(struct net_frame *first, struct net_frame *frame, const char *what)
{
	normalise(frame);
	if (first->bytes == 0)
		*first = *frame;
	cr_assert_eq(frame->bytes, first->bytes, "%s: %u bytes instead of %u", what, frame->bytes,
		first->bytes);
	for (unsigned int i = 0; i < frame->bytes; i++)
		cr_assert_eq(frame->data[i], first->data[i], "%s: byte %u is %#x instead of %#x",
			what, i, frame->data[i], first->data[i]);
}

/**
 * Check that the connection has ended after a refusal: the posted receive is flushed, and neither
 * side can post.
 */
static void
check_over(const struct net_link *link, struct nd_result *received, const char *what)
{
	struct nd_result result;
	const struct rc_qp *qp = link->endpoints[1]->slot.qp;

	cr_assert_eq(net_result(net, link->inbound[1], received), ND_CANCELED, "%s", what);
	cr_assert_eq(qp->state, RC_QP_ERROR, "%s", what);
	cr_assert_eq(qp->error, RC_REMOTE_ACCESS, "%s", what);
	for (unsigned int side = 0; side < 2; side++)
		cr_assert_eq(nd_endpoint_send(link->endpoints[side], &result, NULL, 0, 0),
			ND_CONNECTION_INVALID, "%s", what);
}

Test(attack, refusals_are_one_on_the_wire_sec030)
{
	struct net_link other = net_connect(net, BYSTANDER);
	struct net_frame first = {0};
	uint64_t delay_ns = 0;

	for (unsigned int i = 0; i < 2 * CASES; i++) {
		const char *what = case_names[i / 2];
		struct net_link link = net_connect(net, ATTACKER);
		struct nd_mw_descriptor descriptor = case_make(i / 2, &link, &other, i % 2);
		struct nd_result result, received;
		struct net_frame nak;
		struct wire_view view;

		nd_endpoint_receive(link.endpoints[1], &received, NULL, 0);
		net_run(net, MS);
		net->log_count = 0;
		post(&link, i % 2, STEAL, &descriptor, &result);
		cr_assert_eq(
			net_result(net, link.outbound[0], &result), ND_REMOTE_ERROR, "%s", what);
		check_over(&link, &received, what);
		nak = answer(what);
		view = net_view(&nak);
		cr_assert_eq(view.bth.opcode, WIRE_RC_ACKNOWLEDGE, "%s", what);
		cr_assert_eq(view.aeth.syndrome, WIRE_NAK_REMOTE_ACCESS, "%s", what);
		cr_assert_eq(view.bth.psn, net_view(&net->request).bth.psn, "%s", what);
		if (i == 0)
			delay_ns = nak.sent_ns - net->request.sent_ns;
		cr_assert_eq(nak.sent_ns - net->request.sent_ns, delay_ns, "%s", what);
		check_same(&first, &nak, what);
		check_untouched(what);
		check_learned_nothing(what);
		net_step(net, net->now_ns);
		cr_assert_eq(net_counter(net, "cm_guesses"), i + 1, "%s", what);
		net_disconnect(net, &link);
	}
	cr_assert_eq(net_counter(net, "refused_owner"), 2);
	cr_assert_eq(net_counter(net, "refused_range"), 2);
	cr_assert_eq(net_counter(net, "refused_rights"), 4);
	cr_assert_eq(net_counter(net, "refused_key"), 8);
}

Test(attack, zero_length_requests_tell_nothing_sec032)
{
	struct net_link other = net_connect(net, BYSTANDER);
	struct net_frame first[2] = {0};

	for (unsigned int i = 0; i < 2 * CASES; i++) {
		const char *what = case_names[i / 2];
		struct net_link link = net_connect(net, ATTACKER);
		struct nd_mw_descriptor descriptor = case_make(i / 2, &link, &other, i % 2);
		struct nd_result result;
		struct net_frame frame;

		net_run(net, MS);
		net->log_count = 0;
		post(&link, i % 2, 0, &descriptor, &result);
		cr_assert_eq(net_result(net, link.outbound[0], &result), ND_SUCCESS, "%s", what);
		frame = answer(what);
		cr_assert_eq(net_view(&frame).payload_bytes, 0, "%s", what);
		cr_assert_eq(net_view(&frame).aeth.syndrome, WIRE_SYNDROME_ACK, "%s", what);
		check_same(&first[i % 2], &frame, what);
		check_untouched(what);
		cr_assert_eq(nd_endpoint_send(link.endpoints[1], &result, NULL, 0, 0), ND_SUCCESS,
			"%s: not connected any more", what);
		net_disconnect(net, &link);
	}
	cr_assert_eq(net_counter(net, "cm_guesses"), 0);
}

/**
 * A SEND with Invalidate succeeds only for windows of its own endpoint. The answer does not reveal
 * which reason the victim has to refuse.
 */
Test(attack, nobody_else_s_key_can_be_invalidated_sec030)
{
	struct net_link other = net_connect(net, BYSTANDER);
	struct net_frame first = {0};

	for (unsigned int i = 0; i < CASES; i++) {
		const char *what = case_names[i];
		struct net_link link = net_connect(net, ATTACKER);
		struct nd_mw_descriptor descriptor = case_make(i, &link, &other, false);
		struct nd_result result, received;
		struct net_frame nak;

		/*
		 * In these two cases the attacker invalidates its own windows, which is permitted.
		 */
		if (i == OUT_OF_RANGE || i == MISSING_RIGHT)
			continue;
		nd_endpoint_receive(link.endpoints[1], &received, NULL, 0);
		net_run(net, MS);
		net->log_count = 0;
		cr_assert_eq(nd_endpoint_send_and_invalidate(
				     link.endpoints[0], &result, NULL, 0, &descriptor, 0),
			ND_SUCCESS);
		cr_assert_eq(
			net_result(net, link.outbound[0], &result), ND_REMOTE_ERROR, "%s", what);
		cr_assert_eq(net_result(net, link.inbound[1], &received), ND_INVALIDATION_ERROR,
			"%s", what);
		nak = answer(what);
		cr_assert_eq(net_view(&nak).aeth.syndrome, WIRE_NAK_REMOTE_ACCESS, "%s", what);
		check_same(&first, &nak, what);
		if (i == OTHER_ENDPOINT) {
			struct nd_sge sge = {
				net->nodes[BYSTANDER].memory, STEAL, net->nodes[BYSTANDER].mr};

			cr_assert_eq(nd_endpoint_read(other.endpoints[0], &result, &sge, 1,
					     &descriptor, 0, 0),
				ND_SUCCESS);
			cr_assert_eq(net_result(net, other.outbound[0], &result), ND_SUCCESS);
		}
		net_disconnect(net, &link);
	}
	cr_assert_eq(net_counter(net, "refused_invalidate"), CASES - 2);
	cr_assert_eq(net_counter(net, "cm_guesses"), CASES - 2);
}

/** @return a copy of a valid descriptor, changed so that it must not give access */
static struct nd_mw_descriptor
mutate(struct base_random *random, const struct nd_mw_descriptor *own, uint32_t *last)
{
	uint8_t *memory = victim->memory;
	uint32_t token = net_token(own);

	switch (base_random_below(random, 8)) {
	case 0:
		return net_forge(token + 0x100, memory, WINDOW);
	case 1:
		return net_forge(token - 0x100, memory, WINDOW);
	case 2:
		return net_forge(
			token ^ UINT32_C(1) << base_random_below(random, 32), memory, WINDOW);
	case 3:
		return net_forge(*last += 1, memory, WINDOW);
	case 4:
		return net_forge(token, memory - 1, WINDOW);
	case 5:
		return net_forge(token, memory + WINDOW - base_random_below(random, STEAL), WINDOW);
	case 6: /* the end address overflows */
		return net_forge(
			token, (void *)(UINTPTR_MAX - base_random_below(random, STEAL)), WINDOW);
	default:
		return net_forge(base_random_u32(random), memory, WINDOW);
	}
}

Test(attack, forged_descriptors_reach_nothing_sec010)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {42};
	struct base_random random;
	uint32_t last = 0x100;

	base_random_seed(&random, seed);
	for (unsigned int i = 0; i < 200; i++) {
		struct net_link link = net_connect(net, ATTACKER);
		struct nd_mw_descriptor own, forged;
		struct nd_result result;
		bool read = base_random_below(&random, 2);

		net_bind(net, &link, 0, WINDOW, READ_WRITE, &own);
		if (i % 2 == 0)
			last = net_token(&own);
		forged = mutate(&random, &own, &last);
		post(&link, read, STEAL, &forged, &result);
		cr_assert_eq(net_result(net, link.outbound[0], &result), ND_REMOTE_ERROR,
			"attempt %u, token %#x of %#x", i, net_token(&forged), net_token(&own));
		check_untouched("forged");
		check_learned_nothing("forged");
		net_disconnect(net, &link);
		net_run(net, 50 * MS);
	}
	cr_assert_eq(net_counter(net, "cm_guesses"), 200);
}

/** The victim invalidates the window. A WRITE arrives later in the same burst (SEC-014). */
Test(attack, write_behind_the_peer_s_invalidate_is_refused)
{
	struct net_link link = net_connect(net, ATTACKER);
	struct nd_mw_descriptor own;
	struct nd_result sent, written, received;

	net_bind(net, &link, 0, WINDOW, READ_WRITE, &own);
	nd_endpoint_receive(link.endpoints[1], &received, NULL, 0);
	victim->take_max = 0;
	cr_assert_eq(nd_endpoint_send_and_invalidate(link.endpoints[0], &sent, NULL, 0, &own, 0),
		ND_SUCCESS);
	post(&link, false, STEAL, &own, &written);
	net_step(net, net->now_ns);
	cr_assert_eq(victim->tail - victim->head, 2, "not one burst");
	victim->take_max = UINT32_MAX;
	cr_assert_eq(net_result(net, link.outbound[0], &sent), ND_SUCCESS);
	cr_assert_eq(net_result(net, link.outbound[0], &written), ND_REMOTE_ERROR);
	check_untouched("behind the invalidate");
}

/**
 * If the victim invalidates while requests are in its receive queue, the requests are refused
 * (SEC-014).
 */
Test(attack, requests_in_the_queue_do_not_outlive_the_invalidate)
{
	for (unsigned int read = 0; read < 2; read++) {
		struct net_link link = net_connect(net, ATTACKER);
		struct nd_mw_descriptor own;
		struct nd_result result;
		struct nd_mw *mw = net_bind(net, &link, 0, WINDOW, READ_WRITE, &own);

		victim->take_max = 0;
		post(&link, read, 4 * NET_PMTU, &own, &result);
		net_run(net, MS);
		cr_assert_gt(victim->tail - victim->head, 0);
		net_invalidate(net, &link, mw);
		victim->take_max = UINT32_MAX;
		cr_assert_eq(net_result(net, link.outbound[0], &result), ND_REMOTE_ERROR);
		check_untouched("in the queue");
		check_learned_nothing("in the queue");
	}
}

/**
 * If the victim releases its endpoint while requests are in its receive queue, their QPN is
 * unknown.
 */
Test(attack, requests_in_the_queue_do_not_outlive_the_endpoint)
{
	for (unsigned int read = 0; read < 2; read++) {
		struct net_link link = net_connect(net, ATTACKER);
		struct nd_mw_descriptor own;
		struct nd_result result;

		net_bind(net, &link, 0, WINDOW, READ_WRITE, &own);
		victim->take_max = 0;
		post(&link, read, 4 * NET_PMTU, &own, &result);
		net_run(net, MS);
		cr_assert_eq(nd_endpoint_release(link.endpoints[1]), ND_SUCCESS);
		victim->take_max = UINT32_MAX;
		net_run(net, 100 * MS);
		check_untouched("in the queue");
		check_learned_nothing("in the queue");
	}
	cr_assert_gt(net_counter(net, "drop_unknown_qp"), 0);
}

/**
 * The victim invalidates the key of a long WRITE in the middle of the WRITE. No later byte is
 * placed (SEC-014).
 */
Test(attack, write_in_progress_stops_at_the_invalidate)
{
	struct net_link link = net_connect(net, ATTACKER);
	struct nd_mw_descriptor own;
	struct nd_result result;
	struct nd_mw *mw = net_bind(net, &link, 0, WINDOW, READ_WRITE, &own);

	victim->take_max = 3;
	post(&link, false, WINDOW, &own, &result);
	net_run(net, MS);
	net_invalidate(net, &link, mw);
	victim->take_max = UINT32_MAX;
	cr_assert_eq(net_result(net, link.outbound[0], &result), ND_REMOTE_ERROR);
	memset(before, 0xA5, 3 * NET_PMTU);
	check_untouched("first three packets only");
}

/** Write secret bytes to the memory of the window. The peer must never receive these bytes. */
static void
secret_place(void)
{
	nd_pair_pattern(victim->memory, WINDOW, 99);
	memcpy(before, victim->memory, sizeof(before));
	net->log_count = 0;
}

static void
check_no_bytes_sent(void)
{
	for (uint32_t i = 0; i < net->log_count; i++) {
		struct wire_view view = net_view(&net->log[i]);

		cr_assert(view.traits->kind == WIRE_KIND_DATAGRAM || view.payload_bytes == 0,
			"frame %u carries %u bytes", i, view.payload_bytes);
	}
}

/**
 * Responses of a READ are lost, and the window is invalidated before the peer retransmits the READ.
 * The responses are not sent again (SEC-014, SEC-015).
 */
Test(attack, lost_responses_are_not_repeated_after_the_invalidate)
{
	for (uint32_t got = 0; got < 8; got += 3) {
		struct net_link link = net_connect(net, ATTACKER);
		struct nd_mw_descriptor own;
		struct nd_result result;
		struct nd_mw *mw;

		nd_pair_pattern(victim->memory, WINDOW, 0);
		memset(attacker->memory, 0xA5, WINDOW);
		mw = net_bind(net, &link, 0, WINDOW, READ_WRITE, &own);
		net_run(net, MS);
		net->log_count = 0;
		attacker->take_max = got;
		post(&link, true, WINDOW, &own, &result);
		net_run(net, MS);
		/*
		 * The victim has sent all responses. The attacker has lost some, so it has to
		 * retransmit the READ.
		 */
		cr_assert_geq(net->log_count, 8, "%u responses", net->log_count);
		attacker->head = attacker->tail;
		attacker->take_max = UINT32_MAX;
		net_invalidate(net, &link, mw);
		secret_place();
		cr_assert_eq(net_result(net, link.outbound[0], &result), ND_REMOTE_ERROR);
		check_no_bytes_sent();
		for (uint32_t i = got * NET_PMTU; i < WINDOW; i++)
			cr_assert_eq(attacker->memory[i], 0xA5, "byte %u after %u packets", i, got);
		cr_assert_eq(net_counter(net, "cm_guesses"), 0, "a repetition is no guess");
		net_disconnect(net, &link);
	}
}

/**
 * If a window is invalidated before all responses of a READ are sent, no further response is sent
 * (SEC-014).
 */
Test(attack, read_in_progress_stops_at_the_invalidate)
{
	struct net_link link = net_connect(net, ATTACKER);
	struct nd_mw_descriptor own;
	struct nd_result result, invalidated;
	struct nd_mw *mw = net_bind(net, &link, 0, NET_MEMORY_BYTES, READ_WRITE, &own);
	uint32_t made;

	net_run(net, MS);
	net->log_count = 0;
	post(&link, true, NET_MEMORY_BYTES, &own, &result);
	while (net->log_count == 0)
		net_step(net, net->now_ns);
	/* The call sends one more round of responses before it executes the invalidate. */
	cr_assert_eq(nd_endpoint_invalidate(link.endpoints[1], &invalidated, mw, 0), ND_SUCCESS);
	made = net->log_count;
	cr_assert_lt(made, NET_MEMORY_BYTES / NET_PMTU, "all of them at once");
	nd_pair_pattern(victim->memory, NET_MEMORY_BYTES, 99);
	net->log_count = 0;
	cr_assert_eq(net_result(net, link.outbound[1], &invalidated), ND_SUCCESS);
	cr_assert_eq(net_result(net, link.outbound[0], &result), ND_REMOTE_ERROR);
	check_no_bytes_sent();
	for (uint32_t i = 0; i < NET_MEMORY_BYTES; i++)
		cr_assert_eq(attacker->memory[i], i < made * NET_PMTU ? before[i] : 0xA5,
			"byte %u after %u packets", i, made);
}

/** An attacker replays a recorded READ that was answered long ago (SEC-015). */
Test(attack, recorded_read_is_refused_once_its_window_is_gone)
{
	struct net_link link = net_connect(net, ATTACKER);
	struct nd_mw_descriptor own, again;
	struct nd_result result;
	struct net_frame request, nak;
	struct nd_mw *mw = net_bind(net, &link, 0, WINDOW, READ_WRITE, &own);

	post(&link, true, WINDOW, &own, &result);
	cr_assert_eq(net_result(net, link.outbound[0], &result), ND_SUCCESS);
	request = net->request;
	cr_assert_eq(net_view(&request).bth.opcode, WIRE_RC_READ_REQUEST);
	net_run(net, MS);
	net->log_count = 0;
	net_replay(net, &request);
	net_run(net, MS);
	cr_assert_eq(net->log_count, 8, "%u responses while the window lives", net->log_count);

	net_invalidate(net, &link, mw);
	net_bind(net, &link, 0, WINDOW, READ_WRITE, &again);
	net_run(net, MS);
	secret_place();
	attacker->deaf = true;
	net_replay(net, &request);
	net_run(net, MS);
	attacker->deaf = false;
	check_no_bytes_sent();
	nak = answer("recorded READ");
	cr_assert_eq(net_view(&nak).aeth.syndrome, WIRE_NAK_REMOTE_ACCESS);
	cr_assert_eq(net_counter(net, "cm_guesses"), 0);
	/* The connection survives, because the network may have duplicated the packet. */
	post(&link, true, WINDOW, &again, &result);
	cr_assert_eq(net_result(net, link.outbound[0], &result), ND_SUCCESS);
}

/** A replayed WRITE is handled as a duplicate, whether its key is still valid or not (RC-055). */
Test(attack, recorded_write_moves_no_byte)
{
	struct net_link link = net_connect(net, ATTACKER);
	struct nd_mw_descriptor own;
	struct nd_result result;
	struct net_frame request;

	net_bind(net, &link, 0, WINDOW, READ_WRITE, &own);
	post(&link, false, STEAL, &own, &result);
	cr_assert_eq(net_result(net, link.outbound[0], &result), ND_SUCCESS);
	request = net->request;
	cr_assert_eq(net_view(&request).bth.opcode, WIRE_RC_WRITE_ONLY);
	cr_assert_eq(victim->memory[0], 0xA5);
	secret_place();
	net_replay(net, &request);
	net_run(net, MS);
	check_untouched("recorded WRITE");
	cr_assert_eq(net_counter(net, "rx_duplicates"), 1);
}
