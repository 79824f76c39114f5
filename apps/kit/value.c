/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "kit/value.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAC_BYTES   6
#define SECONDS_MAX (365.0 * 24 * 3600)

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
value_port(const char *text, struct value_port *port)
{
	const size_t length = strlen(text);
	uint64_t number = 0;

	*port = (struct value_port){.name = ""};
	if (length == 0 || length >= sizeof(port->name))
		return false;
	for (size_t i = 0; i < length; i++)
		if (!isgraph((unsigned char)text[i]))
			return false;
	if (value_number(text, UINT64_MAX, &number))
		port->number = (uint16_t)number;
	else
		memcpy(port->name, text, length + 1);
	return number <= UINT16_MAX;
}

bool
value_size(const char *text, uint64_t max, uint64_t *number)
{
	static const char suffixes[] = "kKmMgG";
	const size_t length = strlen(text);
	char digits[VALUE_ITEM_BYTES];
	const char *suffix;
	uint64_t unit = 1;

	if (length == 0 || length >= sizeof(digits))
		return false;
	memcpy(digits, text, length + 1);
	suffix = strchr(suffixes, text[length - 1]);
	if (suffix != NULL) {
		unit = UINT64_C(1024) << (10 * ((suffix - suffixes) / 2));
		digits[length - 1] = '\0';
	}
	if (!value_number(digits, max / unit, number))
		return false;
	*number *= unit;
	return true;
}

/*
 * Parse a number without sign at the start of a text. @return the number; -1 = there is no number
 */
static double
decimals(const char *text, const char **behind)
{
	char *end;
	double number;

	if ((*text < '0' || *text > '9') && *text != '.')
		return -1;
	number = strtod(text, &end);
	*behind = end;
	return end == text ? -1 : number;
}

bool
value_seconds(const char *text, uint64_t *ns)
{
	const char *behind = "";
	const double seconds = decimals(text, &behind);

	if (seconds < 0 || *behind != '\0' || !(seconds <= SECONDS_MAX))
		return false;
	*ns = (uint64_t)(seconds * 1e9);
	return true;
}

bool
value_time(const char *text, uint64_t *ns)
{
	static const struct {
		const char *suffix;
		double ns;
	} units[] = {{"", 1e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}};
	const char *behind = "";
	const double number = decimals(text, &behind);

	for (size_t i = 0; number >= 0 && i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(behind, units[i].suffix) != 0)
			continue;
		if (!(number * units[i].ns <= SECONDS_MAX * 1e9))
			return false;
		*ns = (uint64_t)(number * units[i].ns);
		return true;
	}
	return false;
}

bool
value_item(const char *text, char separator, char *item, const char **rest)
{
	const char *found = strchr(text, separator);
	const size_t length = found != NULL ? (size_t)(found - text) : strlen(text);

	*rest = found != NULL ? found + 1 : NULL;
	if (length >= VALUE_ITEM_BYTES)
		return false;
	memcpy(item, text, length);
	item[length] = '\0';
	return true;
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

static bool
address_before(
	const char *text, char separator, struct sockaddr_storage *address, const char **rest)
{
	char item[VALUE_ITEM_BYTES];

	return value_item(text, separator, item, rest) && value_address(item, address);
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
value_picture(const char *text)
{
	const size_t length = strlen(text);

	return length > 4 &&
		(strcmp(text + length - 4, ".svg") == 0 || strcmp(text + length - 4, ".png") == 0);
}
