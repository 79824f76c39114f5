/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "start.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include <rte_common.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_log.h>

/* Connections of the next operation may come before those of the last one are gone. */
#define ENDPOINTS_PER_QP 2u
#define ENDPOINTS_MIN    1024u
#define WINDOWS_MIN      16384u

/* Exponents of 4.096 us: 67 ms, 4.3 s. */
#define ACK_TIMEOUT_DEFAULT  14
#define ACK_TIMEOUT_MAX      20
#define NS_PER_OUTSTANDING   20000u
/* 1 s and more, as Linux has it with RDMA CM: Soft-RoCE does all over again what comes twice. */
#define PERFTEST_ACK_TIMEOUT 18
#define PERFTEST_NS_PER_BYTE 100u
#define RNR_FOR_EVER         7

/*
 * EAL's memory when nobody says how much. An entry of a queue takes less than 512 bytes at each of
 * two sides.
 */
#define EAL_MEGABYTES        UINT64_C(256)
#define EAL_MEGABYTES_MAX    UINT64_C(8192)
#define ENTRIES_PER_MEGABYTE 1024u
/* Receives and control messages of a connection, and the connection itself. */
#define ENTRIES_SPARE        512u

/* With --zero-copy messages are in EAL's memory, too: receives of a connection at most. */
#define RECEIVES_MAX       128u
#define BYTES_PER_MEGABYTE (UINT64_C(1) << 20)

void
start_divide(int count, char *arguments[], struct start_arguments *divided)
{
	*divided = (struct start_arguments){
		.application_count = count,
		.application = arguments,
	};
	for (int i = 1; i < count; i++) {
		if (strcmp(arguments[i], "--") != 0)
			continue;
		/* The -- gives its place to the program's name. */
		arguments[i] = arguments[0];
		divided->eal_count = i;
		divided->eal = arguments;
		divided->application_count = count - i;
		divided->application = arguments + i;
		return;
	}
}

static int
first_allowed_cpu(void)
{
	cpu_set_t allowed;

	CPU_ZERO(&allowed);
	if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		return 0;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &allowed))
			return cpu;
	return 0;
}

/*
 * Room for two adapters and the queues of this many connections; pages that are not used cost
 * nothing.
 */
static uint64_t
memory_megabytes(const struct options *options)
{
	const uint64_t entries = (uint64_t)options->qps * (3 * options->depth + ENTRIES_SPARE);
	/* Messages here, messages there, and receives there. */
	const uint64_t messages = (uint64_t)options->qps * (2 * options->depth + RECEIVES_MAX);
	uint64_t megabytes = EAL_MEGABYTES + entries / ENTRIES_PER_MEGABYTE;

	if (options->zero_copy)
		megabytes += messages * options->size_bytes / BYTES_PER_MEGABYTE;
	return RTE_MIN(megabytes, EAL_MEGABYTES_MAX);
}

static int
start_eal_alone(const struct options *options, char *program)
{
	/* lcore 0 on that processor, since lcore numbers end before processor numbers do. */
	char lcores[32];
	char no_huge[] = "--no-huge", no_shconf[] = "--no-shconf", no_pci[] = "--no-pci",
	     memory[] = "-m", megabytes[24], no_telemetry[] = "--no-telemetry",
	     log_level[] = "--log-level=error";
	char *arguments[] = {program, no_huge, no_shconf, no_pci, memory, megabytes, no_telemetry,
		lcores, log_level, NULL};

	snprintf(megabytes, sizeof(megabytes), "%" PRIu64, memory_megabytes(options));
	snprintf(lcores, sizeof(lcores), "--lcores=0@%d", first_allowed_cpu());
	return rte_eal_init(RTE_DIM(arguments) - 1, arguments);
}

bool
start_eal(const struct options *options, const struct start_arguments *divided, char *why,
	size_t size)
{
	const int result = divided->eal_count > 0
		? rte_eal_init(divided->eal_count, divided->eal)
		: start_eal_alone(options, divided->application[0]);

	if (result < 0)
		snprintf(why, size, "EAL did not start: %s", rte_strerror(rte_errno));
	return result >= 0;
}

/*
 * Behind everything that is outstanding an acknowledgement must not be too late. @return exponent.
 */
static uint8_t
ack_timeout(const struct options *options)
{
	const uint64_t message_ns = NS_PER_OUTSTANDING +
		(options->perftest ? (uint64_t)options->size_bytes * PERFTEST_NS_PER_BYTE : 0);
	const uint64_t outstanding_ns = options->qps * options->depth * message_ns;
	uint8_t exponent = options->perftest ? PERFTEST_ACK_TIMEOUT : ACK_TIMEOUT_DEFAULT;

	while (exponent < ACK_TIMEOUT_MAX && (UINT64_C(4096) << exponent) < outstanding_ns)
		exponent++;
	return exponent;
}

static struct nd_adapter_config
make_config(const struct options *options, uint16_t port, const struct sockaddr_storage *address,
	uint32_t standing_windows)
{
	return (struct nd_adapter_config){
		.port_id = port,
		.address = *address,
		.prefix_length = options->prefix_length,
		.gateway = options->gateway,
		.neighbours = options->neighbours,
		.neighbour_count = options->neighbour_count,
		.vlan_id = options->vlan_id,
		.path_mtu = options->path_mtu,
		.dscp = options->dscp,
		.zero_copy = options->zero_copy,
		/* As perftest: a receiver that is slow is waited for. */
		.rnr_retry_count = options->perftest ? RNR_FOR_EVER : 0,
		.ack_timeout = ack_timeout(options),
		.endpoints_max = RTE_MAX(ENDPOINTS_PER_QP * options->qps, ENDPOINTS_MIN),
		.regions_max = RTE_MAX(ENDPOINTS_PER_QP * options->qps, ENDPOINTS_MIN),
		.windows_max =
			RTE_MAX(ENDPOINTS_PER_QP * options->qps * options->depth, WINDOWS_MIN) +
			standing_windows,
	};
}

struct nd_adapter *
start_adapter(const struct options *options, uint16_t port, const struct sockaddr_storage *address,
	uint32_t standing_windows, char *why, size_t size)
{
	const struct nd_adapter_config config =
		make_config(options, port, address, standing_windows);
	const uint32_t log_level = rte_log_get_global_level();
	struct nd_adapter *adapter = NULL;
	nd_status status;

	if (!rte_eth_dev_is_valid_port(port)) {
		snprintf(why, size,
			"port %u does not exist, EAL has found %u: give it a device, for instance "
			"--vdev or -a",
			port, rte_eth_dev_count_avail());
		return NULL;
	}
	/* The library logs the sentence that is printed here. */
	rte_log_set_global_level(RTE_LOG_CRIT);
	status = nd_adapter_open(&config, &adapter);
	rte_log_set_global_level(log_level);
	if (!nd_failed(status))
		return adapter;
	snprintf(why, size, "port %u: %s (%s)", port, nd_adapter_open_error(),
		nd_status_name(status));
	return NULL;
}
