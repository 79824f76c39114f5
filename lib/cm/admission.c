/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cm/admission.h"

#include <rte_common.h>

#include "base/assert.h"
#include "base/encoded_time.h"
#include "cm/fsm.h"
#include "cm/manager.h"

/*
 * Half-open connections. No honest request is lost if many arrive at once: if no slot is free, a
 * request is held until an earlier connection is established. A connection of a forged request is
 * never established. It keeps its slot for grace_ns() after its REP. Then the next held request
 * evicts it. So a flood delays only requests in the same queue. Each proven source has its own
 * queue.
 *
 * The state machine does not call back into this module while it handles a message. A change of
 * state only sets due_ns, and cm_tick() does the work later.
 */

/* Maximum number of steps per cm_admission_tick(). If work is left, due_ns becomes 0. */
#define TICK_MAX 64

/* Minimum of queue_max, so that small connection tables work. */
#define PLACES_MIN 64u

/* One queue may use 1/4 of the connection table. Requests of peers leave 1/8 of the table free. */
#define QUEUE_SHARE   4
#define RESERVE_SHARE 8

void
cm_queue_init(struct cm_queue *queue)
{
	base_list_init(&queue->held);
	base_list_init(&queue->replied);
	base_list_init(&queue->link);
	queue->count = 0;
	queue->open_count = 0;
}

void
cm_admission_init(struct cm_admission *admission, const struct cm_config *config)
{
	*admission = (struct cm_admission){
		.open_max = config->half_open_max,
		.queue_open_max = RTE_MAX(config->half_open_max / 2, 1u),
		.queue_max = RTE_MAX(config->id_max / QUEUE_SHARE, PLACES_MIN),
		.id_reserve = config->id_max / RESERVE_SHARE,
		.grace_ns = config->retransmit_ns,
		.due_ns = BASE_TIME_NEVER,
	};
	cm_queue_init(&admission->unproven);
	base_list_init(&admission->busy);
	base_list_init(&admission->replied);
}

static struct cm_queue *
queue_of(struct cm *cm, struct cm_source *source, uint64_t now_ns)
{
	return cm_source_proven(source, now_ns) ? &source->queue : &cm->admission.unproven;
}

bool
cm_admission_has_room(struct cm *cm, struct cm_source *source, uint64_t now_ns)
{
	const struct cm_admission *admission = &cm->admission;

	if (queue_of(cm, source, now_ns)->count >= admission->queue_max) {
		cm->counters.drop_half_open++;
		return false;
	}
	if (cm->ids.used_count + admission->id_reserve >= cm->ids.slot_count) {
		cm->counters.drop_no_id++;
		return false;
	}
	return true;
}

static bool
has_open_place(const struct cm_admission *admission, const struct cm_queue *queue)
{
	return queue->open_count < admission->queue_open_max &&
		admission->open_count < admission->open_max;
}

/* Store open_count or held_count. Only the owner of the engine writes, other threads read. */
static void
count_store(uint32_t *count, uint32_t value)
{
	__atomic_store_n(count, value, __ATOMIC_RELAXED);
}

/*
 * Take a slot and report the request. The application may use the connection before the call
 * returns.
 */
static void
tell(struct cm_id *id, const uint8_t *private_data)
{
	const struct cm_event event = {
		.kind = CM_EVENT_REQUEST,
		.listener_context = id->listener->context,
		.private_data = private_data + WIRE_IP_CM_BYTES,
		.private_bytes = LIMIT_CALLER_DATA,
	};
	struct cm_admission *admission = &id->cm->admission;

	id->told = true;
	id->queue->open_count++;
	count_store(&admission->open_count, admission->open_count + 1);
	cm_fsm_event(id, &event);
}

static void
held_append(struct cm_id *id)
{
	struct cm_admission *admission = &id->cm->admission;

	if (base_list_empty(&id->queue->held))
		base_list_append(&admission->busy, &id->queue->link);
	base_list_append(&id->queue->held, &id->place);
	count_store(&admission->held_count, admission->held_count + 1);
	admission->due_ns = 0;
}

static void
held_remove(struct cm_id *id)
{
	struct cm_admission *admission = &id->cm->admission;

	base_list_remove(&id->place);
	count_store(&admission->held_count, admission->held_count - 1);
	if (base_list_empty(&id->queue->held))
		base_list_remove(&id->queue->link);
}

static void
queue_change(struct cm_id *id, struct cm_queue *queue)
{
	id->queue->count--;
	id->queue->open_count -= id->told;
	id->queue = queue;
	queue->count++;
	queue->open_count += id->told;
}

void
cm_admission_enter(struct cm_id *id, const struct wire_cm_msg *msg, uint64_t now_ns)
{
	struct cm *cm = id->cm;

	id->queue = queue_of(cm, id->source, now_ns);
	id->queue->count++;
	if (base_list_empty(&id->queue->held) && has_open_place(&cm->admission, id->queue)) {
		tell(id, msg->private_data);
		return;
	}
	cm->counters.held++;
	/*
	 * Before tell(), the application has no handle of the connection. Therefore no events are
	 * reported, and the record is freed when the connection ends.
	 */
	id->released = true;
	id->last = *msg;
	held_append(id);
}

