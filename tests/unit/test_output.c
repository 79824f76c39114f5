/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include <criterion/criterion.h>

#include "engine/engine.h"
#include "engine/qps.h"
#include "support/eal.h"
#include "wire/build.h"

/*
 * Tests an engine in virtual time. The test limits how many packets the port accepts. If an
 * accepted packet requests an ACK, the peer answers at once, unless the peer is dead.
 */

#define QPS            8
#define DEPTH          64
#define MS             UINT64_C(1000000)
#define TURN_NS        MS
#define ACK_TIMEOUT    14             /* 67 ms */
#define INTERVAL_NS    (67 * MS + MS) /* ACK timeout, rounded up to turns */
#define QPN_PEER       0x1000u
#define ANSWERS_MAX    512
#define PORT_UNLIMITED UINT32_MAX

struct rig {
	struct engine_group *group;
	struct engine *engine;
	struct rte_mempool *pool;
	struct mem_domain *mem;
	struct base_random random;
	struct port_io io;
	struct rc_cq cq;
	struct engine_qp slots[QPS];
	uint32_t ends[QPS];
	struct wire_path path;
	struct wire_template back;
	uint64_t now_ns;
	uint32_t room;      /* number of packets that the port accepts until the next turn */
	uint32_t transmits; /* number of transmit calls */
	bool peer_dead;
	uint32_t dead_qpn; /* QPN of the only dead peer; 0: no peer is dead */
	struct rte_mbuf *answers[ANSWERS_MAX];
	uint32_t answer_count;
	uint64_t taken[QPS];
	uint64_t acks;
	uint64_t datagrams;
};

static struct rig rig;

static uint64_t
virtual_now_ns(void *arg)
{
	(void)arg;
	return rig.now_ns;
}

static uint16_t
port_receive(void *arg, struct rte_mbuf **mbufs, uint16_t max)
{
	uint16_t count = (uint16_t)RTE_MIN(rig.answer_count, max);

	(void)arg;
	memcpy(mbufs, rig.answers, count * sizeof(*mbufs));
	rig.answer_count -= count;
	memmove(rig.answers, rig.answers + count, rig.answer_count * sizeof(*mbufs));
	return count;
}

static void
answer(const struct wire_view *view)
{
	struct wire_headers ack = {
		.bth = {.opcode = WIRE_RC_ACKNOWLEDGE,
			.migrated = true,
			.pkey = WIRE_PKEY_DEFAULT,
			.dest_qp = rig.slots[view->bth.dest_qp - QPN_PEER].qp->qpn,
			.psn = view->bth.psn},
		.aeth = {.syndrome = WIRE_SYNDROME_ACK},
	};
	struct rte_mbuf *mbuf = rte_pktmbuf_alloc(rig.pool);

	cr_assert_not_null(mbuf);
	cr_assert_lt(rig.answer_count, ANSWERS_MAX);
	wire_build(mbuf, &rig.back, &ack, 0);
	rig.answers[rig.answer_count++] = mbuf;
}

/* Deliver a WRITE without data to the first queue pair, as if its peer had sent it. */
static void
peer_writes(uint32_t psn)
{
	struct wire_headers write = {
		.bth = {.opcode = WIRE_RC_WRITE_ONLY,
			.ack_request = true,
			.migrated = true,
			.pkey = WIRE_PKEY_DEFAULT,
			.dest_qp = rig.slots[0].qp->qpn,
			.psn = psn},
	};
	struct rte_mbuf *mbuf = rte_pktmbuf_alloc(rig.pool);

	cr_assert_not_null(mbuf);
	wire_build(mbuf, &rig.back, &write, 0);
	rig.answers[rig.answer_count++] = mbuf;
}

static void
packet_taken(const struct rte_mbuf *mbuf)
{
	struct wire_view view;

	if (wire_parse(mbuf, &view) != WIRE_OK || view.traits->kind == WIRE_KIND_DATAGRAM) {
		rig.datagrams++;
		return;
	}
	rig.taken[view.bth.dest_qp - QPN_PEER]++;
	rig.acks += view.traits->kind == WIRE_KIND_ACKNOWLEDGE;
	if (!rig.peer_dead && view.bth.dest_qp != rig.dead_qpn && view.bth.ack_request)
		answer(&view);
}

