/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_LIVE_LOAD_H
#define NDPDK_PLAYER_LIVE_LOAD_H

#include <stddef.h>

#include <ndpdk/nd_model.h>

#include "ndreplay/capture/reader.h"
#include "ndreplay/history.h"
#include "live_options.h"

/**
 * Read a capture and create its model.
 *
 * @param options `reader` selects the frames; a capture that needs more than memory_mb is refused
 * @param history receives the frames, too; NULL = none
 * @param skips receives the counts of the reader; valid unless NULL is returned
 * @param why receives one sentence if NULL is returned
 * @return model, which the caller frees with nd_model_close()
 */
struct nd_model *live_load(const char *file, const struct live_options *options,
	struct history *history, struct reader_skips *skips, char *why, size_t size);

#endif
