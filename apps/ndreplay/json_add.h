/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_JSON_ADD_H
#define NDPDK_NDREPLAY_JSON_ADD_H

#include <stdint.h>

#include <json-c/json.h>

static inline void
number_add(struct json_object *object, const char *key, uint64_t value)
{
	json_object_object_add(object, key, json_object_new_uint64(value));
}

/** @param text copied */
static inline void
text_add(struct json_object *object, const char *key, const char *text)
{
	json_object_object_add(object, key, json_object_new_string(text));
}

#endif