static uint16_t
port_transmit(void *arg, struct rte_mbuf **mbufs, uint16_t count)
{
	uint16_t taken = (uint16_t)RTE_MIN(rig.room, count);

	(void)arg;
	rig.transmits++;
	if (rig.room != PORT_UNLIMITED)
		rig.room -= taken;
	for (uint16_t i = 0; i < taken; i++)
		packet_taken(mbufs[i]);
	rte_pktmbuf_free_bulk(mbufs, taken);
	return taken;
}

static void
on_qp_event(void *arg, struct engine_qp *slot, enum rc_event event)
{
	(void)arg;
	if (event == RC_EVENT_ERROR)
		rig.ends[slot->qp->remote_qpn - QPN_PEER]++;
}

static void
on_cm_event(void *arg, struct cm_id *id, const struct cm_event *event)
{
	(void)arg;
	(void)id;
	(void)event;
}

static void
on_settle(void *arg)
{
	(void)arg;
}

static void
engine_start(void)
{
	struct engine_config config = {
		.group = rig.group,
		.io = &rig.io,
		.clock = {.now_ns = virtual_now_ns},
		.pool = rig.pool,
		.mem = rig.mem,
		.seed = {1},
		.qp_slots = 64,
		.address = rig.path.src,
		.ttl = 64,
		.neigh = {.prefix_length = 24, .entries_max = 16},
		.cm = {.ca_guid = 1},
		.ops = {.qp_event = on_qp_event, .cm_event = on_cm_event, .settle = on_settle},
	};

	rig.io = (struct port_io){
		.receive = port_receive,
		.transmit = port_transmit,
		.mac = {.addr_bytes = {2, 0, 0, 0, 0, 1}},
		.mtu = 1500,
		.socket_id = SOCKET_ID_ANY,
	};
	cr_assert_eq(engine_create(&config, &rig.engine), RC_OK);
}

static void
qp_start(uint32_t index)
{
	struct rc_qp_attr attr = {
		.receive_cq = &rig.cq,
		.send_cq = &rig.cq,
		.send_entries = DEPTH,
		.send_sge_max = 1,
		.socket_id = SOCKET_ID_ANY,
	};
	struct rc_qp_connect_attr connect = {
		.path = rig.path,
		.remote_qpn = QPN_PEER + index,
		.pmtu_bytes = 1024,
		.ack_timeout = ACK_TIMEOUT,
		.retry_count = 7,
		.remote_write = true,
	};

	cr_assert_eq(engine_qp_reserve(rig.engine, &rig.slots[index]), RC_OK);
	cr_assert_eq(engine_qp_create(rig.engine, &attr, &rig.slots[index]), RC_OK);
	cr_assert_eq(rc_qp_connect(rig.slots[index].qp, &connect), RC_OK);
	engine_qp_serve(rig.engine, &rig.slots[index], &rig.path);
}

static void
rig_start(void)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {1, 2, 3};
	struct wire_path back;

	test_eal_init();
	rig = (struct rig){.now_ns = MS, .room = PORT_UNLIMITED};
	rig.pool = engine_pool_create(2047, 1024, SOCKET_ID_ANY);
	cr_assert_not_null(rig.pool);
	base_random_seed(&rig.random, seed);
	cr_assert_eq(mem_domain_create(
			     &(struct mem_domain_config){
				     .key_slots = 256,
				     .key_slots_max = 256,
				     .region_max = 8,
				     .window_max = 8,
				     .reader_max = 1,
				     .socket_id = SOCKET_ID_ANY,
				     .random = &rig.random,
			     },
			     &rig.mem),
		RC_OK);
	rig.path = (struct wire_path){
		.src_mac = {.addr_bytes = {2, 0, 0, 0, 0, 1}},
		.dst_mac = {.addr_bytes = {2, 0, 0, 0, 0, 2}},
		.src = wire_gid_from_v4(0xC0000201),
		.dst = wire_gid_from_v4(0xC0000202),
		.udp_src_port = 0xC000,
		.ttl = 64,
	};
	back = rig.path;
	back.src = rig.path.dst;
	back.dst = rig.path.src;
	wire_template_make(&rig.back, &back);
	rig.group = engine_group_create(1);
	cr_assert_not_null(rig.group);
	engine_start();
	cr_assert_eq(rc_cq_init(&rig.cq, 4096, SOCKET_ID_ANY, NULL, NULL), RC_OK);
	for (uint32_t i = 0; i < QPS; i++)
		qp_start(i);
}

