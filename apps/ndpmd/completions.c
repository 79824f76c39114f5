/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "completions.h"

#include "session.h"

/* Highest number of sessions that advance between two polls of the engine. */
#define SESSIONS_PER_TURN 64u
/*
 * Initial size of the queue. When more entries are needed, the size doubles, because each resize
 * copies the queue.
 */
#define ENTRIES_MIN       4096u

void
completions_open(
	struct completions *completions, struct nd_adapter *adapter, struct nd_engine *engine)
{
	*completions = (struct completions){.adapter = adapter, .engine = engine};
	TAILQ_INIT(&completions->ready);
}

/* @return highest number of entries that a CQ of this adapter can have; 0 = the query failed */
static size_t
entries_max(struct nd_adapter *adapter)
{
	struct nd_adapter_info info;
	size_t size = sizeof(info);

	if (nd_failed(nd_adapter_query(adapter, ND_VERSION_1, &info, &size)))
		return 0;
	return info.max_cq_entries;
}

nd_status
completions_reserve(struct completions *completions, size_t count)
{
	const size_t needed = completions->reserved_count + count;
	size_t entries = completions->entries > 0 ? completions->entries : ENTRIES_MIN;
	nd_status status = ND_SUCCESS;

	while (entries < needed)
		entries *= 2;
	if (entries != completions->entries) {
		const size_t most = entries_max(completions->adapter);

		if (needed > most)
			return ND_DATA_OVERRUN;
		entries = RTE_MIN(entries, most);
		if (completions->cq == NULL)
			status = nd_engine_create_completion_queue(
				completions->engine, entries, &completions->cq);
		else
			status = nd_cq_resize(completions->cq, entries);
	}
	if (nd_failed(status))
		return status;
	completions->entries = entries;
	completions->reserved_count = needed;
	return ND_SUCCESS;
}

void
completions_release(struct completions *completions, size_t count)
{
	completions->reserved_count -= count;
}

void
completions_wake(struct session *session)
{
	if (session->is_ready)
		return;
	session->is_ready = true;
	TAILQ_INSERT_TAIL(&session->completions->ready, session, ready);
	session->completions->ready_count++;
}

void
completions_forget(struct session *session)
{
	if (!session->is_ready)
		return;
	session->is_ready = false;
	TAILQ_REMOVE(&session->completions->ready, session, ready);
	session->completions->ready_count--;
}

uint32_t
completions_turn_count(const struct completions *completions)
{
	return completions->ready_count < SESSIONS_PER_TURN ? completions->ready_count
							    : SESSIONS_PER_TURN;
}

struct session *
completions_next(struct completions *completions)
{
	struct session *session = TAILQ_FIRST(&completions->ready);

	if (session != NULL)
		completions_forget(session);
	return session;
}

void
completions_close(struct completions *completions)
{
	if (completions->cq != NULL)
		nd_cq_release(completions->cq);
	completions->cq = NULL;
	completions->entries = 0;
}
