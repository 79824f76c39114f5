/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/damages.h"

#include <inttypes.h>
#include <stdio.h>

#include <rte_common.h>

void
trace_damages_add(struct trace_damages *damages, uint32_t psn, bool answer, uint64_t frame)
{
	const uint32_t at = damages->added++ % TRACE_DAMAGES;

	damages->newest[at].frame = frame;
	damages->newest[at].psn = psn;
	damages->newest[at].answer = answer;
}

const char *
trace_damages_words(const struct trace_damages *damages, uint32_t psn, bool answer,
	char words[TRACE_DAMAGES_WORDS])
{
	words[0] = '\0';
	for (uint32_t i = 0; i < RTE_MIN(damages->added, (uint32_t)TRACE_DAMAGES); i++)
		if (damages->newest[i].psn == psn && damages->newest[i].answer == answer)
			snprintf(words, TRACE_DAMAGES_WORDS,
				"; frame %" PRIu64 " with a wrong ICRC has this PSN",
				damages->newest[i].frame);
	return words;
}

void
trace_cm_damages_add(struct trace_cm_damages *damages, const struct trace_cm_damage *damage)
{
	damages->newest[damages->added++ % TRACE_DAMAGES] = *damage;
}

const char *
trace_cm_damages_words(const struct trace_cm_damages *damages, const struct trace_cm_damage *sought,
	char words[TRACE_DAMAGES_WORDS])
{
	words[0] = '\0';
	for (uint32_t i = 0; i < RTE_MIN(damages->added, (uint32_t)TRACE_DAMAGES); i++) {
		const struct trace_cm_damage *damage = &damages->newest[i];

		if (damage->attribute == sought->attribute &&
			wire_gid_equal(&damage->src, &sought->src) &&
			wire_gid_equal(&damage->dst, &sought->dst) &&
			(damage->transaction_id == sought->transaction_id ||
				damage->remote_comm_id == sought->remote_comm_id))
			snprintf(words, TRACE_DAMAGES_WORDS,
				"; frame %" PRIu64 " with a wrong ICRC is a %s", damage->frame,
				wire_cm_attribute_name(damage->attribute));
	}
	return words;
}
