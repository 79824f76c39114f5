/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_FIELDS_H
#define NDPDK_TRACE_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#include <rte_common.h>

#include <ndpdk/nd_trace_fields.h>

/**
 * Add a field, cut at the limit. An empty field is not added.
 *
 * @param limit end of the captured bytes
 */
static inline void
trace_fields_add(struct nd_trace_layout *layout, enum nd_trace_field_kind kind, size_t offset,
	size_t bytes, size_t limit)
{
	if (offset >= limit || bytes == 0 || layout->field_count == ND_TRACE_FIELDS_MAX)
		return;
	layout->fields[layout->field_count++] = (struct nd_trace_field){
		.kind = kind,
		.offset = (uint32_t)offset,
		.bytes = (uint32_t)RTE_MIN(bytes, limit - offset),
	};
}

/**
 * Add the fields of a MAD.
 *
 * @param bytes the frame
 * @param offset offset of the MAD in the frame
 * @param limit offset of the end of the MAD or of the captured bytes; no byte after it is read
 */
void
trace_fields_mad(struct nd_trace_layout *layout, const uint8_t *bytes, size_t offset, size_t limit);

#endif
