/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "base/encoded_time.h"
#include "cm/cm.h"
#include "fuzz/fuzzer.h"
#include "support/eal.h"

/*
 * Tests a connection manager. Four hosts send MADs in any order, and an application makes any
 * call. A MAD is a REQ of a host, or a message that refers to a message of the manager. Some bytes
 * of the MAD are changed. A host may stop answering in any step of a handshake (B-105). Conditions
 * that must hold:
 *
 * - each event is reported at most once per connection, and no event is reported after the last
 *   event of a connection, cm_reject() or cm_release();
 * - a sent message is well formed and goes from a local address to a known host, and each received
 *   message, call or timer causes few messages;
 * - the numbers of connections, of half-open connections and of held requests stay within the
 *   configured limits;
 * - some time after the application has released all objects, no record and no timer remains.
 */

#define MS                 UINT64_C(1000000)
#define HOSTS              4u
#define SENT               16u
#define IDS                16u
#define HALF               6u
#define SERVICES           2u
#define SERVICE            wire_service_id(6, 7174)
#define CALLS_MESSAGES_MAX 2u /* maximum number of sent messages per received message or call */
#define TICK_MESSAGES_MAX  130u

enum step_kind {
	STEP_REQUEST, /* Deliver a REQ of a host. */
	STEP_FOLLOW,  /* Deliver a MAD that refers to a message of the manager. */
	STEP_CONNECT,
	STEP_CALL, /* The application calls a function for one of its connections. */
	STEP_TIME, /* Advance the clock to the next deadline, or by an interval. */
	STEP_LISTEN,
	STEP_ROOM, /* The output becomes full, or accepts messages again. */
	STEP_KINDS,
};

struct step {
	uint8_t kind; /* modulo STEP_KINDS */
	uint8_t what; /* selects the attribute of the MAD, or the call */
	uint8_t host;
	uint8_t pick; /* selects the connection, message or service */
	struct {
		uint8_t at; /* offset in the MAD, in bytes */
		uint8_t value;
		/* kind of edit, modulo 8: 1 set, 2 XOR, 3 add, other values: no edit */
		uint8_t how;
	} edits[3];
	uint8_t number;
	uint16_t time;
};

static_assert(sizeof(struct step) == FUZZ_RECORD_BYTES, "mutations are of whole steps");

/* A connection that the application has not released. */
struct known {
	struct cm_id *id;
	/* events so far: bit i is set if event i of enum cm_event_kind was reported */
	uint32_t seen;
	bool over; /* The last event was reported, so no other event is allowed. */
};

struct sent {
	struct wire_cm_msg msg;
	unsigned int host;
};

static struct {
	struct cm *cm;
	struct base_random random;
	struct cm_config config;
	struct cm_listener *listeners[SERVICES];
	struct known known[IDS];
	struct sent sent[SENT]; /* ring */
	uint32_t sent_count;
	bool full;
	uint64_t now_ns;
} model;

static const uint32_t last_events = 1u << CM_EVENT_REJECTED | 1u << CM_EVENT_UNREACHABLE |
	1u << CM_EVENT_DISCONNECTED | 1u << CM_EVENT_DISCONNECT_DONE | 1u << CM_EVENT_ABORTED;

void
fuzz_start(void)
{
	test_eal_init();
}

static struct wire_gid
own_gid(void)
{
	return wire_gid_from_v4(0xC0000201);
}

static struct wire_gid
host_gid(unsigned int host)
{
	return wire_gid_from_v4(0xC0000210 + host % HOSTS);
}

static bool
on_is_local(void *arg, const struct wire_gid *gid)
{
	const struct wire_gid own = own_gid();

	(void)arg;
	return wire_gid_equal(gid, &own);
}

/* Check that encoding writes all bytes of a message, and that decoding returns the same message. */
static void
message_check(const struct wire_cm_msg *msg)
{
	struct wire_cm_msg decoded;
	uint8_t mad[LIMIT_MAD_BYTES], again[LIMIT_MAD_BYTES];

	memset(mad, 0xA5, sizeof(mad));
	memset(again, 0x5A, sizeof(again));
	wire_cm_encode(msg, mad);
	fuzz_expect(wire_cm_decode(mad, sizeof(mad), &decoded) == WIRE_MAD_OK, "sent: no MAD");
	wire_cm_encode(&decoded, again);
	fuzz_expect(memcmp(mad, again, sizeof(mad)) == 0, "sent: decodes to something else");
}

