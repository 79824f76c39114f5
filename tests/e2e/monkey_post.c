/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Requests: mostly such as can succeed. */

#include <string.h>

#include <rte_common.h>

#include "monkey.h"

#define SGES_MAX 5

static uint8_t inline_bytes[512];

/** Where a request's bytes are: in live memory, in part outside of it, or in none any more. */
static size_t
sgl_choose(struct monkey *monkey, struct monkey_side *side, struct nd_sge *sgl)
{
	size_t count = monkey_below(monkey, monkey_once_in(monkey, 16) ? SGES_MAX + 1 : 3);

	for (size_t i = 0; i < count; i++) {
		const struct monkey_region *region =
			&side->regions[monkey_below(monkey, MONKEY_REGIONS)];

		sgl[i] = (struct nd_sge){inline_bytes, monkey_below(monkey, 100), NULL};
		if (region->mr != NULL) {
			size_t from = monkey_below(monkey, (uint32_t)region->bytes);

			sgl[i] = (struct nd_sge){region->memory + from,
				monkey_below(monkey, (uint32_t)(region->bytes - from) + 1),
				region->mr};
		}
		if (monkey_once_in(monkey, 200))
			sgl[i].length += MONKEY_REGION_MAX;
		if (monkey_once_in(monkey, 200))
			sgl[i].mr = side->stale_mr[monkey_below(monkey, MONKEY_STALE)];
		if (sgl[i].mr == NULL)
			sgl[i] = (struct nd_sge){inline_bytes, monkey_below(monkey, 100), NULL};
	}
	return count;
}

static uint32_t
flags_choose(struct monkey *monkey, bool silent)
{
	uint32_t flags = silent ? ND_OP_FLAG_SILENT_SUCCESS : 0;

	if (monkey_once_in(monkey, 4))
		flags |= ND_OP_FLAG_READ_FENCE;
	if (monkey_once_in(monkey, 64))
		flags |= 1u << monkey_below(monkey, 32);
	return flags & (silent ? ~0u : ~ND_OP_FLAG_SILENT_SUCCESS);
}

static nd_status
bind_call(struct monkey *monkey, struct monkey_side *side, struct nd_endpoint *endpoint,
	struct nd_result *result, uint32_t flags)
{
	struct monkey_region *region = &side->regions[monkey_below(monkey, MONKEY_REGIONS)];
	struct nd_mw *mw = side->windows[monkey_below(monkey, MONKEY_WINDOWS)].mw;
	struct nd_mr *mr = region->mr;
	size_t from = monkey_below(monkey, (uint32_t)region->bytes + 1);
	size_t bytes = region->bytes - from + (monkey_once_in(monkey, 32) ? 1 : 0);

	flags |= monkey_below(monkey, 8) == 0 ? ND_OP_FLAG_ALLOW_READ
					      : ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE;
	if (monkey_once_in(monkey, 32))
		mr = side->stale_mr[monkey_below(monkey, MONKEY_STALE)];
	if (monkey_once_in(monkey, 32))
		mw = side->stale_mw[monkey_below(monkey, MONKEY_STALE)];
	return nd_endpoint_bind(endpoint, result, mr, mw, region->memory + from, bytes, flags,
		&side->descriptors[monkey_below(monkey, MONKEY_DESCRIPTORS)]);
}

/** Of the peer's windows, bound or long closed. */
static const struct nd_mw_descriptor *
descriptor_choose(struct monkey *monkey, const struct monkey_side *side)
{
	const struct monkey_side *peer = &monkey->sides[side == &monkey->sides[0]];

	return &peer->descriptors[monkey_below(monkey, MONKEY_DESCRIPTORS)];
}

static nd_status
outbound_call(struct monkey *monkey, struct monkey_side *side, struct nd_endpoint *endpoint,
	struct nd_result *result, bool silent)
{
	struct nd_sge sgl[SGES_MAX + 1];
	size_t count = sgl_choose(monkey, side, sgl);
	uint32_t flags = flags_choose(monkey, silent);
	struct nd_mw *mw = side->windows[monkey_below(monkey, MONKEY_WINDOWS)].mw;

	/* What needs a window that is bound mostly fails, and ends the connection: not too often. */
	switch (monkey_below(monkey, 40)) {
	case 0:
		return nd_endpoint_send_and_invalidate(
			endpoint, result, sgl, count, descriptor_choose(monkey, side), flags);
	case 1:
		return nd_endpoint_invalidate(endpoint, result, mw, flags);
	case 2:
		return nd_endpoint_read(endpoint, result, sgl, count,
			descriptor_choose(monkey, side), monkey_below(monkey, 100), flags);
	case 3:
		return nd_endpoint_write(endpoint, result, sgl, count,
			descriptor_choose(monkey, side), monkey_below(monkey, 100), flags);
	case 4:
	case 5:
	case 6:
	case 7:
		return nd_endpoint_write(
			endpoint, result, NULL, 0, descriptor_choose(monkey, side), 0, flags);
	case 8:
	case 9:
	case 10:
	case 11:
		return nd_endpoint_read(
			endpoint, result, NULL, 0, descriptor_choose(monkey, side), 0, flags);
	default:
		if (monkey_once_in(monkey, 3))
			return bind_call(monkey, side, endpoint, result, flags);
		return nd_endpoint_send(
			endpoint, result, sgl, monkey_once_in(monkey, 2) ? 0 : count, flags);
	}
}

void
monkey_post(struct monkey *monkey, struct monkey_side *side)
{
	struct monkey_connector *connector =
		&side->connectors[monkey_below(monkey, MONKEY_CONNECTORS)];
	bool inbound = monkey_once_in(monkey, 2);
	bool silent = !inbound && monkey_once_in(monkey, 3);
	struct monkey_item *item;
	struct nd_sge sgl[SGES_MAX + 1];
	size_t count;
	nd_status status;

	if (connector->busy || connector->endpoint == NULL)
		return;
	item = monkey_item_new(
		monkey, connector, inbound ? MONKEY_INBOUND : MONKEY_OUTBOUND, silent);
	connector->busy = true;
	if (inbound) {
		count = sgl_choose(monkey, side, sgl);
		status = nd_endpoint_receive(connector->endpoint, &item->result, sgl, count);
	} else {
		status = outbound_call(monkey, side, connector->endpoint, &item->result, silent);
	}
	monkey_item_posted(monkey, connector, item, status);
	connector->busy = false;
}

void
monkey_endpoint_use(struct monkey *monkey, struct monkey_side *side)
{
	struct monkey_connector *connector =
		&side->connectors[monkey_below(monkey, MONKEY_CONNECTORS)];

	if (connector->busy || connector->endpoint == NULL)
		return;
	connector->busy = true;
	switch (monkey_below(monkey, 16)) {
	case 0:
		if (nd_endpoint_flush(connector->endpoint) != ND_SUCCESS)
			monkey_fail(monkey, "flush", ND_SUCCESS);
		break;
	case 1:
	case 2:
		nd_endpoint_start_request_batch(connector->endpoint);
		break;
	default:
		nd_endpoint_submit_request_batch(connector->endpoint);
		break;
	}
	connector->busy = false;
}
