/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test telemetry of adapters that run, that are not polled, and that are being closed. */

#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <rte_ethdev.h>

#include <ndpdk/nd_telemetry.h>

#include "nd/adapter.h"
#include "support/engines.h"
#include "support/nd_pair.h"
#include "telemetry_client.h"

#define COUNTERS_MAX 256
#define SENDS        20
#define ROUNDS       30
#define ASKERS       3

static struct nd_pair pair;
static int client;
static char answer[TELEMETRY_BYTES];

static void
adapt(unsigned int side, struct nd_adapter_config *config)
{
	config->name = side == 1 ? "second" : NULL;
}

static void
setup(void)
{
	telemetry_eal_start();
	nd_pair_open(&pair,
		&(struct nd_pair_config){.path_mtu = 1024, .mbuf_count = 1024, .adapt = adapt});
	client = telemetry_connect();
	cr_assert_geq(client, 0);
}

static void
teardown(void)
{
	nd_pair_close(&pair);
	close(client);
}

TestSuite(telemetry, .init = setup, .fini = teardown, .timeout = 120);

static void
poll_pair(void *arg)
{
	nd_pair_poll(arg);
}

/* Query from the telemetry client while both adapters are polled. */
static void
ask(const char *command)
{
	telemetry_ask(client, command, answer, poll_pair, &pair);
}

static void
send_some(unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		struct nd_result received, sent;

		cr_assert_eq(
			nd_endpoint_receive(pair.side[1].endpoint, &received, NULL, 0), ND_SUCCESS);
		cr_assert_eq(
			nd_endpoint_send(pair.side[0].endpoint, &sent, NULL, 0, 0), ND_SUCCESS);
		cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
		cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
	}
}

static uint32_t
qpn_of(unsigned int side)
{
	uint32_t qpn = 0;
	char command[40];

	snprintf(command, sizeof(command), "/ndpdk/qp/list,%u", side);
	ask(command);
	cr_assert_eq(telemetry_numbers_of(answer, "qps", &qpn, 1), 1, "%s", answer);
	return qpn;
}

Test(telemetry, commands_are_listed_and_explained)
{
	static const char *const commands[] = {"/ndpdk/adapter/list", "/ndpdk/adapter",
		"/ndpdk/counters", "/ndpdk/drops", "/ndpdk/engine", "/ndpdk/qp/list", "/ndpdk/qp",
		"/ndpdk/mr/list", "/ndpdk/mr", "/ndpdk/cq", "/ndpdk/neighbours"};
	char quoted[48], help[48];

	for (size_t i = 0; i < RTE_DIM(commands); i++) {
		ask("/");
		snprintf(quoted, sizeof(quoted), "\"%s\"", commands[i]);
		cr_assert_not_null(strstr(answer, quoted), "no %s in %s", quoted, answer);
		snprintf(help, sizeof(help), "/help,%s", commands[i]);
		ask(help);
		cr_assert_null(strstr(answer, "null"), "%s", answer);
	}
}

Test(telemetry, adapters_have_numbers_and_the_names_of_their_ports)
{
	char name[RTE_ETH_NAME_MAX_LEN], command[RTE_ETH_NAME_MAX_LEN + 20];

	ask("/ndpdk/adapter/list");
	cr_assert_str_eq(answer, "{\"/ndpdk/adapter/list\":[0,1]}");
	cr_assert_eq(rte_eth_dev_get_name_by_port(pair.ports[1], name), 0);
	snprintf(command, sizeof(command), "/ndpdk/adapter,%s", name);
	ask(command);
	cr_assert(telemetry_has(answer, "port", name), "%s", answer);
	cr_assert(telemetry_has(answer, "name", "second"), "%s", answer);
	cr_assert_eq(telemetry_number(answer, "port_id"), pair.ports[1]);
	cr_assert_eq(telemetry_number(answer, "adapter"), 1);
	cr_assert_eq(telemetry_number(answer, "path_mtu"), 1024);
	cr_assert_eq(telemetry_number(answer, "engines"), test_engines());
	cr_assert_eq(telemetry_number(answer, "regions"), 1);
	cr_assert(telemetry_has(answer, "address", "192.0.2.2"), "%s", answer);
	ask("/ndpdk/adapter,second");
	cr_assert_eq(telemetry_number(answer, "adapter"), 1);
}