static bool
on_send(void *arg, const struct cm_route *route, const struct wire_cm_msg *msg)
{
	struct sent *sent = &model.sent[model.sent_count % SENT];
	unsigned int host = 0;
	struct wire_gid gid = host_gid(host);

	(void)arg;
	fuzz_expect(on_is_local(NULL, &route->local_gid), "sent: from an address of others");
	while (host < HOSTS && !wire_gid_equal(&route->remote_gid, &gid))
		gid = host_gid(++host % HOSTS);
	fuzz_expect(host < HOSTS, "sent: to a stranger");
	message_check(msg);
	if (model.full)
		return false;
	*sent = (struct sent){.msg = *msg, .host = host};
	model.sent_count++;
	return true;
}

static struct known *
known_find(const struct cm_id *id)
{
	for (size_t i = 0; i < IDS; i++)
		if (model.known[i].id == id)
			return &model.known[i];
	return NULL;
}

static struct known *
known_add(struct cm_id *id)
{
	struct known *known = known_find(NULL);

	fuzz_expect(known != NULL, "more connections than configured");
	*known = (struct known){.id = id};
	return known;
}

static void
on_event(void *arg, struct cm_id *id, const struct cm_event *event)
{
	struct known *known = known_find(id);

	(void)arg;
	if (event->kind == CM_EVENT_REQUEST) {
		fuzz_expect(known == NULL, "event: REQUEST of a known connection");
		fuzz_expect(event->private_bytes == LIMIT_CALLER_DATA, "event: private data");
		known = known_add(id);
	}
	fuzz_expect(known != NULL && !known->over, "event behind the last one");
	fuzz_expect((known->seen & 1u << event->kind) == 0, "event: twice");
	fuzz_expect(event->private_data != NULL || event->private_bytes == 0, "event: no data");
	known->seen |= 1u << event->kind;
	known->over = (last_events & 1u << event->kind) != 0;
	if (known->over)
		fuzz_expect(cm_accept(id, &(struct cm_endpoint){.qpn = 9}, model.now_ns) ==
				RC_NOT_CONNECTED,
			"accepted behind the last event");
}

/** Create the manager and the hosts. @param setting bytes of the first record */
static void
model_start(const uint8_t *setting)
{
	static const struct cm_ops ops = {
		.send = on_send, .event = on_event, .is_local = on_is_local};
	uint8_t seed[BASE_RANDOM_SEED_BYTES] = {setting[0]};

	memset(&model, 0, sizeof(model));
	base_random_seed(&model.random, seed);
	model.now_ns = 1000 * MS;
	model.config = (struct cm_config){
		.ca_guid = 0x0200000000000001,
		.id_max = IDS,
		.listener_max = SERVICES,
		.half_open_max = 1 + setting[1] % HALF,
		.max_retries = setting[2] % 4,
		.answer_rate = 8,
		.req_rate_per_source = setting[3] % 16,
		.guess_burst = 3,
		.random = &model.random,
	};
	fuzz_expect(cm_create(&model.config, &ops, NULL, &model.cm) == RC_OK, "manager");
}

static struct cm_route
route_of(unsigned int host)
{
	return (struct cm_route){.local_gid = own_gid(), .remote_gid = host_gid(host)};
}

static void
mad_edit(const struct step *step, uint8_t mad[LIMIT_MAD_BYTES])
{
	for (size_t i = 0; i < RTE_DIM(step->edits); i++) {
		fuzz_byte_edit(
			&mad[step->edits[i].at], step->edits[i].value, step->edits[i].how % 8);
	}
}

/* Encode a MAD, edit its bytes, and pass it to the manager as the engine does. */
static void
deliver(const struct step *step, unsigned int host, const struct wire_cm_msg *msg)
{
	const struct cm_route from = route_of(host);
	uint8_t mad[LIMIT_MAD_BYTES];
	struct wire_cm_msg decoded;

	wire_cm_encode(msg, mad);
	mad_edit(step, mad);
	if (wire_cm_decode(mad, sizeof(mad), &decoded) == WIRE_MAD_OK)
		cm_input(model.cm, &from, &decoded, model.now_ns);
}

