/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test adapters and ports that are selected by name. */

#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include <rte_ethdev.h>

#include "support/nd_pair.h"

static struct nd_pair pair;
static char names[2][RTE_ETH_NAME_MAX_LEN];
static const char *wanted[2]; /* names to give to the adapters */

/* Select the port by name. The port number is invalid, so it must be ignored. */
static void
by_name(unsigned int side, struct nd_adapter_config *config)
{
	cr_assert_eq(rte_eth_dev_get_name_by_port(config->port_id, names[side]), 0);
	config->port_name = names[side];
	config->port_id = UINT16_MAX;
	config->name = wanted[side];
}

static void
start(void)
{
	nd_pair_open(&pair, &(struct nd_pair_config){.adapt = by_name});
}

static void
teardown(void)
{
	nd_pair_close(&pair);
}

TestSuite(name, .init = start, .fini = teardown);

Test(name, port_is_found_by_its_name)
{
	for (unsigned int i = 0; i < 2; i++) {
		cr_assert_eq(nd_adapter_port_id(pair.side[i].adapter), pair.ports[i]);
		cr_assert_str_eq(nd_adapter_name(pair.side[i].adapter), names[i]);
	}
	nd_pair_connect(&pair);
}

static struct nd_adapter *
open_as(struct nd_adapter_config *config, nd_status status)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_addr.s_addr = rte_cpu_to_be_32(0xC0000263)};
	struct nd_adapter *adapter = NULL;

	memcpy(&config->address, &address, sizeof(address));
	config->mbuf_count = 512;
	cr_assert_eq(nd_adapter_open(config, &adapter), status, "%s", nd_adapter_open_error());
	return adapter;
}

static const char *
refusal(struct nd_adapter_config *config, nd_status status)
{
	cr_assert_null(open_as(config, status));
	return nd_adapter_open_error();
}

Test(name, unknown_port_is_refused)
{
	char expected[400];

	snprintf(expected, sizeof(expected),
		"port net_none0 does not exist: EAL has found %s (%u), %s (%u)", names[0],
		pair.ports[0], names[1], pair.ports[1]);
	cr_assert_str_eq(
		refusal(&(struct nd_adapter_config){.port_name = "net_none0"}, ND_DEVICE_NOT_READY),
		expected);
	cr_assert_not_null(
		strstr(refusal(&(struct nd_adapter_config){.port_id = 77}, ND_DEVICE_NOT_READY),
			"port 77 does not exist: EAL has found "));
	(void)refusal(&(struct nd_adapter_config){.port_name = ""}, ND_DEVICE_NOT_READY);
}

Test(name, adapter_has_the_name_that_was_given)
{
	char given[] = "venue-1";
	const char *why;

	wanted[1] = given;
	nd_pair_close(&pair);
	nd_pair_open(&pair, &(struct nd_pair_config){.adapt = by_name});
	given[0] = 'x'; /* the adapter has copied the name */
	cr_assert_str_eq(nd_adapter_name(pair.side[1].adapter), "venue-1");
	cr_assert_str_eq(nd_adapter_name(pair.side[0].adapter), names[0]);
	why = refusal(&(struct nd_adapter_config){.port_id = pair.ports[0], .name = "venue-1"},
		ND_SHARING_VIOLATION);
	cr_assert_str_eq(why, "an open adapter already has the name venue-1: choose another name");
	nd_pair_close(&pair);
	wanted[0] = "venue-1";
	wanted[1] = NULL;
	nd_pair_open(&pair, &(struct nd_pair_config){.adapt = by_name});
	cr_assert_str_eq(nd_adapter_name(pair.side[0].adapter), "venue-1");
}

/*
 * If the default name of an adapter is already in use, the open fails, and the port is closed
 * again.
 */
Test(name, default_name_may_be_taken)
{
	struct nd_adapter *adapter;

	nd_pair_close(&pair);
	adapter = open_as(&(struct nd_adapter_config){.port_id = pair.ports[0], .name = names[1]},
		ND_SUCCESS);
	cr_assert_not_null(strstr(refusal(&(struct nd_adapter_config){.port_id = pair.ports[1]},
					  ND_SHARING_VIOLATION),
		"an open adapter already has the name"));
	nd_adapter_close(adapter);
	start();
}

Test(name, names_that_are_not_valid)
{
	static const char *const wrong[] = {"", "1", "0x1", "a,b", "a b", "a\n", "-a",
		"n234567890123456789012345678901234567890123456789012345678901234"};

	for (size_t i = 0; i < RTE_DIM(wrong); i++) {
		const char *why = refusal(
			&(struct nd_adapter_config){.port_id = pair.ports[0], .name = wrong[i]},
			ND_INVALID_PARAMETER);

		cr_assert_not_null(strstr(why, "must be 1 to 63 letters"), "%s", why);
	}
}
