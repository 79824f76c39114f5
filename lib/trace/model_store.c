/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>
#include <string.h>

#include "base/psn.h"
#include "trace/model.h"

/* Stores the data of the model. Calls no other part of the model. */

#define ARRAY_MIN 16u

void *
model_array_add(struct model_array *array, size_t item_bytes)
{
	uint8_t *item;

	if (array->count == array->capacity) {
		size_t capacity = array->capacity == 0 ? ARRAY_MIN : 2 * array->capacity;
		void *grown = realloc(array->items, capacity * item_bytes);

		if (grown == NULL)
			return NULL;
		array->items = grown;
		array->capacity = capacity;
		array->item_bytes = item_bytes;
	}
	item = (uint8_t *)array->items + array->count++ * item_bytes;
	memset(item, 0, item_bytes);
	return item;
}

void
model_array_free(struct model_array *array)
{
	free(array->items);
	memset(array, 0, sizeof(*array));
}

void *
model_array_at(const struct model_array *array, size_t index)
{
	return index < array->count ? (uint8_t *)array->items + index * array->item_bytes : NULL;
}

struct model_connection *
model_connection_at(const struct nd_model *model, size_t index)
{
	return model_array_at(&model->connections, index);
}

struct model_side *
model_side_at(const struct nd_model *model, size_t connection, unsigned side)
{
	struct model_connection *of = model_connection_at(model, connection);

	return of == NULL || side > 1 ? NULL : &of->side[side];
}

void
model_fault_add(struct nd_model *model, const struct nd_model_fault *fault)
{
	struct nd_model_fault *added = model_array_add(&model->faults, sizeof(*added));

	if (added == NULL) {
		model->starved = true;
		return;
	}
	*added = *fault;
	added->psn &= PSN_MASK;
	if (added->packets == 0)
		added->packets = 1;
}
