/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "base/be.h"
#include "test_cm_pair.h"

/*
 * Two ends connect to each other in both directions, over a link that drops, duplicates and
 * reorders messages. Applications act at random times. Each event must come at most once, both
 * sides must agree, and all records must be freed (CM-004 to CM-006, CM-013).
 */

#define SEEDS       400
#define CONNECTIONS 8 /* per direction and seed */
#define CONNS_MAX   1024
#define STEPS_MAX   200000

enum act { ACT_NONE, ACT_ACCEPT, ACT_CONFIRM, ACT_REJECT, ACT_DISCONNECT, ACT_RELEASE };

/* One connection, as the application of one end sees it. */
struct conn {
	struct cm_id *id;
	struct end *end;
	/* the active conn and the passive conns of its REQ have the same number */
	uint32_t number;
	uint32_t qpn;
	bool active;
	bool confirmed;
	bool over;
	bool released;
	uint32_t events[CM_EVENT_ABORTED + 1];
	struct cm_peer peer;
	enum act act;
	uint64_t act_ns;
};

/*
 * State of one run. If `nice` is true, all applications accept and confirm. If `nice` is false,
 * applications may reject or release, too.
 */
struct run {
	struct link *link;
	bool nice;
	uint32_t conn_count;
	uint32_t next_qpn;
	struct conn conns[CONNS_MAX];
};

static struct run the_run;

static uint32_t
chance(uint32_t bound)
{
	return base_random_below(&the_run.link->random, bound);
}

static void
plan(struct conn *conn, enum act act, uint32_t within_ms)
{
	conn->act = act;
	conn->act_ns = the_run.link->now_ns + (within_ms > 0 ? chance(within_ms) * MS : 0);
}

static enum act
choose(enum act usual)
{
	uint32_t dice = the_run.nice ? 0 : chance(10);

	return dice < 7 ? usual : dice < 8 ? ACT_RELEASE : ACT_REJECT;
}

static struct conn *
conn_add(struct end *end, struct cm_id *id, uint32_t number)
{
	struct conn *conn = &the_run.conns[the_run.conn_count++];

	cr_assert_lt(the_run.conn_count, CONNS_MAX, "seed %lu: too many", the_run.link->seed);
	*conn = (struct conn){.id = id, .end = end, .number = number, .qpn = the_run.next_qpn++};
	return conn;
}

static void
plan_end(struct conn *conn)
{
	enum act act = chance(10) < 6 ? ACT_DISCONNECT : ACT_RELEASE;

	/* Round the time up to a full second, so that both ends often act at the same moment. */
	plan(conn, act, 0);
	conn->act_ns += (1000 + chance(5) * 1000) * MS - conn->act_ns % (1000 * MS);
}

static void
check_event(struct conn *conn, enum cm_event_kind kind)
{
	uint64_t seed = the_run.link->seed;

	conn->events[kind]++;
	cr_assert_eq(conn->events[kind], 1, "seed %lu: event %d twice", seed, kind);
	cr_assert_not(conn->released, "seed %lu: event %d after release", seed, kind);
	cr_assert_not(conn->over, "seed %lu: event %d after the last", seed, kind);
}

static void
on_event(struct end *end, struct cm_id *id, const struct cm_event *event)
{
	struct conn *conn = cm_id_context(id);

	if (event->kind == CM_EVENT_REQUEST) {
		cr_assert_null(conn);
		conn = conn_add(end, id, be_load32(event->private_data));
		cm_id_set_context(id, conn);
	}
	check_event(conn, event->kind);
	switch (event->kind) {
	case CM_EVENT_REQUEST:
		plan(conn, choose(ACT_ACCEPT), 2000);
		return;
	case CM_EVENT_ACCEPTED:
		plan(conn, choose(ACT_CONFIRM), 1000);
		return;
	case CM_EVENT_ESTABLISHED:
		plan_end(conn);
		return;
	case CM_EVENT_REJECTED:
	case CM_EVENT_UNREACHABLE:
	case CM_EVENT_DISCONNECTED:
	case CM_EVENT_DISCONNECT_DONE:
	case CM_EVENT_ABORTED:
		conn->over = true;
		plan(conn, ACT_RELEASE, 3000);
		return;
	}
}

static void
conn_start(struct end *end, uint32_t number)
{
	struct cm_connect_attr attr = link_connect_attr(end->link, end->side, 0);
	struct conn *conn = conn_add(end, NULL, number);
	uint8_t data[4];

	be_store32(data, number);
	conn->active = true;
	attr.endpoint.qpn = conn->qpn;
	attr.endpoint.private_data = data;
	attr.endpoint.private_bytes = sizeof(data);
	attr.context = conn;
	cr_assert_eq(cm_connect(end->cm, &attr, end->link->now_ns, &conn->id), RC_OK);
	if (!the_run.nice && chance(5) == 0)
		plan(conn, ACT_RELEASE, 4000);
}

static void
conn_accept(struct conn *conn)
{
	struct cm_endpoint callee = pair_callee(conn->qpn);

	if (cm_accept(conn->id, &callee, the_run.link->now_ns) != RC_OK)
		return;
	cm_id_peer(conn->id, &conn->peer);
	if (!the_run.nice && chance(5) == 0)
		plan(conn, chance(2) ? ACT_RELEASE : ACT_DISCONNECT, 3000);
}

static void
conn_confirm(struct conn *conn)
{
	if (cm_confirm(conn->id, the_run.link->now_ns) != RC_OK)
		return;
	conn->confirmed = true;
	cm_id_peer(conn->id, &conn->peer);
	plan_end(conn);
}

