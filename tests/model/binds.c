/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include "model/model.h"

/*
 * Send queues. The application that the model plays keeps to the rule that a window is used on one
 * queue pair at a time: where it is queued or bound, or, when it is bound for any of them, where it
 * is queued. A request that fails ends its queue pair.
 */

/** @return the state of a window when the queue of its owner will have been executed. */
static bool
posted_bound(const struct model *m, const struct model_window *window)
{
	bool bound = window->key != 0;

	for (uint32_t owner = 0; owner < MODEL_OWNERS; owner++)
		for (uint32_t i = 0; i < m->queued[owner]; i++)
			if (m->queues[owner][i].window == window)
				bound = m->queues[owner][i].kind == MODEL_BIND;
	return bound;
}

uint32_t
model_queue_of(const struct model *m, const struct model_window *window)
{
	for (uint32_t owner = 0; owner < MODEL_OWNERS; owner++)
		for (uint32_t i = 0; i < m->queued[owner]; i++)
			if (m->queues[owner][i].window == window)
				return owner;
	return MODEL_OWNERS;
}

uint32_t
model_binds_queued(
	const struct model *m, const struct model_window *window, const struct model_region *region)
{
	uint32_t count = 0;

	for (uint32_t owner = 0; owner < MODEL_OWNERS; owner++) {
		for (uint32_t i = 0; i < m->queued[owner]; i++) {
			const struct model_request *request = &m->queues[owner][i];

			count += (request->kind == MODEL_BIND ||
					 request->kind == MODEL_FAST_REGISTER) &&
				((window != NULL && request->window == window) ||
					(region != NULL && request->region == region));
		}
	}
	return count;
}

static enum rc_status
bind_expected(const struct model *m, const struct model_request *request)
{
	const struct model_region *region = request->region;
	const struct mem_bind *bind = &request->bind;

	if (region == NULL)
		return RC_BAD_REGION;
	if (request->window == NULL)
		return RC_BAD_WINDOW;
	if (!model_inside(bind->address, 1, region->base, region->length_bytes))
		return RC_BAD_START;
	if (bind->length_bytes == 0 ||
		!model_inside(
			bind->address, bind->length_bytes, region->base, region->length_bytes))
		return RC_BAD_END;
	if ((region->rights & MEM_WINDOW_BIND) == 0 || (bind->rights & ~MODEL_REMOTE) != 0)
		return RC_NO_RIGHTS;
	if ((bind->rights & (MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC)) != 0 &&
		(region->rights & MEM_LOCAL_WRITE) == 0)
		return RC_NO_RIGHTS;
	return posted_bound(m, request->window) ? RC_ALREADY_BOUND : RC_OK;
}

/** @return a queue the window may be used on: where it is queued or bound, else any. */
static uint32_t
home_of(struct model *m, const struct model_window *window)
{
	uint32_t queue = MODEL_OWNERS;

	if (window != NULL)
		queue = model_queue_of(m, window);
	if (queue == MODEL_OWNERS && window != NULL && window->key != 0 && !window->any_owner)
		queue = window->owner;
	return queue == MODEL_OWNERS ? model_below(m, MODEL_OWNERS) : queue;
}

static void
bind_draw(struct model *m, struct model_request *request)
{
	const struct model_region *drawn = model_region_crowded(m);
	struct mem_bind *bind = &request->bind;

	request->kind = MODEL_BIND;
	bind->region = model_region_handle(m, drawn);
	bind->window = model_window_handle(m, model_window_pick(m));
	bind->address = model_address_near(m, drawn->base, drawn->length_bytes);
	bind->length_bytes = model_length_near(m, bind->address, drawn->base, drawn->length_bytes);
	bind->rights = model_below(m, 8) << 1;
	if (model_below(m, 2) == 0)
		bind->rights = MODEL_REMOTE;
	if (model_below(m, 100) == 0)
		bind->rights = MEM_LOCAL_WRITE << 4 * model_below(m, 8);
	bind->any_owner = model_below(m, 4) == 0;
	request->region = model_region_of(m, bind->region);
	request->window = model_window_of(m, bind->window);
}

