/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cm/manager.h"

/*
 * Guesses of keys. One refused remote access ends one connection (SEC-031), so each guess of a key
 * costs a connection. Each source has a token bucket of guesses (source.h). A refusal takes a
 * token, or increases the debt if no token is left. So a source cannot avoid the limit with many
 * connections that it opens in advance and uses up at once. While the bucket is empty the source is
 * barred: its requests are dropped and counted (request.c), but its connections continue.
 *
 * The debt is limited by guess_debt_max_ns, because an honest peer can get into debt, too: many of
 * its READs and WRITEs may be in flight when their window is invalidated. An attacker who opens N
 * connections in advance has at most N guesses per guess_debt_max_ns.
 */

bool
cm_guess(struct cm *cm, const struct wire_gid *gid, uint64_t now_ns)
{
	struct cm_bucket *guesses = &cm_source_of(&cm->sources, gid)->guesses;
	const struct cm_pace *pace = &cm->sources.guess_pace;
	bool was_barred = cm_bucket_empty(guesses, pace, now_ns);

	cm->counters.guesses++;
	cm_bucket_charge(guesses, pace, now_ns);
	cm_bucket_forgive(guesses, pace, cm->config.guess_debt_max_ns, now_ns);
	if (was_barred || !cm_bucket_empty(guesses, pace, now_ns))
		return false;
	cm->counters.bars++;
	return true;
}

uint32_t
cm_barred_count(const struct cm *cm, uint64_t now_ns)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < CM_SOURCES; i++)
		count += cm_bucket_empty(
			&cm->sources.table[i].guesses, &cm->sources.guess_pace, now_ns);
	return count;
}
