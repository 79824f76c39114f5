/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * rxetest server [-p port] [-n connections]     0: without limit rxetest client ADDRESS -S
 * scenario [-z size] [-c count] [-a arg] [-d depth] [-p port] rxetest list
 *   both: -T ack_timeout -o tos -M min_rnr_timer -R responder_resources -I initiator_depth
 *         -g gap_us -B own address; client: -r retries -N rnr_retries; server: -D delay_ms
 *
 * Prints one line of JSON per connection: queue pairs, first PSNs, path MTU, timers, completions,
 * and "ok". The client's exit status is 0 if the connection went as the scenario requires.
 */
#include "rxetest.h"

#include <getopt.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "peer_protocol.h"

#define BACKLOG          16
#define RESOLVE_MS       5000
#define SERVER_COUNT_MAX 2000u
#define SERVER_SIZE_MAX  (1u << 20)
#define SERVER_SECONDS   240u

struct options options = {
	.port = PROTOCOL_PORT,
	.connections = 1,
	.responder_resources = 16,
	.initiator_depth = 16,
	.retry = 7,
	.rnr_retry = 7,
	.ack_timeout = -1,
	.tos = -1,
	.rnr_timer = -1,
	.depth = 16,
	.scenario = SCENARIO_COUNT,
	.size = 64,
	.count = 4,
};

static const struct {
	const char *name, *what;
} scenarios[SCENARIO_COUNT] = {
	[SCENARIO_SEND] = {"send", "count SENDs"},
	[SCENARIO_SENDIMM] = {"sendimm", "count SENDs with immediate 0x1000 + k"},
	[SCENARIO_PINGPONG] = {"pingpong", "count SENDs, each echoed"},
	[SCENARIO_WRITE] = {"write", "count WRITEs, then a SEND"},
	[SCENARIO_WRITEIMM] = {"writeimm", "count WRITEs with immediate 0x1000 + k"},
	[SCENARIO_READ] = {"read", "count READs, then a SEND"},
	[SCENARIO_FADD] = {"fadd", "count fetch-adds of k + 1, then a SEND"},
	[SCENARIO_CSWAP] = {"cswap", "count compare-swaps, then a SEND"},
	[SCENARIO_INLINE] = {"inline", "count of inline WRITE and inline SEND"},
	[SCENARIO_SOLICIT] = {"solicit", "count SENDs, odd ones solicited"},
	[SCENARIO_MW2] = {"mw2",
		"window of type 2: WRITEs, READ, SEND with Invalidate, WRITE refused"},
	[SCENARIO_MW2LINV] = {"mw2linv",
		"window of type 2 that the server invalidates, READ refused"},
	[SCENARIO_MW1] = {"mw1", "window of type 1 that the server binds elsewhere, WRITE refused"},
	[SCENARIO_MWPERM] = {"mwperm", "window for reading: READ, WRITE refused"},
	[SCENARIO_MWBOUND] = {"mwbound", "window over half of the buffer: WRITE across its end"},
	[SCENARIO_SINVBAD] = {"sinvbad", "SEND with Invalidate of a key that nobody has"},
	[SCENARIO_RNR] = {"rnr", "SENDs; receives are posted after arg ms, 0: never"},
	[SCENARIO_BADRKEY] = {"badrkey", "WRITE, READ or fetch-add (arg 0, 1, 2) with a bad key"},
	[SCENARIO_OOB] = {"oob", "the same behind the end of the region"},
	[SCENARIO_NOPERM] = {"noperm", "the same to a region without remote access"},
	[SCENARIO_QPPERM] = {"qpperm", "the same where the queue pair forbids it"},
	[SCENARIO_LENERR] = {"lenerr", "SEND longer than the receive"},
	[SCENARIO_REJ] = {"rej", "the server rejects the connection with private data"},
	[SCENARIO_DEADQP] = {"deadqp", "the server destroys its queue pair"},
	[SCENARIO_SRVDISC] = {"srvdisc", "count SENDs, then the server disconnects"},
};

const char *
scenario_name(enum scenario scenario)
{
	return scenario < SCENARIO_COUNT ? scenarios[scenario].name : NULL;
}

static struct addrinfo *
resolve(const char *host)
{
	struct addrinfo hints = {
		.ai_family = host != NULL ? AF_UNSPEC : AF_INET6,
		.ai_socktype = SOCK_STREAM,
		.ai_flags = host != NULL ? 0 : AI_PASSIVE,
	};
	struct addrinfo *result;
	char port[16];

	snprintf(port, sizeof(port), "%d", options.port);
	if (getaddrinfo(host, port, &hints, &result)) {
		fprintf(stderr, "rxetest: cannot resolve %s\n", host);
		exit(1);
	}
	return result;
}

