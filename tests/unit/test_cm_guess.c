/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "test_cm_pair.h"

/*
 * Test SEC-031: if a source guesses keys, its new connections are refused for a time (the source is
 * barred). Side 0 makes the guesses.
 */

#define SECOND (1000 * MS)
#define BURST  4u

/*
 * Send a REQ from side 0 to a service without a listener. @return true if side 1 answers with a
 * REJ; false if it drops the REQ
 */
static bool
answered(struct link *link)
{
	struct end *end = &link->end[1];
	uint32_t sent_count = end->sent_count;
	struct wire_cm_msg req;
	struct cm_id *id = link_connect(link, 0, QPN_ACTIVE);

	req = *end_last(&link->end[0]);
	cm_release(id, link->now_ns);
	link->flight_count = 0;
	end_take(end, &req);
	link->flight_count = 0;
	return end->sent_count != sent_count;
}

/* Report to side 1 that side 0 has guessed count keys. @return number of guesses that barred it */
static uint32_t
guess(struct link *link, uint32_t count)
{
	uint32_t bars = 0;

	for (uint32_t i = 0; i < count; i++)
		bars += cm_guess(link->end[1].cm, &link->end[0].gid, link->now_ns);
	return bars;
}

static struct link *
start(uint64_t seed)
{
	const struct cm_config config = {
		.id_max = 64, .guess_burst = BURST, .guess_interval_ns = SECOND};

	return link_start(seed, &config);
}

static void
check_counters(const struct link *link, uint64_t guesses, uint64_t bars, uint64_t dropped)
{
	const struct cm_counters *counters = cm_counters(link->end[1].cm);

	cr_assert_eq(counters->guesses, guesses, "%lu guesses, not %lu, seed %lu",
		counters->guesses, guesses, link->seed);
	cr_assert_eq(counters->bars, bars, "%lu bars, not %lu, seed %lu", counters->bars, bars,
		link->seed);
	cr_assert_eq(counters->drop_barred, dropped, "%lu dropped, not %lu, seed %lu",
		counters->drop_barred, dropped, link->seed);
}

Test(cm_guess, source_is_barred_by_its_last_guess_until_one_comes_back)
{
	struct link *link = start(1);
	const struct cm *cm = link->end[1].cm;

	cr_assert_eq(guess(link, BURST - 1), 0);
	cr_assert(answered(link));
	cr_assert_eq(cm_barred_count(cm, link->now_ns), 0);
	cr_assert_eq(guess(link, 1), 1);
	cr_assert_eq(cm_barred_count(cm, link->now_ns), 1);
	cr_assert_not(answered(link));
	link->now_ns += SECOND - 1;
	cr_assert_not(answered(link));
	cr_assert_eq(cm_barred_count(cm, link->now_ns), 1);
	link->now_ns += 1;
	cr_assert(answered(link));
	cr_assert_eq(cm_barred_count(cm, link->now_ns), 0);
	/* After one interval, only one guess is forgiven, so the next guess bars side 0 again. */
	cr_assert_eq(guess(link, 1), 1);
	cr_assert_not(answered(link));
	check_counters(link, BURST + 1, 2, 3);
	/* After BURST intervals, side 0 may again make BURST - 1 guesses without being barred. */
	link->now_ns += BURST * SECOND;
	cr_assert_eq(guess(link, BURST - 1), 0);
	cr_assert(answered(link));
	link_stop(link);
}

/* Each guess on an open connection of the barred source extends the bar by one interval. */
Test(cm_guess, guesses_beyond_the_burst_are_owed)
{
	const struct cm_config config = {.id_max = 64,
		.guess_burst = BURST,
		.guess_interval_ns = SECOND,
		.guess_debt_max_ns = 20 * SECOND};
	struct link *link = link_start(2, &config);

	cr_assert_eq(guess(link, BURST + 10), 1);
	link->now_ns += 11 * SECOND - 1;
	cr_assert_not(answered(link));
	link->now_ns += 1;
	cr_assert(answered(link));
	check_counters(link, BURST + 10, 1, 1);
	link_stop(link);
}

/*
 * The bar has a maximum duration, because even a legitimate peer may access an invalidated window
 * on 80 connections at once.
 */
Test(cm_guess, debt_has_a_ceiling)
{
	struct link *link = start(9);

	cr_assert_eq(guess(link, BURST + 80), 1);
	link->now_ns += 3 * SECOND - 1;
	cr_assert_not(answered(link));
	link->now_ns += 1;
	cr_assert(answered(link));
	/* When the bar ends, one guess is forgiven. So one further guess bars the source again. */
	cr_assert_eq(guess(link, 1), 1);
	check_counters(link, BURST + 81, 2, 1);
	link_stop(link);
}

