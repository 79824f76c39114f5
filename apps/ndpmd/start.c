/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "start.h"

#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#include <rte_bitops.h>
#include <rte_common.h>
#include <rte_lcore.h>

#include "kit/adapter.h"
#include "kit/inject_port.h"

/*
 * Endpoints per queue pair. There are two, because the connections of the next operation may be set
 * up before the connections of the previous operation have ended.
 */
#define ENDPOINTS_PER_QP       2u
#define ENDPOINTS_MIN          1024u
/*
 * Limit of connection requests per second. The limit is too high to slow down clients of a
 * measurement.
 */
#define CONNECTIONS_PER_SECOND 1000000u
#define WINDOWS_MIN            16384u
#define WINDOWS_MAX            UINT64_C(16777215) /* windows of an adapter */
#define EAL_MEGABYTES_MIN      UINT64_C(256)

/* ACK timeouts as exponents n of 4.096 us * 2^n: 67 ms and 4.3 s. */
#define ACK_TIMEOUT_DEFAULT  14
#define ACK_TIMEOUT_MAX      20
#define NS_PER_OUTSTANDING   200000u /* long enough even if other programs load the machine */
/*
 * ACK timeout with --perftest: 1 s, like the ACK timeout of Linux with RDMA CM. A shorter timeout
 * would cost more time, because Soft-RoCE executes a retransmitted request again.
 */
#define PERFTEST_ACK_TIMEOUT 18
#define PERFTEST_NS_PER_BYTE 100u
#define RNR_FOR_EVER         7

/*
 * Numbers for the computation of EAL's memory, in bytes. An adapter needs packet buffers and tables
 * of keys. The computation includes unused parts of the tables, although they need no physical
 * memory with small pages.
 */
#define ADAPTER_BYTES      (UINT64_C(96) << 20)
/*
 * Bytes per endpoint: four records of the connection manager with their indexes, and an entry of
 * the QPN table.
 */
#define ENDPOINT_BYTES     (4 * UINT64_C(900) + 32)
/*
 * Bytes per connection: the endpoint with its queue pair and its congestion control state, and the
 * allocator's headers of five blocks.
 */
#define QUEUE_PAIR_BYTES   UINT64_C(1856)
#define SEND_ENTRY_BYTES   UINT64_C(384)
#define OTHER_ENTRY_BYTES  UINT64_C(256) /* bytes of a receive or a READ, with its result */
/* Entries of a queue that are added for control messages; see session_memory.c. */
#define ENTRIES_SPARE      6u
#define RECEIVES_MAX       128u
#define BYTES_PER_MEGABYTE (UINT64_C(1) << 20)

static uint64_t
connection_bytes(const struct start_load *load)
{
	const uint32_t slots = RTE_MAX(load->depth, 2u);
	const uint32_t sends = (load->binds ? 4 * slots : slots) + ENTRIES_SPARE;
	const uint32_t others = RTE_MIN(2 * slots + ENTRIES_SPARE, RECEIVES_MAX) + slots;

	return QUEUE_PAIR_BYTES + rte_align32pow2(sends) * SEND_ENTRY_BYTES +
		rte_align32pow2(others) * OTHER_ENTRY_BYTES;
}

uint64_t
start_megabytes_of(const struct start_load *load)
{
	const uint64_t endpoints = RTE_MAX(ENDPOINTS_PER_QP * load->qps, ENDPOINTS_MIN);
	const uint64_t bytes = ADAPTER_BYTES * RTE_MAX(load->engines, 1u) +
		endpoints * ENDPOINT_BYTES * RTE_MAX(load->engines, 1u) +
		load->qps * connection_bytes(load);

	return load->sides * (bytes / BYTES_PER_MEGABYTE + 1);
}

static bool
has_bind(const struct options *options)
{
	for (unsigned int i = 0; i < options->op_count; i++)
		if (options->ops[i] == OPTIONS_OP_BIND)
			return true;
	return false;
}

uint64_t
start_megabytes(const struct options *options)
{
	const struct start_load load = {
		.sides = start_sides(options),
		.qps = options_connections(options),
		.depth = options->depth,
		.engines = start_engines(options),
		.binds = has_bind(options) || options->perftest,
	};

	const uint64_t inject = options->inject_text != NULL ? INJECT_BYTES : 0;

	return RTE_MAX(start_megabytes_of(&load), EAL_MEGABYTES_MIN) + inject / BYTES_PER_MEGABYTE;
}

bool
start_check_memory(const struct options *options, char *why, size_t size)
{
	const uint64_t needed = start_megabytes(options);
	const uint64_t present = (uint64_t)sysconf(_SC_PHYS_PAGES) *
		(uint64_t)sysconf(_SC_PAGESIZE) / BYTES_PER_MEGABYTE;

	if (needed <= present)
		return true;
	snprintf(why, size,
		"%u queue pair%s of depth %u need%s %llu MB, but this machine has %llu MB: choose "
		"a smaller --depth or --qps",
		options->qps, options->qps == 1 ? "" : "s", options->depth,
		options->qps == 1 ? "s" : "", (unsigned long long)needed,
		(unsigned long long)present);
	return false;
}

