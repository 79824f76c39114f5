/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/connection.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/psn.h"

/*
 * A hash table contains the newest flow of each key. Older flows stay in the list of all flows, so
 * that they can be freed. Connections are reported in the order of their first frame. A connection
 * that becomes the other half of an older connection is no longer reported. Searches for flows
 * without a key are limited to one way (way.h), so the running time grows with the number of
 * packets, not with packets times flows.
 */

void
trace_table_free(struct trace_table *table)
{
	struct trace_flow *flow = table->newest;

	while (flow != NULL) {
		struct trace_flow *opened = flow->opened;

		trace_sender_free(&flow->sender);
		trace_side_stats_free(&flow->stats);
		free(flow);
		flow = opened;
	}
	for (size_t i = 0; i < table->connection_count; i++)
		free(table->connections[i]);
	free(table->connections);
	free(table->by_serial);
	while (table->absorbed != NULL) {
		struct trace_connection *older = table->absorbed->older;

		free(table->absorbed);
		table->absorbed = older;
	}
	trace_ways_free(&table->ways);
}

static uint32_t
bucket_of(const struct trace_flow_key *key)
{
	uint32_t hash = key->dest_qpn;

	for (size_t i = 0; i < sizeof(key->src.raw); i++) {
		hash = hash * 31 + key->src.raw[i];
		hash = hash * 31 + key->dst.raw[i];
	}
	return hash % TRACE_FLOW_BUCKETS;
}

static bool
key_equal(const struct trace_flow_key *a, const struct trace_flow_key *b)
{
	return a->dest_qpn == b->dest_qpn && wire_gid_equal(&a->src, &b->src) &&
		wire_gid_equal(&a->dst, &b->dst);
}

struct trace_flow *
trace_flow_find(const struct trace_table *table, const struct trace_flow_key *key)
{
	struct trace_flow *flow = table->buckets[bucket_of(key)];

	while (flow != NULL && !key_equal(&flow->key, key))
		flow = flow->next;
	return flow;
}

struct trace_connection *
trace_connection_of(const struct trace_table *table, const struct wire_view *view, unsigned *side)
{
	const struct trace_flow_key key = {
		.src = view->src, .dst = view->dst, .dest_qpn = view->bth.dest_qp};
	const struct trace_flow *flow = trace_flow_find(table, &key);

	if (flow == NULL)
		return NULL;
	*side = flow->side;
	return flow->connection;
}

void
trace_connection_damage(
	const struct trace_table *table, const struct wire_view *view, uint64_t frame)
{
	const struct trace_flow_key key = {
		.src = view->src, .dst = view->dst, .dest_qpn = view->bth.dest_qp};
	struct trace_flow *flow = trace_flow_find(table, &key);
	uint32_t count = 1;

	if (flow != NULL && view->traits->kind == WIRE_KIND_READ_REQUEST)
		count = RTE_MAX(
			count, trace_read_count(view->reth.length_bytes, &flow->connection->mtu));
	if (flow != NULL && view->traits->request)
		trace_damages_add(&flow->sender.damages, view->bth.psn, count, false, frame);
	else if (flow != NULL && flow->peer != NULL && view->traits->response)
		trace_damages_add(&flow->peer->sender.damages, view->bth.psn, 1, true, frame);
}

static bool
connection_append(struct trace_table *table, struct trace_connection *connection)
{
	if (table->connection_count == table->capacity) {
		size_t capacity = table->capacity == 0 ? 16 : 2 * table->capacity;
		struct trace_connection **grown =
			realloc(table->connections, capacity * sizeof(struct trace_connection *));

		if (grown == NULL)
			return false;
		table->connections = grown;
		table->capacity = capacity;
	}
	table->connections[table->connection_count++] = connection;
	return true;
}

