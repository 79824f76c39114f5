/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/damages.h"

#include <inttypes.h>
#include <stdio.h>

#include <rte_common.h>

#include "base/psn.h"

void
trace_damages_add(
	struct trace_damages *damages, uint32_t psn, uint32_t count, bool answer, uint64_t frame)
{
	const uint32_t at = damages->added++ % TRACE_DAMAGES;

	damages->newest[at].frame = frame;
	damages->newest[at].psn = psn;
	damages->newest[at].count = count;
	damages->newest[at].answer = answer;
}

/* @return index of the damaged packet that uses a PSN; TRACE_DAMAGES: there is none */
static uint32_t
damage_find(const struct trace_damages *damages, uint32_t psn, bool answer)
{
	const uint32_t kept = RTE_MIN(damages->added, (uint32_t)TRACE_DAMAGES);
	uint32_t found = TRACE_DAMAGES;

	for (uint32_t i = 0; i < kept; i++) {
		const int32_t after = psn_diff(psn, damages->newest[i].psn);

		if (damages->newest[i].answer != answer || after < 0 ||
			(uint32_t)after >= damages->newest[i].count)
			continue;
		found = i;
		if (after == 0)
			break;
	}
	return found;
}

uint64_t
trace_damages_request(const struct trace_damages *damages, uint32_t psn)
{
	const uint32_t at = damage_find(damages, psn, false);

	return at == TRACE_DAMAGES ? 0 : damages->newest[at].frame;
}

const char *
trace_damages_words(const struct trace_damages *damages, uint32_t psn, bool answer,
	char words[TRACE_DAMAGES_WORDS])
{
	const uint32_t at = damage_find(damages, psn, answer);

	words[0] = '\0';
	if (at != TRACE_DAMAGES)
		snprintf(words, TRACE_DAMAGES_WORDS,
			"; frame %" PRIu64 " with a wrong ICRC %s this PSN",
			damages->newest[at].frame,
			damages->newest[at].psn == psn ? "has" : "covers");
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
