/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "anonymize_count.h"

#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "ndreplay/json_add.h"

#define TABLE_SLOTS 64
/* The longest counted values are IPv6 addresses. */
#define VALUE_BYTES 16u

static const char *const names[ANONYMIZE_KINDS] = {
	[ND_TRACE_FIELD_MAC] = "mac",
	[ND_TRACE_FIELD_IPV4] = "ipv4",
	[ND_TRACE_FIELD_IPV6] = "ipv6",
	[ND_TRACE_FIELD_KEY] = "key",
	[ND_TRACE_FIELD_ADDRESS] = "virtual_address",
	[ND_TRACE_FIELD_ATOMIC] = "atomic",
	[ND_TRACE_FIELD_IMMEDIATE] = "immediate",
	[ND_TRACE_FIELD_GUID] = "guid",
	[ND_TRACE_FIELD_COMM_ID] = "comm_id",
	[ND_TRACE_FIELD_TRANSACTION] = "transaction_id",
	[ND_TRACE_FIELD_PAYLOAD] = "payload",
	[ND_TRACE_FIELD_PRIVATE] = "private_data",
	[ND_TRACE_FIELD_PADDING] = "padding",
};

static void
key_free(struct lh_entry *entry)
{
	free(lh_entry_k(entry));
}

/* Convert the value to hexadecimal digits, because the hash table stores strings. */
static void
value_add(struct anonymize_counts *counts, unsigned int kind, const uint8_t *value, uint32_t bytes)
{
	static const char digits[] = "0123456789abcdef";
	struct lh_table *table = counts->values[kind];
	char text[2 * VALUE_BYTES + 1] = "";
	char *key;

	if (table == NULL)
		table = counts->values[kind] = lh_kchar_table_new(TABLE_SLOTS, key_free);
	for (uint32_t i = 0; i < bytes; i++) {
		text[2 * i] = digits[value[i] >> 4];
		text[2 * i + 1] = digits[value[i] & 0xF];
	}
	if (table == NULL || lh_table_lookup_entry(table, text) != NULL ||
		(unsigned int)lh_table_length(table) >= ANONYMIZE_DIFFERENT_MAX) {
		counts->memory_exhausted |= table == NULL;
		return;
	}
	key = strdup(text);
	if (key != NULL && lh_table_insert(table, key, NULL) == 0)
		return;
	free(key);
	counts->memory_exhausted = true;
}

/* @return false for payload, private data and padding, which have too many values to store */
static bool
has_values(enum nd_trace_field_kind kind)
{
	return kind != ND_TRACE_FIELD_PAYLOAD && kind != ND_TRACE_FIELD_PRIVATE &&
		kind != ND_TRACE_FIELD_PADDING;
}

void
anonymize_count(struct anonymize_counts *counts, const uint8_t *before, const uint8_t *after,
	const struct nd_trace_layout *layout)
{
	for (uint32_t i = 0; i < layout->field_count; i++) {
		const struct nd_trace_field *field = &layout->fields[i];

		if (memcmp(before + field->offset, after + field->offset, field->bytes) == 0)
			continue;
		counts->fields[field->kind]++;
		counts->bytes[field->kind] += field->bytes;
		if (has_values(field->kind) && field->bytes <= VALUE_BYTES)
			value_add(counts, field->kind, before + field->offset, field->bytes);
	}
}

struct json_object *
anonymize_counts_json(const struct anonymize_counts *counts)
{
	struct json_object *object = json_object_new_object();

	for (unsigned int kind = 0; kind < ANONYMIZE_KINDS; kind++) {
		struct json_object *row;

		if (counts->fields[kind] == 0)
			continue;
		row = json_object_new_object();
		number_add(row, "fields", counts->fields[kind]);
		number_add(row, "bytes", counts->bytes[kind]);
		if (counts->values[kind] != NULL)
			number_add(
				row, "different", (uint64_t)lh_table_length(counts->values[kind]));
		json_object_object_add(object, names[kind], row);
	}
	return object;
}

void
anonymize_counts_free(struct anonymize_counts *counts)
{
	for (unsigned int kind = 0; kind < ANONYMIZE_KINDS; kind++)
		if (counts->values[kind] != NULL)
			lh_table_free(counts->values[kind]);
	*counts = (struct anonymize_counts){.memory_exhausted = false};
}