static void
qp_modify(struct conn *conn, struct ibv_qp_attr attr, int mask)
{
	attr.qp_state = IBV_QPS_RTS;
	if (ibv_modify_qp(conn->id->qp, &attr, IBV_QP_STATE | mask))
		perror("rxetest: ibv_modify_qp");
}

static void
accept_request(struct conn *conn, const struct rdma_conn_param *asked)
{
	uint8_t reply[PROTOCOL_REPLY_BYTES];
	struct rdma_conn_param answer = {
		.private_data = reply,
		.private_data_len = sizeof(reply),
		.flow_control = 1,
		.rnr_retry_count = asked->rnr_retry_count,
		.responder_resources = asked->initiator_depth,
		.initiator_depth = asked->responder_resources,
	};

	if (answer.responder_resources > options.responder_resources)
		answer.responder_resources = (uint8_t)options.responder_resources;
	if (answer.initiator_depth > options.initiator_depth)
		answer.initiator_depth = (uint8_t)options.initiator_depth;
	protocol_write_reply(reply,
		conn->scenario == SCENARIO_NOPERM ? conn->plain_mr->rkey : conn->mr->rkey,
		(uintptr_t)conn->buffer, conn->buffer_bytes);
	if (rdma_accept(conn->id, &answer))
		die("rdma_accept");
	conn_expect(conn, RDMA_CM_EVENT_ESTABLISHED);
	if (options.rnr_timer >= 0)
		qp_modify(conn, (struct ibv_qp_attr){.min_rnr_timer = (uint8_t)options.rnr_timer},
			IBV_QP_MIN_RNR_TIMER);
	if (conn->scenario == SCENARIO_QPPERM)
		qp_modify(conn, (struct ibv_qp_attr){.qp_access_flags = IBV_ACCESS_LOCAL_WRITE},
			IBV_QP_ACCESS_FLAGS);
}

/* Wait until the client disconnects. Report requests that complete during the wait. */
static bool
wait_for_disconnect(struct conn *conn)
{
	for (int waited_ms = 0; waited_ms < WAIT_LONG_MS; waited_ms += 5) {
		struct rdma_cm_event *event = conn_event(conn, 5);
		bool is_over = event != NULL && event->event == RDMA_CM_EVENT_DISCONNECTED;

		if (event == NULL && conn->id->qp != NULL && !conn->failed)
			reap(conn, conn->sends_done + 1, 0, 0);
		if (event != NULL) {
			if (!is_over)
				fprintf(stderr, "rxetest: %s\n", rdma_event_str(event->event));
			rdma_ack_cm_event(event);
		}
		if (is_over)
			return true;
	}
	return false;
}

static void
serve(struct conn *conn, const struct rdma_conn_param *asked)
{
	bool ok;

	usleep((useconds_t)options.accept_delay_ms * 1000);
	conn_set_options(conn->id);
	conn_setup(conn);
	if (conn->scenario != SCENARIO_RNR) {
		post_receive(conn);
		for (uint32_t i = 1; i < conn->count && i < RECEIVES_MAX; i++)
			if (conn->scenario != SCENARIO_LENERR)
				post_receive(conn);
	}
	accept_request(conn, asked);
	report_begin(conn);
	ok = server_play(conn);
	ok = wait_for_disconnect(conn) && ok;
	if (conn->scenario != SCENARIO_SRVDISC)
		rdma_disconnect(conn->id);
	report_end(conn, ok);
	conn_teardown(conn);
}

/* Take a connection request. @return false if the request was rejected */
static bool
request_take(struct conn *conn, const struct rdma_conn_param *asked)
{
	struct protocol_request request;

	if (!protocol_read_request(asked->private_data, asked->private_data_len, &request) ||
		scenario_name(request.scenario) == NULL || request.size > SERVER_SIZE_MAX ||
		request.count > SERVER_COUNT_MAX) {
		fprintf(stderr, "rxetest: REQ with private data of another kind\n");
		rdma_reject(conn->id, "RXT1BAD-PRIVATE-DATA", PROTOCOL_REJECTED_BYTES);
		return false;
	}
	conn->scenario = request.scenario;
	conn->arg = request.arg;
	conn->size = request.size;
	conn->count = request.count;
	conn->private_bytes = asked->private_data_len;
	if (conn->scenario != SCENARIO_REJ)
		return true;
	rdma_reject(conn->id, PROTOCOL_REJECTED, PROTOCOL_REJECTED_BYTES);
	printf("{\"role\":\"server\",\"scenario\":\"rej\",\"rejected\":true,\"ok\":true}\n");
	return false;
}

