/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "model/model.h"

/* Remote access: the model's verdict, and the bytes behind it. */

/** What the model says to an access, and where it leads. */
static enum mem_refusal
access_expected(
	struct model *m, const struct mem_access *access, const struct model_region **region)
{
	const struct model_window *window = model_window_of_key(m, access->key);
	uint64_t start = 0, size = 0;
	uint32_t rights = 0;

	*region = NULL;
	if (window != NULL) {
		*region = window->region;
		start = window->start;
		size = window->length_bytes;
		rights = window->rights;
	}
	for (uint32_t i = 0; i < m->region_slots && *region == NULL; i++) {
		if (m->regions[i].handle != NULL && m->regions[i].key == access->key) {
			*region = &m->regions[i];
			start = (*region)->base;
			size = (*region)->length_bytes;
			rights = (*region)->rights & MODEL_REMOTE;
		}
	}
	if (*region == NULL)
		return MEM_REFUSED_KEY;
	if (window != NULL && !window->any_owner && model_qpn(window->owner) != access->owner)
		return MEM_REFUSED_OWNER;
	if ((rights & access->rights) == 0)
		return MEM_REFUSED_RIGHTS;
	return model_inside(access->address, access->length_bytes, start, size) ? MEM_ALLOWED
										: MEM_REFUSED_RANGE;
}

static struct mem_access
access_draw(struct model *m)
{
	struct mem_access access = {
		.key = model_key_some(m), .rights = MEM_REMOTE_READ << model_below(m, 3)};
	const struct model_window *window = model_window_of_key(m, access.key);
	const struct model_region *region;
	uint64_t start, size;

	if (window != NULL && model_below(m, 8) != 0)
		access.owner = model_qpn(window->owner);
	else
		access.owner = model_qpn(model_below(m, MODEL_OWNERS));
	if (model_below(m, 64) == 0)
		access.owner = (uint32_t)model_source_noise(&m->source) & 0xffffff;
	(void)access_expected(m, &access, &region);
	if (region == NULL)
		region = &m->regions[0];
	start = window != NULL ? window->start : region->base;
	size = window != NULL ? window->length_bytes : region->length_bytes;
	access.address = model_address_near(m, start, size);
	access.length_bytes = model_length_near(m, access.address, start, size);
	return access;
}

/** Let a reader keep the span. */
static void
span_keep(struct model *m, const struct model_span *kept)
{
	struct model_reader *reader = &m->readers[model_below(m, MODEL_READERS)];

	if (reader->online && reader->span_count < MODEL_SPANS)
		reader->spans[reader->span_count++] = *kept;
}

void
model_access(struct model *m)
{
	struct mem_access access = access_draw(m);
	const struct model_region *region;
	struct mem_span span = {0};
	struct model_span kept;
	enum mem_refusal expected;

	if (access.length_bytes == 0)
		return;
	expected = access_expected(m, &access, &region);
	MODEL_EXPECT(m, mem_check_remote(m->domain, &access, &span), expected, "access");
	m->counts->answers[expected]++;
	if (expected != MEM_ALLOWED)
		return;
	MODEL_EXPECT(m, span.region == region->handle, true, "region of the span");
	MODEL_EXPECT(m, span.address, access.address, "address of the span");
	MODEL_EXPECT(m, span.length_bytes, access.length_bytes, "length of the span");
	kept = (struct model_span){.span = span,
		.memory = region->memory,
		.offset = access.address - region->base,
		.key = access.key,
		.writable = access.rights != MEM_REMOTE_READ};
	model_span_use(m, &kept.span, kept.memory, kept.offset, kept.writable);
	if (model_below(m, 4) == 0)
		span_keep(m, &kept);
}
