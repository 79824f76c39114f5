/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * An attacker with a connection attacks registered memory that has keys (nd_region.h). The attacker
 * must get no more access than with windows, see test_attack.c and test_guess.c. The network
 * delays, duplicates and drops frames (SEC-010, SEC-014, SEC-015, SEC-030, SEC-031).
 */

#include <stdalign.h>
#include <string.h>

#include <criterion/criterion.h>

#include <rte_byteorder.h>

#include <ndpdk/nd_region.h>

#include "attack_net.h"
#include "support/nd_pair.h"

#define MS     UINT64_C(1000000)
#define REGION 8192u /* size in bytes (two pages) */
#define STEAL  64u   /* size of an attempted access, in bytes */
#define ALL    (ND_MR_FLAG_ALLOW_REMOTE_READ | ND_MR_FLAG_ALLOW_REMOTE_WRITE)
#define REMOTE (ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE)

static struct net *net;
static struct net_node *victim, *attacker;
/** The victim's memory, and a copy of its initial contents. */
static alignas(ND_FAST_PAGE_BYTES) uint8_t secret[REGION];
static uint8_t before[REGION];

static void
open_with(uint32_t guesses_max)
{
	net = net_open(&(struct net_limits){.guesses_max = guesses_max});
	victim = &net->nodes[VICTIM];
	attacker = &net->nodes[ATTACKER];
	nd_pair_pattern(secret, REGION, 5);
	memcpy(before, secret, REGION);
	memset(attacker->memory, 0xA5, sizeof(attacker->memory));
}

static void
setup(void)
{
	open_with(1000);
}

static void
teardown(void)
{
	net_close(net);
}

TestSuite(region_attack, .init = setup, .fini = teardown);

/** The two kinds of registered memory that have keys: plain regions and fast regions. */
enum kind {
	PLAIN,
	FAST,
	KINDS,
};

struct target {
	enum kind kind;
	struct nd_mr *mr;
	struct nd_mw_descriptor key;
};

/**
 * Last region that was created. The region is deregistered as soon as possible, because the adapter
 * allows few regions.
 */
static struct nd_mr *made;

static struct target
target_make(enum kind kind, const struct net_link *link, uint32_t rights)
{
	const struct nd_buffer buffer = {secret, REGION};
	void *const pages[2] = {secret, secret + ND_FAST_PAGE_BYTES};
	struct target target = {.kind = kind};
	struct nd_result result;
	uint32_t token;

	if (kind == PLAIN) {
		uint32_t flags = (rights & ND_OP_FLAG_ALLOW_READ ? 2 : 0) |
			(rights & ND_OP_FLAG_ALLOW_WRITE ? 5 : 0);

		ASSERT_ND(nd_adapter_register_region(
				  victim->adapter, &buffer, 1, NULL, flags, NULL, &target.mr),
			ND_SUCCESS);
	} else {
		ASSERT_ND(nd_adapter_create_fast_region(victim->adapter, 2, true, &target.mr),
			ND_SUCCESS);
		ASSERT_ND(nd_endpoint_fast_register(link->endpoints[1], &result, target.mr, pages,
				  2, 0, REGION, secret, rights),
			ND_SUCCESS);
		ASSERT_ND(net_result(net, link->outbound[1], &result), ND_SUCCESS);
	}
	made = target.mr;
	ASSERT_ND(nd_mr_get_remote_token(victim->adapter, target.mr, &token), ND_SUCCESS);
	target.key = net_forge(rte_be_to_cpu_32(token), secret, REGION);
	return target;
}

/** End remote access to the memory. When this function returns, no peer has access. */
static void
target_close(const struct target *target, const struct net_link *link)
{
	struct nd_result *taken[1], result;

	if (target->kind == PLAIN) {
		ASSERT_ND(nd_adapter_deregister_memory(victim->adapter, target->mr, NULL),
			ND_SUCCESS);
		return;
	}
	ASSERT_ND(nd_endpoint_invalidate_region(link->endpoints[1], &result, target->mr, 0),
		ND_SUCCESS);
	/* The send queue was empty, so the posting call has executed the request. */
	cr_assert_eq(nd_cq_get_results(link->outbound[1], taken, 1), 1);
	ASSERT_ND(result.status, ND_SUCCESS);
}