static void
server_next(struct rdma_event_channel *channel)
{
	struct conn conn = {.channel = channel, .is_server = true};
	struct rdma_conn_param asked;
	struct rdma_cm_event *event;
	uint8_t private_data[256];

	while ((event = conn_event(&conn, -1))->event != RDMA_CM_EVENT_CONNECT_REQUEST) {
		fprintf(stderr, "rxetest: event %s\n", rdma_event_str(event->event));
		rdma_ack_cm_event(event);
	}
	conn.id = event->id;
	asked = event->param.conn;
	memcpy(private_data, asked.private_data, asked.private_data_len);
	asked.private_data = private_data;
	rdma_ack_cm_event(event);
	conn.channel = rdma_create_event_channel();
	if (conn.channel == NULL || rdma_migrate_id(conn.id, conn.channel))
		die("rdma_migrate_id");
	if (request_take(&conn, &asked))
		serve(&conn, &asked);
	else
		rdma_destroy_id(conn.id);
	rdma_destroy_event_channel(conn.channel);
}

static int
server(void)
{
	struct rdma_event_channel *channel = rdma_create_event_channel();
	struct rdma_cm_id *listener;

	if (channel == NULL || rdma_create_id(channel, &listener, NULL, RDMA_PS_TCP))
		die("rdma_create_id");
	conn_set_options(listener);
	if (rdma_bind_addr(listener, resolve(options.bind)->ai_addr))
		die("rdma_bind_addr");
	if (rdma_listen(listener, BACKLOG))
		die("rdma_listen");
	fprintf(stderr, "rxetest: listening on %d\n", options.port);
	for (int i = 0; options.connections <= 0 || i < options.connections; i++) {
		alarm(options.connections <= 0 ? 0 : SERVER_SECONDS);
		server_next(channel);
	}
	return 0;
}

static void
client_resolve(struct conn *conn, const char *host)
{
	struct sockaddr *own = NULL;

	conn->channel = rdma_create_event_channel();
	if (conn->channel == NULL || rdma_create_id(conn->channel, &conn->id, NULL, RDMA_PS_TCP))
		die("rdma_create_id");
	conn_set_options(conn->id);
	if (options.bind != NULL) {
		own = resolve(options.bind)->ai_addr;
		if (own->sa_family == AF_INET)
			((struct sockaddr_in *)own)->sin_port = 0;
		else
			((struct sockaddr_in6 *)own)->sin6_port = 0;
	}
	if (rdma_resolve_addr(conn->id, own, resolve(host)->ai_addr, RESOLVE_MS))
		die("rdma_resolve_addr");
	conn_expect(conn, RDMA_CM_EVENT_ADDR_RESOLVED);
	if (rdma_resolve_route(conn->id, RESOLVE_MS))
		die("rdma_resolve_route");
	conn_expect(conn, RDMA_CM_EVENT_ROUTE_RESOLVED);
}

/*
 * End a connection that was not established. @return exit status: 0 if the scenario expects the
 * refusal
 */
static int
client_refused(struct conn *conn, struct rdma_cm_event *event)
{
	const struct rdma_conn_param *param = &event->param.conn;
	const uint8_t *bytes = param->private_data;
	bool ok = event->event == RDMA_CM_EVENT_REJECTED && conn->scenario == SCENARIO_REJ;

	printf("{\"role\":\"client\",\"scenario\":\"%s\",\"qpn\":%u,\"event\":\"%s\",\"status\":%d,"
	       "\"private_data_len\":%d,\"private_data\":\"",
		scenario_name(conn->scenario), conn->id->qp->qp_num, rdma_event_str(event->event),
		event->status, param->private_data_len);
	for (uint32_t i = 0; bytes != NULL && i < param->private_data_len; i++)
		printf("%02x", bytes[i]);
	printf("\",\"ok\":%s}\n", ok ? "true" : "false");
	rdma_ack_cm_event(event);
	conn_teardown(conn);
	return !ok;
}

/* Send the connection request. @return the event that answers the request */
static struct rdma_cm_event *
client_connect(struct conn *conn)
{
	uint8_t request[PROTOCOL_REQUEST_BYTES];
	struct rdma_conn_param param = {
		.private_data = request,
		.private_data_len = sizeof(request),
		.responder_resources = (uint8_t)options.responder_resources,
		.initiator_depth = (uint8_t)options.initiator_depth,
		.flow_control = 1,
		.retry_count = (uint8_t)options.retry,
		.rnr_retry_count = (uint8_t)options.rnr_retry,
	};
	struct rdma_cm_event *event;

	protocol_write_request(request,
		&(struct protocol_request){conn->scenario, conn->arg, conn->size, conn->count},
		scenario_name(conn->scenario));
	protocol_put64(request + 16, (uintptr_t)conn->buffer);
	protocol_put32(request + 24, conn->mr->rkey);
	protocol_put32(request + 28, conn->buffer_bytes);
	if (rdma_connect(conn->id, &param))
		die("rdma_connect");
	event = conn_event(conn, WAIT_MS);
	if (event == NULL)
		die("no answer to connect");
	return event;
}

