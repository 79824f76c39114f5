/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_LIVE_RUN_H
#define NDPDK_PLAYER_LIVE_RUN_H

#include <stdbool.h>

#include <ndpdk/nd.h>

#include "live_options.h"
#include "live_report.h"
#include "live_script.h"

/*
 * Runs all connections on one engine, in the calling thread.
 *
 * live: each copy replays the recorded connections. A connection begins at its recorded time, after
 * the connections that had ended before it in the capture have ended. After the last connection,
 * the copy starts again (--loop).
 *
 * serve: the first client gets the first recorded connection, the next client the next, and so on.
 */

/** Scripts of the replayed connections, in the order in which they began. */
struct live_cast {
	struct script *scripts;
	size_t count;
};

/**
 * Choose the connections of a capture, and create their scripts.
 *
 * @param cast to be freed with live_cast_free() in any case
 * @param why filled with one sentence when false is returned
 */
bool live_cast_make(struct live_cast *cast, const struct nd_model *model, unsigned int side,
	const struct live_options *options, char *why, size_t size);

void live_cast_free(struct live_cast *cast);

/** Connect and replay until the end, or until Ctrl-C. @return false: an error was printed */
bool live_run_active(const struct live_cast *cast, const struct live_options *options,
	struct nd_adapter *adapter, struct live_report *report);

/** Listen and replay, like live_run_active(). */
bool live_run_passive(const struct live_cast *cast, const struct live_options *options,
	struct nd_adapter *adapter, struct live_report *report);

#endif
