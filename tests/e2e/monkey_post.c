/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Post random requests, most of them valid. */

#include <endian.h>
#include <string.h>

#include <rte_common.h>

#include "monkey.h"

#define SGES_MAX 5

static uint8_t inline_bytes[512];

static const struct monkey_region *
region_choose(struct monkey *monkey, const struct monkey_side *side)
{
	uint32_t first = monkey_below(monkey, MONKEY_REGIONS);

	for (uint32_t i = 0; i < MONKEY_REGIONS; i++) {
		const struct monkey_region *region = &side->regions[(first + i) % MONKEY_REGIONS];

		if (region->mr != NULL)
			return region;
	}
	return NULL;
}

/**
 * Choose the memory of a request. In rare cases, choose a range that is outside the region or
 * already deregistered.
 * @param bytes_max maximum length of each entry
 */
static size_t
sgl_choose(struct monkey *monkey, struct monkey_side *side, uint32_t bytes_max, struct nd_sge *sgl)
{
	size_t count = monkey_below(monkey, monkey_once_in(monkey, 32) ? SGES_MAX + 1 : 3);
	bool inlined = monkey_once_in(monkey, 8);

	for (size_t i = 0; i < count; i++) {
		const struct monkey_region *region = region_choose(monkey, side);

		if (region == NULL || inlined) {
			sgl[i] = (struct nd_sge){inline_bytes, monkey_below(monkey, 130), NULL};
			continue;
		}
		sgl[i] = (struct nd_sge){region->memory,
			RTE_MIN(region->bytes, (size_t)monkey_below(monkey, bytes_max + 1)),
			region->mr};
		sgl[i].address = region->memory +
			monkey_below(monkey, (uint32_t)(region->bytes - sgl[i].length) + 1);
		if (monkey_once_in(monkey, 300))
			sgl[i].length += MONKEY_REGION_MAX;
		if (monkey_once_in(monkey, 300))
			sgl[i].mr = side->stale_mr[monkey_below(monkey, MONKEY_STALE)];
	}
	return count;
}

