/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "pcapng_read.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * A file is a sequence of blocks. A block consists of type, length, content, and the length again.
 * A section header defines the byte order of the following blocks, and makes the interfaces of
 * earlier sections invalid. Unknown blocks are skipped, as the format requires. A length in the
 * file may be wrong, so memory grows only with the bytes that were read, up to BLOCK_BYTES_MAX.
 *
 * Format: draft-ietf-opsawg-pcapng.
 */

#define TYPE_SECTION    0x0A0D0D0Au
#define TYPE_INTERFACE  1u
#define TYPE_OLD_PACKET 2u
#define TYPE_SIMPLE     3u
#define TYPE_PACKET     6u

#define BYTE_ORDER_MAGIC 0x1A2B3C4Du

/*
 * Size in bytes of the parts of a block: type and length (HEAD_BYTES) before the content, and the
 * length again (TAIL_BYTES) after the content.
 */
#define HEAD_BYTES       8u
#define TAIL_BYTES       4u
#define SECTION_BYTES    16u /* content of a section header without options */
#define INTERFACE_BYTES  8u
#define PACKET_BYTES     20u
#define SIMPLE_BYTES     4u
#define BLOCK_BYTES_MAX  (16u << 20)
#define BLOCK_BYTES_STEP (64u << 10)
#define INTERFACES_MAX   65536u

#define OPTION_END      0u
#define OPTION_TSRESOL  9u
#define OPTION_TSOFFSET 14u

#define NS_PER_S        UINT64_C(1000000000)
#define NS_EXPONENT     9u
#define TSRESOL_DEFAULT 6u
#define TSRESOL_BINARY  0x80u
/* 10^19 is the greatest power of ten that fits in 64 bits. */
#define EXPONENT_MAX    19u

struct interface {
	uint16_t link_type;
	uint8_t tsresol; /* unit, coded as in the option: 10^-n s, or 2^-n s if bit 7 is set */
	int64_t tsoffset_s;
	uint32_t snapshot_bytes; /* 0 = no limit */
};

struct pcapng_reader {
	struct source *source;
	uint8_t *block; /* content of the block that is being read */
	size_t block_capacity;
	struct interface *interfaces;
	size_t interface_count, interface_capacity;
	bool type_is_read; /* the type of the first block was already read (PCAPNG_MAGIC) */
	bool swapped;
	bool in_section;
	uint64_t time_ns; /* time of the previous packet */
	char error[160];
};

struct pcapng_reader *
pcapng_reader_open(struct source *source)
{
	struct pcapng_reader *reader = calloc(1, sizeof(*reader));

	if (reader == NULL)
		return NULL;
	reader->source = source;
	reader->type_is_read = true;
	return reader;
}

void
pcapng_reader_close(struct pcapng_reader *reader)
{
	if (reader == NULL)
		return;
	free(reader->interfaces);
	free(reader->block);
	free(reader);
}

const char *
pcapng_reader_error(const struct pcapng_reader *reader)
{
	return reader->error;
}

static enum pcapng_result
fail(struct pcapng_reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

static enum pcapng_result
fail(struct pcapng_reader *reader, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(reader->error, sizeof(reader->error), format, list);
	va_end(list);
	return PCAPNG_ERROR;
}

/* Report an unexpected end of the file, a read error, or a signal. */
static enum pcapng_result
fail_short(struct pcapng_reader *reader)
{
	if (source_is_stopped(reader->source))
		return PCAPNG_END;
	if (source_error(reader->source) != NULL)
		return fail(reader, "%s", source_error(reader->source));
	return fail(reader, "truncated in the middle of a block");
}

static uint32_t
load32(const struct pcapng_reader *reader, const uint8_t *bytes)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return reader->swapped ? __builtin_bswap32(value) : value;
}

static uint16_t
load16(const struct pcapng_reader *reader, const uint8_t *bytes)
{
	uint16_t value;

	memcpy(&value, bytes, sizeof(value));
	return reader->swapped ? __builtin_bswap16(value) : value;
}