struct trace_connection *
trace_connection_open(struct trace_table *table, const struct wire_gid *active,
	const struct wire_gid *passive, uint64_t frame)
{
	struct trace_connection *connection;

	if (table->connection_count + table->packed_count >= TRACE_CONNECTIONS_MAX)
		return NULL;
	connection = calloc(1, sizeof(*connection));
	if (connection == NULL || !connection_append(table, connection)) {
		free(connection);
		return NULL;
	}
	connection->serial = ++table->opened_count;
	connection->address[0] = *active;
	connection->address[1] = *passive;
	for (unsigned i = 0; i < 2; i++)
		wire_gid_format(&connection->address[i], connection->report.side[i].address,
			sizeof(connection->report.side[i].address));
	connection->report.first_frame = frame;
	connection->report.last_frame = frame;
	return connection;
}

/* Add a flow without a partner to the index of ways (way.h), which partner_find() searches. */
static void
flow_loosen(struct trace_table *table, struct trace_flow *flow, uint16_t udp_src_port)
{
	const uint16_t ports[2] = {udp_src_port, 0};

	for (unsigned i = 0; i < 2; i++) {
		flow->way[i] =
			trace_way_get(&table->ways, &flow->key.src, &flow->key.dst, ports[i]);
		if (flow->way[i] == NULL)
			continue;
		base_list_append(&flow->way[i]->loose, &flow->loose[i]);
		flow->way[i]->loose_count++;
	}
}

/* Remove a flow from the index of ways, because it has a partner or its queue pair is reused. */
static void
flow_fasten(struct trace_flow *flow)
{
	for (unsigned i = 0; i < 2; i++) {
		if (flow->way[i] == NULL)
			continue;
		base_list_remove(&flow->loose[i]);
		flow->way[i]->loose_count--;
		flow->way[i] = NULL;
	}
}

static void
flow_unhash(struct trace_table *table, struct trace_flow *flow)
{
	struct trace_flow **link = &table->buckets[bucket_of(&flow->key)];

	while (*link != flow)
		link = &(*link)->next;
	*link = flow->next;
	flow->current = false;
	flow_fasten(flow);
	base_list_remove(&flow->told);
}

/* Create a flow with a key that no current flow has. */
static struct trace_flow *
flow_open(struct trace_table *table, const struct trace_flow_key *key,
	struct trace_connection *connection, unsigned side)
{
	uint32_t bucket = bucket_of(key);
	struct trace_flow *flow;

	if (table->flow_count >= TRACE_FLOWS_MAX)
		return NULL;
	flow = calloc(1, sizeof(*flow));
	if (flow == NULL)
		return NULL;
	table->flow_count++;
	flow->opened = table->newest;
	table->newest = flow;
	flow->key = *key;
	flow->next = table->buckets[bucket];
	table->buckets[bucket] = flow;
	flow->current = true;
	flow->connection = connection;
	flow->side = side;
	base_list_init(&flow->told);
	connection->flow[side] = flow;
	connection->report.side[!side].qpn = key->dest_qpn;
	trace_sender_init(&flow->sender);
	flow->sender.party = (struct trace_party){.connection = connection, .side = side};
	return flow;
}

bool
trace_connection_pair(
	struct trace_table *table, struct trace_connection *connection, const uint32_t qpn[2])
{
	for (unsigned side = 0; side < 2; side++) {
		struct trace_flow_key key = {
			.src = connection->address[side],
			.dst = connection->address[!side],
			.dest_qpn = qpn[!side],
		};
		struct trace_flow *stale = trace_flow_find(table, &key);

		struct trace_way *way;

		if (stale != NULL)
			flow_unhash(table, stale);
		if (flow_open(table, &key, connection, side) == NULL)
			return false;
		way = trace_way_get(&table->ways, &key.src, &key.dst, 0);
		if (way != NULL)
			base_list_append(&way->told, &connection->flow[side]->told);
	}
	connection->flow[0]->peer = connection->flow[1];
	connection->flow[1]->peer = connection->flow[0];
	return true;
}

/*
 * Mark a connection as absorbed (merged into another connection), so that it is no longer reported.
 * `whole` is the other connection; NULL: the connection is useless.
 */
static void
connection_absorb(struct trace_table *table, struct trace_connection *connection,
	struct trace_connection *whole, unsigned side)
{
	connection->absorbed = true;
	connection->whole = whole;
	connection->whole_side = side;
	table->absorbed_count++;
}

