/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem/query.h"
#include "model/model.h"

/*
 * Fast regions. All registrations of a fast region use the same few pages, in any order and
 * repeatedly. So a byte can be accessed at many addresses, and with keys of several registrations.
 * The requests for a region are posted on one queue pair at a time, as for windows.
 */

#define PAGES_MOST 80u

/**
 * Index of the first slot for fast regions. Most windows are bound to the regions in lower slots.
 */
#define FAST_FIRST 2u

void
model_fast_create(struct model *m)
{
	struct model_region *region = model_region_pick(m);
	uint32_t page_max = 1 + model_below(m, model_below(m, 32) == 0 ? PAGES_MOST : 6);
	bool remote = model_below(m, 4) != 0, full;
	struct model_memory *pages;
	struct mem_region *handle = NULL;
	enum rc_status status;

	if (region->handle != NULL || region < &m->regions[FAST_FIRST])
		return;
	full = model_region_entries(m) + model_entries_resting(m) + 1 + MEM_FAST_BODIES >
		m->limits.region_max;
	pages = model_memory_pages(m);
	status = mem_fast_create(m->domain, page_max, remote, region, &handle);
	if (full || status != RC_OK) {
		model_region_refused(m, pages, status, full);
		return;
	}
	MODEL_EXPECT(m, model_region_of(m, handle) == NULL, true, "handle is given once");
	*region = (struct model_region){.handle = handle,
		.memory = pages,
		.key = mem_region_key(handle),
		.fast = {.page_max = page_max, .remote = remote}};
	region->fast.posted_key = region->key;
	model_key_issued(m, region->key, model_shared(m));
	MODEL_EXPECT(m, mem_region_cookie(handle) == region, true, "cookie");
	MODEL_EXPECT(m, mem_region_alive(m->domain, handle), true, "alive");
	m->counts->fasts++;
}

struct model_region *
model_fast_of_key(struct model *m, uint32_t key)
{
	for (uint32_t i = 0; i < m->region_slots && key != 0; i++)
		if (m->regions[i].fast.live.key == key)
			return &m->regions[i];
	return NULL;
}

/* ---- bodies ---- */

/**
 * @return index of the body whose entry of the region table is `entry`. A body is one of a fast
 * region's internal registrations.
 */
static uint32_t
body_of_entry(struct model *m, struct model_fast *fast, uint32_t entry)
{
	uint32_t i = 0;

	while (i < MEM_FAST_BODIES && fast->bodies[i].entry != entry && fast->bodies[i].entry != 0)
		i++;
	MODEL_EXPECT(m, i < MEM_FAST_BODIES, true, "one of the bodies of a region");
	fast->bodies[i].entry = entry;
	return i;
}

/** @return true if no reader can be using the body any more */
static bool
body_rested(const struct model *m, const struct model_body *body)
{
	return model_readers_passed(m, body->readers, body->clock);
}

/**
 * Check the body that the index chose for a registration. It must be a body without readers. If all
 * bodies have readers, it must be the body whose registration ended first.
 *
 * @return index of the body
 */
static uint32_t
body_taken(struct model *m, struct model_fast *fast, uint32_t entry)
{
	uint32_t index = body_of_entry(m, fast, entry);
	struct model_body *taken = &fast->bodies[index];

	MODEL_EXPECT(m, taken->used, false, "body is used twice");
	for (uint32_t i = 0; i < MEM_FAST_BODIES && !body_rested(m, taken); i++) {
		const struct model_body *other = &fast->bodies[i];

		MODEL_EXPECT(m,
			!other->used && (body_rested(m, other) || other->clock < taken->clock),
			false, "body that readers have left sooner");
	}
	taken->used = true;
	return index;
}

/* ---- posting ---- */

/**
 * @return true if the region will have a registration after its queued requests have been executed
 */
static bool
posted_registered(const struct model *m, const struct model_region *region)
{
	bool registered = region->fast.live.key != 0;

	for (uint32_t owner = 0; owner < MODEL_OWNERS; owner++)
		for (uint32_t i = 0; i < m->queued[owner]; i++)
			if (m->queues[owner][i].region == region)
				registered = m->queues[owner][i].kind == MODEL_FAST_REGISTER;
	return registered;
}

/**
 * @return index of a queue on which the region may be used: the queue that has requests for the
 * region, otherwise any queue
 */
