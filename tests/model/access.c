/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "model/model.h"

/* Remote accesses. The model checks the verdict of the index and the accessed bytes. */

/** Memory to which a key gives access, according to the model. */
struct target {
	const struct model_window *window; /**< NULL if the key belongs to no window */
	const struct model_region *region; /**< NULL if the key gives access to no memory */
	/** Fast region whose registration has the key; otherwise NULL. */
	const struct model_region *fast;
	struct model_extent extent; /**< address range and rights of the key */
	uint64_t memory_base;       /**< address of the first byte of extent.memory */
};

static struct target
target_of(struct model *m, uint32_t key)
{
	struct target target = {
		.window = model_window_of_key(m, key), .fast = model_fast_of_key(m, key)};

	target.region = target.window != NULL ? target.window->region : target.fast;
	for (uint32_t i = 0; i < m->region_slots && target.region == NULL; i++)
		if (m->regions[i].handle != NULL && m->regions[i].key == key)
			target.region = &m->regions[i];
	if (target.region == NULL)
		return target;
	/*
	 * The own key of a fast region gives no access, even if memory is registered in the region.
	 */
	if (target.fast != NULL || target.region->fast.page_max == 0)
		target.extent = model_region_extent(target.region);
	target.memory_base = target.extent.base;
	if (target.window != NULL) {
		target.extent.base = target.window->start;
		target.extent.length_bytes = target.window->length_bytes;
		target.extent.rights = target.window->rights;
	}
	return target;
}

/** @return the verdict that the index must return for an access */
static enum mem_refusal
access_expected(const struct model *m, const struct mem_access *access, const struct target *target)
{
	const struct model_window *window = target->window;

	if (target->region == NULL)
		return MEM_REFUSED_KEY;
	if (window != NULL && !window->any_owner && model_qpn(m, window->owner) != access->owner)
		return MEM_REFUSED_OWNER;
	if ((target->extent.rights & MODEL_REMOTE & access->rights) == 0)
		return MEM_REFUSED_RIGHTS;
	return model_inside(access->address, access->length_bytes, target->extent.base,
		       target->extent.length_bytes)
		? MEM_ALLOWED
		: MEM_REFUSED_RANGE;
}

static struct mem_access
access_draw(struct model *m, struct target *target)
{
	struct mem_access access = {
		.key = model_key_some(m), .rights = MEM_REMOTE_READ << model_below(m, 3)};
	uint64_t start = m->regions[0].base, size = m->regions[0].length_bytes;

	*target = target_of(m, access.key);
	if (target->window != NULL && model_below(m, 5) != 0)
		access.owner = model_qpn(m, target->window->owner);
	else
		access.owner = model_qpn(m, model_below(m, MODEL_OWNERS));
	if (model_below(m, 64) == 0)
		access.owner = (uint32_t)model_source_noise(&m->source) & 0xffffff;
	if (target->region != NULL) {
		start = target->extent.base;
		size = target->extent.length_bytes;
	}
	access.address = model_address_near(m, start, size);
	access.length_bytes = model_length_near(m, access.address, start, size);
	return access;
}

/**
 * Let a reader (an engine) keep using a span: the owner's engine, or any reader if there is only
 * one engine.
 */
static void
span_keep(struct model *m, uint32_t qpn, const struct model_span *kept)
{
	uint32_t i = m->limits.engines > 1 ? qpn % rte_align32pow2(m->limits.engines)
					   : model_below(m, MODEL_READERS);
	struct model_reader *reader = &m->readers[i];

	if (reader->online && reader->span_count < MODEL_SPANS)
		reader->spans[reader->span_count++] = *kept;
}

/** Check an access and write its bytes in one call, as the engine does for a packet of a WRITE. */
static void
access_write(struct model *m, const struct mem_access *access, const struct target *target,
	enum mem_refusal expected)
{
	uint8_t bytes[MODEL_COPY_BYTES] = {0};
	uint64_t offset = access->address - target->memory_base;

	if (access->length_bytes > MODEL_COPY_BYTES)
		return;
	if (expected == MEM_ALLOWED)
		model_memory_renew(
			m, target->extent.memory, offset, bytes, (size_t)access->length_bytes);
	MODEL_EXPECT(m,
		mem_remote_write(m->domain, access->key, access->owner, access->address, bytes,
			(size_t)access->length_bytes),
		expected == MEM_ALLOWED, "write");
	if (expected == MEM_ALLOWED)
		model_memory_check(m, target->extent.memory, offset, (size_t)access->length_bytes);
}

void
model_access(struct model *m)
{
	struct target target;
	struct mem_access access = access_draw(m, &target);
	struct mem_span span = {0};
	struct model_span kept;
	enum mem_refusal expected;

	if (access.length_bytes == 0)
		return;
	expected = access_expected(m, &access, &target);
	MODEL_EXPECT(m, mem_check_remote(m->domain, &access, &span), expected, "access");
	m->counts->answers[expected]++;
	if (access.rights == MEM_REMOTE_WRITE)
		access_write(m, &access, &target, expected);
	if (expected != MEM_ALLOWED)
		return;
	m->counts->fast_allowed += target.fast != NULL;
	MODEL_EXPECT(
		m, span.region == target.region->handle, target.fast == NULL, "region of the span");
	if (target.fast != NULL)
		m->region_body = (struct mem_region *)(uintptr_t)span.region;
	MODEL_EXPECT(m, span.address, access.address, "address of the span");
	MODEL_EXPECT(m, span.length_bytes, access.length_bytes, "length of the span");
	kept = (struct model_span){.span = span,
		.memory = target.extent.memory,
		.offset = access.address - target.memory_base,
		.key = access.key,
		.writable = access.rights != MEM_REMOTE_READ};
	model_span_use(m, &kept.span, kept.memory, kept.offset, kept.writable);
	if (model_below(m, 2) == 0)
		span_keep(m, access.owner, &kept);
}