static void
rig_stop(void)
{
	for (uint32_t i = 0; i < QPS; i++) {
		engine_qp_leave(&rig.slots[i]);
		engine_qp_destroy(rig.engine, &rig.slots[i]);
		engine_qp_forget(rig.engine, &rig.slots[i]);
	}
	rte_pktmbuf_free_bulk(rig.answers, rig.answer_count);
	engine_destroy(rig.engine);
	engine_group_destroy(rig.group);
	rc_cq_fini(&rig.cq);
	mem_domain_destroy(rig.mem);
}

static void
post_all(void)
{
	for (uint32_t i = 0; i < QPS; i++) {
		for (uint32_t k = 0; k < DEPTH; k++) {
			struct rc_send_wr wr = {.opcode = RC_SEND};

			cr_assert_eq(rc_post_send(rig.slots[i].qp, &wr), RC_OK);
		}
		engine_qp_kick(rig.engine, &rig.slots[i]);
	}
}

static uint32_t
completed(enum rc_status status)
{
	struct rc_completion completion;
	uint32_t count = 0;

	while (rc_cq_poll(&rig.cq, &completion, 1) == 1)
		count += completion.status == status;
	return count;
}

static uint32_t
ended(void)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < QPS; i++)
		count += rig.ends[i];
	return count;
}

/*
 * Run turns for ns, or until all queue pairs have ended. In each turn the port accepts
 * room_per_turn packets. @return time that has passed
 */
static uint64_t
pass(uint64_t ns, uint32_t room_per_turn)
{
	uint64_t start_ns = rig.now_ns;

	while (rig.now_ns - start_ns < ns && ended() < QPS) {
		rig.room = room_per_turn;
		engine_poll(rig.engine);
		rig.now_ns += TURN_NS;
	}
	return rig.now_ns - start_ns;
}

/* Maximum time until a queue pair ends; see timer.h. */
static const uint64_t give_up_ns = RC_STUCK_NS + 8 * INTERVAL_NS;

/*
 * The time between two turns is recorded as an absence of the engine. If the engine slept and a
 * frame would have woken it, the time of this sleep is not recorded.
 */
Test(output, absence_is_between_turns)
{
	struct rc_absence *absence;

	rig_start();
	absence = &rig.engine->rc.absence;
	rig.engine->clock.runs = true;
	engine_poll(rig.engine);
	*absence = (struct rc_absence){0};
	rig.now_ns += RC_AWAY_NS;
	engine_poll(rig.engine);
	cr_assert_eq(absence->to_ns, 0, "the time is no longer than RC_AWAY_NS");
	rig.now_ns += 10 * MS;
	engine_poll(rig.engine);
	cr_assert_eq(absence->from_ns, rig.now_ns - 10 * MS);
	cr_assert_eq(absence->to_ns, rig.now_ns);
	rig.now_ns += 5 * MS;
	rig.engine->rested_ns = rig.now_ns;
	rig.now_ns += RC_AWAY_NS;
	engine_poll(rig.engine);
	cr_assert_eq(absence->to_ns, rig.now_ns - RC_AWAY_NS - 5 * MS, "the engine slept");
	rig.now_ns += MS;
	rig.engine->rested_ns = rig.now_ns - MS / 2;
	engine_poll(rig.engine);
	cr_assert_eq(absence->from_ns, rig.now_ns - MS / 2, "the sleep ended late");
	*absence = (struct rc_absence){0};
	rig.engine->clock.runs = false;
	rig.now_ns += MS;
	engine_poll(rig.engine);
	cr_assert_eq(absence->to_ns, 0, "a virtual clock makes steps");
	rig_stop();
}

static void
post_one(void)
{
	struct rc_send_wr wr = {.opcode = RC_SEND};

	cr_assert_eq(rc_post_send(rig.slots[0].qp, &wr), RC_OK);
	engine_qp_kick(rig.engine, &rig.slots[0]);
}

/*
 * An ACK is delayed to the next turn if the engine expects that turn soon. If a request is posted
 * long after the last turn, the thread no longer polls. Then the ACK is sent together with the
 * request.
 */