static uint32_t
home_of(struct model *m, const struct model_region *region)
{
	for (uint32_t owner = 0; owner < MODEL_OWNERS; owner++)
		for (uint32_t i = 0; i < m->queued[owner]; i++)
			if (m->queues[owner][i].region == region &&
				m->queues[owner][i].kind >= MODEL_FAST_REGISTER)
				return owner;
	return model_below(m, MODEL_OWNERS);
}

/** @return a random region, preferably a fast region. */
static struct model_region *
fast_pick(struct model *m)
{
	struct model_region *region = model_region_pick(m);

	if (model_below(m, 16) == 0)
		return region;
	for (uint32_t i = 0; i < m->region_slots && region->fast.page_max == 0; i++)
		region = region == &m->regions[m->region_slots - 1] ? m->regions : region + 1;
	return region;
}

static enum rc_status
prepare_expected(
	const struct model *m, const struct model_region *region, const struct mem_fast_attr *attr)
{
	const uint32_t rights = attr->rights;
	uint32_t used = 0;

	if (region == NULL || region->fast.page_max == 0)
		return RC_BAD_REGION;
	if (attr->page_count > region->fast.page_max)
		return RC_INVALID_ARGUMENT;
	if ((rights & ~(MODEL_REMOTE | MEM_LOCAL_WRITE | MEM_READ_SINK)) != 0 ||
		((rights & MODEL_REMOTE) != 0 && !region->fast.remote))
		return RC_NO_RIGHTS;
	if ((rights & (MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC)) != 0 &&
		(rights & MEM_LOCAL_WRITE) == 0)
		return RC_NO_RIGHTS;
	if (posted_registered(m, region))
		return RC_ALREADY_BOUND;
	used = model_binds_queued(m, NULL, region) + (region->fast.live.key != 0);
	return used == MEM_FAST_BODIES ? RC_NO_RESOURCES : RC_OK;
}

/** Draw pages for a registration. Some pages are adjacent, and some occur several times. */
static void
pages_draw(struct model *m, const struct model_region *drawn, void **pages, uint8_t *order)
{
	const struct model_memory *memory = drawn->memory;
	uint8_t page = (uint8_t)model_below(m, MODEL_PAGES);

	for (uint32_t i = 0; i <= PAGES_MOST; i++) {
		order[i] = page;
		pages[i] = memory == NULL || drawn->fast.page_max == 0
			? m
			: memory->buffers[page].address;
		page = (uint8_t)((page + 1 + model_below(m, 2) * model_below(m, MODEL_PAGES)) %
			MODEL_PAGES);
	}
}

static void
attr_draw(struct model *m, const struct model_region *drawn, struct mem_fast_attr *attr)
{
	uint64_t most;

	attr->region = model_region_handle(m, drawn);
	attr->page_count = 1 + model_below(m, RTE_MAX(drawn->fast.page_max, 1u));
	if (model_below(m, 32) == 0)
		attr->page_count = drawn->fast.page_max + 1;
	attr->offset = model_below(m, MEM_PAGE_BYTES);
	if (model_below(m, 4) == 0)
		attr->offset = model_below(m, 2) * (MEM_PAGE_BYTES - 1);
	most = (uint64_t)attr->page_count * MEM_PAGE_BYTES - attr->offset;
	attr->length_bytes = 1 + model_below(m, (uint32_t)most);
	if (model_below(m, 4) == 0)
		attr->length_bytes = most;
	attr->base = model_below(m, 1 << 16);
	if (model_below(m, 4) == 0)
		attr->base = UINT64_MAX - attr->length_bytes;
	attr->rights = model_below(m, 64);
	if (model_below(m, 4) != 0)
		attr->rights = (attr->rights & MEM_READ_SINK) | MEM_LOCAL_WRITE |
			(drawn->fast.remote ? MODEL_REMOTE : 0);
	if (model_below(m, 64) == 0)
		attr->rights = UINT32_C(64) << model_below(m, 26);
}

