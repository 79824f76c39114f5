/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/cq.h"

#include <string.h>

#include <rte_malloc.h>

#include "base/assert.h"
#include "base/limits.h"

/*
 * A ring with free-running indices. The owner requests a number of entries, and each completion
 * uses one of them. Only RC_COMPLETION_WINDOW_INVALIDATED uses no entry, because the application
 * has not posted a request for it. The receive completion of the same message, which uses an entry,
 * always follows it. So a ring with two slots per entry always has room for both (ND-056).
 *
 * Notification is edge-triggered (ND-134). Three flags tell which kinds of completions were added
 * since the last notification. The flags stay set when the completions are polled, so that arming
 * after an incomplete poll misses nothing (ND-136, ND-140). An overrun is final: no completion is
 * added any more, and completions in the ring stay readable.
 */

static uint32_t
ring_size(uint32_t entries)
{
	return rte_align32pow2(2 * entries);
}

static struct rc_completion *
ring_alloc(uint32_t entries, int socket_id)
{
	return rte_zmalloc_socket("rc_cq",
		(size_t)ring_size(entries) * sizeof(struct rc_completion), RTE_CACHE_LINE_SIZE,
		socket_id);
}

enum rc_status
rc_cq_init(struct rc_cq *cq, uint32_t entries, int socket_id, rc_cq_notify_fn notify, void *arg)
{
	if (entries == 0 || entries > LIMIT_CQ_ENTRIES)
		return RC_INVALID_ARGUMENT;
	*cq = (struct rc_cq){
		.ring = ring_alloc(entries, socket_id),
		.mask = ring_size(entries) - 1,
		.entries = entries,
		.socket_id = socket_id,
		.notify = notify,
		.notify_arg = arg,
	};
	return cq->ring != NULL ? RC_OK : RC_NO_RESOURCES;
}

void
rc_cq_fini(struct rc_cq *cq)
{
	rte_free(cq->ring);
	rte_free(cq->stamps);
	cq->ring = NULL;
	cq->stamps = NULL;
}

static struct rc_stamp *
stamps_alloc(uint32_t entries, int socket_id)
{
	return rte_zmalloc_socket("rc_cq_stamps",
		(size_t)ring_size(entries) * sizeof(struct rc_stamp), RTE_CACHE_LINE_SIZE,
		socket_id);
}

/* Update cq->look, which says whether rc_cq_alert() must be called for each completion. */
static void
look_set(struct rc_cq *cq)
{
	cq->look = cq->arm != RC_CQ_ARM_NONE || cq->stamps != NULL;
}

enum rc_status
rc_cq_stamp_all(struct rc_cq *cq, const struct rc_arrival *arrival)
{
	if (cq->stamps != NULL)
		return RC_OK;
	cq->stamps = stamps_alloc(cq->entries, cq->socket_id);
	if (cq->stamps == NULL)
		return RC_NO_RESOURCES;
	cq->arrival = arrival;
	look_set(cq);
	return RC_OK;
}

enum rc_status
rc_cq_resize(struct rc_cq *cq, uint32_t entries)
{
	uint32_t mask, count = cq->tail - cq->head;
	struct rc_completion *ring;
	struct rc_stamp *stamps = NULL;

	if (entries == 0 || entries > LIMIT_CQ_ENTRIES)
		return RC_INVALID_ARGUMENT;
	if (entries < rc_cq_occupied(cq))
		return RC_QUEUE_FULL; /* a resize must not lose completions (ND-143) */
	ring = ring_alloc(entries, cq->socket_id);
	if (ring == NULL)
		return RC_NO_RESOURCES;
	if (cq->stamps != NULL) {
		stamps = stamps_alloc(entries, cq->socket_id);
		if (stamps == NULL) {
			rte_free(ring);
			return RC_NO_RESOURCES;
		}
	}
	mask = ring_size(entries) - 1;
	BASE_ASSERT(count <= mask + 1);
	for (uint32_t i = 0; i < count; i++)
		ring[i] = cq->ring[(cq->head + i) & cq->mask];
	for (uint32_t i = 0; stamps != NULL && i < count; i++)
		stamps[i] = cq->stamps[(cq->head + i) & cq->mask];
	rte_free(cq->ring);
	rte_free(cq->stamps);
	cq->ring = ring;
	cq->stamps = stamps;
	cq->mask = mask;
	cq->entries = entries;
	cq->head = 0;
	cq->tail = count;
	return RC_OK;
}

