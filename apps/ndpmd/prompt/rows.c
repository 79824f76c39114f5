/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rows.h"

#include <stdio.h>

#include <json-c/json.h>

#include "ndpmd/report.h"

void
rows_clear(struct rows *rows)
{
	rows_close(rows);
	rows->failure[0] = '\0';
	rows->array = json_object_new_array();
}

void
rows_add(struct rows *rows, const struct report_row *row)
{
	json_object_array_add(rows->array, report_row_json(row));
}

void
rows_fail(struct rows *rows, const char *why)
{
	snprintf(rows->failure, sizeof(rows->failure), "%s", why);
}

void
rows_add_to(const struct rows *rows, struct json_object *object)
{
	json_object_object_add(object, "rows", json_object_get(rows->array));
	json_object_object_add(object, "failure",
		rows->failure[0] != '\0' ? json_object_new_string(rows->failure) : NULL);
}

void
rows_close(struct rows *rows)
{
	json_object_put(rows->array);
	rows->array = NULL;
}
