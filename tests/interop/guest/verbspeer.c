/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * verbspeer: the Linux side of the scenarios that rxetest lacks, on verbs and rdma_cm, with one
 * thread for each connection. It uses the same protocol as interop-peer; see peer_protocol.h.
 *
 *   verbspeer server [-p port] [-n connections] [-x]
 *   verbspeer client -A address -s ladder|refuse|atomics|bulk|idle|reject [-z size] [-c count]
 *                    [-a arg] [-p port] [-n rounds] [-j parallel] [-r retries]
 *   both:            [-t ack_timeout] [-w seconds to wait for a completion]
 *
 * -x: the server expects that the client refuses its accept. The program prints one line of JSON
 * per connection. Its exit status is 0 if no connection has failed.
 */
#include "verbspeer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define BACKLOG         128
#define RESOLVE_MS      10000
#define GONE_SECONDS    60
#define SCENARIO_REJECT 24u

static struct options options = {
	.port = PROTOCOL_PORT, .rounds = 1, .parallel = 1, .retries = 7, .wait_seconds = 60};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned int begun, failed;

static void
report(const struct conn *conn)
{
	pthread_mutex_lock(&lock);
	failed += conn->why[0] != '\0';
	printf("{\"connection\":%u,\"role\":\"%s\",\"scenario\":%u,\"size\":%u,\"count\":%u,"
	       "\"arg\":%u,\"ok\":%s,\"why\":\"%s\",\"outcome\":\"%s\",\"reject_reason\":%d,"
	       "\"transfer_seconds\":%.3f,\"private_data\":\"%s\"}\n",
		conn->number, conn->client ? "client" : "server", conn->asked.scenario,
		conn->asked.size, conn->asked.count, conn->asked.arg,
		conn->why[0] == '\0' ? "true" : "false", conn->why,
		conn->outcome != NULL ? conn->outcome : "", conn->reject_reason,
		conn->transfer_seconds, conn->private_data);
	fflush(stdout);
	pthread_mutex_unlock(&lock);
}

static struct conn *
conn_new(bool client)
{
	struct conn *conn = calloc(1, sizeof(*conn));

	if (conn == NULL) {
		perror("verbspeer");
		exit(EXIT_FAILURE);
	}
	conn->options = &options;
	conn->client = client;
	conn->asked = options.asked;
	pthread_mutex_lock(&lock);
	conn->number = ++begun;
	pthread_mutex_unlock(&lock);
	return conn;
}

static bool
prepare(struct conn *conn)
{
	switch (conn->asked.scenario) {
	case PROTOCOL_LADDER:
		return ladder_prepare(conn);
	case PROTOCOL_REFUSE:
		return refuse_prepare(conn);
	case PROTOCOL_ATOMICS:
		return atomics_prepare(conn);
	case PROTOCOL_BULK:
		return bulk_prepare(conn);
	case PROTOCOL_IDLE:
	case SCENARIO_REJECT:
		return true;
	default:
		return fail(conn, "scenario %u is not played", conn->asked.scenario);
	}
}

static bool
play(struct conn *conn)
{
	switch (conn->asked.scenario) {
	case PROTOCOL_LADDER:
		return ladder_play(conn);
	case PROTOCOL_REFUSE:
		return refuse_play(conn);
	case PROTOCOL_ATOMICS:
		return atomics_play(conn);
	case PROTOCOL_BULK:
		return bulk_play(conn);
	case PROTOCOL_IDLE:
		return idle_play(conn);
	default:
		return true;
	}
}

/* End the connection: one side disconnects, and the other side waits for the disconnect. */
static void
end(struct conn *conn)
{
	const bool driver_ends = conn->asked.scenario == PROTOCOL_LADDER ||
		conn->asked.scenario == PROTOCOL_ATOMICS || conn->asked.scenario == PROTOCOL_BULK;
	const bool ends = driver_ends ? drives(conn) || conn->why[0] != '\0' : conn->client;

	if (ends)
		rdma_disconnect(conn->id);
	if (!conn->gone)
		conn_wait_event(conn, RDMA_CM_EVENT_DISCONNECTED, GONE_SECONDS);
	if (!ends)
		rdma_disconnect(conn->id);
}

