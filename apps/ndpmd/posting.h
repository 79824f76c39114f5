/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_POSTING_H
#define NDPDK_NDPMD_POSTING_H

#include <rte_common.h>

#include "kit/transport.h"

#include "session.h"

/* Functions that apply the options --post-list, --inline and --reads to a session. */

/** Highest number of requests in a batch if --post-list is not given. */
#define POSTING_LIST_MAX 64u

static inline uint64_t
posting_list(const struct session *session)
{
	const uint32_t given = session->transport->post_list;

	return given > 0 ? given : POSTING_LIST_MAX;
}

/** @return SGE of a message to send. A message that is short enough is sent as inline data. */
static inline struct nd_sge
posting_sge(const struct session *session, uint8_t *address)
{
	struct nd_sge sge = session_sge(session, address);

	if (sge.length <= session->transport->inline_bytes)
		sge.mr = NULL;
	return sge;
}

/** @return highest number of outstanding READs and atomics. @param max the adapter's limit */
static inline size_t
posting_reads(const struct session *session, size_t max)
{
	const uint32_t given = session->transport->reads;
	const size_t wanted = RTE_MIN((size_t)session->setup.depth, max);

	return given > 0 ? RTE_MIN(given, wanted) : wanted;
}

#endif