static void
conn_act(struct conn *conn)
{
	uint64_t now_ns = the_run.link->now_ns;
	enum act act = conn->act;

	conn->act = ACT_NONE;
	switch (act) {
	case ACT_ACCEPT:
		conn_accept(conn);
		break;
	case ACT_CONFIRM:
		conn_confirm(conn);
		break;
	case ACT_REJECT:
		if (cm_reject(conn->id, NULL, 0, now_ns) == RC_OK)
			conn->over = true;
		break;
	case ACT_DISCONNECT:
		if (cm_disconnect(conn->id, now_ns) != RC_OK)
			break;
		break;
	case ACT_RELEASE:
		conn->released = true;
		cm_release(conn->id, now_ns);
		return;
	case ACT_NONE:
		break;
	}
	/* If the application has no other plan, it releases the cm_id after 100 s. */
	if (conn->act == ACT_NONE) {
		conn->act = ACT_RELEASE;
		conn->act_ns = now_ns + 100000 * MS;
	}
}

static struct conn *
next_conn(void)
{
	struct conn *next = NULL;

	for (uint32_t i = 0; i < the_run.conn_count; i++) {
		struct conn *conn = &the_run.conns[i];

		if (conn->act != ACT_NONE && !conn->released &&
			(next == NULL || conn->act_ns < next->act_ns))
			next = conn;
	}
	return next;
}

static void
run_all(struct link *link)
{
	for (uint32_t steps = 0; steps < STEPS_MAX; steps++) {
		struct conn *conn = next_conn();

		if (link_step(link, conn != NULL ? conn->act_ns : BASE_TIME_NEVER - 1))
			continue;
		if (conn == NULL)
			return;
		link->now_ns = RTE_MAX(link->now_ns, conn->act_ns);
		conn_act(conn);
	}
	cr_assert_fail("seed %lu: no end after %u steps", link->seed, STEPS_MAX);
}

/*
 * Check that both ends agree on each established connection, and that no REQ has established two
 * connections (CM-004).
 */
static uint32_t
check_agreement(void)
{
	uint64_t seed = the_run.link->seed;
	uint32_t pair_count = 0;

	for (uint32_t i = 0; i < the_run.conn_count; i++) {
		const struct conn *active = &the_run.conns[i];
		uint32_t established = 0;

		if (!active->active)
			continue;
		for (uint32_t k = 0; k < the_run.conn_count; k++) {
			const struct conn *passive = &the_run.conns[k];

			if (passive->active || passive->number != active->number ||
				passive->events[CM_EVENT_ESTABLISHED] == 0)
				continue;
			established++;
			cr_assert(active->confirmed, "seed %lu: %u not confirmed", seed, i);
			cr_assert_eq(active->peer.qpn, passive->qpn, "seed %lu", seed);
			cr_assert_eq(passive->peer.qpn, active->qpn, "seed %lu", seed);
		}
		cr_assert_leq(established, 1, "seed %lu: %u established twice", seed, i);
		pair_count += established;
	}
	return pair_count;
}

static void
check_nothing_left(struct link *link)
{
	uint64_t seed = link->seed;

	for (unsigned int side = 0; side < 2; side++) {
		struct cm *cm = link->end[side].cm;

		cr_assert_eq(cm_id_count(cm), 0, "seed %lu side %u: %u ids left", seed, side,
			cm_id_count(cm));
		cr_assert_eq(cm_deadline(cm), BASE_TIME_NEVER, "seed %lu", seed);
		for (uint32_t i = 0; i < the_run.conn_count; i++)
			cr_assert_not(cm_qpn_resting(cm, the_run.conns[i].qpn), "seed %lu", seed);
	}
	for (uint32_t i = 0; i < the_run.conn_count; i++)
		cr_assert(the_run.conns[i].released, "seed %lu: conn %u lives", seed, i);
}

/*
 * Run the applications once with this seed.
 * @return number of established connections, at most 2 * CONNECTIONS
 */
static uint32_t
run_seed(uint64_t seed, bool nice, uint32_t loss_percent)
{
	struct link *link = link_start(seed, NULL);
	uint32_t pair_count;

	memset(&the_run, 0, sizeof(the_run));
	the_run.link = link;
	the_run.nice = nice;
	the_run.next_qpn = 0x100;
	link->loss_percent = loss_percent;
	link->double_percent = 10;
	link->delay_ns = 10000;
	link->jitter_ns = 60 * MS;
	for (unsigned int side = 0; side < 2; side++) {
		link->end[side].on_event = on_event;
		link_listen(link, side, 0);
	}
	for (uint32_t i = 0; i < 2 * CONNECTIONS; i++)
		conn_start(&link->end[i & 1], i);
	run_all(link);
	pair_count = check_agreement();
	check_nothing_left(link);
	link_stop(link);
	return pair_count;
}

Test(cm_loss, without_loss_everything_connects, .timeout = 60)
{
	for (uint64_t seed = 1; seed <= 50; seed++) {
		uint32_t pair_count = run_seed(seed, true, 0);

		cr_assert_eq(pair_count, 2 * CONNECTIONS, "seed %lu: %u pairs", seed, pair_count);
	}
}

/*
 * B-108: almost all connections are established, although messages are lost, duplicated and
 * reordered.
 */
Test(cm_loss, lossy_link_connects_nearly_everything, .timeout = 120)
{
	uint32_t pair_count = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		pair_count += run_seed(seed, true, (uint32_t)(seed % 41));
	cr_assert_geq(pair_count, 2 * CONNECTIONS * SEEDS * 95 / 100, "%u of %u pairs", pair_count,
		2 * CONNECTIONS * SEEDS);
}

Test(cm_loss, impatient_applications_leave_nothing_behind, .timeout = 120)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		(void)run_seed(seed + 1000, false, (uint32_t)(seed % 41));
}
