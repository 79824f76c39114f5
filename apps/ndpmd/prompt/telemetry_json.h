/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_TELEMETRY_JSON_H
#define NDPDK_PROMPT_TELEMETRY_JSON_H

struct json_object;

/**
 * Execute nd_telemetry_query() and convert the answer for json-c.
 * @return new object, which has the member error after an error; NULL = out of memory
 */
struct json_object *telemetry_json(const char *command);

#endif
