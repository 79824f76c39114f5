/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test the lookup of adapters by address. */

#include <arpa/inet.h>
#include <string.h>

#include <criterion/criterion.h>

#include <ndpdk/nd_lookup.h>

#include "support/nd_pair.h"

static struct nd_pair pair;

static struct {
	const char *address, *gateway, *neighbour;
	uint8_t prefix_length;
} networks[2];

static struct sockaddr_storage
address_of(const char *text)
{
	struct sockaddr_storage storage = {0};
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(7)};
	struct sockaddr_in6 in6 = {.sin6_family = AF_INET6};

	if (inet_pton(AF_INET, text, &in.sin_addr) == 1) {
		memcpy(&storage, &in, sizeof(in));
	} else {
		cr_assert_eq(inet_pton(AF_INET6, text, &in6.sin6_addr), 1);
		memcpy(&storage, &in6, sizeof(in6));
	}
	return storage;
}

static void
adapt(unsigned int side, struct nd_adapter_config *config)
{
	static struct nd_neighbour neighbours[2];

	config->address = address_of(networks[side].address);
	config->prefix_length = networks[side].prefix_length;
	if (networks[side].gateway != NULL)
		config->gateway = address_of(networks[side].gateway);
	if (networks[side].neighbour == NULL)
		return;
	neighbours[side] = (struct nd_neighbour){
		.address = address_of(networks[side].neighbour), .mac = {2, 0, 0, 0, 0, 9}};
	config->neighbours = &neighbours[side];
	config->neighbour_count = 1;
}

static void
start(void)
{
	nd_pair_open(&pair, &(struct nd_pair_config){.adapt = adapt});
}

static void
two_networks(void)
{
	networks[0].address = "192.0.2.1";
	networks[0].prefix_length = 24;
	networks[1].address = "192.0.2.129";
	networks[1].prefix_length = 25;
	networks[1].gateway = "192.0.2.254";
	networks[1].neighbour = "203.0.113.7";
	start();
}

static void
teardown(void)
{
	nd_pair_close(&pair);
}

TestSuite(lookup, .init = two_networks, .fini = teardown);

static bool
is(const struct sockaddr_storage *address, const char *text)
{
	struct sockaddr_in in, expected;
	const struct sockaddr_storage other = address_of(text);

	memcpy(&in, address, sizeof(in));
	memcpy(&expected, &other, sizeof(expected));
	return in.sin_family == AF_INET && in.sin_port == 0 &&
		in.sin_addr.s_addr == expected.sin_addr.s_addr;
}

Test(lookup, list_has_all_open_adapters)
{
	struct nd_adapter_entry entries[3];

	cr_assert_eq(nd_adapter_list(NULL, 0), 2);
	cr_assert_eq(nd_adapter_list(entries, 3), 2);
	for (unsigned int i = 0; i < 2; i++) {
		cr_assert_eq(entries[i].adapter, pair.side[i].adapter);
		cr_assert_eq(entries[i].number, i);
		cr_assert_str_eq(entries[i].name, nd_adapter_name(pair.side[i].adapter));
		cr_assert(is(&entries[i].address, networks[i].address));
		cr_assert_eq(entries[i].prefix_length, networks[i].prefix_length);
	}
	memset(entries, 0, sizeof(entries));
	cr_assert_eq(nd_adapter_list(entries, 1), 2);
	cr_assert_eq(entries[0].adapter, pair.side[0].adapter);
	cr_assert_null(entries[1].adapter, "beyond the count");
	nd_pair_close(&pair);
	cr_assert_eq(nd_adapter_list(entries, 3), 0);
	start();
}

static struct nd_adapter *
found(const char *text)
{
	const struct sockaddr_storage address = address_of(text);
	struct nd_adapter *const none = (struct nd_adapter *)&pair;
	struct nd_adapter *adapter = none;
	nd_status status = nd_adapter_find_by_address(
		(const struct sockaddr *)&address, sizeof(address), &adapter);

	if (status == ND_SUCCESS)
		return adapter;
	cr_assert_eq(status, ND_INVALID_ADDRESS);
	cr_assert_eq(adapter, none, "written by a failure");
	return NULL;
}