static void
client_disconnect(struct conn *conn)
{
	struct rdma_cm_event *event;

	if (conn->scenario == SCENARIO_SRVDISC) {
		conn_expect(conn, RDMA_CM_EVENT_DISCONNECTED);
		rdma_disconnect(conn->id);
		return;
	}
	rdma_disconnect(conn->id);
	event = conn_event(conn, WAIT_MS);
	if (event == NULL)
		return;
	if (event->event != RDMA_CM_EVENT_DISCONNECTED)
		fprintf(stderr, "rxetest: event %s\n", rdma_event_str(event->event));
	rdma_ack_cm_event(event);
}

static int
client(const char *host)
{
	struct conn conn = {.scenario = options.scenario,
		.size = options.size,
		.count = options.count,
		.arg = options.arg};
	struct rdma_cm_event *event;
	const uint8_t *reply;
	bool ok;

	client_resolve(&conn, host);
	conn_setup(&conn);
	for (int i = 0; i < 2; i++)
		post_receive(&conn);
	event = client_connect(&conn);
	if (event->event != RDMA_CM_EVENT_ESTABLISHED)
		return client_refused(&conn, event);
	reply = event->param.conn.private_data;
	conn.private_bytes = event->param.conn.private_data_len;
	if (conn.private_bytes < PROTOCOL_REPLY_BYTES || memcmp(reply, PROTOCOL_MAGIC, 4) != 0) {
		fprintf(stderr, "rxetest: REP with private data of another kind\n");
		return 1;
	}
	conn.remote_key = protocol_get32(reply + 4);
	conn.remote_address = protocol_get64(reply + 8);
	conn.remote_bytes = protocol_get32(reply + 16);
	rdma_ack_cm_event(event);
	report_begin(&conn);
	/* The server needs time to destroy its queue pair or to change its RNR timer. */
	if (conn.scenario == SCENARIO_DEADQP || options.rnr_timer >= 0)
		usleep(conn.scenario == SCENARIO_DEADQP ? 1000000 : 100000);
	ok = client_play(&conn);
	client_disconnect(&conn);
	report_end(&conn, ok);
	conn_teardown(&conn);
	return !ok;
}

static enum scenario
scenario_of(const char *name)
{
	unsigned int i = 0;

	while (i < SCENARIO_COUNT &&
		(scenarios[i].name == NULL || strcmp(name, scenarios[i].name) != 0))
		i++;
	return i;
}

static bool
option_set(int letter, const char *text)
{
	unsigned long number = strtoul(text, NULL, 0);
	static const struct {
		char letter;
		int *value;
	} numbers[] = {
		{'p', &options.port},
		{'n', &options.connections},
		{'R', &options.responder_resources},
		{'I', &options.initiator_depth},
		{'r', &options.retry},
		{'N', &options.rnr_retry},
		{'T', &options.ack_timeout},
		{'o', &options.tos},
		{'M', &options.rnr_timer},
		{'g', &options.gap_us},
		{'D', &options.accept_delay_ms},
		{'d', (int *)&options.depth},
		{'z', (int *)&options.size},
		{'c', (int *)&options.count},
		{'a', (int *)&options.arg},
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (numbers[i].letter == letter) {
			*numbers[i].value = (int)number;
			return true;
		}
	}
	if (letter == 'B')
		options.bind = text;
	else if (letter == 'S')
		options.scenario = scenario_of(text);
	return letter == 'B' || letter == 'S';
}

static void
list(void)
{
	for (unsigned int i = 0; i < SCENARIO_COUNT; i++)
		if (scenarios[i].name != NULL)
			printf("%2u %-10s %s%s\n", i, scenarios[i].name, scenarios[i].what,
				client_has(i) ? "" : " (server only)");
}

int
main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	bool is_client = strcmp(mode, "client") == 0 && argc > 2;
	int skip = is_client ? 2 : 1, letter;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (strcmp(mode, "list") == 0) {
		list();
		return 0;
	}
	if (!is_client && strcmp(mode, "server") != 0) {
		fprintf(stderr, "usage: rxetest server|client ADDRESS -S scenario|list\n");
		return 2;
	}
	while ((letter = getopt(argc - skip, argv + skip, "p:n:B:S:z:c:a:T:o:r:N:M:R:I:g:d:D:")) !=
		-1)
		if (!option_set(letter, optarg))
			return 2;
	if (is_client && !client_has(options.scenario)) {
		fprintf(stderr, "rxetest: the client does not play that\n");
		return 2;
	}
	return is_client ? client(argv[2]) : server();
}
