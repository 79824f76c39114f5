/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_VIOLATIONS_H
#define NDPDK_TRACE_VIOLATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_common.h>

#include <ndpdk/nd_trace.h>

#include "trace/rules.h"
#include "wire/gid.h"

struct trace_connection;

/** One side of a connection: who is judged, and blamed if a rule is broken. */
struct trace_party {
	struct trace_connection *connection; /**< NULL = none is known */
	unsigned side;
};

/** A violation as it is kept until the report. */
struct trace_found {
	struct nd_trace_violation report; /**< its text is owned by the list */
	struct trace_party party;
};

/**
 * Violations found so far, in the order of finding. Before a check runs, its caller sets who is to
 * blame for what it finds: src and dst are the addresses of the frame that is being taken, party is
 * the side of a connection as soon as the connection is known.
 */
struct trace_violations {
	struct trace_found *kept;
	struct trace_party party;
	struct wire_gid src, dst;
	size_t kept_count;
	size_t capacity; /**< entries allocated */
	size_t kept_max;
	size_t found; /**< including those beyond kept_max, or lost for want of memory */
	struct trace_violations
		*doubts; /**< NULL: the capture is complete, doubts are violations */
};

/** Start an empty list that keeps up to kept_max. */
void trace_violations_init(struct trace_violations *list, size_t kept_max);
void trace_violations_free(struct trace_violations *list);

/**
 * A new frame is being taken, between these addresses. Its connection is unknown until
 * trace_violations_blame() is called.
 */
void trace_violations_frame(
	struct trace_violations *list, const struct wire_gid *src, const struct wire_gid *dst);

/** Set who is to blame for what is found from now on. @return who was before, to restore it. */
struct trace_party trace_violations_blame(struct trace_violations *list, struct trace_party party);

/** Add a violation of a frame; the format makes the sentence that is reported. */
void trace_violations_add(struct trace_violations *list, uint64_t frame, enum trace_rule rule,
	const char *format, ...) __rte_format_printf(4, 5);

/**
 * Add what is a violation unless the capture lacks a frame: to the doubts, or to the violations
 * when the capture is known to be complete.
 */
void trace_violations_doubt(struct trace_violations *list, uint64_t frame, enum trace_rule rule,
	const char *format, ...) __rte_format_printf(4, 5);

/** @return whether the capture is known to lack nothing. */
static inline bool
trace_violations_complete(const struct trace_violations *list)
{
	return list->doubts == NULL;
}

/** Put those kept into the order of their frames; equal frames stay in the order of finding. */
void trace_violations_sort(struct trace_violations *list);

#endif
