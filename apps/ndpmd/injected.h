/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_INJECTED_H
#define NDPDK_NDPMD_INJECTED_H

#include "kit/inject_port.h"

/*
 * Report the injected faults with each row, so that a result with faults cannot be mistaken for one
 * without.
 */

struct injected {
	const struct inject *inject; /**< NULL = no fault injection, and nothing is reported */
	struct inject_counts before[INJECT_WAYS]; /**< counts when the previous row was reported */
	struct inject_counts last[INJECT_WAYS];   /**< faults reported with the previous row */
};

struct json_object;

/**
 * Print the faults that were injected since the previous row, and add them to the row's object.
 * @param object JSON object of the row; NULL = print only
 * @param same true if the row covers the same time as the previous row. Then both rows have the
 *        same faults, which are not printed again.
 */
void injected_report(struct injected *injected, struct json_object *object, bool same);

#endif