size_t
trace_connection_count(const struct trace_table *table)
{
	return table->connection_count - table->absorbed_count;
}

struct trace_connection *
trace_connection_at(const struct trace_table *table, size_t index)
{
	size_t at = 0;

	if (table->absorbed_count == 0)
		return table->connections[index];
	for (;; at++) {
		if (table->connections[at]->absorbed)
			continue;
		if (index-- == 0)
			return table->connections[at];
	}
}

const struct trace_connection *
trace_connection_serial(const struct trace_table *table, uint64_t serial)
{
	if (serial - 1 < table->by_serial_count)
		return table->by_serial[serial - 1];
	for (size_t i = 0; i < table->connection_count; i++)
		if (table->connections[i]->serial == serial)
			return table->connections[i];
	for (const struct trace_connection *half = table->absorbed; half != NULL;
		half = half->older)
		if (half->serial == serial)
			return half;
	return NULL;
}

/*
 * Index the connections by serial number, because nd_trace_index() may be called for each frame and
 * must not search all connections.
 */
static void
serials_index(struct trace_table *table)
{
	if (table->by_serial != NULL)
		return;
	table->by_serial = calloc(table->opened_count + 1, sizeof(struct trace_connection *));
	if (table->by_serial == NULL)
		return;
	table->by_serial_count = table->opened_count;
	for (size_t i = 0; i < table->connection_count; i++)
		table->by_serial[table->connections[i]->serial - 1] = table->connections[i];
}

void
trace_table_finish(struct trace_table *table, struct trace_violations *violations)
{
	size_t kept = 0;

	for (struct trace_flow *flow = table->newest; flow != NULL; flow = flow->opened) {
		trace_answer_resolve(&flow->answers, &flow->sender, NULL, violations);
		trace_sender_finish(&flow->sender, violations);
	}

	serials_index(table);
	for (size_t i = 0; i < table->connection_count; i++) {
		struct trace_connection *connection = table->connections[i];

		if (!connection->absorbed) {
			connection->index = kept;
			table->connections[kept++] = connection;
			continue;
		}
		connection->older = table->absorbed;
		table->absorbed = connection;
	}
	table->packed_count += table->absorbed_count;
	table->absorbed_count = 0;
	table->connection_count = kept;
}

/* Pair two flows, and merge the newer flow's connection into the older flow's connection. */
static void
flows_pair(struct trace_table *table, struct trace_flow *older, struct trace_flow *newer)
{
	struct trace_connection *whole = older->connection;
	struct trace_connection *half = newer->connection;
	unsigned side = !older->side;
	char address[sizeof(whole->report.side[0].address)];
	uint32_t qpn = whole->report.side[side].qpn;

	memcpy(address, whole->report.side[side].address, sizeof(address));
	whole->report.side[side] = half->report.side[newer->side];
	memcpy(whole->report.side[side].address, address, sizeof(address));
	whole->report.side[side].qpn = qpn;
	whole->report.side[!side].qpn = newer->key.dest_qpn;
	/* READ bytes are counted only for paired flows, so the halves have no READ bytes. */
	if (half->report.last_frame > whole->report.last_frame)
		whole->report.last_frame = half->report.last_frame;
	if (whole->mtu.bytes == 0)
		whole->mtu.bytes = half->mtu.bytes;
	if (whole->mtu.at_least_bytes < half->mtu.at_least_bytes)
		whole->mtu.at_least_bytes = half->mtu.at_least_bytes;
	trace_line_stats_merge(&whole->stats, &half->stats);
	whole->flow[side] = newer;
	/* Half of a connection has only one flow, so this flow shows which sides correspond. */
	connection_absorb(table, half, whole, newer->side == 0 ? side : !side);
	newer->connection = whole;
	newer->side = side;
	newer->sender.party = (struct trace_party){.connection = whole, .side = side};
	newer->peer = older;
	older->peer = newer;
	flow_fasten(newer);
	flow_fasten(older);
}