static bool
reserve(struct pcapng_reader *reader, size_t bytes)
{
	uint8_t *grown;

	if (bytes <= reader->block_capacity)
		return true;
	grown = realloc(reader->block, bytes);
	if (grown == NULL)
		return false;
	reader->block = grown;
	reader->block_capacity = bytes;
	return true;
}

/* Read the content of a block. @return false on failure; reader->error may hold the reason */
static enum pcapng_result
content_read(struct pcapng_reader *reader, size_t bytes)
{
	size_t have = 0;

	while (have < bytes) {
		size_t step = bytes - have < BLOCK_BYTES_STEP ? bytes - have : BLOCK_BYTES_STEP;

		if (!reserve(reader, have + step))
			return fail(reader, "memory is exhausted");
		if (source_read(reader->source, reader->block + have, step) != step)
			return fail_short(reader);
		have += step;
	}
	return PCAPNG_PACKET;
}

static enum pcapng_result
content_skip(struct pcapng_reader *reader, size_t bytes)
{
	while (bytes > 0) {
		size_t step = bytes < BLOCK_BYTES_STEP ? bytes : BLOCK_BYTES_STEP;

		if (!reserve(reader, step))
			return fail(reader, "memory is exhausted");
		if (source_read(reader->source, reader->block, step) != step)
			return fail_short(reader);
		bytes -= step;
	}
	return PCAPNG_PACKET;
}

static bool
interface_options(struct pcapng_reader *reader, size_t bytes, struct interface *interface)
{
	size_t at = INTERFACE_BYTES;

	while (at + 4 <= bytes) {
		const uint16_t code = load16(reader, reader->block + at);
		const uint16_t length = load16(reader, reader->block + at + 2);
		const uint8_t *value = reader->block + at + 4;

		if (code == OPTION_END)
			break;
		if (at + 4 + length > bytes)
			return false;
		if (code == OPTION_TSRESOL && length == 1)
			interface->tsresol = value[0];
		if (code == OPTION_TSOFFSET && length == 8) {
			uint64_t seconds;

			memcpy(&seconds, value, sizeof(seconds));
			if (reader->swapped)
				seconds = __builtin_bswap64(seconds);
			interface->tsoffset_s = (int64_t)seconds;
		}
		at += 4 + ((length + 3u) & ~(size_t)3);
	}
	return true;
}

static enum pcapng_result
interface_take(struct pcapng_reader *reader, size_t bytes)
{
	struct interface interface = {.tsresol = TSRESOL_DEFAULT};

	if (bytes < INTERFACE_BYTES)
		return fail(reader, "an interface block of only %zu bytes", bytes);
	interface.link_type = load16(reader, reader->block);
	interface.snapshot_bytes = load32(reader, reader->block + 4);
	if (!interface_options(reader, bytes, &interface))
		return fail(reader, "an option that exceeds its interface block");
	if (reader->interface_count == reader->interface_capacity) {
		size_t capacity =
			reader->interface_capacity == 0 ? 4 : 2 * reader->interface_capacity;
		struct interface *grown;

		if (reader->interface_count == INTERFACES_MAX)
			return fail(reader, "more than %u interfaces", INTERFACES_MAX);
		grown = realloc(reader->interfaces, capacity * sizeof(*grown));
		if (grown == NULL)
			return fail(reader, "memory is exhausted");
		reader->interfaces = grown;
		reader->interface_capacity = capacity;
	}
	reader->interfaces[reader->interface_count++] = interface;
	return PCAPNG_PACKET;
}

static uint64_t
power_of_ten(unsigned int exponent)
{
	uint64_t power = 1;

	while (exponent-- > 0)
		power *= 10;
	return power;
}

/*
 * Convert a time stamp of an interface to nanoseconds since 1970. An overflow is harmless, because
 * only time differences are used.
 */
