/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "model/model.h"

/* Operations on windows, except binds, which are in binds.c. */

struct model_window *
model_window_of_key(struct model *m, uint32_t key)
{
	for (uint32_t i = 0; i < m->window_slots && key != 0; i++)
		if (m->windows[i].key == key)
			return &m->windows[i];
	return NULL;
}

struct model_window *
model_window_of(struct model *m, const struct mem_window *handle)
{
	for (uint32_t i = 0; i < m->window_slots && handle != NULL; i++)
		if (m->windows[i].handle == handle)
			return &m->windows[i];
	return NULL;
}

struct model_window *
model_window_pick(struct model *m)
{
	return &m->windows[model_below(m, m->window_slots)];
}

struct mem_window *
model_window_handle(struct model *m, const struct model_window *window)
{
	uint32_t kind = model_below(m, 64);

	if (kind == 0)
		return m->window_stale;
	if (kind == 1)
		return (struct mem_window *)((uintptr_t)window->handle + 8);
	if (kind == 2)
		return (struct mem_window *)(uintptr_t)model_source_noise(&m->source);
	return window->handle;
}

bool
model_window_serves(const struct model_window *window, uint32_t owner)
{
	return window->key != 0 && (window->any_owner || window->owner == owner);
}

uint32_t
model_window_home(const struct model *m, const struct model_window *window)
{
	if (window->key != 0)
		return model_partition(m, window->owner, window->any_owner);
	for (uint32_t owner = 0; owner < MODEL_OWNERS; owner++)
		for (uint32_t i = 0; i < m->queued[owner]; i++)
			if (m->queues[owner][i].window == window &&
				m->queues[owner][i].kind == MODEL_BIND)
				return model_partition(
					m, owner, m->queues[owner][i].bind.any_owner);
	return MODEL_PARTITIONS;
}

void
model_window_create(struct model *m)
{
	struct model_window *window = model_window_pick(m);
	struct mem_window *handle = NULL;
	uint32_t alive = 0;

	if (window->handle != NULL)
		return;
	for (uint32_t i = 0; i < m->window_slots; i++)
		alive += m->windows[i].handle != NULL;
	MODEL_EXPECT(m, mem_window_create(m->domain, window, &handle),
		alive < m->limits.window_max ? RC_OK : RC_NO_RESOURCES, "create");
	if (alive >= m->limits.window_max) {
		m->counts->handles_exhausted++;
		return;
	}
	MODEL_EXPECT(m, model_window_of(m, handle) == NULL, true, "handle is given once");
	MODEL_EXPECT(m, mem_window_cookie(handle) == window, true, "cookie");
	MODEL_EXPECT(m, mem_window_alive(m->domain, handle), true, "alive");
	*window = (struct model_window){.handle = handle};
}

void
model_window_destroy(struct model *m)
{
	struct mem_window *handle = model_window_handle(m, model_window_pick(m));
	struct model_window *window = model_window_of(m, handle);
	bool busy = window != NULL && model_binds_queued(m, window, NULL) > 0;
	enum rc_status expected = busy ? RC_BUSY : RC_OK;
	struct mem_grace grace;

	if (window == NULL)
		expected = RC_BAD_WINDOW;
	/*
	 * Do not destroy a window while an invalidate of it is queued, because the invalidate could
	 * hit a new window with the same handle. Applications have the same duty.
	 */
	else if (!busy && model_queue_of(m, window) != MODEL_OWNERS)
		return;
	MODEL_EXPECT(m, mem_window_destroy(m->domain, handle, &grace), expected, "destroy");
	MODEL_EXPECT(m, mem_window_alive(m->domain, handle), busy, "alive");
	if (expected != RC_OK)
		return;
	model_deaths_begin(m);
	if (window->key != 0) {
		model_key_died(m, window->key);
		model_grace_begun(m, &grace,
			model_partition_readers(m, model_window_home(m, window)) | grace.readers);
	} else {
		model_grace_begun(m, &grace, grace.readers);
	}
	m->window_stale = handle;
	*window = (struct model_window){0};
}

void
model_window_invalidate_wrongly(struct model *m)
{
	struct mem_window *handle = model_window_handle(m, model_window_pick(m));
	const struct model_window *window = model_window_of(m, handle);
	uint32_t owner = model_below(m, MODEL_OWNERS);
	enum rc_status status = RC_BAD_WINDOW;
	struct mem_grace grace;

	/*
	 * Do not invalidate a window with queued requests, because the failure would end their
	 * queue. model_queue_execute() tests this case.
	 */
	if (window != NULL && model_queue_of(m, window) != MODEL_OWNERS)
		return;
	if (window != NULL && model_window_serves(window, owner))
		return;
	model_engine_enter(m, owner);
	if (window == NULL)
		status = mem_invalidate_prepare(m->domain, handle, model_qpn(m, owner));
	MODEL_EXPECT(m, status, RC_BAD_WINDOW, "invalidate_prepare of no window");
	status = model_below(m, 2) == 0
		? mem_window_invalidate(m->domain, handle, model_qpn(m, owner))
		: mem_invalidate_execute(m->domain, handle,
			  window == NULL ? 0 : mem_window_life(handle), model_qpn(m, owner),
			  &grace);
	model_engine_leave(m, owner);
	MODEL_EXPECT(m, status, RC_INVALIDATE_FAILED, "invalidate by another, or of none");
}

void
model_remote_invalidate(struct model *m)
{
	uint32_t key = model_key_some(m);
	struct model_region *fast = model_fast_of_key(m, key);
	struct model_window *window = model_window_of_key(m, key);
	uint32_t owner = window != NULL && model_below(m, 4) != 0 ? window->owner
								  : model_below(m, MODEL_OWNERS);
	bool succeeds = window != NULL && model_window_serves(window, owner);
	enum rc_status status;
	struct mem_key_end hit;

	/* A peer may invalidate only a registration that gives a peer access. */
	if (fast != NULL)
		succeeds = (fast->fast.live.extent.rights & MODEL_REMOTE) != 0;
	model_engine_enter(m, owner);
	status = mem_key_invalidate(m->domain, key, model_qpn(m, owner), &hit);
	model_engine_leave(m, owner);
	MODEL_EXPECT(m, status, succeeds ? RC_OK : RC_INVALIDATE_FAILED, "key_invalidate");
	m->counts->fast_local += fast != NULL && !succeeds;
	if (!succeeds)
		return;
	MODEL_EXPECT(
		m, hit.window == (fast != NULL ? NULL : window->handle), true, "window of the key");
	MODEL_EXPECT(m, hit.cookie == window, true, "cookie of the window");
	m->counts->invalidates++;
	model_deaths_begin(m);
	if (fast != NULL) {
		model_fast_ended(m, fast);
		model_grace_begun_by(m, &hit.grace, model_shared(m), owner);
		m->counts->fast_overtaken++;
		return;
	}
	model_key_died(m, key);
	model_grace_begun_by(m, &hit.grace, model_window_home(m, window), owner);
	window->key = 0;
}