static void
post(const struct net_link *link, bool read, size_t bytes, const struct nd_mw_descriptor *key,
	struct nd_result *result)
{
	struct nd_sge sge = {attacker->memory, bytes, attacker->mr};

	ASSERT_ND(read ? nd_endpoint_read(link->endpoints[0], result, &sge, 1, key, 0, 0)
		       : nd_endpoint_write(link->endpoints[0], result, &sge, 1, key, 0, 0),
		ND_SUCCESS);
}

static void
check_untouched(void)
{
	for (size_t i = 0; i < REGION; i++)
		cr_assert_eq(secret[i], before[i], "byte %zu of the victim changed", i);
}

static void
check_learned_nothing(size_t from)
{
	for (size_t i = from; i < NET_MEMORY_BYTES; i++)
		cr_assert_eq(attacker->memory[i], 0xA5, "byte %zu of the attacker changed", i);
}

/** Replace the contents of the region. The victim must not send any of the new bytes. */
static void
secret_place(void)
{
	nd_pair_pattern(secret, REGION, 99);
	memcpy(before, secret, REGION);
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
 * Reasons for a refusal. The first reason concerns a window. The answers for all reasons must be
 * the same.
 */
enum way {
	WINDOW_DEAD,
	REGION_DEAD,
	REGION_RANGE,
	REGION_RIGHT,
	REGION_TAG,
	REGION_OTHER_ADAPTER,
	REGION_LOCAL_TOKEN,
	FAST_DEAD,
	FAST_RANGE,
	FAST_RIGHT,
	FAST_LOCAL_TOKEN,
	WAYS,
};

static const char *const way_names[WAYS] = {"dead window", "deregistered", "out of range",
	"missing right", "wrong tag", "another adapter's", "not open to peers", "fast, invalidated",
	"fast, out of range", "fast, missing right", "fast, local token"};
static const char *const way_counters[WAYS] = {"refused_key", "refused_key", "refused_range",
	"refused_rights", "refused_key", "refused_key", "refused_rights", "refused_key",
	"refused_range", "refused_rights", "refused_rights"};

/** @return a forged descriptor that contains the local token of memory without remote access */
static struct nd_mw_descriptor
local_token(struct nd_mr *mr)
{
	uint32_t token;

	ASSERT_ND(nd_mr_get_local_token(victim->adapter, mr, &token), ND_SUCCESS);
	return net_forge(token, secret, REGION);
}

static struct nd_mw_descriptor
way_make(enum way way, const struct net_link *link, bool read)
{
	uint32_t wrong = read ? ND_OP_FLAG_ALLOW_WRITE : ND_OP_FLAG_ALLOW_READ;
	enum kind kind = way >= FAST_DEAD ? FAST : PLAIN;
	struct nd_mw_descriptor key;
	struct target target;
	struct nd_buffer other = {attacker->memory, REGION};
	struct nd_mr *mr;
	uint32_t token;

	switch (way) {
	case WINDOW_DEAD:
		ASSERT_ND(nd_mw_release(
				  victim->adapter, net_bind(net, link, 0, REGION, REMOTE, &key)),
			ND_SUCCESS);
		return key;
	case REGION_DEAD:
	case FAST_DEAD:
		target = target_make(kind, link, REMOTE);
		target_close(&target, link);
		return target.key;
	case REGION_RANGE:
	case FAST_RANGE:
		target = target_make(kind, link, REMOTE);
		return net_forge(net_token(&target.key), secret + REGION - STEAL + 1, REGION);
	case REGION_RIGHT:
	case FAST_RIGHT:
		return target_make(kind, link, wrong).key;
	case REGION_TAG:
		target = target_make(kind, link, REMOTE);
		return net_forge(net_token(&target.key) ^ 1, secret, REGION);
	case REGION_OTHER_ADAPTER:
		ASSERT_ND(nd_adapter_register_region(
				  attacker->adapter, &other, 1, secret, ALL, NULL, &mr),
			ND_SUCCESS);
		ASSERT_ND(nd_mr_get_remote_token(attacker->adapter, mr, &token), ND_SUCCESS);
		return net_forge(rte_be_to_cpu_32(token), secret, REGION);
	case REGION_LOCAL_TOKEN:
		return local_token(victim->mr);
	case FAST_LOCAL_TOKEN:
		return local_token(target_make(FAST, link, REMOTE).mr);
	case WAYS:
		break;
	}
	cr_assert_fail("no such way");
	return (struct nd_mw_descriptor){0};
}

/**
 * For each reason, the victim sends the same answer after the same time, ends the connection, and
 * counts the refusal.
 */
Test(region_attack, refusals_are_one_on_the_wire_sec030)
{
	uint64_t delay_ns = 0;
	uint16_t bytes = 0;

	for (unsigned int i = 0; i < 2 * WAYS; i++) {
		enum way way = (enum way)(i / 2);
		const char *what = way_names[way];
		struct net_link link = net_connect(net, ATTACKER);
		struct nd_mw_descriptor key = way_make(way, &link, i % 2);
		uint64_t refused = net_counter(net, way_counters[way]);
		struct nd_result result, received;
		struct net_frame nak;
		struct wire_view view;

		ASSERT_ND(nd_endpoint_receive(link.endpoints[1], &received, NULL, 0), ND_SUCCESS);
		net_run(net, MS);
		net->log_count = 0;
		post(&link, i % 2, STEAL, &key, &result);
		cr_assert_eq(
			net_result(net, link.outbound[0], &result), ND_REMOTE_ERROR, "%s", what);
		cr_assert_eq(net_result(net, link.inbound[1], &received), ND_CANCELED, "%s", what);
		nak = answer(what);
		view = net_view(&nak);
		cr_assert_eq(view.bth.opcode, WIRE_RC_ACKNOWLEDGE, "%s", what);
		cr_assert_eq(view.aeth.syndrome, WIRE_NAK_REMOTE_ACCESS, "%s", what);
		cr_assert_eq(view.bth.psn, net_view(&net->request).bth.psn, "%s", what);
		if (i == 0) {
			delay_ns = nak.sent_ns - net->request.sent_ns;
			bytes = nak.bytes;
		}
		cr_assert_eq(nak.sent_ns - net->request.sent_ns, delay_ns, "%s", what);
		cr_assert_eq(nak.bytes, bytes, "%s", what);
		cr_assert_eq(net_counter(net, way_counters[way]), refused + 1, "%s", what);
		check_untouched();
		check_learned_nothing(0);
		net_step(net, net->now_ns);
		cr_assert_eq(net_counter(net, "cm_guesses"), i + 1, "%s", what);
		net_disconnect(net, &link);
		/* A fast region may already be deregistered. */
		(void)nd_adapter_deregister_memory(victim->adapter, made, NULL);
	}
}

Test(region_attack_guess, guesses_are_counted_and_barred_sec031)
{
	struct net_link kept, link;
	struct nd_sge sge;
	struct target target;
	struct nd_result result;

	open_with(3);
	kept = net_connect(net, ATTACKER);
	target = target_make(PLAIN, &kept, REMOTE);
	sge = (struct nd_sge){attacker->memory, STEAL, attacker->mr};
	for (unsigned int i = 0; i < 3; i++) {
		struct nd_mw_descriptor guess =
			net_forge(net_token(&target.key) ^ (i + 1), secret, REGION);

		link = net_connect(net, ATTACKER);
		cr_assert_eq(net_counter(net, "cm_bars"), 0);
		post(&link, i % 2, STEAL, &guess, &result);
		ASSERT_ND(net_result(net, link.outbound[0], &result), ND_REMOTE_ERROR);
		net_disconnect(net, &link);
	}
	cr_assert_eq(net_counter(net, "cm_guesses"), 3);
	cr_assert_eq(net_counter(net, "cm_bars"), 1);
	cr_assert_eq(net_counter(net, "cm_barred"), 1);
	cr_assert_not(net_try_connect(net, ATTACKER, &link, 300 * MS));
	cr_assert_gt(net_counter(net, "cm_drop_barred"), 0);
	/*
	 * While the attacker is barred, its existing connection continues, and other peers can
	 * connect.
	 */
	ASSERT_ND(nd_endpoint_write(kept.endpoints[0], &result, &sge, 1, &target.key, 0, 0),
		ND_SUCCESS);
	ASSERT_ND(net_result(net, kept.outbound[0], &result), ND_SUCCESS);
	cr_assert(net_try_connect(net, BYSTANDER, &link, 300 * MS));
	net_close(net);
}

/**
 * If the key is invalidated while requests are in the receive queue, the requests are refused
 * (SEC-014).
 */
Test(region_attack, requests_in_the_queue_do_not_outlive_the_key)
{
	for (unsigned int i = 0; i < 2 * KINDS; i++) {
		struct net_link link = net_connect(net, ATTACKER);
		struct target target = target_make((enum kind)(i / 2), &link, REMOTE);
		struct nd_result result;

		victim->take_max = 0;
		post(&link, i % 2, 4 * NET_PMTU, &target.key, &result);
		net_run(net, MS);
		cr_assert_gt(victim->tail - victim->head, 0);
		target_close(&target, &link);
		victim->take_max = UINT32_MAX;
		ASSERT_ND(net_result(net, link.outbound[0], &result), ND_REMOTE_ERROR);
		check_untouched();
		check_learned_nothing(0);
	}
}

/**
 * The victim invalidates the key of a long WRITE in the middle of the WRITE. No later byte is
 * placed (SEC-014).
 */
Test(region_attack, write_in_progress_stops_when_the_key_dies)
{
	for (enum kind kind = PLAIN; kind < KINDS; kind++) {
		struct net_link link = net_connect(net, ATTACKER);
		struct target target = target_make(kind, &link, REMOTE);
		struct nd_result result;

		memcpy(before, secret, REGION);
		victim->take_max = 3;
		memset(attacker->memory, 0x50 + kind, REGION);
		post(&link, false, REGION, &target.key, &result);
		net_run(net, MS);
		target_close(&target, &link);
		victim->take_max = UINT32_MAX;
		ASSERT_ND(net_result(net, link.outbound[0], &result), ND_REMOTE_ERROR);
		memset(before, 0x50 + kind, 3 * NET_PMTU);
		check_untouched();
	}
}

/**
 * Responses of a READ are lost, and the key is invalidated before the peer retransmits the READ.
 * The responses are not sent again (SEC-014, SEC-015).
 */
Test(region_attack, lost_responses_are_not_repeated_when_the_key_is_dead)
{
	for (unsigned int i = 0; i < 3 * KINDS; i++) {
		struct net_link link = net_connect(net, ATTACKER);
		struct target target = target_make((enum kind)(i / 3), &link, REMOTE);
		const uint32_t got = i % 3 * 3;
		struct nd_result result;

		memset(attacker->memory, 0xA5, REGION);
		net_run(net, MS);
		net->log_count = 0;
		attacker->take_max = got;
		post(&link, true, REGION, &target.key, &result);
		net_run(net, MS);
		cr_assert_geq(net->log_count, 8, "%u responses", net->log_count);
		attacker->head = attacker->tail;
		attacker->take_max = UINT32_MAX;
		target_close(&target, &link);
		secret_place();
		ASSERT_ND(net_result(net, link.outbound[0], &result), ND_REMOTE_ERROR);
		check_no_bytes_sent();
		check_learned_nothing(got * NET_PMTU);
		cr_assert_eq(net_counter(net, "cm_guesses"), 0, "a repetition is no guess");
		net_disconnect(net, &link);
	}
}

/** An attacker replays a recorded READ that was answered long ago (SEC-015). */
Test(region_attack, recorded_read_is_refused_once_its_key_is_dead)
{
	for (enum kind kind = PLAIN; kind < KINDS; kind++) {
		struct net_link link = net_connect(net, ATTACKER);
		struct target target = target_make(kind, &link, REMOTE);
		struct net_frame request, nak;
		struct nd_result result;

		post(&link, true, REGION, &target.key, &result);
		ASSERT_ND(net_result(net, link.outbound[0], &result), ND_SUCCESS);
		request = net->request;
		net_run(net, MS);
		net->log_count = 0;
		net_replay(net, &request);
		net_run(net, MS);
		cr_assert_eq(net->log_count, 8, "%u responses while it lives", net->log_count);
		target_close(&target, &link);
		secret_place();
		attacker->deaf = true;
		net_replay(net, &request);
		net_run(net, MS);
		attacker->deaf = false;
		check_no_bytes_sent();
		nak = answer("recorded READ");
		cr_assert_eq(net_view(&nak).aeth.syndrome, WIRE_NAK_REMOTE_ACCESS);
		cr_assert_eq(net_counter(net, "cm_guesses"), 0);
		net_disconnect(net, &link);
	}
}