struct written {
	char text[TELEMETRY_BYTES];
	size_t length;
	char closing[2];
	unsigned int depth;
};

static void
put(struct written *written, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void
put(struct written *written, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	written->length += (size_t)vsnprintf(written->text + written->length,
		sizeof(written->text) - written->length, format, list);
	va_end(list);
}

static void
put_name(struct written *written, const char *name)
{
	const char before = written->length > 0 ? written->text[written->length - 1] : '{';

	put(written, "%s", before == '{' || before == '[' ? "" : ",");
	if (name != NULL)
		put(written, "\"%s\":", name);
}

static void
put_begin(void *arg, const char *name, enum nd_telemetry_kind kind)
{
	struct written *written = arg;

	put_name(written, name);
	put(written, "%s", kind == ND_TELEMETRY_OBJECT ? "{" : "[");
	written->closing[written->depth++] = kind == ND_TELEMETRY_OBJECT ? '}' : ']';
}

static void
put_end(void *arg)
{
	struct written *written = arg;

	put(written, "%c", written->closing[--written->depth]);
}

static void
put_number(void *arg, const char *name, uint64_t value)
{
	put_name(arg, name);
	put(arg, "%llu", (unsigned long long)value);
}

static void
put_text(void *arg, const char *name, const char *text)
{
	put_name(arg, name);
	put(arg, "\"%s\"", text);
}

static const struct nd_telemetry_sink sink = {put_begin, put_end, put_number, put_text};

Test(telemetry, a_query_of_the_process_has_the_answers_of_the_socket)
{
	static const char *const commands[] = {"/ndpdk/adapter/list", "/ndpdk/adapter,0",
		"/ndpdk/counters", "/ndpdk/drops,1", "/ndpdk/qp/list,0", "/ndpdk/mr/list,0",
		"/ndpdk/mr,1", "/ndpdk/cq,0", "/ndpdk/cq,0,0,1", "/ndpdk/neighbours,0",
		"/ndpdk/adapter", "/ndpdk/mr,7"};
	static struct written written;
	char named[TELEMETRY_BYTES + 64];

	nd_pair_connect(&pair);
	for (size_t i = 0; i < RTE_DIM(commands); i++) {
		const int length = (int)strcspn(commands[i], ",");

		memset(&written, 0, sizeof(written));
		cr_assert_eq(nd_telemetry_query(commands[i], &sink, &written), ND_SUCCESS);
		cr_assert_eq(written.depth, 0);
		snprintf(named, sizeof(named), "{\"%.*s\":%s}", length, commands[i], written.text);
		ask(commands[i]);
		cr_assert_str_eq(answer, named);
	}
	ASSERT_ND(nd_telemetry_query("/ndpdk/none", &sink, &written), ND_INVALID_PARAMETER_1);
	ASSERT_ND(nd_telemetry_query("/ndpdk/q", &sink, &written), ND_INVALID_PARAMETER_1);
	ASSERT_ND(nd_telemetry_query(NULL, &sink, &written), ND_INVALID_PARAMETER_1);
	ASSERT_ND(nd_telemetry_query("/ndpdk/mr,0", NULL, NULL), ND_INVALID_PARAMETER_2);
}

Test(telemetry, completion_queues_and_neighbours_are_those_in_use)
{
	uint32_t endpoints[2], used = 0;
	char command[40];
	size_t queues = 0;

	nd_pair_connect(&pair);
	/*
	 * A connection and its completion queues belong to one of the engines, so query all
	 * engines.
	 */
	for (uint32_t e = 0; e < test_engines(); e++) {
		size_t count;

		snprintf(command, sizeof(command), "/ndpdk/cq,0,%u", e);
		ask(command);
		count = telemetry_numbers_of(answer, "endpoints", endpoints, RTE_DIM(endpoints));
		for (size_t i = 0; i < RTE_MIN(count, RTE_DIM(endpoints)); i++)
			used += endpoints[i];
		queues += count;
	}
	cr_assert_eq(queues, 2, "%s", answer);
	cr_assert_geq(used, 1, "%s", answer);
	ask("/ndpdk/cq,0,99");
	cr_assert(telemetry_refused(answer), "%s", answer);
	ask("/ndpdk/neighbours,0");
	cr_assert_not_null(strstr(answer, "192.0.2.2"), "%s", answer);
	cr_assert_not_null(strstr(answer, "REACHABLE"), "%s", answer);
}

Test(telemetry, numbers_stay_while_an_adapter_is_open)
{
	nd_adapter_close(pair.side[0].adapter);
	telemetry_ask(client, "/ndpdk/adapter/list", answer, NULL, NULL);
	cr_assert_str_eq(answer, "{\"/ndpdk/adapter/list\":[1]}");
	telemetry_ask(client, "/ndpdk/adapter,0", answer, NULL, NULL);
	cr_assert(telemetry_refused(answer), "%s", answer);
	pair.side[0].adapter = NULL;
}

Test(telemetry, counters_are_those_of_the_api_each_with_its_text)
{
	struct nd_counter counters[COUNTERS_MAX], own[COUNTERS_MAX];
	uint64_t sums[COUNTERS_MAX] = {0};
	char command[40], texts[TELEMETRY_BYTES];
	size_t count;

	nd_pair_connect(&pair);
	send_some(SENDS);
	telemetry_ask(client, "/ndpdk/counters", texts, NULL, NULL);
	telemetry_ask(client, "/ndpdk/adapter,0", answer, NULL, NULL);
	count = nd_adapter_counters(pair.side[0].adapter, counters, COUNTERS_MAX);
	for (size_t i = 0; i < count; i++) {
		cr_assert_eq(telemetry_number(answer, counters[i].name), counters[i].value, "%s",
			counters[i].name);
		cr_assert(telemetry_has(texts, counters[i].name, counters[i].text), "%s: %s",
			counters[i].name, counters[i].text);
	}
	for (uint32_t e = 0; e < test_engines(); e++) {
		snprintf(command, sizeof(command), "/ndpdk/engine,0,%u", e);
		ask(command);
		cr_assert_eq(telemetry_number(answer, "engine"), e);
		cr_assert_eq(telemetry_number(answer, "polled"), 1);
		cr_assert_eq(nd_engine_counters(nd_adapter_get_engine(pair.side[0].adapter, e), own,
				     COUNTERS_MAX),
			count);
		for (size_t i = 0; i < count; i++) {
			cr_assert_str_eq(own[i].name, counters[i].name);
			sums[i] += own[i].value;
		}
	}
	/* The adapter was polled since the queries, but it has sent nothing. */
	nd_adapter_counters(pair.side[0].adapter, counters, COUNTERS_MAX);
	for (size_t i = 0; i < count; i++)
		cr_assert_eq(sums[i], counters[i].value, "%s", counters[i].name);
	cr_assert_geq(nd_pair_counter(&pair, 0, "tx_packets"), SENDS);
}

Test(telemetry, drops_are_all_counters_of_what_was_lost)
{
	struct nd_counter counters[COUNTERS_MAX];
	size_t count = nd_adapter_counters(pair.side[0].adapter, counters, COUNTERS_MAX);

	ask("/ndpdk/drops,0");
	for (size_t i = 0; i < count; i++)
		if (strstr(counters[i].name, "drop_") != NULL ||
			strstr(counters[i].name, "refused_") == counters[i].name)
			cr_assert_eq(telemetry_number(answer, counters[i].name), 0);
	cr_assert_eq(telemetry_number(answer, "port_rx_missed"), 0);
	cr_assert_null(strstr(answer, "rx_packets"));
}

Test(telemetry, queue_pair_tells_its_state)
{
	uint32_t qpns[2];
	char command[40];

	ask("/ndpdk/qp/list,0");
	cr_assert_eq(telemetry_numbers_of(answer, "qps", qpns, 1), 0, "%s", answer);
	nd_pair_connect(&pair);
	send_some(SENDS);
	qpns[0] = qpn_of(0);
	qpns[1] = qpn_of(1);
	snprintf(command, sizeof(command), "/ndpdk/qp,0,%u", qpns[0]);
	ask(command);
	cr_assert_eq(telemetry_number(answer, "qpn"), qpns[0], "%s", answer);
	cr_assert_eq(telemetry_number(answer, "peer_qpn"), qpns[1]);
	cr_assert_eq(telemetry_number(answer, "engine"), test_engines() - 1);
	cr_assert(telemetry_has(answer, "state", "RTS"), "%s", answer);
	cr_assert(telemetry_has(answer, "connection", "CONNECTED"), "%s", answer);
	cr_assert(telemetry_has(answer, "peer", "192.0.2.2"), "%s", answer);
	cr_assert(telemetry_has(answer, "error", "RC_OK"), "%s", answer);
	cr_assert_eq(telemetry_number(answer, "sends"), 0);
	cr_assert_eq(telemetry_number(answer, "sends_max"), 64);
	cr_assert_eq(telemetry_number(answer, "una_psn"), telemetry_number(answer, "max_sent_psn"));
	/*
	 * Query side 1 by its QPN without an adapter number. The query is ambiguous if both sides
	 * have the same QPN.
	 */
	snprintf(command, sizeof(command), "/ndpdk/qp,0x%x", qpns[1]);
	ask(command);
	if (qpns[0] != qpns[1])
		cr_assert_eq(telemetry_number(answer, "msn"), SENDS, "%s", answer);
	cr_assert_eq(nd_endpoint_flush(pair.side[1].endpoint), ND_SUCCESS);
	snprintf(command, sizeof(command), "/ndpdk/qp,1,%u", qpns[1]);
	ask(command);
	cr_assert(telemetry_has(answer, "state", "ERROR"), "%s", answer);
	cr_assert(telemetry_has(answer, "error", "RC_FLUSHED"), "%s", answer);
}

Test(telemetry, region_tells_what_it_is)
{
	struct nd_mw_descriptor descriptor;
	uint32_t number;
	char command[40];

	nd_pair_connect(&pair);
	nd_pair_bind(&pair, 0, 0, 64, ND_OP_FLAG_ALLOW_READ, &descriptor);
	ask("/ndpdk/mr/list,0");
	cr_assert_eq(telemetry_numbers_of(answer, "regions", &number, 1), 1, "%s", answer);
	snprintf(command, sizeof(command), "/ndpdk/mr,0,%u", number);
	ask(command);
	cr_assert_eq(telemetry_number(answer, "base"), (uintptr_t)pair.side[0].memory);
	cr_assert_eq(telemetry_number(answer, "length"), pair.side[0].memory_bytes);
	cr_assert_eq(telemetry_number(answer, "buffers"), 1);
	cr_assert_eq(telemetry_number(answer, "windows_bound"), 1);
	ask("/ndpdk/mr,0");
	cr_assert_eq(telemetry_number(answer, "regions"), 1);
	cr_assert_eq(telemetry_number(answer, "windows"), 1);
	cr_assert_eq(telemetry_number(answer, "windows_bound"), 1);
}

Test(telemetry, what_is_no_parameter_is_refused_in_words)
{
	static const char *const commands[] = {"/ndpdk/adapter", "/ndpdk/drops", "/ndpdk/engine",
		"/ndpdk/qp/list", "/ndpdk/qp", "/ndpdk/mr/list", "/ndpdk/mr", "/ndpdk/neighbours"};
	static const char *const params[] = {"", ",2", ",-1", ",+0", ", 0", ",0x", ",4294967296",
		",99999999999999999999999", ",0,", ",0,0,0", ",0,0,0,0,0,0,0,0", ",,", ",,,0",
		",nonsense", ",0,nonsense", ",0 0", ",0;1", ",%s%n", ",\x01\xff\"\\", ",0,-1",
		",0x10000000000000000"};
	static const char *const out_of_range[] = {"/ndpdk/engine,0,16",
		"/ndpdk/engine,0,4294967295", "/ndpdk/qp,4294967295", "/ndpdk/qp,0,4294967295",
		"/ndpdk/qp,0,0", "/ndpdk/mr,0,4294967295", "/ndpdk/mr,0,63", "/ndpdk/adapter,0,0",
		"/ndpdk/adapter/list,0", "/ndpdk/counters,0", "/ndpdk/cq", "/ndpdk/cq,0,16",
		"/ndpdk/cq,0,0,0,0", "/ndpdk/cq,0,-1"};
	char command[600];

	for (size_t i = 0; i < RTE_DIM(commands); i++)
		for (size_t j = 0; j < RTE_DIM(params); j++) {
			snprintf(command, sizeof(command), "%s%s", commands[i], params[j]);
			ask(command);
			cr_assert(telemetry_refused(answer), "%s: %s", command, answer);
		}
	for (size_t i = 0; i < RTE_DIM(out_of_range); i++) {
		ask(out_of_range[i]);
		cr_assert(telemetry_refused(answer), "%s: %s", out_of_range[i], answer);
	}
	ask("/ndpdk/qp/list,0,4294967295");
	cr_assert_eq(telemetry_numbers_of(answer, "qps", NULL, 0), 0, "%s", answer);
	ask("/ndpdk/mr/list,0,4294967295");
	cr_assert_eq(telemetry_numbers_of(answer, "regions", NULL, 0), 0, "%s", answer);
	snprintf(command, sizeof(command), "/ndpdk/qp,%0500u", 1);
	ask(command);
	cr_assert(telemetry_refused(answer), "%s", answer);
}

/*
 * If an engine is not polled, its counters can be queried. Other queries to it are refused after a
 * limited time.
 */
Test(telemetry, engine_that_is_not_polled_delays_an_answer_and_no_more)
{
	const time_t begin = time(NULL);
	char command[40];
	uint32_t qpn;

	nd_pair_connect(&pair);
	qpn = qpn_of(0);
	snprintf(command, sizeof(command), "/ndpdk/qp,0,%u", qpn);
	for (unsigned int i = 0; i < 3; i++) {
		telemetry_ask(client, command, answer, NULL, NULL);
		cr_assert(telemetry_refused(answer), "%s", answer);
		cr_assert_not_null(strstr(answer, "is not polled"), "%s", answer);
	}
	telemetry_ask(client, "/ndpdk/engine,0,0", answer, NULL, NULL);
	cr_assert_eq(telemetry_number(answer, "polled"), 0);
	cr_assert_gt(telemetry_number(answer, "idle_us"), 1000000);
	cr_assert_leq(time(NULL) - begin, 9);
	ask(command);
	cr_assert_eq(telemetry_number(answer, "qpn"), qpn, "%s", answer);
}

static bool stop;

static void *
asker_run(void *arg)
{
	static const char *const commands[] = {"/ndpdk/adapter/list", "/ndpdk/adapter,0",
		"/ndpdk/adapter,1", "/ndpdk/engine,0,0", "/ndpdk/mr,0,1", "/ndpdk/qp/list,1",
		"/ndpdk/mr/list,0", "/ndpdk/drops,1", "/ndpdk/counters"};
	int connection = telemetry_connect();
	char text[TELEMETRY_BYTES];
	unsigned int *asked = arg;

	cr_assert_geq(connection, 0);
	for (unsigned int i = 0; !__atomic_load_n(&stop, __ATOMIC_ACQUIRE); i++) {
		telemetry_ask(connection, commands[i % RTE_DIM(commands)], text, NULL, NULL);
		(*asked)++;
	}
	close(connection);
	return NULL;
}

/*
 * Adapters are opened and closed while other threads query them. The thread that closes an adapter
 * does not poll during the close.
 */
Test(telemetry, adapters_may_be_closed_while_they_are_looked_at)
{
	unsigned int asked[ASKERS] = {0};
	pthread_t askers[ASKERS];

	for (unsigned int i = 0; i < ASKERS; i++)
		cr_assert_eq(pthread_create(&askers[i], NULL, asker_run, &asked[i]), 0);
	for (unsigned int i = 0; i < ROUNDS; i++) {
		nd_pair_connect(&pair);
		send_some(1);
		nd_pair_close(&pair);
		nd_pair_reopen(&pair);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELEASE);
	for (unsigned int i = 0; i < ASKERS; i++) {
		while (pthread_tryjoin_np(askers[i], NULL) != 0)
			nd_pair_poll(&pair);
		cr_assert_gt(asked[i], ROUNDS);
	}
}

/* ---- queries while another thread opens and closes adapters ---- */

/** Number of answers that adapters have given. Atomic. */
static unsigned int given;

static void
count_begin(void *arg, const char *name, enum nd_telemetry_kind kind)
{
	(void)arg;
	(void)name;
	(void)kind;
}

static void
count_end(void *arg)
{
	(void)arg;
}

static void
count_number(void *arg, const char *name, uint64_t value)
{
	(void)arg;
	(void)value;
	if (name != NULL && strcmp(name, "adapter") == 0)
		__atomic_fetch_add(&given, 1, __ATOMIC_ACQ_REL);
}

static void
count_text(void *arg, const char *name, const char *text)
{
	count_begin(arg, name, ND_TELEMETRY_OBJECT);
	(void)text;
}

static const struct nd_telemetry_sink counting = {count_begin, count_end, count_number, count_text};

static void *
asker_of_engines_run(void *arg)
{
	(void)arg;
	while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
		(void)nd_telemetry_query("/ndpdk/neighbours,0", &counting, NULL);
		(void)nd_telemetry_query("/ndpdk/neighbours,1", &counting, NULL);
	}
	return NULL;
}

