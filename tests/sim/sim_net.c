/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "sim_net.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_mbuf.h>

/** Number of hops if no path exists. */
#define FAR          0xFF
/** Minimum interval in ns at which a switch checks whether it can resume its inputs. */
#define LOOK_NS      1000
/**
 * Random streams of the links: STREAM_FIRST + index for index < 2, otherwise STREAM_OTHER + index.
 */
#define STREAM_FIRST 10
#define STREAM_OTHER 4096

void
sim_net_init(struct sim_net *net, const uint64_t *now_ns, uint64_t seed, struct sim_trace *trace)
{
	*net = (struct sim_net){.now_ns = now_ns,
		.at_ns = *now_ns,
		.next_ns = UINT64_MAX,
		.seed = seed,
		.trace = trace};
	net->random = sim_random_stream(seed, STREAM_OTHER + SIM_NET_LINKS_MAX);
}

void
sim_net_fini(struct sim_net *net)
{
	for (uint32_t i = 0; i < net->edge_count; i++) {
		sim_link_fini(&net->edges[i]->link);
		free(net->edges[i]);
	}
	net->edge_count = 0;
	net->vertex_count = 0;
}

static uint64_t
mac_read(const uint8_t *bytes)
{
	uint64_t mac = 0;

	for (uint32_t i = 0; i < 6; i++)
		mac = mac << 8 | bytes[i];
	return mac;
}

static struct sim_net_vertex *
vertex_add(struct sim_net *net, const char *name)
{
	struct sim_net_vertex *vertex = &net->vertices[net->vertex_count];

	assert(net->vertex_count < SIM_NET_VERTICES_MAX);
	net->vertex_count++;
	*vertex = (struct sim_net_vertex){.first_out = SIM_NET_NONE, .in = SIM_NET_NONE};
	net->look_ns[net->vertex_count - 1] = UINT64_MAX;
	snprintf(vertex->name, sizeof(vertex->name), "%s", name);
	return vertex;
}

uint32_t
sim_net_add_port(struct sim_net *net, const char *name, const uint8_t *mac, uint32_t queue_count)
{
	struct sim_net_vertex *vertex = vertex_add(net, name);

	vertex->mac = mac_read(mac);
	vertex->queue_count = queue_count;
	return net->vertex_count - 1;
}

uint32_t
sim_net_add_switch(struct sim_net *net, const char *name, enum sim_net_choice choice)
{
	struct sim_net_vertex *vertex = vertex_add(net, name);

	vertex->is_switch = true;
	vertex->choice = choice;
	vertex->queue_count = 1;
	return net->vertex_count - 1;
}

uint32_t
sim_net_add_link(
	struct sim_net *net, uint32_t from, uint32_t to, const struct sim_link_config *config)
{
	struct sim_net_edge *edge = calloc(1, sizeof(*edge));
	struct sim_net_vertex *begin = &net->vertices[from], *end = &net->vertices[to];
	uint32_t index = net->edge_count;

	assert(index < SIM_NET_LINKS_MAX && from < net->vertex_count && to < net->vertex_count);
	assert(begin->is_switch || begin->first_out == SIM_NET_NONE);
	assert(end->is_switch || end->in == SIM_NET_NONE);
	if (edge == NULL)
		abort();
	net->edges[net->edge_count++] = edge;
	net->due_ns[index] = UINT64_MAX;
	edge->from = from;
	edge->to = to;
	edge->next_out = begin->first_out;
	begin->first_out = index;
	end->in = index;
	edge->link.config = *config;
	snprintf(edge->link.way, sizeof(edge->link.way), "%s>%s", begin->name, end->name);
	edge->link.now_ns = &net->at_ns;
	edge->link.trace = net->trace;
	edge->link.random = sim_random_stream(
		net->seed, index < 2 ? STREAM_FIRST + index : STREAM_OTHER + index);
	edge->link.queue_count = end->queue_count;
	edge->link.queue_salt = (uint32_t)net->seed;
	sim_link_init(&edge->link);
	return index;
}