void
model_fast_post(struct model *m)
{
	const struct model_region *drawn = fast_pick(m);
	uint8_t order[PAGES_MOST + 1];
	void *pages[PAGES_MOST + 1];
	struct mem_fast_attr attr = {.pages = pages};
	struct model_request request = {.kind = MODEL_FAST_REGISTER};
	enum rc_status expected, status;
	struct model_region *region;
	uint32_t owner;

	pages_draw(m, drawn, pages, order);
	attr_draw(m, drawn, &attr);
	region = model_region_of(m, attr.region);
	owner = home_of(m, region);
	if (m->queued[owner] == MODEL_QUEUE_DEPTH || (region != NULL && region != drawn))
		return;
	expected = prepare_expected(m, region, &attr);
	model_engine_enter(m, owner);
	status = mem_fast_prepare(m->domain, &attr, &request.fast);
	model_engine_leave(m, owner);
	m->counts->fast_exhausted += expected == RC_NO_RESOURCES;
	if (expected == RC_OK && status == RC_NO_RESOURCES) {
		model_key_refused(m, model_shared(m));
		return;
	}
	MODEL_EXPECT(m, status, expected, "fast prepare");
	if (expected != RC_OK)
		return;
	model_key_issued(m, request.fast.key, model_shared(m));
	region->fast.posted_key = request.fast.key;
	request.region = region;
	request.registration = (struct model_registration){request.fast.key,
		body_taken(m, &region->fast, request.fast.body),
		{attr.base, attr.length_bytes, attr.rights,
			model_memory_view(
				m, region->memory, order, attr.offset, attr.length_bytes)}};
	m->queues[owner][m->queued[owner]++] = request;
}

void
model_fast_invalidate_post(struct model *m)
{
	const struct model_region *drawn = fast_pick(m);
	struct mem_region *handle = model_region_handle(m, drawn);
	struct model_region *region = model_region_of(m, handle);
	bool fast = region != NULL && region->fast.page_max != 0;
	uint32_t owner = home_of(m, region);

	if (m->queued[owner] == MODEL_QUEUE_DEPTH)
		return;
	/* An invalidate that must fail ends the queue pair, so post it only rarely. */
	if (fast && !posted_registered(m, region) && model_below(m, 40) != 0)
		return;
	MODEL_EXPECT(m, mem_fast_invalidate_prepare(m->domain, handle),
		fast ? RC_OK : RC_BAD_REGION, "fast invalidate_prepare");
	if (fast)
		m->queues[owner][m->queued[owner]++] =
			(struct model_request){.kind = MODEL_FAST_INVALIDATE,
				.region = region,
				.fast = {.region = handle, .key = mem_region_key(handle)}};
	else
		MODEL_EXPECT(m,
			mem_fast_invalidate(
				m->domain, handle, 0, model_qpn(m, owner), &(struct mem_grace){0}),
			RC_INVALIDATE_FAILED, "fast invalidate of no fast region");
}

/* ---- executing ---- */

enum model_outcome
model_fast_register_execute(struct model *m, const struct model_request *request, uint32_t owner)
{
	struct model_fast *fast = &request->region->fast;
	struct model_body *body = &fast->bodies[request->registration.body];
	bool succeeds = fast->live.key == 0;
	enum rc_status status;

	model_engine_enter(m, owner);
	status = mem_fast_execute(m->domain, &request->fast, model_qpn(m, owner));
	model_engine_leave(m, owner);
	/* The engine that executes the request no longer uses the body. */
	body->readers &= ~(UINT32_C(1) << model_engine_of(m, owner));
	if (!body_rested(m, body)) {
		MODEL_EXPECT(m, status, RC_BUSY, "fast execute while readers use the body");
		m->counts->fast_waited++;
		return MODEL_WAITS;
	}
	MODEL_EXPECT(m, status, succeeds ? RC_OK : RC_BIND_FAILED, "fast execute");
	if (!succeeds) {
		body->used = false;
		model_deaths_begin(m);
		model_key_died(m, request->fast.key);
		model_memory_destroy(m, request->registration.extent.memory);
		return MODEL_FAILED;
	}
	fast->live = request->registration;
	m->counts->fast_registered++;
	return MODEL_DONE;
}

