/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_TEST_CM_LINK_H
#define NDPDK_UNIT_TEST_CM_LINK_H

#include <string.h>

#include <criterion/criterion.h>

#include <rte_common.h>

#include "base/encoded_time.h"
#include "base/random.h"
#include "cm/cm.h"
#include "support/eal.h"

/*
 * Two connection managers in virtual time, and a link that drops, duplicates and delays messages. A
 * seed determines the faults. All sent messages and all events are recorded.
 */

#define MS              UINT64_C(1000000)
#define LINK_FLIGHT_MAX 4096
#define LINK_SENT_MAX   512
#define LINK_EVENTS_MAX 256
#define TEST_SERVICE    (WIRE_SERVICE_PREFIX | 6u << 16 | 7174u)

struct seen_event {
	enum cm_event_kind kind;
	struct cm_id *id;
	uint16_t reject_reason;
	uint16_t private_bytes;
	uint8_t private_data[WIRE_CM_PRIVATE_BYTES];
};

struct end {
	struct link *link;
	unsigned int side;
	struct cm *cm;
	struct base_random random;
	struct wire_gid gid;
	struct wire_gid gid2; /* second address of the same adapter */
	struct cm_config config;
	/* ring; the newest message has index sent_count - 1 */
	struct wire_cm_msg sent[LINK_SENT_MAX];
	uint64_t sent_ns[LINK_SENT_MAX];
	uint32_t sent_count;
	bool full; /* true: the output refuses all messages */
	uint32_t refused_count;
	bool mute; /* true: all messages that this end sends are lost */
	struct seen_event events[LINK_EVENTS_MAX];
	void *listener_contexts[LINK_EVENTS_MAX];
	uint32_t event_count;
	/* Function of the application, called after the event was recorded. */
	void (*on_event)(struct end *end, struct cm_id *id, const struct cm_event *event);
};

struct flight {
	uint64_t arrives_ns;
	uint64_t order;
	unsigned int to;
	struct cm_route route;
	struct wire_cm_msg msg;
};

struct link {
	uint64_t seed;
	uint64_t now_ns;
	struct base_random random;
	uint32_t loss_percent;
	uint32_t double_percent;
	uint64_t delay_ns;
	uint64_t jitter_ns;
	bool cut;
	uint64_t order;
	uint32_t flight_count;
	struct flight flights[LINK_FLIGHT_MAX];
	struct end end[2];
};

static struct link the_link;

static inline void
link_put(struct link *link, unsigned int to, const struct cm_route *route,
	const struct wire_cm_msg *msg)
{
	struct flight *flight = &link->flights[link->flight_count++];

	cr_assert_lt(link->flight_count, LINK_FLIGHT_MAX, "seed %lu", link->seed);
	flight->to = to;
	flight->order = link->order++;
	flight->arrives_ns = link->now_ns + link->delay_ns;
	if (link->jitter_ns > 0)
		flight->arrives_ns += base_random_u64(&link->random) % link->jitter_ns;
	flight->msg = *msg;
	flight->route = *route;
	flight->route.local_gid = route->remote_gid;
	flight->route.remote_gid = route->local_gid;
}

static inline bool
end_send(void *arg, const struct cm_route *route, const struct wire_cm_msg *msg)
{
	struct end *end = arg;
	struct link *link = end->link;

	if (end->full) {
		end->refused_count++;
		return false;
	}
	end->sent[end->sent_count % LINK_SENT_MAX] = *msg;
	end->sent_ns[end->sent_count % LINK_SENT_MAX] = link->now_ns;
	end->sent_count++;
	if (link->cut || end->mute || base_random_below(&link->random, 100) < link->loss_percent)
		return true;
	link_put(link, 1 - end->side, route, msg);
	if (base_random_below(&link->random, 100) < link->double_percent)
		link_put(link, 1 - end->side, route, msg);
	return true;
}

static inline void
end_event(void *arg, struct cm_id *id, const struct cm_event *event)
{
	struct end *end = arg;
	struct seen_event *seen = &end->events[end->event_count % LINK_EVENTS_MAX];

	end->listener_contexts[end->event_count++ % LINK_EVENTS_MAX] = event->listener_context;
	memset(seen, 0, sizeof(*seen));
	seen->kind = event->kind;
	seen->id = id;
	seen->reject_reason = event->reject_reason;
	seen->private_bytes = event->private_bytes;
	if (event->private_data != NULL)
		memcpy(seen->private_data, event->private_data, event->private_bytes);
	if (end->on_event != NULL)
		end->on_event(end, id, event);
}