/**
 * Poll until some queries were answered, because several threads then query at the same time.
 * @return number of answers so far
 */
static unsigned int
given_while_asked(void)
{
	unsigned int before = __atomic_load_n(&given, __ATOMIC_ACQUIRE);

	while (__atomic_load_n(&given, __ATOMIC_ACQUIRE) < before + 2 * ASKERS)
		nd_pair_poll(&pair);
	return __atomic_load_n(&given, __ATOMIC_ACQUIRE);
}

/*
 * The thread that closes and opens adapters owns the queried engines. During a close or open, this
 * thread answers at most the pending query of each adapter, and does not wait for further queries.
 */
Test(telemetry, questions_do_not_delay_closing_and_opening)
{
	pthread_t askers[ASKERS];

	for (unsigned int i = 0; i < ASKERS; i++)
		cr_assert_eq(pthread_create(&askers[i], NULL, asker_of_engines_run, NULL), 0);
	for (unsigned int i = 0; i < ROUNDS; i++) {
		unsigned int before = given_while_asked(), closed, opened;

		nd_pair_close(&pair);
		closed = __atomic_load_n(&given, __ATOMIC_ACQUIRE) - before;
		nd_pair_reopen(&pair);
		opened = __atomic_load_n(&given, __ATOMIC_ACQUIRE) - before - closed;
		/*
		 * The limit allows for one answer of each adapter, and for one answer that was
		 * given before the call but counted later.
		 */
		cr_assert_leq(closed, 3, "%u answers while two adapters were closed", closed);
		cr_assert_leq(opened, 3, "%u answers while two adapters were opened", opened);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELEASE);
	for (unsigned int i = 0; i < ASKERS; i++)
		while (pthread_tryjoin_np(askers[i], NULL) != 0)
			nd_pair_poll(&pair);
}

