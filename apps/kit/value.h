/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_VALUE_H
#define NDPDK_KIT_VALUE_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include <ndpdk/nd_adapter.h>

/*
 * Parsers for the values of options, the same for all applications. Each function returns true if
 * the whole text is a valid value in range.
 */

/** Parse a number 0 .. max: decimal, hexadecimal with 0x, or octal with 0. */
bool value_number(const char *text, uint64_t max, uint64_t *number);

/** Parse a number as value_number() does, with an optional suffix K, M or G (powers of 1024). */
bool value_size(const char *text, uint64_t max, uint64_t *number);

/** Parse seconds with decimals, at most one year, so that a sum of times in ns fits in 64 bits. */
bool value_seconds(const char *text, uint64_t *ns);

/** Parse a time up to one year: seconds with decimals, or a number with a suffix us, ms or s. */
bool value_time(const char *text, uint64_t *ns);

#define VALUE_ITEM_BYTES 64

/**
 * Copy the text before the first separator.
 * @param item buffer of VALUE_ITEM_BYTES bytes
 * @param rest set to the text after the separator; NULL = the text has no separator
 * @return false: the item is too long
 */
bool value_item(const char *text, char separator, char *item, const char **rest);

/** An ethdev port, as given in an option. A name has at most RTE_ETH_NAME_MAX_LEN bytes. */
struct value_port {
	char name[64]; /**< "" = the port is given by its number */
	uint16_t number;
};

/** Parse the number or name of an ethdev port, without checking that the port exists. */
bool value_port(const char *text, struct value_port *port);

/** Parse an IPv4 or IPv6 address without a port. A name is not valid. */
bool value_address(const char *text, struct sockaddr_storage *address);

/** Parse an address with an optional prefix length, IP[/LEN]. *length is 0 if LEN is missing. */
bool value_network(const char *text, struct sockaddr_storage *address, uint8_t *length);

/** Check the name of a file for a picture: at least one character, followed by .svg or .png. */
bool value_picture(const char *text);

/** Parse IP,MAC with the MAC address as xx:xx:xx:xx:xx:xx. */
bool value_neighbour(const char *text, struct nd_neighbour *neighbour);

#endif
