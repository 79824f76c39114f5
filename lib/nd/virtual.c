/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Virtual adapters: an adapter without a port. The program supplies the frames, the clock and the
 * random numbers.
 */

#include <ndpdk/nd_virtual.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <rte_eal.h>

#include "base/sized.h"
#include "nd/adapter.h"
#include "nd/deferred_free.h"
#include "nd/name.h"

#define MTU_DEFAULT (LIMIT_PMTU_MAX + PORT_HEADER_BYTES_MAX)
#define MTU_MIN     (LIMIT_PMTU_MIN + PORT_HEADER_BYTES_MAX)

static_assert(ND_VIRTUAL_SEED_BYTES == BASE_RANDOM_SEED_BYTES, "both seeds have the same size");

/** Replacement for the port of a virtual adapter. */
struct adapter_virtual {
	struct virtual_queue {
		struct port_io io;
		const struct adapter_virtual *owner;
		uint16_t index;
	} queues[LIMIT_ENGINES];
	nd_transmit_fn transmit;
	void *transmit_arg;
};

static __rte_format_printf(2, 3) nd_status refuse(nd_status status, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(adapter_open_why, ADAPTER_WHY_BYTES, format, arguments);
	va_end(arguments);
	return status;
}

/**
 * Implements port_io.receive. Returns no frames, because frames arrive only through
 * nd_engine_input().
 */
static uint16_t
receive(void *arg, struct rte_mbuf **mbufs, uint16_t max)
{
	(void)arg, (void)mbufs, (void)max;
	return 0;
}

static uint16_t
transmit(void *arg, struct rte_mbuf **mbufs, uint16_t count)
{
	const struct virtual_queue *queue = arg;

	return queue->owner->transmit(0, queue->index, mbufs, count, queue->owner->transmit_arg);
}

static nd_status
virtual_check(const struct nd_adapter_config *config, const struct nd_virtual_config *given)
{
	struct rte_ether_addr mac;

	memcpy(mac.addr_bytes, given->mac, sizeof(mac.addr_bytes));
	if (config->transmit == NULL)
		return refuse(ND_INVALID_PARAMETER, "an adapter without a port requires transmit");
	if (given->clock == NULL)
		return refuse(ND_INVALID_PARAMETER, "an adapter without a port requires a clock");
	if (!rte_is_valid_assigned_ether_addr(&mac))
		return refuse(
			ND_INVALID_PARAMETER, "the adapter's MAC address is not a unicast address");
	if (given->mtu != 0 && given->mtu < MTU_MIN)
		return refuse(ND_INVALID_PARAMETER, "mtu is %u, but must be %u to 65535",
			given->mtu, MTU_MIN);
	return ND_SUCCESS;
}

/** Choose the path MTU, and create pools or use the application's pool. */
static nd_status
pools_make(struct nd_adapter_config *config, uint16_t mtu, struct adapter_parts *parts)
{
	const uint16_t largest = port_path_mtu(mtu);

	if (config->path_mtu == 0)
		config->path_mtu = largest;
	if (config->path_mtu > largest)
		return refuse(ND_INVALID_PARAMETER,
			"an mtu of %u is too small for a path MTU of %u", mtu, config->path_mtu);
	if (config->mbuf_pool != NULL &&
		rte_pktmbuf_data_room_size(config->mbuf_pool) < engine_room_bytes(config->path_mtu))
		return refuse(ND_INVALID_PARAMETER,
			"buffers of mbuf_pool have %u bytes, but a path MTU of %u needs %u",
			rte_pktmbuf_data_room_size(config->mbuf_pool), config->path_mtu,
			engine_room_bytes(config->path_mtu));
	for (uint32_t i = 0; i < config->engines; i++) {
		parts->queues[i].pool = config->mbuf_pool;
		if (config->mbuf_pool == NULL)
			parts->queues[i].pool = engine_pool_create(
				config->mbuf_count, config->path_mtu, SOCKET_ID_ANY);
		if (parts->queues[i].pool == NULL)
			return adapter_pool_refused(config);
	}
	return ND_SUCCESS;
}