uint32_t
sim_net_add_cable(struct sim_net *net, uint32_t a, uint32_t b, const struct sim_link_config *config)
{
	uint32_t index = sim_net_add_link(net, a, b, config);

	sim_net_add_link(net, b, a, config);
	return index;
}

void
sim_net_set_pool(struct sim_net *net, uint32_t port, uint32_t queue, struct rte_mempool *pool)
{
	sim_net_port_in(net, port)->pools[queue] = pool;
}

/** Use one link to shorten paths from its begin. @return true if a path became shorter */
static bool
ways_shorten(struct sim_net *net, const struct sim_net_edge *edge)
{
	bool shorter = false;

	for (uint32_t to = 0; to < net->vertex_count; to++) {
		uint8_t behind = net->hops[edge->to][to];

		/*
		 * Skip the link unless it leads to the destination. A port does not forward frames.
		 */
		if (behind == FAR || (!net->vertices[edge->to].is_switch && edge->to != to))
			continue;
		if (net->hops[edge->from][to] > behind + 1) {
			net->hops[edge->from][to] = (uint8_t)(behind + 1);
			shorter = true;
		}
	}
	return shorter;
}

void
sim_net_start(struct sim_net *net)
{
	bool shorter = true;

	memset(net->hops, FAR, sizeof(net->hops));
	for (uint32_t i = 0; i < net->vertex_count; i++)
		net->hops[i][i] = 0;
	while (shorter) {
		shorter = false;
		for (uint32_t i = 0; i < net->edge_count; i++)
			shorter |= ways_shorten(net, net->edges[i]);
	}
}

/**
 * @return outgoing link of a switch on a shortest path for the frame; SIM_NET_NONE if no path
 * exists
 */
static uint32_t
way_pick(struct sim_net *net, uint32_t at, const struct sim_frame *frame)
{
	uint32_t ways[SIM_NET_LINKS_MAX], count = 0, pick = 0;

	for (uint32_t i = net->vertices[at].first_out; i != SIM_NET_NONE;
		i = net->edges[i]->next_out) {
		if (net->hops[net->edges[i]->to][frame->to] + 1 == net->hops[at][frame->to])
			ways[count++] = i;
	}
	if (count == 0)
		return SIM_NET_NONE;
	if (count > 1)
		pick = net->vertices[at].choice == SIM_NET_BY_FRAME
			? sim_random_below(&net->random, count)
			: sim_frame_hash(frame, (uint32_t)net->seed + at) % count;
	return ways[pick];
}

/** Frames were added to or removed from a link. Update the link's next arrival. */
static void
edge_changed(struct sim_net *net, uint32_t index)
{
	const struct sim_net_edge *edge = net->edges[index];

	if (net->vertices[edge->to].is_switch)
		net->due_ns[index] = sim_frames_next_ns(&edge->link.queues[0]);
}

/**
 * Pause the link if a switch has stopped the link or if its port is muted. Otherwise resume the
 * link.
 */
static void
edge_pause(struct sim_net *net, uint32_t index, bool stopped, bool muted)
{
	struct sim_net_edge *edge = net->edges[index];

	edge->stopped = stopped;
	edge->muted = muted;
	if (edge->link.paused == (stopped || muted))
		return;
	if (edge->link.paused)
		sim_link_resume(&edge->link);
	else
		sim_link_pause(&edge->link);
	edge_changed(net, index);
}

/** @return true if some shortest path uses link `in` and then link `out` */
static bool
feeds(const struct sim_net *net, const struct sim_net_edge *in, const struct sim_net_edge *out)
{
	for (uint32_t to = 0; to < net->vertex_count; to++) {
		if (!net->vertices[to].is_switch && net->hops[out->to][to] != FAR &&
			net->hops[in->from][to] == net->hops[out->to][to] + 2)
			return true;
	}
	return false;
}

/**
 * Pause those links into a switch that feed one of the switch's long queues. Resume the other
 * links. If a switch paused all inputs, two switches with long queues to each other would deadlock.
 */
