/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "message.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/*
 * The letters of a ping run from 'A' to 'z', including the six characters between 'Z' and 'a', and
 * repeat.
 */
#define LETTER_FIRST 'A'
#define LETTER_COUNT ((unsigned int)('z' - 'A' + 1))

/* Size of the longest prefix, "rdma-ping-4294967295: " and a zero. */
#define PREFIX_BYTES 24

struct message
message_from_window(const struct nd_mw_descriptor *window)
{
	const uint64_t length = rte_be_to_cpu_64(window->length);

	/*
	 * Address and token of a descriptor are already in network byte order. rping's length has
	 * 32 bits.
	 */
	return (struct message){
		.address = window->base,
		.rkey = window->token,
		.size_bytes = rte_cpu_to_be_32((uint32_t)length),
	};
}

struct nd_mw_descriptor
message_to_window(const struct message *message)
{
	return (struct nd_mw_descriptor){
		.base = message->address,
		.length = rte_cpu_to_be_64(rte_be_to_cpu_32(message->size_bytes)),
		.token = message->rkey,
	};
}

static size_t
write_prefix(char prefix[PREFIX_BYTES], uint32_t round)
{
	return (size_t)snprintf(prefix, PREFIX_BYTES, "rdma-ping-%" PRIu32 ": ", round);
}

void
message_fill(char *text, size_t size_bytes, uint32_t round)
{
	char prefix[PREFIX_BYTES];
	const size_t prefix_bytes = write_prefix(prefix, round);
	unsigned int letter = round % LETTER_COUNT;

	memcpy(text, prefix, prefix_bytes);
	for (size_t i = prefix_bytes; i < size_bytes - 1; i++) {
		text[i] = (char)(LETTER_FIRST + letter);
		letter = letter + 1 < LETTER_COUNT ? letter + 1 : 0;
	}
	text[size_bytes - 1] = '\0';
}

bool
message_check(const char *text, size_t size_bytes, uint32_t round)
{
	char prefix[PREFIX_BYTES];
	const size_t prefix_bytes = write_prefix(prefix, round);
	unsigned int letter = round % LETTER_COUNT;

	if (size_bytes <= prefix_bytes || memcmp(text, prefix, prefix_bytes) != 0)
		return false;
	for (size_t i = prefix_bytes; i < size_bytes - 1; i++) {
		if (text[i] != (char)(LETTER_FIRST + letter))
			return false;
		letter = letter + 1 < LETTER_COUNT ? letter + 1 : 0;
	}
	return text[size_bytes - 1] == '\0';
}