static inline bool
end_is_local(void *arg, const struct wire_gid *gid)
{
	const struct end *end = arg;

	return wire_gid_equal(gid, &end->gid) || wire_gid_equal(gid, &end->gid2);
}

static inline void
random_from(struct base_random *random, uint64_t seed, uint8_t salt)
{
	uint8_t bytes[BASE_RANDOM_SEED_BYTES] = {salt};

	memcpy(bytes + 8, &seed, sizeof(seed));
	base_random_seed(random, bytes);
}

static inline void
end_start(struct link *link, unsigned int side, const struct cm_config *config)
{
	static const struct cm_ops ops = {
		.send = end_send, .event = end_event, .is_local = end_is_local};
	struct end *end = &link->end[side];

	end->link = link;
	end->side = side;
	end->gid = wire_gid_from_v4(0xC0000201 + side);
	end->gid2 = wire_gid_from_v4(0xC0000265 + side);
	random_from(&end->random, link->seed, (uint8_t)(1 + side));
	end->config = *config;
	end->config.random = &end->random;
	end->config.ca_guid = UINT64_C(0x0200000000000001) + side;
	cr_assert_eq(cm_create(&end->config, &ops, end, &end->cm), RC_OK);
}

/* Create a link without loss and delay between two new ends. @param config NULL: defaults */
static inline struct link *
link_start(uint64_t seed, const struct cm_config *config)
{
	static const struct cm_config defaults;
	struct link *link = &the_link;

	test_eal_init();
	memset(link, 0, sizeof(*link));
	link->seed = seed;
	link->now_ns = 1000 * MS;
	random_from(&link->random, seed, 0);
	end_start(link, 0, config != NULL ? config : &defaults);
	end_start(link, 1, config != NULL ? config : &defaults);
	return link;
}

static inline void
link_stop(struct link *link)
{
	cm_destroy(link->end[0].cm);
	cm_destroy(link->end[1].cm);
}

static inline struct flight *
link_next(struct link *link)
{
	struct flight *next = NULL;

	for (uint32_t i = 0; i < link->flight_count; i++) {
		struct flight *flight = &link->flights[i];

		if (next == NULL || flight->arrives_ns < next->arrives_ns ||
			(flight->arrives_ns == next->arrives_ns && flight->order < next->order))
			next = flight;
	}
	return next;
}

/* Execute the earliest action that is due by until_ns. @return false if no action is due */
static inline bool
link_step(struct link *link, uint64_t until_ns)
{
	struct flight *next = link_next(link);
	uint64_t arrives_ns = next != NULL ? next->arrives_ns : BASE_TIME_NEVER;
	uint64_t due_ns[2] = {cm_deadline(link->end[0].cm), cm_deadline(link->end[1].cm)};
	unsigned int side = due_ns[1] < due_ns[0];
	struct flight arrived;

	if (RTE_MIN(arrives_ns, due_ns[side]) > until_ns)
		return false;
	if (due_ns[side] < arrives_ns) {
		link->now_ns = RTE_MAX(link->now_ns, due_ns[side]);
		cm_tick(link->end[side].cm, link->now_ns);
		return true;
	}
	arrived = *next;
	*next = link->flights[--link->flight_count];
	link->now_ns = RTE_MAX(link->now_ns, arrives_ns);
	cm_input(link->end[arrived.to].cm, &arrived.route, &arrived.msg, link->now_ns);
	return true;
}

/* Advance the time. */
static inline void
link_run(struct link *link, uint64_t duration_ns)
{
	uint64_t until_ns = link->now_ns + duration_ns;

	while (link_step(link, until_ns))
		;
	link->now_ns = until_ns;
}

static inline const struct wire_cm_msg *
end_last(const struct end *end)
{
	cr_assert_gt(end->sent_count, 0, "nothing was sent");
	return &end->sent[(end->sent_count - 1) % LINK_SENT_MAX];
}

static inline uint32_t
end_events_of(const struct end *end, enum cm_event_kind kind)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < RTE_MIN(end->event_count, (uint32_t)LINK_EVENTS_MAX); i++)
		count += end->events[i].kind == kind;
	return count;
}

#endif