static nd_status
parts_make(struct nd_adapter_config *config, const struct nd_virtual_config *given,
	struct adapter_parts *parts)
{
	const uint16_t mtu = given->mtu != 0 ? given->mtu : MTU_DEFAULT;
	struct adapter_virtual *virtual = calloc(1, sizeof(*virtual));

	parts->virtual = virtual;
	if (virtual == NULL)
		return refuse(ND_NO_MEMORY, "no memory for an adapter");
	virtual->transmit = config->transmit;
	virtual->transmit_arg = config->transmit_arg;
	for (uint32_t i = 0; i < config->engines; i++) {
		struct virtual_queue *queue = &virtual->queues[i];

		queue->owner = virtual;
		queue->index = (uint16_t)i;
		queue->io = (struct port_io){.receive = receive,
			.transmit = transmit,
			.arg = queue,
			.mtu = mtu,
			.socket_id = SOCKET_ID_ANY};
		memcpy(queue->io.mac.addr_bytes, given->mac, sizeof(given->mac));
		parts->queues[i].io = &queue->io;
	}
	parts->clock = (struct engine_clock){.now_ns = given->clock, .arg = given->clock_arg};
	if (given->seed != NULL)
		memcpy(parts->seed, given->seed, sizeof(parts->seed));
	else if (getrandom(parts->seed, sizeof(parts->seed), 0) != sizeof(parts->seed))
		return refuse(ND_DEVICE_NOT_READY, "the system provides no random numbers");
	return pools_make(config, mtu, parts);
}

static nd_status
open_checked(struct nd_adapter_config *config, const struct nd_virtual_config *given,
	struct nd_adapter **adapter)
{
	struct adapter_parts parts = {0};
	nd_status status;

	deferred_free_sweep();
	status = parts_make(config, given, &parts);
	if (!nd_failed(status)) {
		status = adapter_create(config, &parts, adapter);
		if (nd_failed(status))
			adapter_create_error(config, status);
	}
	if (!nd_failed(status))
		return status;
	for (uint32_t i = 0; i < LIMIT_ENGINES; i++)
		if (parts.queues[i].pool != config->mbuf_pool)
			deferred_free_add(parts.queues[i].pool);
	free(parts.virtual);
	return status;
}

nd_status
nd_adapter_open_virtual_sized(const struct nd_adapter_config *config, size_t config_size,
	const struct nd_virtual_config *virtual_config, size_t virtual_size,
	struct nd_adapter **adapter)
{
	struct nd_virtual_config given;
	struct nd_adapter_config checked;
	nd_status status;

	adapter_open_why[0] = '\0';
	if (config == NULL)
		return refuse(ND_INVALID_PARAMETER, "config is NULL");
	if (virtual_config == NULL || adapter == NULL)
		return refuse(ND_INVALID_PARAMETER,
			virtual_config == NULL ? "virtual_config is NULL" : "adapter is NULL");
	if (rte_eal_process_type() == RTE_PROC_SECONDARY)
		return refuse(ND_NOT_SUPPORTED,
			"a secondary process of DPDK cannot open adapters: open them in the "
			"primary process");
	status = adapter_config_read(&checked, config, config_size, adapter_open_why);
	if (nd_failed(status))
		return status;
	if (!base_sized_read(&given, sizeof(given), virtual_config, virtual_size))
		return refuse(ND_INVALID_PARAMETER_4,
			"virtual_config has %zu bytes, and sets members after the %zu bytes that "
			"this version of the library knows",
			virtual_size, sizeof(given));
	checked.queue_id = 0;
	checked.port_configured = checked.input_only = checked.own_port = false;
	status = adapter_config_check(&checked, adapter_open_why, ADAPTER_WHY_BYTES);
	if (!nd_failed(status))
		status = virtual_check(&checked, &given);
	if (!nd_failed(status) && checked.name != NULL && !name_is_valid(checked.name))
		status = name_refuse(checked.name, adapter_open_why, ADAPTER_WHY_BYTES);
	if (nd_failed(status))
		return status;
	status = open_checked(&checked, &given, adapter);
	if (!nd_failed(status))
		snprintf((*adapter)->name, sizeof((*adapter)->name), "%s",
			checked.name != NULL ? checked.name : "virtual");
	return status;
}

uint64_t
nd_engine_next_deadline(const struct nd_engine *engine)
{
	return engine_deadline_ns(engine->engine);
}
