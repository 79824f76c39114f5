/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cm/manager.h"

/*
 * Guesses of keys. One refused remote access ends one connection (SEC-031), so that each guess of
 * a key costs a connection. Every source has a bucket of guesses (source.h). A refusal takes a
 * token, or goes into debt when there is none: connections that were made beforehand and are used
 * up all at once are paid for, too. While the bucket is empty the source is barred: its requests
 * are dropped and counted (request.c), its connections go on.
 *
 * The debt has a ceiling, guess_debt_max_ns, because an honest peer can go into debt, too: its
 * READs and WRITEs are in flight when their window is invalidated, on all connections at once. An
 * attacker who hoards N connections has N guesses per guess_debt_max_ns at most.
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