/*
 * @return exponent of an ACK timeout that is longer than the processing of all outstanding
 *         requests. With a shorter timeout, the last acknowledgement could arrive after the
 *         timeout.
 */
static uint8_t
ack_timeout(const struct options *options)
{
	const uint64_t message_ns = NS_PER_OUTSTANDING +
		(options->perftest ? (uint64_t)options->size_bytes * PERFTEST_NS_PER_BYTE : 0);
	const uint64_t outstanding_ns =
		(uint64_t)options_connections(options) * options->depth * message_ns;
	uint8_t exponent = options->perftest ? PERFTEST_ACK_TIMEOUT : ACK_TIMEOUT_DEFAULT;

	while (exponent < ACK_TIMEOUT_MAX && (UINT64_C(4096) << exponent) < outstanding_ns)
		exponent++;
	return exponent;
}

static struct nd_adapter_config
make_config(const struct options *options, const struct start_place *place)
{
	const uint32_t endpoints = ENDPOINTS_PER_QP * options_connections(options);
	const uint64_t windows = (uint64_t)endpoints * options->depth;
	struct nd_adapter_config config = transport_config(&options->transport);

	network_configure(&options->network, &config);
	config.engines = start_engines(options);
	config.address = *place->address;
	/*
	 * Retry without limit after RNR NAKs, as perftest does, so that a slow receiver causes no
	 * error.
	 */
	if (config.rnr_retry_count == 0 && options->perftest)
		config.rnr_retry_count = RNR_FOR_EVER;
	if (config.ack_timeout == 0 && config.peer_timeout_ms == 0)
		config.ack_timeout = ack_timeout(options);
	config.connections_per_second = CONNECTIONS_PER_SECOND;
	config.busy_poll = true;
	config.endpoints_max = RTE_MAX(endpoints, ENDPOINTS_MIN);
	config.regions_max = RTE_MAX(endpoints, ENDPOINTS_MIN);
	config.windows_max = (uint32_t)RTE_MIN(
		RTE_MAX(windows, WINDOWS_MIN) + place->standing_windows, WINDOWS_MAX);
	if (place->inject != NULL)
		inject_configure(place->inject, &config);
	return config;
}

uint32_t
start_qps_max(const struct options *options)
{
	const uint32_t per_qp = ENDPOINTS_PER_QP * options_connections(options) / options->qps;

	return RTE_MAX(options->qps, ENDPOINTS_MIN / per_qp);
}

struct nd_adapter *
start_adapter(
	const struct options *options, const struct start_place *place, char *why, size_t size)
{
	struct nd_adapter_config config = make_config(options, place);

	char megabytes[24];

	snprintf(
		megabytes, sizeof(megabytes), "%llu", (unsigned long long)start_megabytes(options));
	return adapter_open(&config, place->port, megabytes, why, size);
}

/*
 * Write the lcores in the format of EAL's options. The first lcore of the list is the main lcore,
 * even if its number is not the lowest.
 */
static void
write_lcores(const struct options *options, struct eal_lcores *lcores)
{
	size_t length = 0;

	for (unsigned int i = 0; i < options->lcore_count; i++)
		length += (size_t)snprintf(lcores->list + length, sizeof(lcores->list) - length,
			"%s%u", i > 0 ? "," : "", options->lcores[i]);
	snprintf(lcores->main, sizeof(lcores->main), "%u", options->lcores[0]);
}

/* Check that this process may run on the processors of --lcores. EAL prints only its usage. */
static bool
check_processors(const struct options *options, char *why, size_t size)
{
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		return true;
	for (unsigned int i = 0; i < options->lcore_count; i++) {
		if (CPU_ISSET(options->lcores[i], &allowed))
			continue;
		snprintf(why, size, "--lcores: processor %u is not available to this process",
			options->lcores[i]);
		return false;
	}
	return true;
}

bool
start_eal(
	const struct options *options, const struct eal_arguments *divided, char *why, size_t size)
{
	struct eal_lcores lcores = {0};

	if (divided->eal_count == 0 && !check_processors(options, why, size))
		return false;
	write_lcores(options, &lcores);
	if (!eal_start(divided, start_megabytes(options), options->lcore_count > 0 ? &lcores : NULL,
		    why, size))
		return false;
	for (unsigned int i = 0; i < options->lcore_count; i++) {
		if (rte_lcore_is_enabled(options->lcores[i]) &&
			(i > 0 || options->lcores[0] == rte_get_main_lcore()))
			continue;
		snprintf(why, size,
			"lcore %u is not %s of EAL: give EAL -l %s --main-lcore=%s before "
			"the --",
			options->lcores[i], i > 0 ? "an lcore" : "the main lcore", lcores.list,
			lcores.main);
		return false;
	}
	return true;
}
