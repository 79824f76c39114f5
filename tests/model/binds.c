/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include "model/model.h"

/*
 * Send queues. The model's application uses a window on only one queue pair at a time. If requests
 * for the window are queued, it uses the queue pair of these requests; otherwise the queue pair on
 * which the window is bound. A window that is bound for any queue pair may be used on each queue
 * pair. A failed request ends its queue pair.
 */

bool
model_posted_bound(const struct model *m, const struct model_window *window)
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
bind_expected(const struct model *m, const struct model_request *request, uint32_t owner)
{
	const struct model_region *region = request->region;
	const struct mem_bind *bind = &request->bind;
	uint32_t home;

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
	home = model_window_home(m, request->window);
	if (home != MODEL_PARTITIONS && home != model_partition(m, owner, bind->any_owner))
		return RC_ALREADY_BOUND;
	return model_posted_bound(m, request->window) ? RC_ALREADY_BOUND : RC_OK;
}

/**
 * @return index of a queue on which the window may be used: the queue that has requests for the
 * window, otherwise the queue pair on which the window is bound, otherwise any queue
 */
static uint32_t
home_of(struct model *m, const struct model_window *window)
{
	uint32_t queue = MODEL_OWNERS;

	if (window != NULL)
		queue = model_queue_of(m, window);
	if (queue == MODEL_OWNERS && window != NULL && window->key != 0 && !window->any_owner)
		queue = window->owner;
	if (queue != MODEL_OWNERS)
		return queue;
	queue = model_below(m, MODEL_OWNERS);
	if (m->limits.crowd && model_below(m, 4) != 0)
		queue -= model_engine_of(m, queue);
	return queue;
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

static void
window_bound(struct model *m, const struct model_request *request, uint32_t owner)
{
	struct model_window *window = request->window;

	window->key = request->bind.key;
	window->owner = owner;
	window->any_owner = request->bind.any_owner;
	window->region = request->region;
	window->rights = request->bind.rights;
	window->start = request->bind.address;
	window->length_bytes = request->bind.length_bytes;
	m->counts->binds++;
}

static enum rc_status
bind_call(struct model *m, struct mem_bind *bind, uint32_t owner, bool now)
{
	enum rc_status status;

	model_engine_enter(m, owner);
	status = now ? mem_bind_now(m->domain, bind, model_qpn(m, owner))
		     : mem_bind_prepare(m->domain, bind, model_qpn(m, owner));
	model_engine_leave(m, owner);
	return status;
}

void
model_bind_post(struct model *m)
{
	struct model_request request = {0};
	enum rc_status expected, status;
	uint32_t owner, partition;
	bool now;

	bind_draw(m, &request);
	owner = home_of(m, request.window);
	if (m->queued[owner] == MODEL_QUEUE_DEPTH)
		return;
	now = m->queued[owner] == 0 && model_below(m, 4) == 0;
	partition = model_partition(m, owner, request.bind.any_owner);
	expected = bind_expected(m, &request, owner);
	status = bind_call(m, &request.bind, owner, now);
	if (expected == RC_OK && status == RC_NO_RESOURCES) {
		model_key_refused(m, partition);
		return;
	}
	MODEL_EXPECT(m, status, expected, now ? "bind at once" : "prepare");
	if (expected != RC_OK)
		return;
	model_key_issued(m, request.bind.key, partition);
	if (now) {
		window_bound(m, &request, owner);
		m->counts->binds_now++;
	} else {
		m->queues[owner][m->queued[owner]++] = request;
	}
}

void
model_bind_many(struct model *m)
{
	uint32_t owner = model_below(m, MODEL_OWNERS);
	const struct model_region *drawn = model_region_pick(m);
	uint32_t partition = model_partition(m, owner, false);
	struct model_request request = {.kind = MODEL_BIND};

	if (drawn->handle == NULL || (drawn->rights & MEM_WINDOW_BIND) == 0 ||
		m->queued[owner] > 0 || model_below(m, 8) != 0)
		return;
	request.region = model_region_of(m, drawn->handle);
	for (uint32_t i = 0; i < m->window_slots; i++) {
		struct model_window *window = &m->windows[i];
		enum rc_status status;

		if (window->handle == NULL || window->key != 0 ||
			model_queue_of(m, window) != MODEL_OWNERS)
			continue;
		request.window = window;
		request.bind = (struct mem_bind){.region = drawn->handle,
			.window = window->handle,
			.address = drawn->base + i % drawn->length_bytes,
			.length_bytes = 1,
			.rights = MEM_REMOTE_READ};
		status = bind_call(m, &request.bind, owner, true);
		if (status == RC_NO_RESOURCES) {
			model_key_refused(m, partition);
			return;
		}
		MODEL_EXPECT(m, status, RC_OK, "bind at once");
		model_key_issued(m, request.bind.key, partition);
		window_bound(m, &request, owner);
	}
}

void
model_bind_wrongly(struct model *m)
{
	struct model_window *window = model_window_pick(m);
	uint32_t owner = model_below(m, MODEL_OWNERS), home;
	struct model_request request = {0};
	enum rc_status expected;
	bool now = model_below(m, 2) == 0;

	if (window->handle == NULL)
		return;
	bind_draw(m, &request);
	request.window = window;
	request.bind.window = window->handle;
	home = model_window_home(m, window);
	if (home == MODEL_PARTITIONS || owner == model_queue_of(m, window))
		return;
	expected = bind_expected(m, &request, owner);
	if (home == model_partition(m, owner, request.bind.any_owner)) {
		/*
		 * The bind is executed at once, and must fail: the window's partition is right, but
		 * an invalidate of the window is queued on another queue pair.
		 */
		now = true;
		if (expected == RC_OK)
			expected = RC_BIND_FAILED;
	} else {
		m->counts->binds_elsewhere += expected == RC_ALREADY_BOUND;
	}
	MODEL_EXPECT(m, bind_call(m, &request.bind, owner, now), expected,
		"bind of a window that is used elsewhere");
	if (home == model_shared(m) || home == model_engine_of(m, owner))
		return;
	/* If the window belongs to another engine, neither call reports an error. */
	model_engine_enter(m, owner);
	if (now)
		mem_invalidate_cancel(m->domain, window->handle, model_qpn(m, owner));
	else
		MODEL_EXPECT(m,
			mem_invalidate_prepare(m->domain, window->handle, model_qpn(m, owner)),
			RC_OK, "invalidate_prepare by another engine");
	model_engine_leave(m, owner);
}

void
model_invalidate_post(struct model *m)
{
	struct model_window *window = model_window_pick(m);
	uint32_t owner = home_of(m, window);
	enum rc_status status;

	if (window->handle == NULL || m->queued[owner] == MODEL_QUEUE_DEPTH)
		return;
	/*
	 * An invalidate that must fail ends the queue pair. Post it only rarely, because
	 * otherwise the tables would never fill.
	 */
	if (!model_posted_bound(m, window) && model_below(m, 40) != 0)
		return;
	model_engine_enter(m, owner);
	status = mem_invalidate_prepare(m->domain, window->handle, model_qpn(m, owner));
	model_engine_leave(m, owner);
	MODEL_EXPECT(m, status, RC_OK, "invalidate_prepare");
	m->queues[owner][m->queued[owner]++] = (struct model_request){.kind = MODEL_INVALIDATE,
		.window = window,
		.window_life = mem_window_life(window->handle)};
}

static void
request_flush(struct model *m, const struct model_request *request, uint32_t owner)
{
	model_engine_enter(m, owner);
	switch (request->kind) {
	case MODEL_BIND:
		mem_bind_cancel(m->domain, &request->bind);
		model_deaths_begin(m);
		model_key_died(m, request->bind.key);
		break;
	case MODEL_INVALIDATE:
		mem_invalidate_cancel(m->domain, request->window->handle, model_qpn(m, owner));
		break;
	case MODEL_FAST_REGISTER:
	case MODEL_FAST_INVALIDATE:
		model_fast_flush(m, request);
		break;
	}
	model_engine_leave(m, owner);
}

void
model_owner_fail(struct model *m, uint32_t owner)
{
	uint32_t bound = 0, ended;

	for (uint32_t i = 0; i < m->queued[owner]; i++)
		request_flush(m, &m->queues[owner][i], owner);
	m->queued[owner] = 0;
	model_deaths_begin(m);
	for (uint32_t i = 0; i < m->window_slots; i++) {
		if (m->windows[i].key != 0 && m->windows[i].owner == owner &&
			!m->windows[i].any_owner) {
			model_key_died(m, m->windows[i].key);
			m->windows[i].key = 0;
			bound++;
		}
	}
	model_engine_enter(m, owner);
	ended = mem_owner_invalidate(m->domain, model_qpn(m, owner));
	model_engine_leave(m, owner);
	MODEL_EXPECT(m, ended, bound, "owner_invalidate");
	m->counts->invalidates += bound;
}

static enum model_outcome
bind_execute(struct model *m, const struct model_request *request, uint32_t owner)
{
	bool succeeds = request->window->key == 0;
	enum rc_status status;

	model_engine_enter(m, owner);
	status = mem_bind_execute(m->domain, &request->bind, model_qpn(m, owner));
	model_engine_leave(m, owner);
	MODEL_EXPECT(m, status, succeeds ? RC_OK : RC_BIND_FAILED, "execute");
	if (succeeds) {
		window_bound(m, request, owner);
		return MODEL_DONE;
	}
	model_deaths_begin(m);
	model_key_died(m, request->bind.key);
	return MODEL_FAILED;
}

static enum model_outcome
invalidate_execute(struct model *m, const struct model_request *request, uint32_t owner)
{
	struct model_window *window = request->window;
	uint32_t home = model_window_home(m, window);
	bool succeeds = model_window_serves(window, owner), at_once = model_below(m, 2) == 0;
	bool fits = home != model_shared(m) || m->limits.engines == 1;
	enum rc_status status = RC_INVALIDATE_FAILED;
	struct mem_grace grace = {0};

	model_engine_enter(m, owner);
	/* Without a grace period, an invalidate fails if other engines may be using the window. */
	if (at_once) {
		status = mem_window_invalidate(m->domain, window->handle, model_qpn(m, owner));
		MODEL_EXPECT(m, status, succeeds && fits ? RC_OK : RC_INVALIDATE_FAILED,
			"invalidate at once");
	}
	at_once = status == RC_OK;
	if (!at_once)
		status = mem_invalidate_execute(m->domain, window->handle, request->window_life,
			model_qpn(m, owner), &grace);
	model_engine_leave(m, owner);
	MODEL_EXPECT(m, status, succeeds ? RC_OK : RC_INVALIDATE_FAILED, "invalidate");
	if (!succeeds)
		return MODEL_FAILED;
	model_deaths_begin(m);
	model_key_died(m, window->key);
	window->key = 0;
	if (!at_once)
		model_grace_begun_by(m, &grace, home, owner);
	m->counts->invalidates++;
	return MODEL_DONE;
}

static enum model_outcome
request_execute(struct model *m, const struct model_request *request, uint32_t owner)
{
	switch (request->kind) {
	case MODEL_BIND:
		return bind_execute(m, request, owner);
	case MODEL_INVALIDATE:
		return invalidate_execute(m, request, owner);
	case MODEL_FAST_REGISTER:
		return model_fast_register_execute(m, request, owner);
	case MODEL_FAST_INVALIDATE:
		return model_fast_invalidate_execute(m, request, owner);
	}
	return MODEL_FAILED;
}

void
model_queue_execute(struct model *m)
{
	uint32_t owner = model_below(m, MODEL_OWNERS);
	struct model_request request = m->queues[owner][0];
	enum model_outcome outcome;

	if (m->queued[owner] == 0)
		return;
	outcome = request_execute(m, &request, owner);
	if (outcome == MODEL_WAITS)
		return;
	memmove(&m->queues[owner][0], &m->queues[owner][1], --m->queued[owner] * sizeof(request));
	if (outcome == MODEL_FAILED)
		model_owner_fail(m, owner);
}
