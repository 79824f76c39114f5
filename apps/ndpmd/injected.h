/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_INJECTED_H
#define NDPDK_NDPMD_INJECTED_H

#include "kit/inject_port.h"

/* Report the injected faults after each row, so that a run with faults is always recognizable. */

struct injected {
	const struct inject *inject; /**< NULL = nothing is injected, nothing is reported */
	struct inject_counts before[INJECT_WAYS]; /**< counts at the previous row */
	struct inject_counts last[INJECT_WAYS];   /**< faults of the previous row */
};

struct json_object;

/**
 * Print the faults that were injected since the previous row, and add them to the row's object.
 * @param object NULL: print only
 * @param same the row covers the same time as the previous row: its faults are the same, and are
 *        not printed again
 */
void injected_report(struct injected *injected, struct json_object *object, bool same);

#endif