void
rc_cq_disarm(struct rc_cq *cq)
{
	cq->arm = RC_CQ_ARM_NONE;
	look_set(cq);
}

static void
notify(struct rc_cq *cq)
{
	rc_cq_disarm(cq);
	cq->unseen = false;
	cq->unseen_solicited = false;
	cq->unseen_error = false;
	if (cq->notify != NULL)
		cq->notify(cq->notify_arg, cq->overrun);
}

/* @return true if a completion since the last notification is of an armed kind (ND-129..ND-133) */
static bool
notify_due(const struct rc_cq *cq)
{
	switch (cq->arm) {
	case RC_CQ_ARM_NONE:
		return false;
	case RC_CQ_ARM_ERRORS:
		return cq->unseen_error;
	case RC_CQ_ARM_SOLICITED:
		return cq->unseen_solicited || cq->unseen_error;
	case RC_CQ_ARM_ANY:
		return cq->unseen;
	}
	return false;
}

static void
stamp(struct rc_cq *cq)
{
	const uint32_t place = (cq->tail - 1) & cq->mask;
	const struct rc_completion *completion = &cq->ring[place];

	if (completion->kind == RC_COMPLETION_RECEIVE && completion->status == RC_OK)
		cq->stamps[place] = rc_stamp_of(cq->arrival);
	else
		cq->stamps[place] = (struct rc_stamp){0};
}

void
rc_cq_alert(struct rc_cq *cq)
{
	/*
	 * The time is recorded before the notification, because the notify function may remove the
	 * completion.
	 */
	if (cq->stamps != NULL)
		stamp(cq);
	if (notify_due(cq))
		notify(cq);
}

__rte_cold void
rc_cq_overrun(struct rc_cq *cq)
{
	if (cq->overrun)
		return;
	cq->overrun = true; /* final state, reported by the notification (RC-129, ND-141) */
	notify(cq);
}

/*
 * Claim a slot for RC_COMPLETION_WINDOW_INVALIDATED, which uses no entry. A slot is always free,
 * because the caller adds a receive completion after each of these completions.
 */
static struct rc_completion *
window_claim(struct rc_cq *cq)
{
	if (cq->overrun || cq->tail - cq->head > cq->mask) {
		rc_cq_overrun(cq);
		return NULL;
	}
	cq->invalidated++;
	return &cq->ring[cq->tail & cq->mask];
}

bool
rc_cq_push(struct rc_cq *cq, const struct rc_completion *completion)
{
	struct rc_completion *place = completion->kind == RC_COMPLETION_WINDOW_INVALIDATED
		? window_claim(cq)
		: rc_cq_claim(cq);

	if (place == NULL)
		return false;
	*place = *completion;
	if (completion->status != RC_OK) {
		place->solicited = true; /* an error counts as solicited (ND-132) */
		cq->unseen_error = true;
	}
	rc_cq_publish(cq, place->solicited);
	return true;
}

uint32_t
rc_cq_poll(struct rc_cq *cq, struct rc_completion *completions, uint32_t max)
{
	const struct rc_completion *completion;
	uint32_t count = 0;

	while (count < max && (completion = rc_cq_take(cq)) != NULL)
		completions[count++] = *completion;
	return count;
}

void
rc_cq_request_notify(struct rc_cq *cq, enum rc_cq_arm arm)
{
	/* several arms combine to the widest kind (ND-137, ND-138) */
	cq->arm = RTE_MAX(cq->arm, arm);
	look_set(cq);
	if (cq->overrun || notify_due(cq))
		notify(cq);
}
