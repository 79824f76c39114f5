/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cm/manager.h"

/*
 * Guesses of keys. One refused remote access ends one connection (SEC-031), so that who tries keys
 * needs a new connection for each: here the two are tied together. Every source has a bucket of
 * guesses, in the same table as its requests (rate.h); each refusal takes a token, and goes into
 * debt when there is none, so that connections made beforehand and then used up all at once buy
 * nothing: in the long run a source has one guess per interval, and all sources together as many
 * as the table has entries. While the bucket is empty the source is barred: its requests are
 * dropped without a word (request.c). What is connected stays as it is.
 */

bool
cm_guess(struct cm *cm, const struct wire_gid *gid, uint64_t now_ns)
{
	struct cm_bucket *guesses = &cm_rate_source(&cm->rate, gid)->guesses;
	const struct cm_pace *pace = &cm->rate.guess_pace;
	bool was_barred = cm_bucket_empty(guesses, pace, now_ns);

	cm->counters.guesses++;
	cm_bucket_charge(guesses, pace, now_ns);
	if (was_barred || !cm_bucket_empty(guesses, pace, now_ns))
		return false;
	cm->counters.bars++;
	return true;
}

uint32_t
cm_barred_count(const struct cm *cm, uint64_t now_ns)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < CM_RATE_SOURCES; i++)
		count +=
			cm_bucket_empty(&cm->rate.sources[i].guesses, &cm->rate.guess_pace, now_ns);
	return count;
}