static void
inputs_pause(struct sim_net *net, uint32_t at)
{
	for (uint32_t i = 0; i < net->edge_count; i++) {
		const struct sim_net_edge *in = net->edges[i];
		bool stopped = false;

		if (in->to != at)
			continue;
		for (uint32_t k = net->vertices[at].first_out; k != SIM_NET_NONE;
			k = net->edges[k]->next_out)
			stopped |= net->edges[k]->pausing && feeds(net, in, net->edges[k]);
		edge_pause(net, i, stopped, in->muted);
	}
}

/** Check whether a switch's long queues are short again. If so, resume the inputs of the switch. */
static void
pause_look(struct sim_net *net, uint32_t at)
{
	uint64_t wait_ns = 0;

	for (uint32_t i = net->vertices[at].first_out; i != SIM_NET_NONE;
		i = net->edges[i]->next_out) {
		const struct sim_link *link = &net->edges[i]->link;
		uint64_t waiting = sim_link_queue_bytes(link);

		if (!net->edges[i]->pausing)
			continue;
		net->edges[i]->pausing = waiting > link->config.resume_bytes;
		if (net->edges[i]->pausing)
			wait_ns = RTE_MAX(wait_ns,
				LOOK_NS +
					(waiting - link->config.resume_bytes) * 8000 /
						link->config.rate_mbps);
	}
	inputs_pause(net, at);
	net->look_ns[at] = wait_ns == 0 ? UINT64_MAX : net->at_ns + wait_ns;
}

/** Add the fate of a frame in a switch to the trace, unless the frame was sent normally. */
static void
fate_tell(struct sim_net *net, const struct sim_link *link, const char *fate, uint32_t bytes)
{
	if (net->trace != NULL && strcmp(fate, "sent") != 0)
		sim_trace_event(net->trace, link->way, fate, bytes, 0);
}

static void
forward(struct sim_net *net, uint32_t at, struct sim_frame *frame)
{
	uint32_t index = way_pick(net, at, frame), bytes = frame->bytes;
	struct sim_net_edge *edge;
	struct sim_link *link;

	if (index == SIM_NET_NONE) {
		net->no_way++;
		sim_frame_free(frame);
		return;
	}
	edge = net->edges[index];
	link = &edge->link;
	fate_tell(net, link, sim_link_carry(link, frame), bytes);
	edge_changed(net, index);
	if (link->config.pause_bytes != 0 && !edge->pausing &&
		sim_link_queue_bytes(link) > link->config.pause_bytes) {
		edge->pausing = true;
		inputs_pause(net, at);
		net->look_ns[at] = net->at_ns + LOOK_NS;
	}
}

/** The next event in a switch: the arrival of a frame, or the check of a pause. */
struct event {
	uint64_t at_ns;
	uint32_t edge;   /**< link on which a frame arrives; SIM_NET_NONE if no frame arrives */
	uint32_t vertex; /**< if no frame arrives: switch whose pause is checked */
};

static struct event
event_next(const struct sim_net *net)
{
	struct event event = {UINT64_MAX, SIM_NET_NONE, SIM_NET_NONE};

	for (uint32_t i = 0; i < net->edge_count; i++) {
		if (net->due_ns[i] < event.at_ns)
			event = (struct event){net->due_ns[i], i, SIM_NET_NONE};
	}
	for (uint32_t i = 0; i < net->vertex_count; i++) {
		if (net->look_ns[i] < event.at_ns)
			event = (struct event){net->look_ns[i], SIM_NET_NONE, i};
	}
	return event;
}

static void
event_handle(struct sim_net *net, const struct event *event)
{
	struct sim_frame *frame;

	if (event->edge == SIM_NET_NONE) {
		pause_look(net, event->vertex);
		return;
	}
	frame = sim_link_take(&net->edges[event->edge]->link);
	edge_changed(net, event->edge);
	forward(net, net->edges[event->edge]->to, frame);
}

void
sim_net_run(struct sim_net *net)
{
	while (net->next_ns <= *net->now_ns) {
		struct event event = event_next(net);

		net->next_ns = event.at_ns;
		if (event.at_ns > *net->now_ns)
			break;
		/*
		 * Time must not decrease, but the event of a paused frame may have been due
		 * earlier.
		 */
		net->at_ns = RTE_MAX(net->at_ns, event.at_ns);
		event_handle(net, &event);
	}
	net->at_ns = *net->now_ns;
}