/*
 * Count the flows of a way that have no partner and contain a request with this PSN. *found is set
 * to one of the counted flows.
 */
static unsigned
way_search(const struct trace_way *way, unsigned link, uint32_t psn, struct trace_flow **found)
{
	struct base_list *node;
	unsigned count = 0;

	BASE_LIST_FOREACH (node, &way->loose) {
		struct trace_flow *flow = base_list_entry(node - link, struct trace_flow, loose[0]);

		if (!trace_sender_knows(&flow->sender, psn))
			continue;
		*found = flow;
		count++;
	}
	return count;
}

/* Find the partner of a flow by the PSN of an answer, as described in connection.h. */
static struct trace_flow *
partner_find(struct trace_table *table, const struct trace_flow *flow, const struct wire_view *view)
{
	const uint16_t ports[2] = {view->udp_src_port, 0};

	for (unsigned i = 0; i < 2; i++) {
		const struct trace_way *way =
			trace_way_find(&table->ways, &flow->key.dst, &flow->key.src, ports[i]);
		struct trace_flow *found = NULL;
		unsigned count;

		if (way == NULL)
			continue;
		if (way->loose_count > TRACE_WAY_SEARCH)
			return NULL;
		count = way_search(way, i, view->bth.psn, &found);
		if (count != 0)
			return count == 1 ? found : NULL;
	}
	return NULL;
}

/* @return true if a request is exactly the request that a flow must send next. */
static bool
continues_flow(const struct trace_flow *flow, const struct wire_view *view)
{
	const struct trace_sender *sender = &flow->sender;

	if (!sender->told || view->bth.psn != (sender->next_seq & PSN_MASK))
		return false;
	return !sender->any || flow->udp_src_port == view->udp_src_port;
}

/*
 * @return true if an answer matches an outstanding request of the flow's partner, by PSN and MSN.
 */
static bool
answers_partner(const struct trace_flow *flow, const struct wire_view *view)
{
	const struct trace_flow *partner = flow->peer;
	const struct trace_sender *sender;
	uint64_t seq;
	int32_t ahead;

	if (partner == NULL || !view->traits->has_aeth ||
		(flow->first_frame != 0 && flow->udp_src_port != view->udp_src_port))
		return false;
	sender = &partner->sender;
	if (!sender->told || !sender->any || !sender->counted)
		return false;
	seq = trace_sender_seq(sender, view->bth.psn);
	ahead = psn_diff(view->aeth.msn, (uint32_t)(sender->assembly.messages & PSN_MASK));
	return seq < sender->next_seq && trace_sender_knows(sender, view->bth.psn) &&
		(!partner->answers.any || seq >= partner->answers.executed_seq) && ahead <= 0 &&
		ahead > -TRACE_RECORDS;
}

/*
 * RC-020: judge a packet to an unknown queue pair. If the packet is exactly the next packet of a
 * connection between the same addresses and UDP ports, its destination QPN is wrong.
 */
static void
destination_check(const struct trace_table *table, const struct trace_packet *packet)
{
	const struct wire_view *view = &packet->view;
	const struct trace_way *way = trace_way_find(&table->ways, &view->src, &view->dst, 0);
	unsigned searched = 0;

	if (way == NULL)
		return;
	/* Newest first. */
	for (struct base_list *node = way->told.prev;
		node != &way->told && searched < TRACE_WAY_SEARCH; node = node->prev, searched++) {
		const struct trace_flow *flow = base_list_entry(node, struct trace_flow, told);

		if (view->traits->request ? !continues_flow(flow, view)
					  : !answers_partner(flow, view))
			continue;
		trace_violations_blame(packet->violations, flow->sender.party);
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_020,
			"%s with PSN %u belongs to the connection to queue pair 0x%x, "
			"but goes to queue pair 0x%x",
			view->traits->name, view->bth.psn, flow->key.dest_qpn, view->bth.dest_qp);
		return;
	}
}