Test(lookup, adapter_is_found_by_its_address_only)
{
	const struct sockaddr_storage address = address_of("192.0.2.1");
	struct nd_adapter *adapter = NULL;

	cr_assert_eq(found("192.0.2.1"), pair.side[0].adapter);
	cr_assert_eq(found("192.0.2.129"), pair.side[1].adapter);
	cr_assert_null(found("192.0.2.2"));
	cr_assert_null(found("0.0.0.0"));
	cr_assert_null(found("::1"));
	cr_assert_eq(nd_adapter_find_by_address(NULL, 16, &adapter), ND_INVALID_ADDRESS);
	cr_assert_eq(nd_adapter_find_by_address((const struct sockaddr *)&address, 8, &adapter),
		ND_INVALID_ADDRESS);
	ASSERT_ND(nd_adapter_find_by_address(
			  (const struct sockaddr *)&address, sizeof(address), NULL),
		ND_INVALID_PARAMETER);
}

/**
 * Find the adapter that reaches the address.
 * @return the adapter, with its own address in `local`; NULL on failure, with the reason in *status
 */
static struct nd_adapter *
resolved(const char *text, nd_status *status)
{
	const struct sockaddr_storage address = address_of(text);
	struct sockaddr_storage local = {0};
	struct nd_adapter *adapter = NULL;
	size_t length = sizeof(local);

	*status = nd_adapter_resolve_address((const struct sockaddr *)&address, sizeof(address),
		&adapter, (struct sockaddr *)&local, &length);
	if (adapter == NULL)
		return NULL;
	cr_assert_eq(*status, ND_SUCCESS);
	cr_assert_eq(length, sizeof(struct sockaddr_in));
	cr_assert(is(&local, networks[adapter == pair.side[1].adapter].address));
	return adapter;
}

Test(lookup, peer_is_reached_as_connect_does)
{
	nd_status status;

	/*
	 * The lookup prefers, in this order: an adapter with this address, the smaller of two
	 * networks, a gateway. But a neighbour entry takes precedence.
	 */
	cr_assert_eq(resolved("192.0.2.1", &status), pair.side[0].adapter);
	cr_assert_eq(resolved("192.0.2.129", &status), pair.side[1].adapter);
	cr_assert_eq(resolved("192.0.2.200", &status), pair.side[1].adapter);
	cr_assert_eq(resolved("192.0.2.9", &status), pair.side[0].adapter);
	cr_assert_eq(resolved("198.51.100.1", &status), pair.side[1].adapter);
	cr_assert_eq(resolved("203.0.113.7", &status), pair.side[1].adapter);
	cr_assert_null(resolved("2001:db8::1", &status));
	cr_assert_eq(status, ND_NETWORK_UNREACHABLE);
	cr_assert_null(resolved("224.0.0.1", &status));
	cr_assert_eq(status, ND_INVALID_ADDRESS);
	cr_assert_null(resolved("0.0.0.0", &status));
	cr_assert_eq(status, ND_INVALID_ADDRESS);
}

Test(lookup, without_gateway_only_entries_lead_out_of_the_network)
{
	nd_status status;

	nd_pair_close(&pair);
	networks[1].gateway = NULL;
	start();
	cr_assert_eq(resolved("203.0.113.7", &status), pair.side[1].adapter);
	cr_assert_null(resolved("203.0.113.8", &status));
	cr_assert_eq(status, ND_NETWORK_UNREACHABLE);
}

Test(lookup, room_for_the_local_address)
{
	const struct sockaddr_storage address = address_of("192.0.2.9");
	const struct sockaddr *const remote = (const struct sockaddr *)&address;
	struct nd_adapter *adapter = NULL;
	struct sockaddr_storage local;
	size_t length = 4;

	cr_assert_eq(nd_adapter_resolve_address(
			     remote, sizeof(address), &adapter, (struct sockaddr *)&local, &length),
		ND_BUFFER_OVERFLOW);
	cr_assert_eq(length, sizeof(struct sockaddr_in));
	cr_assert_null(adapter, "written by a failure");
	cr_assert_eq(nd_adapter_resolve_address(remote, sizeof(address), &adapter, NULL, NULL),
		ND_SUCCESS);
	cr_assert_eq(adapter, pair.side[0].adapter);
	cr_assert_eq(
		nd_adapter_resolve_address(remote, sizeof(address), NULL, NULL, NULL), ND_SUCCESS);
	cr_assert_eq(nd_adapter_resolve_address(remote, 4, NULL, NULL, NULL), ND_INVALID_ADDRESS);
}

/* A net_ring port has no vendor, because it is not a PCI device. */
Test(lookup, virtual_port_has_no_vendor)
{
	struct nd_adapter_info info;
	size_t size = sizeof(info);

	cr_assert_eq(
		nd_adapter_query(pair.side[0].adapter, ND_VERSION_1, &info, &size), ND_SUCCESS);
	cr_assert_eq(info.vendor_id, 0);
	cr_assert_eq(info.device_id, 0);
}
