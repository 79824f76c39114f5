/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "anonymize.h"

#include <stdbool.h>
#include <string.h>

/*
 * Virtual addresses are shifted by a multiple of the page size, so that they stay aligned. Shifted
 * addresses stay below 2^48.
 */
#define PAGE_MASK      UINT64_C(0xFFF)
#define DISTANCE_MAX   (UINT64_C(1) << 46)
/* An R_Key consists of an index (upper 24 bits) and 8 bits that its owner increments. */
#define KEY_INDEX_BITS 24u

#define MAC_BYTES     6u
#define MAC_LOCAL     0x02
#define MAC_MULTICAST 0x01

static uint64_t
load(const uint8_t *bytes, unsigned int count)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < count; i++)
		value = value << 8 | bytes[i];
	return value;
}

static void
store(uint8_t *bytes, unsigned int count, uint64_t value)
{
	while (count-- > 0) {
		bytes[count] = (uint8_t)value;
		value >>= 8;
	}
}

static void
permute(struct keyed *keyed, enum keyed_use use, uint8_t *bytes, unsigned int count)
{
	store(bytes, count, keyed_permute(keyed, use, load(bytes, count), 8 * count));
}

/*
 * Replace a MAC address by a locally administered address. Group addresses and 0 are not replaced.
 */
static void
mac_replace(struct keyed *keyed, uint8_t *mac)
{
	const uint64_t value = load(mac, MAC_BYTES);

	if (value == 0 || (mac[0] & MAC_MULTICAST) != 0)
		return;
	store(mac, MAC_BYTES, keyed_number(keyed, KEYED_MAC, value));
	mac[0] = MAC_LOCAL;
}

/* Keep the lower 8 bits of the key, so that a window that is bound again can be recognized. */
static void
key_replace(struct keyed *keyed, uint8_t *bytes)
{
	const uint64_t key = load(bytes, 4), index = key >> 8;

	if (key == 0)
		return;
	store(bytes, 4,
		keyed_permute(keyed, KEYED_KEY, index, KEY_INDEX_BITS) << 8 |
			((key + keyed_number(keyed, KEYED_KEY_OFFSET, index)) & 0xFF));
}

/*
 * Shift an address. All addresses that are used with one key are shifted by the same offset, so
 * accesses to adjacent memory stay adjacent.
 */
static void
address_replace(struct keyed *keyed, uint8_t *bytes, uint64_t key)
{
	const uint64_t address = load(bytes, 8);
	const uint64_t distance =
		keyed_number(keyed, KEYED_ADDRESS, key >> 8) % DISTANCE_MAX & ~PAGE_MASK;

	store(bytes, 8, address + distance < address ? address - distance : address + distance);
}

/* Replace private data, except zeros at the end, because they are probably padding. */
static void
private_replace(struct keyed *keyed, uint8_t *bytes, uint32_t count)
{
	while (count > 0 && bytes[count - 1] == 0)
		count--;
	keyed_replace(keyed, bytes, count);
}

static void
field_replace(struct keyed *keyed, uint8_t *bytes, const struct nd_trace_field *field)
{
	uint8_t *at = bytes + field->offset;

	switch (field->kind) {
	case ND_TRACE_FIELD_MAC:
		mac_replace(keyed, at);
		break;
	case ND_TRACE_FIELD_IPV4:
		keyed_ip(keyed, at, false);
		break;
	case ND_TRACE_FIELD_IPV6:
		keyed_ip(keyed, at, true);
		break;
	case ND_TRACE_FIELD_KEY:
		key_replace(keyed, at);
		break;
	case ND_TRACE_FIELD_ATOMIC:
		permute(keyed, KEYED_ATOMIC, at, 8);
		break;
	case ND_TRACE_FIELD_IMMEDIATE:
		permute(keyed, KEYED_IMMEDIATE, at, 4);
		break;
	case ND_TRACE_FIELD_GUID:
		permute(keyed, KEYED_GUID, at, 8);
		break;
	case ND_TRACE_FIELD_COMM_ID:
		permute(keyed, KEYED_COMM_ID, at, 4);
		break;
	case ND_TRACE_FIELD_TRANSACTION:
		permute(keyed, KEYED_TRANSACTION, at, 8);
		break;
	case ND_TRACE_FIELD_PAYLOAD:
		keyed_replace(keyed, at, field->bytes);
		break;
	case ND_TRACE_FIELD_PRIVATE:
		private_replace(keyed, at, field->bytes);
		break;
	case ND_TRACE_FIELD_PADDING:
		memset(at, 0, field->bytes);
		break;
	case ND_TRACE_FIELD_ADDRESS: /* see anonymize_frame() */
		break;
	}
}

/* @return size in bytes of a complete field of this kind; 0: the size is not fixed */
static uint32_t
whole_bytes(enum nd_trace_field_kind kind)
{
	switch (kind) {
	case ND_TRACE_FIELD_MAC:
		return MAC_BYTES;
	case ND_TRACE_FIELD_IPV6:
		return 16;
	case ND_TRACE_FIELD_ADDRESS:
	case ND_TRACE_FIELD_ATOMIC:
	case ND_TRACE_FIELD_GUID:
	case ND_TRACE_FIELD_TRANSACTION:
		return 8;
	case ND_TRACE_FIELD_IPV4:
	case ND_TRACE_FIELD_KEY:
	case ND_TRACE_FIELD_IMMEDIATE:
	case ND_TRACE_FIELD_COMM_ID:
		return 4;
	case ND_TRACE_FIELD_PAYLOAD:
	case ND_TRACE_FIELD_PRIVATE:
	case ND_TRACE_FIELD_PADDING:
		break;
	}
	return 0;
}

/**
 * @return true if the key that follows an address was captured completely. Otherwise the address is
 *         not shifted.
 */
static bool
has_key(const struct nd_trace_layout *layout, uint32_t address)
{
	const struct nd_trace_field *key = &layout->fields[address + 1];

	return address + 1 < layout->field_count && key->kind == ND_TRACE_FIELD_KEY &&
		key->bytes == whole_bytes(ND_TRACE_FIELD_KEY);
}

void
anonymize_frame(struct keyed *keyed, uint8_t *bytes, struct nd_trace_layout *layout)
{
	for (uint32_t i = 0; i < layout->field_count; i++) {
		const struct nd_trace_field *field = &layout->fields[i];
		const uint32_t whole = whole_bytes(field->kind);

		/*
		 * Clear a field that was captured only in part, because a part cannot be replaced
		 * by a one-to-one mapping.
		 */
		if (whole != 0 && field->bytes < whole) {
			memset(bytes + field->offset, 0, field->bytes);
			continue;
		}
		/*
		 * Fields are replaced in order, so the key after this address still has its
		 * original value.
		 */
		if (field->kind == ND_TRACE_FIELD_ADDRESS && has_key(layout, i))
			address_replace(keyed, bytes + field->offset,
				load(bytes + layout->fields[i + 1].offset, 4));
		else if (field->kind == ND_TRACE_FIELD_ADDRESS)
			memset(bytes + field->offset, 0, field->bytes);
		else
			field_replace(keyed, bytes, field);
	}
	/*
	 * The difference between a wrong checksum and the right one may reveal the original bytes.
	 * Keep only whether the checksum is wrong.
	 */
	layout->ip_error = layout->ip_error != 0;
	layout->udp_error = layout->udp_error != 0;
	layout->icrc_error = layout->icrc_error != 0;
	nd_trace_seal(bytes, layout);
}
