/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "start.h"

#include <rte_common.h>

#include "process/adapter.h"

/* Connections of the next operation may be made before those of the last one have ended. */
#define ENDPOINTS_PER_QP 2u
#define ENDPOINTS_MIN    1024u
#define WINDOWS_MIN      16384u

/* Exponents of 4.096 us: 67 ms, 4.3 s. */
#define ACK_TIMEOUT_DEFAULT  14
#define ACK_TIMEOUT_MAX      20
#define NS_PER_OUTSTANDING   20000u
/*
 * 1 s, as Linux with RDMA CM: Soft-RoCE executes a repeated request again, which costs more than
 * waiting.
 */
#define PERFTEST_ACK_TIMEOUT 18
#define PERFTEST_NS_PER_BYTE 100u
#define RNR_FOR_EVER         7

/*
 * EAL's memory when the user gives no arguments for EAL. An entry of a queue takes less than 512
 * bytes at each of two sides.
 */
#define EAL_MEGABYTES        UINT64_C(256)
#define EAL_MEGABYTES_MAX    UINT64_C(8192)
#define ENTRIES_PER_MEGABYTE 1024u
/* Receives and control messages of a connection, and the connection itself. */
#define ENTRIES_SPARE        512u

uint64_t
start_megabytes(const struct options *options)
{
	const uint64_t entries = (uint64_t)options->qps * (3 * options->depth + ENTRIES_SPARE);

	return RTE_MIN(EAL_MEGABYTES + entries / ENTRIES_PER_MEGABYTE, EAL_MEGABYTES_MAX);
}

/*
 * @return exponent of a timeout that is longer than all outstanding requests take together:
 * otherwise the last acknowledgement would come after the timeout
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
		/*
		 * As perftest: RNR retries without limit, so that a slow receiver causes no error.
		 */
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

	return adapter_open(&config, why, size);
}