static uint64_t
time_of(const struct interface *interface, uint64_t units)
{
	const unsigned int exponent = interface->tsresol & (unsigned int)~TSRESOL_BINARY;
	const uint64_t offset = (uint64_t)interface->tsoffset_s * NS_PER_S;

	if ((interface->tsresol & TSRESOL_BINARY) != 0) {
		unsigned __int128 scaled = (unsigned __int128)units * NS_PER_S;

		return offset + (uint64_t)(scaled >> exponent);
	}
	if (exponent <= NS_EXPONENT)
		return offset + units * power_of_ten(NS_EXPONENT - exponent);
	if (exponent - NS_EXPONENT > EXPONENT_MAX)
		return offset;
	return offset + units / power_of_ten(exponent - NS_EXPONENT);
}

/* Fill a packet from reader->block, after its interface number and position were parsed. */
static enum pcapng_result
packet_fill(
	struct pcapng_reader *reader, size_t room, uint32_t number, struct pcapng_packet *packet)
{
	if (number >= reader->interface_count)
		return fail(reader, "a packet of interface %u in a file with %zu interfaces",
			number, reader->interface_count);
	if (packet->captured_bytes > room)
		return fail(reader, "a packet of %u bytes in a block with room for %zu",
			packet->captured_bytes, room);
	/* A frame is never shorter than its captured part, but some writers store length 0. */
	if (packet->wire_bytes < packet->captured_bytes)
		packet->wire_bytes = packet->captured_bytes;
	packet->link_type = reader->interfaces[number].link_type;
	packet->time_ns = reader->time_ns;
	return PCAPNG_PACKET;
}

/* Read an enhanced packet block, or an obsolete packet block. */
static enum pcapng_result
packet_take(struct pcapng_reader *reader, uint32_t type, size_t bytes, struct pcapng_packet *packet)
{
	const uint8_t *block = reader->block;
	const uint32_t number =
		type == TYPE_PACKET || bytes < 4 ? 0 : load16(reader, reader->block);
	enum pcapng_result result;
	uint32_t interface;

	if (bytes < PACKET_BYTES)
		return fail(reader, "a packet block of only %zu bytes", bytes);
	interface = type == TYPE_PACKET ? load32(reader, block) : number;
	packet->captured_bytes = load32(reader, block + 12);
	packet->wire_bytes = load32(reader, block + 16);
	packet->bytes = block + PACKET_BYTES;
	result = packet_fill(reader, bytes - PACKET_BYTES, interface, packet);
	if (result != PCAPNG_PACKET)
		return result;
	reader->time_ns = time_of(&reader->interfaces[interface],
		(uint64_t)load32(reader, block + 4) << 32 | load32(reader, block + 8));
	packet->time_ns = reader->time_ns;
	return PCAPNG_PACKET;
}

/*
 * Read a simple packet block. The packet belongs to the first interface and has no time. Its
 * captured length follows from the length of the block.
 */
static enum pcapng_result
simple_take(struct pcapng_reader *reader, size_t bytes, struct pcapng_packet *packet)
{
	uint32_t limit;

	if (bytes < SIMPLE_BYTES)
		return fail(reader, "a packet block of only %zu bytes", bytes);
	if (reader->interface_count == 0)
		return fail(reader, "a packet before the first interface");
	limit = reader->interfaces[0].snapshot_bytes;
	packet->wire_bytes = load32(reader, reader->block);
	packet->captured_bytes = packet->wire_bytes;
	if (limit != 0 && packet->captured_bytes > limit)
		packet->captured_bytes = limit;
	packet->bytes = reader->block + SIMPLE_BYTES;
	return packet_fill(reader, bytes - SIMPLE_BYTES, 0, packet);
}