/** Choose receive buffers that are usually long enough for the peer's messages. */
static size_t
receive_sgl_choose(struct monkey *monkey, struct monkey_side *side, struct nd_sge *sgl)
{
	const struct monkey_region *region = region_choose(monkey, side);

	if (region == NULL || monkey_once_in(monkey, 16))
		return sgl_choose(monkey, side, MONKEY_REGION_MAX, sgl);
	sgl[0] = (struct nd_sge){region->memory, region->bytes, region->mr};
	return 1;
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
bind_call(struct monkey *monkey, struct monkey_side *side, struct monkey_connector *connector,
	struct nd_result *result, uint32_t flags)
{
	const struct monkey_region *region = region_choose(monkey, side);
	struct nd_mw *mw = side->windows[monkey_below(monkey, MONKEY_WINDOWS)].mw;
	struct nd_mw_descriptor descriptor;
	struct nd_mr *mr = NULL;
	uint8_t *memory = NULL;
	size_t bytes = 1;
	nd_status status;

	if (region != NULL) {
		size_t from = monkey_below(monkey, (uint32_t)region->bytes);

		mr = region->mr;
		memory = region->memory + from;
		bytes = region->bytes - from + (monkey_once_in(monkey, 32) ? 1 : 0);
	}
	flags |= monkey_below(monkey, 8) == 0 ? ND_OP_FLAG_ALLOW_READ
					      : ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE;
	if (monkey_once_in(monkey, 32))
		mr = side->stale_mr[monkey_below(monkey, MONKEY_STALE)];
	if (monkey_once_in(monkey, 32))
		mw = side->stale_mw[monkey_below(monkey, MONKEY_STALE)];
	status = nd_endpoint_bind(
		connector->endpoint, result, mr, mw, memory, bytes, flags, &descriptor);
	if (status != ND_SUCCESS)
		return status;
	connector->bound = descriptor;
	side->descriptors[monkey_below(monkey, MONKEY_DESCRIPTORS)] = descriptor;
	return status;
}

/**
 * Choose the peer's newest window. In rare cases, choose any of the peer's windows, bound or
 * closed.
 */
static const struct nd_mw_descriptor *
descriptor_choose(struct monkey *monkey, const struct monkey_side *side,
	const struct monkey_connector *connector)
{
	const struct monkey_side *peer = &monkey->sides[side == &monkey->sides[0]];

	if (connector->peer != NULL && !monkey_once_in(monkey, 32))
		return &connector->peer->bound;
	return &peer->descriptors[monkey_below(monkey, MONKEY_DESCRIPTORS)];
}

static nd_status
remote_call(struct monkey *monkey, struct monkey_side *side, struct monkey_connector *connector,
	struct nd_result *result, uint32_t flags)
{
	struct nd_mw_descriptor descriptor = *descriptor_choose(monkey, side, connector);
	uint64_t length = be64toh(descriptor.length);
	uint32_t offset = (uint32_t)RTE_MIN(length, (uint64_t)monkey_below(monkey, 100));
	struct nd_sge sgl[SGES_MAX + 1];
	size_t count = sgl_choose(monkey, side, (uint32_t)(length - offset) / SGES_MAX, sgl);

	/* If the peer has bound no window, usually post a write of 0 bytes, which cannot fail. */
	if (length == 0 && !monkey_once_in(monkey, 32))
		return nd_endpoint_write(
			connector->endpoint, result, NULL, 0, &descriptor, 0, flags);
	switch (monkey_below(monkey, 8)) {
	case 0:
		if (connector->peer != NULL)
			memset(&connector->peer->bound, 0, sizeof(connector->peer->bound));
		return nd_endpoint_send_and_invalidate(connector->endpoint, result, sgl,
			monkey_below(monkey, 2) * count, &descriptor, flags);
	case 1:
	case 2:
	case 3:
		return nd_endpoint_read(
			connector->endpoint, result, sgl, count, &descriptor, offset, flags);
	default:
		return nd_endpoint_write(
			connector->endpoint, result, sgl, count, &descriptor, offset, flags);
	}
}

static nd_status
outbound_call(struct monkey *monkey, struct monkey_side *side, struct monkey_connector *connector,
	struct nd_result *result, bool silent)
{
	uint32_t flags = flags_choose(monkey, silent);
	struct nd_sge sgl[SGES_MAX + 1];
	size_t count;

	switch (monkey_below(monkey, 16)) {
	case 0:
	case 1:
	case 2:
	case 3:
		return bind_call(monkey, side, connector, result, flags);
	case 4:
		if (monkey_once_in(monkey, 4))
			return nd_endpoint_invalidate(connector->endpoint, result,
				side->windows[monkey_below(monkey, MONKEY_WINDOWS)].mw, flags);
		/* fall through */
	case 5:
	case 6:
	case 7:
	case 8:
	case 9:
		return remote_call(monkey, side, connector, result, flags);
	default:
		count = sgl_choose(monkey, side, 200, sgl);
		return nd_endpoint_send(connector->endpoint, result, sgl, count, flags);
	}
}

/** @return a connector, in most cases one that was connected before */
static struct monkey_connector *
connector_choose(struct monkey *monkey, struct monkey_side *side)
{
	uint32_t number = monkey_below(monkey, MONKEY_CONNECTORS);

	for (uint32_t i = 0; i < MONKEY_CONNECTORS && !monkey_once_in(monkey, 16); i++) {
		struct monkey_connector *connector =
			&side->connectors[(number + i) % MONKEY_CONNECTORS];

		if (connector->peer != NULL && connector->endpoint != NULL)
			return connector;
	}
	return &side->connectors[number];
}

void
monkey_post(struct monkey *monkey, struct monkey_side *side)
{
	struct monkey_connector *connector = connector_choose(monkey, side);
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
		count = receive_sgl_choose(monkey, side, sgl);
		status = nd_endpoint_receive(connector->endpoint, &item->result, sgl, count);
	} else {
		status = outbound_call(monkey, side, connector, &item->result, silent);
		if (status == ND_CONNECTION_INVALID)
			connector->peer = NULL;
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