uint64_t
sim_net_next_ns(struct sim_net *net)
{
	return net->next_ns;
}

uint64_t
sim_net_port_next_ns(const struct sim_net *net, uint32_t port)
{
	return sim_link_next_ns(&net->edges[net->vertices[port].in]->link);
}

/** @return port to which a frame is addressed; SIM_NET_NONE = all ports */
static uint32_t
addressee(const struct sim_net *net, const struct sim_frame *frame)
{
	uint64_t mac = mac_read(frame->data);

	for (uint32_t i = 0; i < net->vertex_count; i++) {
		if (!net->vertices[i].is_switch && net->vertices[i].mac == mac)
			return i;
	}
	return SIM_NET_NONE;
}

/** Send one frame from a port into the network. @return its fate */
static const char *
send_one(struct sim_net *net, uint32_t port, struct sim_link *link, const struct rte_mbuf *mbuf)
{
	const struct sim_net_edge *edge = net->edges[net->vertices[port].first_out];
	struct sim_frame *frame = sim_frame_copy(mbuf);
	const char *fate = "sent";

	frame->to = edge->to;
	if (!net->vertices[edge->to].is_switch)
		return sim_link_carry(link, frame);
	frame->to = addressee(net, frame);
	if (frame->to != SIM_NET_NONE)
		return sim_link_carry(link, frame);
	for (uint32_t i = 0; i < net->vertex_count; i++) {
		struct sim_frame *copy;

		if (net->vertices[i].is_switch || i == port)
			continue;
		copy = sim_frame_clone(frame);
		copy->to = i;
		fate = sim_link_carry(link, copy);
	}
	sim_frame_free(frame);
	return fate;
}

uint16_t
sim_net_transmit(struct sim_net *net, uint32_t port, struct rte_mbuf **mbufs, uint16_t count)
{
	struct sim_link *link = sim_net_port_out(net, port);
	uint16_t taken;

	sim_net_run(net);
	for (taken = 0; taken < count; taken++) {
		const char *fate;

		if (sim_link_refuses(link))
			break;
		fate = send_one(net, port, link, mbufs[taken]);
		if (net->trace != NULL)
			sim_trace_frame(net->trace, link->way, fate, mbufs[taken]);
		rte_pktmbuf_free(mbufs[taken]);
	}
	edge_changed(net, net->vertices[port].first_out);
	net->next_ns = event_next(net).at_ns;
	return taken;
}

uint16_t
sim_net_receive(
	struct sim_net *net, uint32_t port, uint32_t queue, struct rte_mbuf **mbufs, uint16_t max)
{
	sim_net_run(net);
	return sim_link_receive(sim_net_port_in(net, port), queue, mbufs, max);
}

void
sim_net_cut(struct sim_net *net, uint32_t vertex, bool cut)
{
	for (uint32_t i = 0; i < net->edge_count; i++) {
		if (net->edges[i]->from == vertex || net->edges[i]->to == vertex)
			net->edges[i]->link.cut = cut;
	}
}

void
sim_net_pause(struct sim_net *net, uint32_t port, bool pause)
{
	uint32_t index = net->vertices[port].first_out;

	sim_net_run(net);
	edge_pause(net, index, net->edges[index]->stopped, pause);
	net->next_ns = event_next(net).at_ns;
}

void
sim_net_forget(struct sim_net *net, uint32_t port)
{
	struct sim_link *link = sim_net_port_in(net, port);

	sim_net_run(net);
	for (uint32_t i = 0; i < link->queue_count; i++) {
		while (sim_frames_next_ns(&link->queues[i]) <= *net->now_ns)
			sim_frame_free(sim_frames_pop(&link->queues[i]));
	}
}

struct sim_link *
sim_net_link(struct sim_net *net, uint32_t link)
{
	return &net->edges[link]->link;
}

struct sim_link *
sim_net_port_in(struct sim_net *net, uint32_t port)
{
	return &net->edges[net->vertices[port].in]->link;
}

struct sim_link *
sim_net_port_out(struct sim_net *net, uint32_t port)
{
	return &net->edges[net->vertices[port].first_out]->link;
}
