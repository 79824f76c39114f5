/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_INJECTED_H
#define NDPDK_NDPMD_INJECTED_H

#include "kit/inject_port.h"

/* What --inject did, beside each row, so that a run with faults never reads like one without. */

struct injected {
	const struct inject *inject; /**< NULL = nothing is injected, nothing is reported */
	struct inject_counts before[INJECT_WAYS]; /**< at the last row */
	struct inject_counts last[INJECT_WAYS];   /**< those of the last row */
};

struct json_object;

/**
 * Print what has been injected since the last row, and add it to the row's object.
 * @param object NULL: print only
 * @param same the row is of the same time as the last one, and has the same: not printed again
 */
void injected_report(struct injected *injected, struct json_object *object, bool same);

#endif