static bool
resolve(struct conn *conn)
{
	struct sockaddr_storage peer = options.peer;

	conn->events = rdma_create_event_channel();
	if (conn->events == NULL || rdma_create_id(conn->events, &conn->id, NULL, RDMA_PS_TCP) != 0)
		return fail(conn, "rdma_create_id: error %d", errno);
	if (rdma_resolve_addr(conn->id, NULL, (struct sockaddr *)&peer, RESOLVE_MS) != 0)
		return fail(conn, "rdma_resolve_addr: error %d", errno);
	if (!conn_wait_event(conn, RDMA_CM_EVENT_ADDR_RESOLVED, GONE_SECONDS))
		return false;
	if (rdma_resolve_route(conn->id, RESOLVE_MS) != 0)
		return fail(conn, "rdma_resolve_route: error %d", errno);
	return conn_wait_event(conn, RDMA_CM_EVENT_ROUTE_RESOLVED, GONE_SECONDS);
}

static void
client_once(void)
{
	struct conn *conn = conn_new(true);

	if (resolve(conn) && conn_open(conn) && prepare(conn)) {
		const bool connected = conn_connect(conn);

		if (connected && conn->asked.scenario == SCENARIO_REJECT)
			fail(conn, "the request is not rejected");
		else if (!connected && conn->asked.scenario == SCENARIO_REJECT &&
			conn->reject_reason != 0)
			conn->why[0] = '\0';
		if (connected) {
			play(conn);
			end(conn);
		}
	}
	conn_close(conn);
	report(conn);
	free(conn);
}

static void *
client(void *unused)
{
	(void)unused;
	for (unsigned int i = 0; i < options.rounds; i++)
		client_once();
	return NULL;
}

struct request {
	struct rdma_cm_id *id;
	struct rdma_conn_param param;
	uint8_t data[256];
};

static void *
serve(void *arg)
{
	struct request *request = arg;
	struct conn *conn = conn_new(false);

	conn->id = request->id;
	conn->events = rdma_create_event_channel();
	if (conn->events == NULL || rdma_migrate_id(conn->id, conn->events) != 0) {
		fail(conn, "rdma_migrate_id: error %d", errno);
	} else if (!protocol_read_request(
			   request->data, request->param.private_data_len, &conn->asked) ||
		conn->asked.scenario == SCENARIO_REJECT) {
		conn->outcome = "rejected";
		rdma_reject(conn->id, PROTOCOL_REJECTED, PROTOCOL_REJECTED_BYTES);
	} else if (conn_open(conn) && prepare(conn)) {
		const bool accepted = conn_accept(conn, &request->param);

		if (accepted) {
			play(conn);
			end(conn);
		} else if (options.reject_reply && conn->reject_reason != 0) {
			conn->why[0] = '\0';
		}
	}
	conn_close(conn);
	report(conn);
	free(conn);
	free(request);
	return NULL;
}

static struct request *
next_request(struct rdma_event_channel *events)
{
	struct rdma_cm_event *event;
	struct request *request = calloc(1, sizeof(*request));

	while (request != NULL && rdma_get_cm_event(events, &event) == 0) {
		const bool found = event->event == RDMA_CM_EVENT_CONNECT_REQUEST;

		request->id = event->id;
		request->param = event->param.conn;
		if (found && request->param.private_data != NULL)
			memcpy(request->data, request->param.private_data,
				request->param.private_data_len);
		rdma_ack_cm_event(event);
		if (found)
			return request;
	}
	perror("verbspeer");
	exit(EXIT_FAILURE);
}

static bool
start(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
	const int error = pthread_create(thread, NULL, run, arg);

	if (error != 0)
		fprintf(stderr, "verbspeer: pthread_create: error %d\n", error);
	return error == 0;
}

