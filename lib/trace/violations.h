/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_VIOLATIONS_H
#define NDPDK_TRACE_VIOLATIONS_H

#include <stddef.h>
#include <stdint.h>

#include <rte_common.h>

#include <ndpdk/nd_trace.h>

#include "trace/rules.h"

/** Violations found so far, in the order of finding. */
struct trace_violations {
	struct nd_trace_violation *kept; /**< texts owned by the list */
	size_t kept_count;
	size_t capacity; /**< entries allocated */
	size_t kept_max;
	size_t found; /**< including those beyond kept_max, or lost for want of memory */
};

/** Start an empty list that keeps up to kept_max. */
void trace_violations_init(struct trace_violations *list, size_t kept_max);
void trace_violations_free(struct trace_violations *list);

/** Add a violation of a frame; the format makes the sentence that is reported. */
void trace_violations_add(struct trace_violations *list, uint64_t frame, enum trace_rule rule,
	const char *format, ...) __rte_format_printf(4, 5);

/** Put those kept into the order of their frames; equal frames stay in the order of finding. */
void trace_violations_sort(struct trace_violations *list);

#endif