static void
request(const struct step *step)
{
	struct wire_cm_msg msg = {
		.attribute = WIRE_CM_REQ,
		.transaction_id = step->number,
		.local_comm_id = 1 + step->pick % 8u,
		.req = {.service_id = SERVICE + step->time % SERVICES,
			.local_ca_guid = 2 + step->host % HOSTS,
			.local_qpn = 0x100 + step->number % 8u,
			.remote_cm_timeout = 19,
			.local_cm_timeout = 19,
			.retry_count = 7,
			.rnr_retry_count = 7,
			.path_mtu = 3,
			.max_cm_retries = 7,
			.pkey = 0xFFFF,
			.local_gid = host_gid(step->host),
			.remote_gid = own_gid(),
			.hop_limit = 64,
			.subnet_local = true,
			.ack_timeout = 14},
	};
	struct wire_ip_cm header = {
		.ip_version = 4, .src_port = 50000, .src = host_gid(step->host), .dst = own_gid()};

	wire_ip_cm_store(msg.private_data, &header);
	deliver(step, step->host, &msg);
}

/* Deliver a MAD that refers to a message of the manager. The step selects message and MAD. */
static void
follow(const struct step *step)
{
	static const enum wire_cm_attribute attributes[] = {WIRE_CM_REP, WIRE_CM_RTU, WIRE_CM_REJ,
		WIRE_CM_MRA, WIRE_CM_DREQ, WIRE_CM_DREP, WIRE_CM_SIDR_REQ, WIRE_CM_RTU,
		WIRE_CM_REP};
	const struct sent *sent = &model.sent[(model.sent_count - 1 - step->pick % 4u) % SENT];
	struct wire_cm_msg msg = {
		.attribute = attributes[step->what % RTE_DIM(attributes)],
		.transaction_id = sent->msg.transaction_id,
		.local_comm_id = sent->msg.remote_comm_id,
		.remote_comm_id = sent->msg.local_comm_id,
	};

	if (sent->msg.attribute == WIRE_CM_REQ)
		msg.local_comm_id = 0x100u + step->number;
	if (msg.attribute == WIRE_CM_REP)
		msg.rep = (struct wire_cm_rep){.local_ca_guid = 2 + sent->host,
			.local_qpn = 0x200u + step->number,
			.responder_resources = 1,
			.initiator_depth = 1,
			.rnr_retry_count = 7};
	else if (msg.attribute == WIRE_CM_REJ)
		msg.rej = (struct wire_cm_rej){.message = step->number % 4, .reason = step->time};
	else if (msg.attribute == WIRE_CM_MRA)
		msg.mra = (struct wire_cm_mra){step->number % 4, step->time % 32};
	else if (msg.attribute == WIRE_CM_DREQ)
		msg.dreq.remote_qpn = 0x300u + step->number % 4;
	else if (msg.attribute == WIRE_CM_SIDR_REQ)
		msg.sidr_req = (struct wire_cm_sidr_req){.service_id = SERVICE, .pkey = 0xFFFF};
	deliver(step, step->host & 0x80 ? step->host : sent->host, &msg);
}

static struct cm_endpoint
endpoint_of(const struct step *step)
{
	static const uint8_t data[LIMIT_CALLEE_DATA];

	return (struct cm_endpoint){.qpn = 0x300u + step->number % 4,
		.starting_psn = 0x111111,
		.inbound_reads = 4,
		.outbound_reads = 4,
		.rnr_retry_count = 7,
		.private_data = data,
		.private_bytes = step->edits[0].value};
}

static void
connection_begin(const struct step *step)
{
	struct cm_connect_attr attr = {
		.route = route_of(step->host),
		.service_id = SERVICE,
		.src_port = 50000,
		.endpoint = endpoint_of(step),
		.path_mtu = step->edits[1].value % 8,
		.retry_count = step->edits[2].value % 9,
		.ack_timeout = 14,
		.hop_limit = 64,
	};
	struct cm_id *id = NULL;

	if (cm_connect(model.cm, &attr, model.now_ns, &id) == RC_OK)
		(void)known_add(id);
}

/* Call a function of the manager for a connection that the application has not released. */
static void
call(const struct step *step)
{
	struct known *known = &model.known[step->pick % IDS];
	struct cm_endpoint endpoint = endpoint_of(step);
	const struct wire_gid gid = host_gid(step->host);
	enum rc_status status = RC_OK;

	if (known->id == NULL)
		return;
	switch (step->what % 8) {
	case 0:
		status = cm_confirm(known->id, model.now_ns);
		break;
	case 1:
		status = cm_reject(
			known->id, endpoint.private_data, endpoint.private_bytes, model.now_ns);
		known->over |= status == RC_OK;
		break;
	case 2:
		status = cm_disconnect(known->id, model.now_ns);
		break;
	case 3:
		cm_traffic_seen(known->id, model.now_ns);
		break;
	case 4:
		cm_release(known->id, model.now_ns);
		known->id = NULL;
		break;
	case 5:
		(void)cm_guess(model.cm, &gid, model.now_ns);
		break;
	default:
		status = cm_accept(known->id, &endpoint, model.now_ns);
		break;
	}
	fuzz_expect(status == RC_OK || status == RC_NOT_CONNECTED || status == RC_INVALID_ARGUMENT,
		"status of a call");
}