static bool
server(pthread_t *threads)
{
	struct rdma_event_channel *events = rdma_create_event_channel();
	struct sockaddr_in6 any = {.sin6_family = AF_INET6, .sin6_port = htons(options.port)};
	struct rdma_cm_id *listener;

	if (events == NULL || rdma_create_id(events, &listener, NULL, RDMA_PS_TCP) != 0 ||
		rdma_bind_addr(listener, (struct sockaddr *)&any) != 0 ||
		rdma_listen(listener, BACKLOG) != 0) {
		perror("verbspeer: listen");
		return false;
	}
	printf("listening on %u\n", options.port);
	fflush(stdout);
	for (unsigned int i = 0; i < options.rounds; i++)
		if (!start(&threads[i], serve, next_request(events)))
			return false;
	for (unsigned int i = 0; i < options.rounds; i++)
		pthread_join(threads[i], NULL);
	rdma_destroy_id(listener);
	rdma_destroy_event_channel(events);
	return true;
}

static bool
clients(pthread_t *threads)
{
	for (unsigned int i = 0; i < options.parallel; i++)
		if (!start(&threads[i], client, NULL))
			return false;
	for (unsigned int i = 0; i < options.parallel; i++)
		pthread_join(threads[i], NULL);
	return true;
}

static uint32_t
scenario_number(const char *name)
{
	static const struct {
		const char *name;
		uint32_t number;
	} scenarios[] = {
		{"ladder", PROTOCOL_LADDER},
		{"refuse", PROTOCOL_REFUSE},
		{"atomics", PROTOCOL_ATOMICS},
		{"bulk", PROTOCOL_BULK},
		{"idle", PROTOCOL_IDLE},
		{"reject", SCENARIO_REJECT},
	};

	for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++)
		if (strcmp(name, scenarios[i].name) == 0)
			return scenarios[i].number;
	return 0;
}

static bool
read_peer(const char *text)
{
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)&options.peer;
	struct sockaddr_in *four = (struct sockaddr_in *)&options.peer;

	options.peer.ss_family = strchr(text, ':') != NULL ? AF_INET6 : AF_INET;
	return options.peer.ss_family == AF_INET6 ? inet_pton(AF_INET6, text, &six->sin6_addr) == 1
						  : inet_pton(AF_INET, text, &four->sin_addr) == 1;
}

static bool
set_option(int option, const char *text)
{
	const unsigned long number = text != NULL ? strtoul(text, NULL, 0) : 0;

	switch (option) {
	case 'A':
		return read_peer(text);
	case 's':
		options.asked.scenario = scenario_number(text);
		return options.asked.scenario != 0;
	case 'p':
		options.port = (uint16_t)number;
		return true;
	case 'n':
		options.rounds = (unsigned int)number;
		return true;
	case 'j':
		options.parallel = (unsigned int)number;
		return true;
	case 'z':
		options.asked.size = (uint32_t)number;
		return true;
	case 'c':
		options.asked.count = (uint32_t)number;
		return true;
	case 'a':
		options.asked.arg = (uint32_t)number;
		return true;
	case 't':
		options.ack_timeout = (uint8_t)number;
		return true;
	case 'r':
		options.retries = (uint8_t)number;
		return true;
	case 'w':
		options.wait_seconds = (unsigned int)number;
		return true;
	case 'x':
		options.reject_reply = true;
		return true;
	default:
		return false;
	}
}

int
main(int argc, char **argv)
{
	pthread_t *threads;
	int option;
	bool ran;

	while ((option = getopt(argc, argv, "A:s:p:n:j:z:c:a:r:t:w:x")) != -1)
		if (!set_option(option, optarg))
			return 2;
	if (optind + 1 != argc)
		return 2;
	options.client = strcmp(argv[optind], "client") == 0;
	((struct sockaddr_in6 *)&options.peer)->sin6_port = htons(options.port);
	threads = calloc(options.rounds + options.parallel, sizeof(*threads));
	ran = threads != NULL && (options.client ? clients(threads) : server(threads));
	free(threads);
	return ran && failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