void
cm_admission_moved(struct cm_id *id, enum cm_state state, uint64_t now_ns)
{
	struct cm_admission *admission = &id->cm->admission;
	struct cm_queue *queue = id->queue;

	if (queue == NULL)
		return;
	admission->due_ns = 0;
	if (state == CM_REP_SENT) {
		id->replied_ns = now_ns;
		if (cm_source_proven(id->source, now_ns))
			queue_change(id, &id->source->queue);
		base_list_append(&id->queue->replied, &id->place);
		base_list_append(&admission->replied, &id->reply_order);
		return;
	}
	if (id->told) {
		base_list_remove(&id->place);
		base_list_remove(&id->reply_order);
		queue->open_count--;
		count_store(&admission->open_count, admission->open_count - 1);
	} else {
		held_remove(id);
	}
	queue->count--;
	id->queue = NULL;
}

void
cm_admission_promote(struct cm *cm, struct cm_source *source)
{
	struct base_list *node, *after;

	BASE_LIST_FOREACH_SAFE (node, after, &cm->admission.unproven.replied) {
		struct cm_id *id = base_list_entry(node, struct cm_id, place);

		if (id->source != source)
			continue;
		base_list_remove(node);
		queue_change(id, &source->queue);
		base_list_append(&source->queue.replied, node);
	}
	BASE_LIST_FOREACH_SAFE (node, after, &cm->admission.unproven.held) {
		struct cm_id *id = base_list_entry(node, struct cm_id, place);

		if (id->source != source)
			continue;
		held_remove(id);
		queue_change(id, &source->queue);
		held_append(id);
	}
}

/*
 * Time after its REP for which a connection keeps its slot while other requests wait for a slot.
 * This time is longer if the waiting requests are from the same source: a busy peer sends its RTUs
 * late, and waiting longer delays no other source.
 */
static uint64_t
grace_ns(const struct cm_admission *admission, const struct cm_id *id, bool own_queue)
{
	if (!own_queue || id->queue == &admission->unproven)
		return admission->grace_ns;
	return RTE_MAX(admission->grace_ns, cm_source_patience_ns(id->source));
}

/* @return connection that was half open for long enough to be evicted; NULL if no connection was */
static struct cm_id *
evictable(struct cm_admission *admission, const struct cm_queue *queue, uint64_t now_ns)
{
	bool own_queue = queue->open_count >= admission->queue_open_max;
	const struct base_list *replied = own_queue ? &queue->replied : &admission->replied;
	struct base_list *node = base_list_first(replied);
	struct cm_id *id;
	uint64_t until_ns;

	if (node == NULL)
		return NULL;
	id = own_queue ? base_list_entry(node, struct cm_id, place)
		       : base_list_entry(node, struct cm_id, reply_order);
	until_ns = id->replied_ns + grace_ns(admission, id, own_queue);
	if (until_ns <= now_ns)
		return id;
	admission->due_ns = RTE_MIN(admission->due_ns, until_ns);
	return NULL;
}

/* Report the first held request of the queue to the application. @return false: no slot is free */
static bool
serve(struct cm *cm, struct cm_queue *queue, uint64_t now_ns)
{
	struct base_list *node;
	struct cm_id *id;

	if (!has_open_place(&cm->admission, queue)) {
		id = evictable(&cm->admission, queue, now_ns);
		if (id == NULL)
			return false;
		cm->counters.evictions++;
		cm_fsm_give_up(id, now_ns);
	}
	node = base_list_first(&queue->held);
	if (node == NULL || !has_open_place(&cm->admission, queue))
		return true;
	id = base_list_entry(node, struct cm_id, place);
	if (id->listener == NULL) {
		cm_fsm_reject(id, WIRE_REJ_INVALID_SERVICE_ID, now_ns);
		return true;
	}
	held_remove(id);
	id->released = false;
	tell(id, id->last.private_data);
	return true;
}

void
cm_admission_tick(struct cm *cm, uint64_t now_ns)
{
	struct cm_admission *admission = &cm->admission;
	const struct base_list *stuck = NULL;

	if (cm_admission_deadline(cm) > now_ns)
		return;
	admission->due_ns = BASE_TIME_NEVER;
	for (unsigned int i = 0; i < TICK_MAX; i++) {
		struct base_list *link = base_list_first(&admission->busy);

		if (link == NULL || link == stuck)
			return;
		base_list_remove(link);
		base_list_append(&admission->busy, link);
		if (serve(cm, base_list_entry(link, struct cm_queue, link), now_ns))
			stuck = NULL;
		else if (stuck == NULL)
			stuck = link;
	}
	admission->due_ns = 0;
}

uint64_t
cm_admission_deadline(const struct cm *cm)
{
	return base_list_empty(&cm->admission.busy) ? BASE_TIME_NEVER : cm->admission.due_ns;
}
