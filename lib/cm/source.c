/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cm/source.h"

#include <assert.h>

#include <rte_common.h>

#include "cm/manager.h"
#include "cm/repeat.h"

/* Maximum burst of connections, as seconds of the sustained rate. */
#define CONNECTION_BURST 4

/*
 * The patience (time to wait for an RTU) is 4 times the slowest RTU time so far. Each faster RTU
 * reduces the stored slowest time by 1/8 of the difference.
 */
#define PATIENCE_TIMES 4
#define CONFIRM_FADES  8

static_assert((CM_SOURCES & (CM_SOURCES - 1)) == 0, "index by mask");

void
cm_sources_init(struct cm_sources *sources, const struct cm_config *config,
	const struct cm_hash_key *secret)
{
	sources->secret = *secret;
	sources->connection_pace = cm_pace_make(
		config->req_rate_per_source, CONNECTION_BURST * config->req_rate_per_source);
	sources->connection_pace_all =
		cm_pace_make(config->req_rate_global, CONNECTION_BURST * config->req_rate_global);
	sources->answer_pace = cm_pace_make(config->answer_rate, config->answer_rate);
	sources->guess_pace = cm_pace_of(config->guess_interval_ns, config->guess_burst);
	for (uint32_t i = 0; i < CM_SOURCES; i++)
		cm_queue_init(&sources->table[i].queue);
}

struct cm_source *
cm_source_of(struct cm_sources *sources, const struct wire_gid *gid)
{
	uint64_t hash = cm_hash(&sources->secret, gid->raw, sizeof(gid->raw));

	return &sources->table[hash & (CM_SOURCES - 1)];
}

bool
cm_source_proven(const struct cm_source *source, uint64_t now_ns)
{
	return source->live_count > 0 || source->proven_until_ns > now_ns;
}

void
cm_source_prove(struct cm *cm, struct cm_source *source, uint64_t now_ns)
{
	bool was_proven = cm_source_proven(source, now_ns);

	source->proven_until_ns = now_ns + cm->config.proof_ns;
	if (was_proven)
		return;
	cm->counters.proofs++;
	cm_admission_promote(cm, source);
}

bool
cm_source_may_connect(
	const struct cm_sources *sources, const struct cm_source *source, uint64_t now_ns)
{
	return !cm_bucket_empty(&source->connections, &sources->connection_pace, now_ns) &&
		!cm_bucket_empty(&sources->connections, &sources->connection_pace_all, now_ns);
}

static void
confirmed(struct cm_source *source, uint64_t took_ns)
{
	if (took_ns >= source->confirm_ns)
		source->confirm_ns = took_ns;
	else
		source->confirm_ns -= (source->confirm_ns - took_ns) / CONFIRM_FADES;
}

uint64_t
cm_source_patience_ns(const struct cm_source *source)
{
	return RTE_MIN(PATIENCE_TIMES * source->confirm_ns, cm_response_ns(UINT8_MAX));
}

void
cm_source_moved(struct cm_id *id, enum cm_state state, uint64_t now_ns)
{
	struct cm_sources *sources = &id->cm->sources;
	struct cm_source *source = id->source;

	if (state == CM_ESTABLISHED) {
		cm_source_prove(id->cm, source, now_ns);
		source->live_count++;
	} else if (id->state == CM_ESTABLISHED) {
		/*
		 * Renew the proof before live_count is decremented. So far, the connection has
		 * proven the source.
		 */
		cm_source_prove(id->cm, source, now_ns);
		source->live_count--;
	}
	if (id->state == CM_REP_SENT && state == CM_ESTABLISHED) {
		confirmed(source, now_ns - id->replied_ns);
		cm_bucket_charge(&source->connections, &sources->connection_pace, now_ns);
		cm_bucket_charge(&sources->connections, &sources->connection_pace_all, now_ns);
	}
}

bool
cm_source_may_answer(struct cm *cm, struct cm_source *source, uint64_t now_ns)
{
	struct cm_bucket *answers =
		cm_source_proven(source, now_ns) ? &source->answers : &cm->sources.answers;

	if (cm_bucket_take(answers, &cm->sources.answer_pace, now_ns))
		return true;
	cm->counters.drop_unanswered++;
	return false;
}