/* Read the byte order of a section header. @param[out] length set to the header block's length */
static enum pcapng_result
section_start(struct pcapng_reader *reader, const uint8_t head[HEAD_BYTES], uint32_t *length)
{
	uint8_t magic[4];
	uint32_t value;

	if (source_read(reader->source, magic, sizeof(magic)) != sizeof(magic))
		return fail_short(reader);
	memcpy(&value, magic, sizeof(value));
	if (value != BYTE_ORDER_MAGIC && value != __builtin_bswap32(BYTE_ORDER_MAGIC))
		return fail(reader, "a section header without a byte-order magic");
	reader->swapped = value != BYTE_ORDER_MAGIC;
	reader->in_section = true;
	reader->interface_count = 0;
	*length = load32(reader, head + 4);
	return PCAPNG_PACKET;
}

static bool
is_of_use(uint32_t type)
{
	return type == TYPE_INTERFACE || type == TYPE_PACKET || type == TYPE_OLD_PACKET ||
		type == TYPE_SIMPLE;
}

/* Read the head of the next block. @return PCAPNG_END at the end of the file */
static enum pcapng_result
head_read(struct pcapng_reader *reader, uint8_t head[HEAD_BYTES])
{
	size_t have = 0, got;

	if (reader->type_is_read) {
		const uint32_t type = TYPE_SECTION; /* same bytes in either order */

		memcpy(head, &type, sizeof(type));
		have = PCAPNG_MAGIC_BYTES;
		reader->type_is_read = false;
	}
	got = source_read(reader->source, head + have, HEAD_BYTES - have);
	if (got == 0 && have == 0 && source_error(reader->source) == NULL)
		return PCAPNG_END;
	return got == HEAD_BYTES - have ? PCAPNG_PACKET : fail_short(reader);
}

/* Read a block. @param[out] bytes size of the content, which is in reader->block if is_of_use() */
static enum pcapng_result
block_read(struct pcapng_reader *reader, uint32_t *type, size_t *bytes)
{
	uint8_t head[HEAD_BYTES], tail[TAIL_BYTES];
	enum pcapng_result result = head_read(reader, head);
	uint32_t length = 0, taken = 0;

	if (result != PCAPNG_PACKET)
		return result;
	*type = load32(reader, head);
	if (*type == TYPE_SECTION) {
		result = section_start(reader, head, &length);
		taken = 4;
	} else {
		length = load32(reader, head + 4);
	}
	if (result != PCAPNG_PACKET)
		return result;
	if (length % 4 != 0 || length > BLOCK_BYTES_MAX ||
		length < HEAD_BYTES + TAIL_BYTES + (taken != 0 ? SECTION_BYTES : 0))
		return fail(reader, "a block with the invalid length of %u bytes", length);
	*bytes = length - HEAD_BYTES - TAIL_BYTES;
	result = is_of_use(*type) ? content_read(reader, *bytes)
				  : content_skip(reader, *bytes - taken);
	if (result != PCAPNG_PACKET)
		return result;
	if (source_read(reader->source, tail, sizeof(tail)) != sizeof(tail))
		return fail_short(reader);
	if (load32(reader, tail) != length)
		return fail(reader, "a block whose two lengths differ: %u and %u", length,
			load32(reader, tail));
	return PCAPNG_PACKET;
}

enum pcapng_result
pcapng_reader_next(struct pcapng_reader *reader, struct pcapng_packet *packet)
{
	for (;;) {
		size_t bytes = 0;
		uint32_t type;
		enum pcapng_result result = block_read(reader, &type, &bytes);

		if (result != PCAPNG_PACKET)
			return result;
		switch (type) {
		case TYPE_INTERFACE:
			result = interface_take(reader, bytes);
			if (result != PCAPNG_PACKET)
				return result;
			break;
		case TYPE_PACKET:
		case TYPE_OLD_PACKET:
			return packet_take(reader, type, bytes, packet);
		case TYPE_SIMPLE:
			return simple_take(reader, bytes, packet);
		default:
			break;
		}
	}
}