Test(output, late_post_sends_the_ack_that_waits)
{
	rig_start();
	rig.engine->may_wait = true;
	for (uint32_t turn = 0; turn < 2; turn++) {
		rig.now_ns += ENGINE_SOON_NS / 4;
		engine_poll(rig.engine);
	}
	post_one();
	peer_writes(0);
	rig.now_ns += ENGINE_SOON_NS / 4;
	engine_poll(rig.engine);
	cr_assert(rig.engine->rc.ack_waits);
	rig.now_ns += ENGINE_SOON_NS / 4;
	post_one();
	cr_assert_eq(rig.acks, 0, "the next turn is still expected soon");
	rig.now_ns += ENGINE_SOON_NS;
	post_one();
	cr_assert_eq(rig.acks, 1, "the next turn is late");
	pass(10 * MS, PORT_UNLIMITED);
	cr_assert_eq(completed(RC_OK), 3);
	rig_stop();
}

Test(output, port_takes_nothing_for_ever)
{
	rig_start();
	rig.room = 0;
	post_all();
	cr_assert_eq(rc_out_room(&rig.engine->rc), 0);
	cr_assert_lt(pass(2 * give_up_ns, 0), give_up_ns);
	cr_assert_eq(ended(), QPS, "%u of %u ended", ended(), QPS);
	cr_assert_eq(completed(RC_PORT_STUCK), QPS);
	rig_stop();
}

Test(output, port_stops_with_packets_in_flight)
{
	rig_start();
	rig.peer_dead = true;
	rig.room = 100;
	post_all();
	cr_assert_lt(pass(2 * give_up_ns, 0), give_up_ns);
	cr_assert_eq(ended(), QPS, "%u of %u ended", ended(), QPS);
	rig_stop();
}

/*
 * If the port works but the peer is dead, a queue pair ends after the configured number of retries.
 */
Test(output, port_takes_everything_and_nobody_answers)
{
	uint64_t tries_ns = 27 * INTERVAL_NS + 4 * INTERVAL_NS;

	rig_start();
	rig.peer_dead = true;
	post_all();
	cr_assert_lt(pass(give_up_ns, PORT_UNLIMITED), tries_ns);
	cr_assert_eq(ended(), QPS);
	rig_stop();
}

/* A packet that the port refuses is no retry. Otherwise the retries would end after 1.9 s. */
Test(output, port_full_for_seconds_recovers)
{
	rig_start();
	rig.room = 0;
	post_all();
	pass(4500 * MS, 0);
	cr_assert_eq(ended(), 0);
	pass(1000 * MS, PORT_UNLIMITED);
	cr_assert_eq(ended(), 0);
	cr_assert_eq(completed(RC_OK), QPS * DEPTH);
	rig_stop();
}

/* If the port is full, no retransmission is added to the output, even if the output has room. */
Test(output, port_full_for_seconds_with_room_in_the_output)
{
	rig_start();
	rig.room = 0;
	for (uint32_t k = 0; k < 8; k++) {
		struct rc_send_wr wr = {.opcode = RC_SEND};

		cr_assert_eq(rc_post_send(rig.slots[0].qp, &wr), RC_OK);
	}
	engine_qp_kick(rig.engine, &rig.slots[0]);
	pass(3200 * MS, 0);
	cr_assert_eq(ended(), 0);
	cr_assert_eq(rig.engine->rc.packet_count, 8, "nothing is sent again behind itself");
	pass(1000 * MS, PORT_UNLIMITED);
	cr_assert_eq(completed(RC_OK), 8);
	rig_stop();
}

static void
post_until_full(struct engine_qp *slot)
{
	struct rc_send_wr wr = {.opcode = RC_SEND};

	while (rc_post_send(slot->qp, &wr) == RC_OK)
		;
	engine_qp_ready(rig.engine, slot->qp);
}

/*
 * A queue pair that found no room in the output is served first when the output has room again. So
 * all queue pairs share a slow port.
 */
Test(output, queue_pairs_share_a_slow_port)
{
	uint64_t least = UINT64_MAX, most = 0;

	rig_start();
	for (uint32_t turn = 0; turn < 600; turn++) {
		for (uint32_t i = 0; i < QPS; i++)
			post_until_full(&rig.slots[i]);
		pass(TURN_NS, 8);
		completed(RC_OK);
	}
	for (uint32_t i = 0; i < QPS; i++) {
		least = RTE_MIN(least, rig.taken[i]);
		most = RTE_MAX(most, rig.taken[i]);
	}
	cr_assert_geq(
		2 * least, most, "%lu to %lu packets", (unsigned long)least, (unsigned long)most);
	rig_stop();
}