static struct trace_flow *
flow_of(struct trace_table *table, const struct trace_packet *packet)
{
	const struct wire_view *view = &packet->view;
	struct trace_flow_key key = {
		.src = view->src, .dst = view->dst, .dest_qpn = view->bth.dest_qp};
	struct trace_flow *flow = trace_flow_find(table, &key);
	struct trace_connection *connection;

	if (flow == NULL && view->traits->kind != WIRE_KIND_CNP &&
		table->flow_count < TRACE_FLOWS_MAX) {
		destination_check(table, packet);
		connection = trace_connection_open(table, &key.src, &key.dst, packet->frame);
		if (connection == NULL)
			return NULL;
		flow = flow_open(table, &key, connection, 0);
		if (flow == NULL)
			connection_absorb(table, connection, NULL, 0);
		else
			flow_loosen(table, flow, view->udp_src_port);
	}
	if (flow != NULL && flow->first_frame == 0) {
		flow->first_frame = packet->frame;
		flow->udp_src_port = view->udp_src_port;
	}
	return flow;
}

/* @return true if the answer was judged together with its request */
static bool
answer_take(struct trace_table *table, struct trace_flow *flow, const struct trace_packet *packet)
{
	struct trace_connection *connection;
	struct trace_exchange_sides sides;

	if (flow->peer == NULL && flow->partner_tries < TRACE_PARTNER_TRIES) {
		struct trace_flow *partner = partner_find(table, flow, &packet->view);

		if (partner != NULL && partner->first_frame < flow->first_frame)
			flows_pair(table, partner, flow);
		else if (partner != NULL)
			flows_pair(table, flow, partner);
		else
			flow->partner_tries++;
	}
	connection = flow->connection;
	trace_answer_count(&connection->report.side[flow->side], &packet->view);
	if (flow->peer == NULL)
		return false;
	sides = (struct trace_exchange_sides){
		.sender = &flow->peer->sender,
		.answers = &flow->peer->answers,
		.mtu = &connection->mtu,
		.requester = &connection->report.side[!flow->side],
		.stats = &flow->peer->stats,
		.in_order = flow->stats.in_order,
		.late = flow->stats.late,
	};
	trace_answer_judge(&sides, packet);
	return sides.sender->started && !sides.sender->broken;
}

/*
 * RC packets after the end of a connection. After the DREP, neither side may send data. After its
 * own DREQ, a side may not send requests. It may still answer, because Linux sends a DREQ for a
 * stale connection with a queue pair that still exists. A packet after the end is a doubt, because
 * the capture may lack the messages of a later connection.
 */
static void
closed_check(struct trace_connection *connection, unsigned side, const struct trace_packet *packet)
{
	const uint64_t closed_ns = connection->closed_ns;
	const uint64_t left_ns = connection->left_ns[side];
	const bool closed =
		closed_ns != 0 && trace_elapsed_ns(closed_ns, packet) > TRACE_REORDER_NS;

	if (connection->closed_told ||
		(!closed &&
			(left_ns == 0 || !packet->view.traits->request ||
				trace_elapsed_ns(left_ns, packet) <= TRACE_REORDER_NS)))
		return;
	connection->closed_told = true;
	trace_violations_doubt(packet->violations, packet->frame, TRACE_CM_STATE, "%s after %s",
		packet->view.traits->name, closed ? "the DREP" : "the DREQ of its sender");
}

/* CM-TYPE: the REQ requested a transport other than RC, but RC packets follow. */
static void
transport_check(struct trace_connection *connection, const struct trace_packet *packet)
{
	struct trace_party before;

	if (connection->transport == 0 || packet->view.traits->kind == WIRE_KIND_CNP)
		return;
	before = trace_violations_blame(
		packet->violations, (struct trace_party){.connection = connection, .side = 0});
	trace_violations_add(packet->violations, connection->report.first_frame, TRACE_CM_TYPE,
		"REQ has transport type %u, but RC packets follow", connection->transport);
	connection->transport = 0;
	trace_violations_blame(packet->violations, before);
}