Test(cm_guess, other_sources_are_not_barred)
{
	struct link *link = start(3);
	struct end *end = &link->end[1];
	const struct cm_route from = {
		.local_gid = end->gid, .remote_gid = wire_gid_from_v4(0x0A000001)};
	struct wire_cm_msg req;

	guess(link, 100);
	cr_assert_not(answered(link));
	req = *end_last(&link->end[0]);
	cr_assert_eq(req.attribute, WIRE_CM_REJ, "what a released request says");
	link_connect(link, 0, QPN_ACTIVE);
	req = *end_last(&link->end[0]);
	req.req.local_gid = from.remote_gid;
	cm_input(end->cm, &from, &req, link->now_ns);
	cr_assert_eq(end->sent_count, 1, "no answer to another source");
	cr_assert_eq(end_last(end)->attribute, WIRE_CM_REJ);
	link_stop(link);
}

Test(cm_guess, connections_of_a_barred_source_go_on)
{
	struct link *link = start(4);
	struct end *end = &link->end[1];
	struct wire_cm_msg req;
	struct cm_id *ids[2];
	uint32_t sent_count;

	link_listen(link, 1, 0);
	pair_request(link, ids);
	req = *end_last(&link->end[0]);
	pair_accept(link, ids[1], QPN_PASSIVE);
	guess(link, 100);
	/*
	 * If a barred source retransmits an accepted REQ, side 1 answers with the REP, because the
	 * first REP may be lost.
	 */
	sent_count = end->sent_count;
	end_take(end, &req);
	cr_assert_eq(end->sent_count, sent_count + 1, "the repeated REQ was not answered");
	cr_assert_eq(end_last(end)->attribute, WIRE_CM_REP);
	link_run(link, 1);
	cr_assert_eq(cm_confirm(ids[0], link->now_ns), RC_OK);
	link_run(link, 1);
	cr_assert_eq(cm_id_state(ids[1]), CM_ESTABLISHED);
	cr_assert_eq(cm_disconnect(ids[0], link->now_ns), RC_OK);
	link_run(link, 1);
	cr_assert_eq(end_events_of(end, CM_EVENT_DISCONNECTED), 1);
	cr_assert_eq(end_events_of(&link->end[0], CM_EVENT_DISCONNECT_DONE), 1);
	check_counters(link, 100, 1, 0);
	link_stop(link);
}

Test(cm_guess, barred_source_may_be_asked)
{
	struct link *link = start(5);
	struct cm_id *id;

	link_listen(link, 0, 0);
	guess(link, 100);
	id = link_connect(link, 1, QPN_PASSIVE);
	link_run(link, 1);
	pair_accept(link, end_event_id(&link->end[0], CM_EVENT_REQUEST), QPN_ACTIVE);
	link_run(link, 1);
	cr_assert_eq(cm_id_state(id), CM_REP_RECEIVED);
	link_stop(link);
}

Test(cm_guess, many_sources_are_counted_apart)
{
	struct link *link = start(6);
	struct cm *cm = link->end[1].cm;

	for (uint32_t i = 0; i < 100; i++) {
		struct wire_gid gid = wire_gid_from_v4(0x0A000000 + i);

		for (uint32_t times = 0; times < i % 2 * BURST; times++)
			(void)cm_guess(cm, &gid, link->now_ns);
	}
	/*
	 * About 50 sources are barred. A few less are possible, because two sources may share one
	 * of the 4096 table entries.
	 */
	cr_assert(cm_barred_count(cm, link->now_ns) >= 45, "%u barred, seed %lu",
		cm_barred_count(cm, link->now_ns), link->seed);
	cr_assert_leq(cm_barred_count(cm, link->now_ns), 50);
	cr_assert_eq(cm_barred_count(cm, link->now_ns + SECOND), 0);
	link_stop(link);
}

Test(cm_guess, defaults_are_64_and_one_per_second)
{
	struct link *link = link_start(7, NULL);

	cr_assert_eq(guess(link, 63), 0);
	cr_assert_eq(guess(link, 1), 1);
	cr_assert_not(answered(link));
	link->now_ns += SECOND;
	cr_assert(answered(link));
	link_stop(link);
}

Test(cm_guess, impossible_configuration_is_refused)
{
	static const struct cm_ops ops = {
		.send = end_send, .event = end_event, .is_local = end_is_local};
	struct base_random random;
	struct cm_config config = {
		.ca_guid = 1, .random = &random, .id_max = 64, .guess_burst = 1000001};
	struct cm *cm = NULL;

	test_eal_init();
	random_from(&random, 8, 0);
	cr_assert_eq(cm_create(&config, &ops, NULL, &cm), RC_INVALID_ARGUMENT);
	config.guess_burst = 1000000;
	config.guess_interval_ns = 3600 * SECOND + 1;
	cr_assert_eq(cm_create(&config, &ops, NULL, &cm), RC_INVALID_ARGUMENT);
	config.guess_interval_ns = 3600 * SECOND;
	cr_assert_eq(cm_create(&config, &ops, NULL, &cm), RC_OK);
	cm_destroy(cm);
}
