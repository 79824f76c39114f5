/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/reads.h"

#include <string.h>

#include <rte_common.h>

#include "base/limits.h"

void
trace_mtu_learn(struct trace_mtu *mtu, bool ends, uint32_t payload_bytes)
{
	if (!ends && mtu->bytes == 0 && payload_bytes >= LIMIT_PMTU_MIN &&
		payload_bytes <= LIMIT_PMTU_MAX && (payload_bytes & (payload_bytes - 1)) == 0)
		mtu->bytes = (uint16_t)payload_bytes;
	while (payload_bytes > mtu->at_least_bytes && mtu->at_least_bytes < LIMIT_PMTU_MAX)
		mtu->at_least_bytes =
			(uint16_t)(mtu->at_least_bytes == 0 ? LIMIT_PMTU_MIN
							    : 2 * mtu->at_least_bytes);
}

uint32_t
trace_read_count(uint32_t bytes, const struct trace_mtu *mtu)
{
	if (bytes <= LIMIT_PMTU_MIN || (mtu->bytes == 0 && bytes <= mtu->at_least_bytes))
		return 1;
	if (mtu->bytes == 0)
		return 0;
	return bytes / mtu->bytes + (bytes % mtu->bytes != 0);
}

uint32_t
trace_read_count_max(uint32_t bytes)
{
	return bytes <= LIMIT_PMTU_MIN ? 1 : bytes / LIMIT_PMTU_MIN + (bytes % LIMIT_PMTU_MIN != 0);
}

struct trace_read *
trace_reads_add(struct trace_reads *reads)
{
	struct trace_read *read = &reads->slots[reads->added % TRACE_READS];

	if (reads->added >= TRACE_READS && read->count == 0)
		reads->unresolved--;
	reads->added++;
	memset(read, 0, sizeof(*read));
	return read;
}

struct trace_read *
trace_reads_find(struct trace_reads *reads, uint64_t seq)
{
	uint32_t kept = RTE_MIN(reads->added, (uint32_t)TRACE_READS);
	struct trace_read *maybe = NULL;

	/* Newest first: answers belong to recent requests. */
	for (uint32_t i = 1; i <= kept; i++) {
		struct trace_read *read = &reads->slots[(reads->added - i) % TRACE_READS];

		if (seq < read->seq)
			continue;
		if (seq - read->seq < read->count || seq == read->seq)
			return read;
		if (read->count == 0 && seq - read->seq < trace_read_count_max(read->bytes) &&
			(maybe == NULL || read->seq > maybe->seq))
			maybe = read;
	}
	return maybe;
}

uint32_t
trace_reads_outstanding(const struct trace_reads *reads)
{
	uint32_t kept = RTE_MIN(reads->added, (uint32_t)TRACE_READS);
	uint32_t outstanding = 0;

	for (uint32_t i = 0; i < kept; i++)
		outstanding += !reads->slots[i].finished;
	return outstanding;
}

void
trace_reads_overtake(struct trace_reads *reads, uint64_t seq, uint64_t time_ns)
{
	uint32_t kept = RTE_MIN(reads->added, (uint32_t)TRACE_READS);

	for (uint32_t i = 0; i < kept; i++) {
		struct trace_read *read = &reads->slots[i];

		if (read->finished || read->overtaken || read->count == 0 ||
			read->seq + read->count > seq)
			continue;
		read->overtaken = true;
		read->overtaken_ns = time_ns;
	}
}
