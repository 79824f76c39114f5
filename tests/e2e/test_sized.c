/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test programs that were compiled with an older or a newer version of a structure that has grown.
 */

#include <arpa/inet.h>
#include <string.h>

#include <criterion/criterion.h>

#include <rte_mbuf.h>

#include <ndpdk/nd.h>
#include <ndpdk/nd_virtual.h>

#include "support/eal.h"

/** A newer version of the configuration, with one more member. */
struct newer_config {
	struct nd_adapter_config config;
	uint64_t added;
};

static uint64_t
clock_read(void *arg)
{
	(void)arg;
	return 0;
}

static uint16_t
transmit(uint16_t port_id, uint16_t queue_id, struct rte_mbuf **mbufs, uint16_t count, void *arg)
{
	(void)port_id, (void)queue_id, (void)arg;
	rte_pktmbuf_free_bulk(mbufs, count);
	return count;
}

static const struct nd_virtual_config virtual_config = {
	.clock = clock_read, .mac = {0x02, 0, 0, 0, 0, 1}};

static struct newer_config
make(void)
{
	struct newer_config newer;
	struct sockaddr_in self = {.sin_family = AF_INET, .sin_addr = {htonl(0xC0000201)}};

	memset(&newer, 0, sizeof(newer));
	memcpy(&newer.config.address, &self, sizeof(self));
	newer.config.transmit = transmit;
	newer.config.mbuf_count = 512;
	newer.config.endpoints_max = 8;
	newer.config.mra_max_ms = 1;
	return newer;
}

static nd_status
open_sized(const struct newer_config *newer, size_t size, struct nd_adapter **adapter)
{
	return nd_adapter_open_virtual_sized(
		&newer->config, size, &virtual_config, sizeof(virtual_config), adapter);
}

TestSuite(sized, .init = test_eal_init);

Test(sized, configurations_of_other_sizes)
{
	struct newer_config newer = make();
	const size_t equal = sizeof(newer.config);
	struct nd_adapter *adapter = NULL;

	cr_assert_eq(open_sized(&newer, equal, &adapter), ND_SUCCESS);
	nd_adapter_close(adapter);
	cr_assert_eq(open_sized(&newer, sizeof(newer), &adapter), ND_SUCCESS);
	nd_adapter_close(adapter);

	/*
	 * This value is invalid, and refused if the structure contains the member. If the structure
	 * is older and shorter, the default is used instead.
	 */
	newer.config.mra_max_ms = UINT32_MAX;
	cr_assert_eq(open_sized(&newer, equal, &adapter), ND_INVALID_PARAMETER);
	cr_assert_eq(open_sized(&newer, offsetof(struct nd_adapter_config, mra_max_ms), &adapter),
		ND_SUCCESS);
	nd_adapter_close(adapter);

	newer = make();
	newer.added = 1;
	adapter = NULL;
	cr_assert_eq(open_sized(&newer, sizeof(newer), &adapter), ND_INVALID_PARAMETER_2);
	cr_assert_not_null(strstr(nd_adapter_open_error(), "config has"));
	cr_assert_eq(nd_adapter_open_sized(&newer.config, sizeof(newer), &adapter),
		ND_INVALID_PARAMETER_2);
	cr_assert_null(adapter);
}

Test(sized, second_configuration_of_another_size)
{
	struct newer_config newer = make();
	struct {
		struct nd_virtual_config config;
		uint64_t added;
	} given;
	struct nd_adapter *adapter = NULL;

	memset(&given, 0, sizeof(given));
	given.config = virtual_config;
	given.added = 1;
	cr_assert_eq(nd_adapter_open_virtual_sized(&newer.config, sizeof(newer.config),
			     &given.config, sizeof(given), &adapter),
		ND_INVALID_PARAMETER_4);
	given.added = 0;
	cr_assert_eq(nd_adapter_open_virtual_sized(&newer.config, sizeof(newer.config),
			     &given.config, sizeof(given), &adapter),
		ND_SUCCESS);
	nd_adapter_close(adapter);
}

Test(sized, filled_structures_of_other_sizes)
{
	struct newer_config config = make();
	static char memory[64];
	struct {
		struct nd_mr_info info;
		uint64_t added;
	} newer;
	struct {
		struct nd_counter counter;
		uint64_t added;
	} counters[2];
	struct {
		struct nd_adapter_info info;
		uint64_t added;
	} limits;
	size_t bytes = sizeof(limits);
	struct nd_mr_info *info = &newer.info;
	struct nd_adapter *adapter;
	struct nd_mr *mr;

	cr_assert_eq(open_sized(&config, sizeof(config.config), &adapter), ND_SUCCESS);
	cr_assert_eq(
		nd_adapter_register_memory(adapter, memory, sizeof(memory), NULL, &mr), ND_SUCCESS);

	memset(&newer, 0xFF, sizeof(newer));
	cr_assert_eq(nd_mr_query_sized(adapter, mr, info, offsetof(struct nd_mr_info, length)),
		ND_SUCCESS);
	cr_assert_eq(info->base, memory);
	cr_assert_eq(info->length, SIZE_MAX);
	cr_assert_eq(nd_mr_query(adapter, mr, info), ND_SUCCESS);
	cr_assert_eq(info->length, sizeof(memory));
	cr_assert_eq(newer.added, UINT64_MAX);
	cr_assert_eq(nd_mr_query_sized(adapter, mr, info, sizeof(newer)), ND_SUCCESS);
	cr_assert_eq(newer.added, 0);

	memset(counters, 0xFF, sizeof(counters));
	cr_assert_gt(
		nd_adapter_counters_sized(adapter, &counters[0].counter, sizeof(counters[0]), 2),
		2);
	for (size_t i = 0; i < 2; i++) {
		cr_assert_not_null(counters[i].counter.name);
		cr_assert_eq(counters[i].added, 0);
	}

	memset(&limits, 0xFF, sizeof(limits));
	cr_assert_eq(nd_adapter_query(adapter, ND_VERSION_1, &limits.info, &bytes), ND_SUCCESS);
	cr_assert_eq(bytes, sizeof(limits.info));
	cr_assert_eq(limits.added, UINT64_MAX);
	nd_adapter_close(adapter);
}
