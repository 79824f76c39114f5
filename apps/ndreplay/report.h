/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_REPORT_H
#define NDPDK_NDREPLAY_REPORT_H

#include <stdio.h>

#include "check.h"

struct json_object;

/** Write the block of text of one file. */
void report_text(FILE *out, const struct check_result *result);

/** Write one frame's decoding; the argument is a FILE. */
void report_text_line(void *out, uint64_t frame, const char *text);

/** Add one frame's decoding; the argument is a JSON array. */
void report_json_line(void *lines, uint64_t frame, const char *text);

/**
 * @param lines array of decoded frames to be part of the object, which takes it; or NULL
 * @return object of one file, owned by the caller
 */
struct json_object *report_json(const struct check_result *result, struct json_object *lines);

/** @return how a connection came up, e.g. "established"; static text. */
const char *report_cm_name(enum nd_trace_cm cm);

#endif
