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

/** A side of a connection, to which violations are attributed. */
struct trace_party {
	struct trace_connection *connection; /**< NULL = no connection is known */
	unsigned side;
};

struct trace_found {
	struct nd_trace_violation report; /**< the list owns its text */
	struct trace_party party;
};

/**
 * A list of violations, in the order in which they are found. Before a check, the caller sets who
 * caused the violations that the check may find: src and dst are the addresses of the current
 * frame, and party is the side, if its connection is known.
 */
struct trace_violations {
	struct trace_found *kept;
	struct trace_party party;
	struct wire_gid src, dst;
	size_t kept_count;
	size_t capacity; /**< entries allocated */
	size_t kept_max;
	size_t found; /**< number of violations, including those that were not stored */
	struct trace_violations
		*doubts; /**< NULL: the capture is complete, so doubts are violations */
};

/** Initialise an empty list that stores up to kept_max violations. */
void trace_violations_init(struct trace_violations *list, size_t kept_max);
void trace_violations_free(struct trace_violations *list);

/**
 * Begin a new frame between these addresses. The party is unknown until trace_violations_blame() is
 * called.
 */
void trace_violations_frame(
	struct trace_violations *list, const struct wire_gid *src, const struct wire_gid *dst);

/**
 * Set the party to which further violations are attributed. @return the previous party, which the
 * caller may restore
 */
struct trace_party trace_violations_blame(struct trace_violations *list, struct trace_party party);

/** Add a violation found in a frame. `format` and its arguments make the sentence of the report. */
void trace_violations_add(struct trace_violations *list, uint64_t frame, enum trace_rule rule,
	const char *format, ...) __rte_format_printf(4, 5);

/**
 * Add a doubt: a possible violation, which a frame that is missing in the capture would excuse. If
 * the capture is known to be complete, add a violation instead.
 */
void trace_violations_doubt(struct trace_violations *list, uint64_t frame, enum trace_rule rule,
	const char *format, ...) __rte_format_printf(4, 5);

/** @return true if the capture is known to be complete, so that there are no doubts */
static inline bool
trace_violations_complete(const struct trace_violations *list)
{
	return list->doubts == NULL;
}

/** Sort the stored violations by frame; violations of one frame stay in the order of finding. */
void trace_violations_sort(struct trace_violations *list);

#endif