static void
tick(uint64_t until_ns)
{
	while (cm_deadline(model.cm) <= until_ns) {
		uint32_t before = model.sent_count;

		model.now_ns = RTE_MAX(model.now_ns, cm_deadline(model.cm));
		cm_tick(model.cm, model.now_ns);
		fuzz_expect(model.sent_count - before <= TICK_MESSAGES_MAX, "storm of a timer");
	}
	model.now_ns = RTE_MAX(model.now_ns, until_ns);
}

static void
listener_turn(const struct step *step)
{
	struct cm_listener **listener = &model.listeners[step->pick % SERVICES];
	struct cm_listen_attr attr = {.service_id = SERVICE + step->pick % SERVICES,
		.backlog = step->number % 4,
		.address = step->host & 1 ? own_gid() : (struct wire_gid){{0}}};

	if (*listener == NULL)
		fuzz_expect(cm_listen(model.cm, &attr, listener) == RC_OK, "listen");
	else if (step->what % 4 == 0) {
		cm_unlisten(*listener);
		*listener = NULL;
	}
}

static void
step_run(const struct step *step)
{
	switch (step->kind % STEP_KINDS) {
	case STEP_REQUEST:
		request(step);
		return;
	case STEP_FOLLOW:
		if (model.sent_count > 0)
			follow(step);
		return;
	case STEP_CONNECT:
		connection_begin(step);
		return;
	case STEP_CALL:
		call(step);
		return;
	case STEP_TIME:
		if (step->what & 1 && cm_deadline(model.cm) != BASE_TIME_NEVER)
			tick(RTE_MAX(model.now_ns, cm_deadline(model.cm)));
		else
			tick(model.now_ns + step->time * MS);
		return;
	case STEP_LISTEN:
		listener_turn(step);
		return;
	default:
		model.full = step->what % 4 == 0;
		return;
	}
}

static void
bounds_check(const struct step *step, uint32_t sent_before)
{
	const struct cm_config *config = &model.config;

	if (step->kind % STEP_KINDS != STEP_TIME)
		fuzz_expect(model.sent_count - sent_before <= CALLS_MESSAGES_MAX,
			"many messages for one");
	fuzz_expect(cm_id_count(model.cm) <= config->id_max, "more connections than configured");
	fuzz_expect(cm_half_open_count(model.cm) <= config->half_open_max,
		"more half-open ones than configured");
	fuzz_expect(cm_held_count(model.cm) + cm_half_open_count(model.cm) <= config->id_max,
		"more requests than connections");
}

/*
 * Release all objects, and let the timers expire. Each interval is 600 s, because this is longer
 * than all timers together.
 */
static void
model_stop(void)
{
	model.full = false;
	for (size_t i = 0; i < SERVICES; i++)
		if (model.listeners[i] != NULL)
			cm_unlisten(model.listeners[i]);
	for (unsigned int rounds = 0; rounds < 64 && cm_id_count(model.cm) > 0; rounds++) {
		for (size_t i = 0; i < IDS; i++) {
			if (model.known[i].id != NULL)
				cm_release(model.known[i].id, model.now_ns);
			model.known[i].id = NULL;
		}
		tick(model.now_ns + 600000 * MS);
	}
	fuzz_expect(cm_id_count(model.cm) == 0, "a connection is left");
	fuzz_expect(cm_half_open_count(model.cm) == 0 && cm_held_count(model.cm) == 0,
		"a request is left");
	fuzz_expect(cm_deadline(model.cm) == BASE_TIME_NEVER, "a timer is left");
	cm_destroy(model.cm);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t count = RTE_MIN(size / sizeof(struct step), (size_t)256);

	if (count == 0)
		return 0;
	model_start(data);
	for (size_t i = 1; i < count; i++) {
		uint32_t sent_before = model.sent_count;
		struct step step;

		memcpy(&step, data + i * sizeof(step), sizeof(step));
		step_run(&step);
		bounds_check(&step, sent_before);
	}
	model_stop();
	return 0;
}