static void *
query_with_cancel_pending(void *arg)
{
	pthread_cancel(pthread_self());
	(void)nd_telemetry_query("/ndpdk/neighbours,0", &counting, NULL);
	__atomic_store_n((bool *)arg, true, __ATOMIC_RELEASE);
	pthread_testcancel();
	return NULL;
}

/*
 * A query is not a cancellation point, so a cancelled thread leaves no pending query in an engine.
 */
Test(telemetry, question_is_not_cancelled)
{
	bool returned = false;
	pthread_t thread;

	nd_pair_poll(&pair);
	cr_assert_eq(pthread_create(&thread, NULL, query_with_cancel_pending, &returned), 0);
	/* Sleep for longer than the query spins before it sleeps. */
	usleep(20000);
	while (pthread_tryjoin_np(thread, NULL) != 0)
		nd_pair_poll(&pair);
	cr_assert(returned, "cancelled in the call");
	ask("/ndpdk/neighbours,0");
	cr_assert_eq(telemetry_number(answer, "adapter"), 0);
}

static struct nd_engine *
asked_engine(void)
{
	return nd_adapter_engine(pair.side[0].adapter);
}

/** Become the owner of the engine, but poll it only once. */
static void *
owner_run(void *arg)
{
	bool *owned = arg;

	(void)nd_engine_poll(asked_engine());
	__atomic_store_n(owned, true, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE))
		usleep(1000);
	return NULL;
}

