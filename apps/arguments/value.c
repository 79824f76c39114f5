/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "arguments/value.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ADDRESS_TEXT_BYTES 64
#define MAC_BYTES          6

bool
value_number(const char *text, uint64_t max, uint64_t *number)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*number = strtoull(text, &end, 0);
	return errno == 0 && *end == '\0' && *number <= max;
}

bool
value_address(const char *text, struct sockaddr_storage *address)
{
	struct sockaddr_in *v4 = (struct sockaddr_in *)address;
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)address;

	memset(address, 0, sizeof(*address));
	if (inet_pton(AF_INET, text, &v4->sin_addr) == 1) {
		address->ss_family = AF_INET;
		return true;
	}
	if (inet_pton(AF_INET6, text, &v6->sin6_addr) == 1) {
		address->ss_family = AF_INET6;
		return true;
	}
	return false;
}

/* Parse the address before the separator. *rest: the text after it, NULL without separator. */
static bool
address_before(
	const char *text, char separator, struct sockaddr_storage *address, const char **rest)
{
	const char *found = strchr(text, separator);
	const size_t length = found != NULL ? (size_t)(found - text) : strlen(text);
	char head[ADDRESS_TEXT_BYTES];

	*rest = found != NULL ? found + 1 : NULL;
	if (length >= sizeof(head))
		return false;
	memcpy(head, text, length);
	head[length] = '\0';
	return value_address(head, address);
}

bool
value_network(const char *text, struct sockaddr_storage *address, uint8_t *length)
{
	const char *rest;
	uint64_t number;

	*length = 0;
	if (!address_before(text, '/', address, &rest))
		return false;
	if (rest == NULL)
		return true;
	if (!value_number(rest, address->ss_family == AF_INET ? 32 : 128, &number) || number == 0)
		return false;
	*length = (uint8_t)number;
	return true;
}

static bool
parse_mac(const char *text, uint8_t mac[MAC_BYTES])
{
	for (int i = 0; i < MAC_BYTES; i++) {
		char *end;
		const unsigned long byte = strtoul(text, &end, 16);

		if (end == text || end > text + 2 || *text == '+' || *text == '-' ||
			*end != (i < MAC_BYTES - 1 ? ':' : '\0'))
			return false;
		mac[i] = (uint8_t)byte;
		text = end + 1;
	}
	return true;
}

bool
value_neighbour(const char *text, struct nd_neighbour *neighbour)
{
	const char *rest;

	return address_before(text, ',', &neighbour->address, &rest) && rest != NULL &&
		parse_mac(rest, neighbour->mac);
}

bool
value_vlan(const char *text, uint16_t *id)
{
	uint64_t number;

	if (!value_number(text, 4094, &number) || number == 0)
		return false;
	*id = (uint16_t)number;
	return true;
}

bool
value_path_mtu(const char *text, uint16_t *path_mtu)
{
	uint64_t number;

	if (!value_number(text, 4096, &number) || number < 256 || (number & (number - 1)) != 0)
		return false;
	*path_mtu = (uint16_t)number;
	return true;
}

bool
value_keepalive(const char *text, uint32_t *milliseconds)
{
	uint64_t number;

	if (!value_number(text, 86400000, &number) || number == 0)
		return false;
	*milliseconds = (uint32_t)number;
	return true;
}
