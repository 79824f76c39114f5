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
 * live: each copy replays the recorded connections. A connection begins at its recorded time or
 * later. All connections that ended before it began in the capture must end before it begins.
 * After the last connection, the copy starts again (--loop).
 *
 * serve: the first client gets the first recorded connection, the second client gets the second,
 * and so on.
 */

/** Scripts of the connections to replay, in the order in which the connections began. */
struct live_cast {
	struct script *scripts;
	size_t count;
};

/**
 * Select connections of a capture, and create their scripts.
 *
 * @param cast receives the scripts; to be freed with live_cast_free() in any case
 * @param why receives one sentence if false is returned
 */
bool live_cast_make(struct live_cast *cast, const struct nd_model *model, unsigned int side,
	const struct live_options *options, char *why, size_t size);

void live_cast_free(struct live_cast *cast);

/**
 * For live: connect and replay until all connections are done or the user presses Ctrl-C.
 *
 * @return false: an error was printed
 */
bool live_run_active(const struct live_cast *cast, const struct live_options *options,
	struct nd_adapter *adapter, struct live_report *report);

/**
 * For serve: listen and replay until all connections are done or the user presses Ctrl-C.
 *
 * @return false: an error was printed
 */
bool live_run_passive(const struct live_cast *cast, const struct live_options *options,
	struct nd_adapter *adapter, struct live_report *report);

#endif