enum model_outcome
model_fast_invalidate_execute(struct model *m, const struct model_request *request, uint32_t owner)
{
	bool succeeds = request->region != NULL && request->region->fast.live.key != 0;
	struct mem_grace grace = {0};
	enum rc_status status;

	/*
	 * If the region has died, the invalidate must fail. This holds even if a new region has the
	 * same handle.
	 */
	model_engine_enter(m, owner);
	status = mem_fast_invalidate(
		m->domain, request->fast.region, request->fast.key, model_qpn(m, owner), &grace);
	model_engine_leave(m, owner);
	MODEL_EXPECT(m, status, succeeds ? RC_OK : RC_INVALIDATE_FAILED, "fast invalidate");
	if (!succeeds)
		return MODEL_FAILED;
	model_deaths_begin(m);
	model_fast_ended(m, request->region);
	model_grace_begun_by(m, &grace, model_shared(m), owner);
	m->counts->invalidates++;
	return MODEL_DONE;
}

void
model_fast_flush(struct model *m, const struct model_request *request)
{
	if (request->kind == MODEL_FAST_REGISTER) {
		mem_fast_cancel(m->domain, &request->fast);
		request->region->fast.bodies[request->registration.body].used = false;
		model_deaths_begin(m);
		model_key_died(m, request->fast.key);
		model_memory_destroy(m, request->registration.extent.memory);
	} else if (request->region != NULL || model_region_of(m, request->fast.region) == NULL) {
		mem_fast_invalidate_cancel(m->domain, request->fast.region);
	}
}

/* ---- ends ---- */

void
model_views_drop(struct model *m)
{
	for (uint32_t i = m->view_count; i-- > 0;) {
		if (model_memory_held(m, m->views[i]))
			continue;
		model_memory_destroy(m, m->views[i]);
		m->views[i] = m->views[--m->view_count];
	}
}

void
model_fast_ended(struct model *m, struct model_region *region)
{
	struct model_registration *live = &region->fast.live;
	struct model_body *body = &region->fast.bodies[live->body];

	body->used = false;
	body->readers = model_all_readers(m);
	body->clock = m->clock;
	model_key_died(m, live->key);
	model_views_drop(m);
	MODEL_EXPECT(m, m->view_count < MODEL_VIEWS, true, "room for a view");
	m->views[m->view_count++] = live->extent.memory;
	*live = (struct model_registration){0};
}

void
model_fast_died(struct model *m, struct model_region *region)
{
	if (region->fast.live.key != 0)
		model_fast_ended(m, region);
	for (uint32_t owner = 0; owner < MODEL_OWNERS; owner++)
		for (uint32_t i = 0; i < m->queued[owner]; i++)
			if (m->queues[owner][i].region == region)
				m->queues[owner][i].region = NULL;
}

/* ---- asking ---- */

static uint32_t
windows_bound(const struct model *m, const struct model_region *region)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < m->window_slots; i++)
		count += m->windows[i].key != 0 && m->windows[i].region == region;
	return count;
}

void
model_fast_query(struct model *m)
{
	const struct model_region *drawn = fast_pick(m);
	const struct mem_region *handle = model_region_handle(m, drawn);
	const struct model_region *region = model_region_of(m, handle);
	bool fast = region != NULL && region->fast.page_max != 0;
	struct mem_region_info info;
	struct mem_fast_info fast_info;
	struct model_extent extent;

	MODEL_EXPECT(m, mem_fast_query(m->domain, handle, &fast_info), fast ? RC_OK : RC_BAD_REGION,
		"fast query");
	MODEL_EXPECT(m, mem_region_query(m->domain, handle, &info),
		region != NULL ? RC_OK : RC_BAD_REGION, "query");
	if (region == NULL)
		return;
	if (fast) {
		MODEL_EXPECT(m, fast_info.key, region->fast.posted_key, "key posted");
		MODEL_EXPECT(m, fast_info.remote, region->fast.remote, "may be remote");
	}
	extent = model_region_extent(region);
	MODEL_EXPECT(m, info.base, extent.base, "base");
	MODEL_EXPECT(m, info.length_bytes, extent.length_bytes, "length");
	MODEL_EXPECT(m, info.rights,
		extent.rights | (extent.rights & MEM_LOCAL_WRITE ? MEM_READ_SINK : 0), "rights");
	MODEL_EXPECT(m, info.key, region->key, "key");
	MODEL_EXPECT(m, info.fast, fast, "fast");
	MODEL_EXPECT(m, info.cookie == region, true, "cookie");
	MODEL_EXPECT(m, info.windows_bound, windows_bound(m, region), "windows_bound");
	MODEL_EXPECT(m, info.binds_queued, model_binds_queued(m, NULL, region), "binds_queued");
}