Test(output, full_port_is_not_asked_for_each_queue_pair)
{
	rig_start();
	rig.room = 0;
	post_all();
	cr_assert_eq(rc_out_room(&rig.engine->rc), 0);
	rig.transmits = 0;
	pass(TURN_NS, 0);
	cr_assert_leq(rig.transmits, 2, "%u calls in one turn", rig.transmits);
	pass(1000 * MS, PORT_UNLIMITED);
	cr_assert_eq(completed(RC_OK), QPS * DEPTH);
	rig_stop();
}

/*
 * The timer of a queue pair has expired, but the queue pair cannot send, because other queue pairs
 * fill the output and the port has stopped. Nevertheless the queue pair ends in time.
 */
Test(output, timer_does_not_wait_for_the_turn)
{
	struct rc_send_wr wr = {.opcode = RC_SEND};

	rig_start();
	rig.peer_dead = true;
	cr_assert_eq(rc_post_send(rig.slots[QPS - 1].qp, &wr), RC_OK);
	rig.room = PORT_UNLIMITED;
	engine_qp_kick(rig.engine, &rig.slots[QPS - 1]);
	pass(INTERVAL_NS, PORT_UNLIMITED);
	cr_assert_eq(rig.engine->rc.counters.tx_packets, 1, "its timer is due in the next turn");
	rig.room = 0;
	for (uint32_t i = 0; i < QPS - 1; i++) {
		for (uint32_t k = 0; k < DEPTH; k++)
			cr_assert_eq(rc_post_send(rig.slots[i].qp, &wr), RC_OK);
		engine_qp_ready(rig.engine, rig.slots[i].qp);
	}
	pass(TURN_NS, 0);
	cr_assert_eq(rc_out_room(&rig.engine->rc), 0);
	pass(2 * give_up_ns, 0);
	cr_assert_eq(ended(), QPS, "%u of %u ended", ended(), QPS);
	rig_stop();
}

/*
 * A slow port refuses some packets of other queue pairs in every turn. Nevertheless a dead peer is
 * given up after the time of its retries, not after twice this time.
 */
Test(output, tries_last_no_longer_behind_others)
{
	const uint64_t tries_ns = 27 * INTERVAL_NS, looks_ns = 8 * INTERVAL_NS;
	uint64_t start_ns;

	rig_start();
	rig.dead_qpn = QPN_PEER + QPS - 1;
	start_ns = rig.now_ns;
	while (rig.ends[QPS - 1] == 0 && rig.now_ns - start_ns < 3 * tries_ns) {
		for (uint32_t i = 0; i < QPS; i++)
			post_until_full(&rig.slots[i]);
		pass(TURN_NS, 8);
		completed(RC_OK);
		cr_assert_gt(rig.engine->rc.stuck_count, 0);
	}
	cr_assert_eq(ended(), 1, "%u of %u ended", ended(), QPS);
	cr_assert_geq(rig.now_ns - start_ns, tries_ns - INTERVAL_NS);
	cr_assert_lt(rig.now_ns - start_ns, tries_ns + looks_ns, "%lu intervals",
		(unsigned long)((rig.now_ns - start_ns) / INTERVAL_NS));
	rig.dead_qpn = 0;
	rig_stop();
}

/*
 * Datagrams have room of their own, even when the output is full. If the port accepts nothing, the
 * call fails in the end.
 */
Test(output, datagrams_have_room_of_their_own)
{
	struct wire_cm_msg msg = {.attribute = WIRE_CM_DREQ};
	struct cm_route route;
	uint32_t count = 0;

	rig_start();
	route = (struct cm_route){.local_gid = rig.path.src, .remote_gid = rig.path.dst};
	rig.room = 0;
	post_all();
	cr_assert_eq(rc_out_room(&rig.engine->rc), 0);
	cr_assert(!engine_mad_send(rig.engine, &route, &msg), "the port takes nothing");
	cr_assert_eq(rig.engine->counters.tx_full, 1);
	/*
	 * The port is slow, so the output stays full. Datagrams are sent between the other packets.
	 */
	for (; count < LIMIT_OUT_DATAGRAMS; count++) {
		rig.room = 1;
		cr_assert(engine_mad_send(rig.engine, &route, &msg), "datagram %u", count);
		cr_assert_eq(rc_out_room(&rig.engine->rc), 0);
	}
	pass(1000 * MS, PORT_UNLIMITED);
	cr_assert_eq(rig.datagrams, count);
	cr_assert_eq(completed(RC_OK), QPS * DEPTH);
	cr_assert_eq(rig.engine->rc.counters.tx_packets, QPS * DEPTH, "queue pairs' only");
	rig_stop();
}
