/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Passes refused remote accesses from the transport to the connection manager, which bars a source
 * after too many refusals (SEC-031). Each bar is logged as a warning (SEC-051); the rate of
 * warnings is limited, because peers cause them (SEC-033).
 */

#include <rte_log.h>

#include "engine/engine.h"

RTE_LOG_REGISTER(engine_log, lib.ndpdk.engine, NOTICE)

/** At most one warning per 10 s on average, and at most eight in a burst. */
static const struct cm_pace warning_pace = {
	.interval_ns = UINT64_C(10000000000),
	.slack_ns = 7 * UINT64_C(10000000000),
};

void
engine_key_guess(struct engine *engine, const struct wire_gid *peer)
{
	uint64_t now_ns = engine_now_ns(engine);
	char address[WIRE_GID_TEXT_BYTES];

	if (!cm_guess(engine->cm, peer, now_ns))
		return;
	if (!cm_bucket_take(&engine->warnings, &warning_pace, now_ns)) {
		engine->warnings_kept++;
		return;
	}
	rte_log(RTE_LOG_WARNING, engine_log,
		"%s guesses keys: its connection requests are refused for a while (%u warnings "
		"suppressed)\n",
		wire_gid_format(peer, address, sizeof(address)), engine->warnings_kept);
	engine->warnings_kept = 0;
}
