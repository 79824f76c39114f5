/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Table of the keys of a section [adapter], one row per key. */

#include "spi/config_value.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char config_value_unknown_key[] =
	"expected one of the keys port, address, gateway, neighbour, name, engines, vlan_id, "
	"path_mtu, mbuf_count, endpoints_max, dscp, udp_source_port, ack_delay, ack_timeout, "
	"retry_count, rnr_retry_count, rnr_timer, keepalive_ms, peer_timeout_ms, busy_poll, "
	"rx_interrupts";

static const char bad_address[] = "expected an IPv4 or IPv6 address, such as 198.51.100.1/24";
static const char bad_neighbour[] = "expected an IP address and a MAC address, such as "
				    "198.51.100.2 02:00:00:00:00:02, and at most 64 neighbours";
static const char bad_number[] = "expected a whole number in the range of this key";
static const char bad_choice[] = "expected yes or no";
static const char too_long[] = "expected at most 127 characters";
static const char given_twice[] = "expected only one address per adapter";
static const char port_twice[] = "expected only one port per adapter";
static const char bad_prefix[] = "expected a prefix length of 1 to 32 (IPv4) or 1 to 128 (IPv6)";

/**
 * A key with a number that is stored in struct nd_adapter_config. nd_adapter_open() checks the
 * range.
 */
struct number_key {
	const char *key;
	size_t offset;
	size_t bytes;
};

#define NUMBER(member)                                                                             \
	{                                                                                          \
#member, offsetof(struct nd_adapter_config, member),                               \
			sizeof(((struct nd_adapter_config *)NULL)->member)                         \
	}

static const struct number_key numbers[] = {
	NUMBER(engines),
	NUMBER(vlan_id),
	NUMBER(path_mtu),
	NUMBER(mbuf_count),
	NUMBER(endpoints_max),
	NUMBER(dscp),
	NUMBER(udp_source_port),
	NUMBER(ack_delay),
	NUMBER(ack_timeout),
	NUMBER(retry_count),
	NUMBER(rnr_retry_count),
	NUMBER(rnr_timer),
	NUMBER(keepalive_ms),
	NUMBER(peer_timeout_ms),
};

#define ARRAY_COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool
address_parse(const char *text, struct sockaddr_storage *address)
{
	struct sockaddr_in *v4 = (struct sockaddr_in *)address;
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)address;

	memset(address, 0, sizeof(*address));
	if (inet_pton(AF_INET, text, &v4->sin_addr) == 1) {
		v4->sin_family = AF_INET;
		return true;
	}
	if (inet_pton(AF_INET6, text, &v6->sin6_addr) == 1) {
		v6->sin6_family = AF_INET6;
		return true;
	}
	return false;
}

static bool
number_parse(const char *text, unsigned long most, unsigned long *number)
{
	char *end;

	if (text[0] < '0' || text[0] > '9')
		return false;
	errno = 0;
	*number = strtoul(text, &end, 10);
	return errno == 0 && *end == '\0' && *number <= most;
}

static const char *
address_set(struct spi_adapter_config *adapter, const char *value)
{
	char text[SPI_TEXT_BYTES];
	char *slash;
	unsigned long prefix = 0;

	if (adapter->native.address.ss_family != 0)
		return given_twice;
	if (snprintf(text, sizeof(text), "%s", value) >= (int)sizeof(text))
		return bad_address;
	slash = strchr(text, '/');
	if (slash != NULL) {
		*slash = '\0';
		if (!number_parse(slash + 1, 128, &prefix) || prefix == 0)
			return bad_prefix;
	}
	if (!address_parse(text, &adapter->native.address))
		return bad_address;
	if (adapter->native.address.ss_family == AF_INET && prefix > 32)
		return bad_prefix;
	adapter->native.prefix_length = (uint8_t)prefix;
	return NULL;
}

static const char *
neighbour_add(struct spi_adapter_config *adapter, const char *value)
{
	struct nd_neighbour *neighbour = &adapter->neighbours[adapter->native.neighbour_count];
	char text[SPI_TEXT_BYTES], address[64];
	int end = 0;
	uint8_t *mac;

	if (adapter->native.neighbour_count == SPI_NEIGHBOURS_MAX ||
		snprintf(text, sizeof(text), "%s", value) >= (int)sizeof(text))
		return bad_neighbour;
	mac = neighbour->mac;
	if (sscanf(text, "%63s %2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx%n", address, &mac[0], &mac[1],
		    &mac[2], &mac[3], &mac[4], &mac[5], &end) != 7 ||
		text[end] != '\0' || !address_parse(address, &neighbour->address))
		return bad_neighbour;
	adapter->native.neighbour_count++;
	return NULL;
}

static const char *
text_set(char *member, const char *value)
{
	int length = snprintf(member, SPI_TEXT_BYTES, "%s", value);

	return length >= SPI_TEXT_BYTES ? too_long : NULL;
}

static const char *
choice_set(bool *member, const char *value)
{
	if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
		return bad_choice;
	*member = value[0] == 'y';
	return NULL;
}

static const char *
number_set(struct nd_adapter_config *config, const struct number_key *key, const char *value)
{
	uint8_t *member = (uint8_t *)config + key->offset;
	unsigned long most = UINT32_MAX >> (8 * (4 - key->bytes)), number;
	uint32_t wide;
	uint16_t half;

	if (!number_parse(value, most, &number))
		return bad_number;
	wide = (uint32_t)number;
	half = (uint16_t)number;
	if (key->bytes == sizeof(wide))
		memcpy(member, &wide, sizeof(wide));
	else if (key->bytes == sizeof(half))
		memcpy(member, &half, sizeof(half));
	else
		*member = (uint8_t)number;
	return NULL;
}

const char *
config_value_set(struct spi_adapter_config *adapter, const char *key, const char *value)
{
	if (strcmp(key, "port") == 0)
		return adapter->port[0] == '\0' ? text_set(adapter->port, value) : port_twice;
	if (strcmp(key, "name") == 0)
		return text_set(adapter->name, value);
	if (strcmp(key, "address") == 0)
		return address_set(adapter, value);
	if (strcmp(key, "gateway") == 0)
		return address_parse(value, &adapter->native.gateway) ? NULL : bad_address;
	if (strcmp(key, "neighbour") == 0)
		return neighbour_add(adapter, value);
	if (strcmp(key, "busy_poll") == 0)
		return choice_set(&adapter->native.busy_poll, value);
	if (strcmp(key, "rx_interrupts") == 0)
		return choice_set(&adapter->native.rx_interrupts, value);
	for (size_t i = 0; i < ARRAY_COUNT(numbers); i++) {
		if (strcmp(key, numbers[i].key) == 0)
			return number_set(&adapter->native, &numbers[i], value);
	}
	return config_value_unknown_key;
}
