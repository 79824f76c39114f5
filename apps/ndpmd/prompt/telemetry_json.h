/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_TELEMETRY_JSON_H
#define NDPDK_PROMPT_TELEMETRY_JSON_H

struct json_object;

/**
 * nd_telemetry_query() as an object of json-c.
 * @return new object; one with the member error if something is wrong, or NULL: no memory
 */
struct json_object *telemetry_json(const char *command);

#endif