/* @return true if the request was judged together with earlier requests */
static bool
request_take(struct trace_flow *flow, const struct trace_packet *packet)
{
	if (flow->peer != NULL)
		trace_keys_forget(&flow->peer->sender.keys);
	trace_sender_request(&flow->sender, &flow->connection->mtu,
		&flow->connection->report.side[flow->side], &flow->stats, packet);
	trace_answer_resolve(&flow->answers, &flow->sender, packet, packet->violations);
	return flow->sender.trusted && !flow->sender.broken;
}

/* @return true if one of the sides has sent a request and waits for the answer. */
static bool
is_waiting(const struct trace_connection *connection)
{
	for (unsigned side = 0; side < 2; side++) {
		const struct trace_flow *flow = connection->flow[side];
		uint64_t executed_seq;

		if (flow == NULL || flow->peer == NULL || !flow->sender.any || flow->sender.broken)
			continue;
		executed_seq = flow->sender.first_seq;
		if (flow->answers.any && flow->answers.life == flow->sender.first_seq)
			executed_seq = flow->answers.executed_seq;
		if (executed_seq < flow->sender.next_seq ||
			(flow->sender.reads != NULL && trace_reads_awaited(flow->sender.reads)))
			return true;
	}
	return false;
}

/*
 * @return true if a packet is a retransmitted request. Its sender was then waiting for an answer,
 * even if the capture contains the answer.
 */
static bool
repeats(const struct trace_flow *flow, const struct trace_packet *packet)
{
	return packet->view.traits->request &&
		trace_sender_knows(&flow->sender, packet->view.bth.psn);
}

/* Measure and judge a packet of a flow. Count items that could not be judged. */
static void
flow_packet(struct trace_table *table, struct trace_flow *flow, const struct trace_packet *packet)
{
	const struct wire_opcode_traits *traits = packet->view.traits;
	struct nd_trace_coverage *coverage = &table->coverage;
	struct trace_line_stats *stats = &flow->connection->stats;
	bool judged = true;

	if (trace_line_stats_silent(stats, table->stall_ns, packet))
		trace_line_stats_silence(
			stats, is_waiting(flow->connection) || repeats(flow, packet), packet);
	trace_line_stats_packet(stats, packet);
	trace_side_stats_packet(&flow->stats, packet);
	if (traits->kind == WIRE_KIND_CNP) {
		flow->connection->report.side[flow->side].cnps++;
	} else if (traits->response) {
		judged = answer_take(table, flow, packet);
		coverage->alone += !judged;
	} else {
		judged = request_take(flow, packet);
		coverage->early += !judged;
	}
	coverage->judged += judged;
}

void
trace_table_packet(struct trace_table *table, const struct trace_packet *packet)
{
	const struct wire_view *view = &packet->view;
	const struct trace_flow_key key = {
		.src = view->src, .dst = view->dst, .dest_qpn = view->bth.dest_qp};
	struct trace_flow *flow;

	/*
	 * RC-026: a reserved opcode. It is unknown whether the packet is a request or an answer, so
	 * no state changes.
	 */
	if (view->traits->kind == WIRE_KIND_UNKNOWN) {
		flow = trace_flow_find(table, &key);
		if (flow != NULL)
			trace_violations_blame(packet->violations, flow->sender.party);
		trace_violations_add(packet->violations, packet->frame, TRACE_RC_026,
			"opcode 0x%02x is reserved", packet->view.bth.opcode);
		return;
	}
	flow = flow_of(table, packet);
	if (flow == NULL) {
		if (view->traits->kind == WIRE_KIND_CNP)
			table->coverage.alone++;
		else
			table->coverage.unfollowed++;
		return;
	}
	trace_violations_blame(packet->violations, flow->sender.party);
	closed_check(flow->connection, flow->side, packet);
	transport_check(flow->connection, packet);
	flow_packet(table, flow, packet);
	flow->connection->report.side[flow->side].packets++;
	flow->connection->report.last_frame = packet->frame;
	flow->connection->report.path_mtu_bytes = flow->connection->mtu.bytes != 0
		? flow->connection->mtu.bytes
		: flow->connection->mtu.at_least_bytes;
}