void
model_bind_post(struct model *m)
{
	struct model_request request = {0};
	enum rc_status expected, status;
	uint32_t owner;

	bind_draw(m, &request);
	owner = home_of(m, request.window);
	if (m->queued[owner] == MODEL_QUEUE_DEPTH)
		return;
	expected = bind_expected(m, &request);
	status = mem_bind_prepare(m->domain, &request.bind);
	if (expected == RC_OK && status == RC_NO_RESOURCES) {
		model_key_refused(m);
		return;
	}
	MODEL_EXPECT(m, status, expected, "prepare");
	if (expected != RC_OK)
		return;
	model_key_issued(m, request.bind.key);
	m->queues[owner][m->queued[owner]++] = request;
}

void
model_invalidate_post(struct model *m)
{
	struct model_window *window = model_window_pick(m);
	uint32_t owner = home_of(m, window);

	if (window->handle == NULL || m->queued[owner] == MODEL_QUEUE_DEPTH)
		return;
	/* One that will fail ends the queue pair and all it holds: seldom, to let things grow. */
	if (!posted_bound(m, window) && model_below(m, 40) != 0)
		return;
	MODEL_EXPECT(
		m, mem_invalidate_prepare(m->domain, window->handle), RC_OK, "invalidate_prepare");
	m->queues[owner][m->queued[owner]++] =
		(struct model_request){.kind = MODEL_INVALIDATE, .window = window};
}

void
model_owner_fail(struct model *m, uint32_t owner)
{
	uint32_t bound = 0;
	uint64_t before;

	for (uint32_t i = 0; i < m->queued[owner]; i++) {
		const struct model_request *request = &m->queues[owner][i];

		if (request->kind == MODEL_BIND) {
			mem_bind_cancel(m->domain, &request->bind);
			model_key_died(m, request->bind.key, model_deaths_begin(m));
		} else if (request->kind == MODEL_INVALIDATE) {
			mem_invalidate_cancel(m->domain, request->window->handle);
		} else {
			model_fast_flush(m, request);
		}
	}
	m->queued[owner] = 0;
	before = model_deaths_begin(m);
	for (uint32_t i = 0; i < m->window_slots; i++) {
		if (m->windows[i].key != 0 && m->windows[i].owner == owner &&
			!m->windows[i].any_owner) {
			model_key_died(m, m->windows[i].key, before);
			m->windows[i].key = 0;
			bound++;
		}
	}
	MODEL_EXPECT(
		m, mem_owner_invalidate(m->domain, model_qpn(owner)), bound, "owner_invalidate");
	m->counts->invalidates += bound;
}

static bool
bind_execute(struct model *m, const struct model_request *request, uint32_t owner)
{
	struct model_window *window = request->window;
	bool succeeds = window->key == 0;

	MODEL_EXPECT(m, mem_bind_execute(m->domain, &request->bind, model_qpn(owner)),
		succeeds ? RC_OK : RC_BIND_FAILED, "execute");
	if (!succeeds) {
		model_key_died(m, request->bind.key, model_deaths_begin(m));
		return false;
	}
	window->key = request->bind.key;
	window->owner = owner;
	window->any_owner = request->bind.any_owner;
	window->region = request->region;
	window->rights = request->bind.rights;
	window->start = request->bind.address;
	window->length_bytes = request->bind.length_bytes;
	m->counts->binds++;
	return true;
}

static bool
invalidate_execute(struct model *m, struct model_window *window, uint32_t owner)
{
	bool succeeds = model_window_serves(window, owner);

	MODEL_EXPECT(m, mem_window_invalidate(m->domain, window->handle, model_qpn(owner)),
		succeeds ? RC_OK : RC_INVALIDATE_FAILED, "invalidate");
	if (!succeeds)
		return false;
	model_key_died(m, window->key, model_deaths_begin(m));
	window->key = 0;
	m->counts->invalidates++;
	return true;
}

static bool
request_execute(struct model *m, const struct model_request *request, uint32_t owner)
{
	switch (request->kind) {
	case MODEL_BIND:
		return bind_execute(m, request, owner);
	case MODEL_INVALIDATE:
		return invalidate_execute(m, request->window, owner);
	case MODEL_FAST_REGISTER:
		return model_fast_register_execute(m, request);
	case MODEL_FAST_INVALIDATE:
		return model_fast_invalidate_execute(m, request);
	}
	return false;
}

void
model_queue_execute(struct model *m)
{
	uint32_t owner = model_below(m, MODEL_OWNERS);
	struct model_request request = m->queues[owner][0];

	if (m->queued[owner] == 0)
		return;
	memmove(&m->queues[owner][0], &m->queues[owner][1], --m->queued[owner] * sizeof(request));
	if (!request_execute(m, &request, owner))
		model_owner_fail(m, owner);
}
