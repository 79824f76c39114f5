/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_LIVE_LOAD_H
#define NDPDK_NDREPLAY_LIVE_LOAD_H

#include <stddef.h>

#include <ndpdk/nd_model.h>

#include "course.h"
#include "live_options.h"

/**
 * Read a capture and make its model.
 *
 * @param options reader and memory_mb: a capture that needs more memory is refused
 * @param course is fed the frames, too; NULL = none
 * @param why filled with one sentence when NULL is returned
 * @return to be freed with nd_model_close()
 */
struct nd_model *live_load(const char *file, const struct live_options *options,
	struct course *course, char *why, size_t size);

#endif