static void
sentence_text(void *arg, const char *name, const char *text)
{
	if (name != NULL && strcmp(name, "error") == 0)
		snprintf(arg, TELEMETRY_BYTES, "%s", text);
}

static void *
asker_for_sentence(void *arg)
{
	static const struct nd_telemetry_sink sentence = {
		count_begin, count_end, count_number, sentence_text};

	(void)nd_telemetry_query(arg, &sentence, answer);
	return NULL;
}

/* If a query ends because its adapter is closed, the answer says so. */
static void
expect_closed(const char *command)
{
	pthread_t owner, asker;
	bool owned = false;

	answer[0] = '\0';
	__atomic_store_n(&stop, false, __ATOMIC_RELEASE);
	cr_assert_eq(pthread_create(&owner, NULL, owner_run, &owned), 0);
	while (!__atomic_load_n(&owned, __ATOMIC_ACQUIRE))
		usleep(1000);
	cr_assert_eq(
		pthread_create(&asker, NULL, asker_for_sentence, (void *)(uintptr_t)command), 0);
	while (rte_ring_empty(asked_engine()->engine->commands.ring))
		sched_yield();
	nd_pair_close(&pair);
	cr_assert_eq(pthread_join(asker, NULL), 0);
	__atomic_store_n(&stop, true, __ATOMIC_RELEASE);
	cr_assert_eq(pthread_join(owner, NULL), 0);
	nd_pair_reopen(&pair);
	cr_assert_not_null(strstr(answer, "adapter 0 was closed"), "%s: %s", command, answer);
}

Test(telemetry, question_that_ends_with_its_adapter_says_so)
{
	expect_closed("/ndpdk/neighbours,0");
	expect_closed("/ndpdk/cq,0,0");
	expect_closed("/ndpdk/engine,0,0");
}
