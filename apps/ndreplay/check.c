/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <pcap/pcap.h>

static void
frames_read(pcap_t *pcap, struct check_result *result)
{
	struct pcap_pkthdr *header;
	struct nd_trace_totals totals;
	const u_char *bytes;
	int got;

	while ((got = pcap_next_ex(pcap, &header, &bytes)) == 1) {
		/* Opened with nanosecond precision: tv_usec holds nanoseconds. */
		uint64_t time_ns = (uint64_t)header->ts.tv_sec * UINT64_C(1000000000) +
			(uint64_t)header->ts.tv_usec;

		nd_trace_frame(result->trace, time_ns, bytes, header->caplen, header->len);
	}
	nd_trace_finish(result->trace);
	if (got == PCAP_ERROR_BREAK)
		return;
	nd_trace_totals(result->trace, &totals);
	snprintf(result->error, sizeof(result->error),
		"%s cannot be read to its end: %s after %" PRIu64 " frames", result->file,
		pcap_geterr(pcap), totals.frames);
}

void
check_file(const char *file, const struct nd_trace_config *config, struct check_result *result)
{
	char reason[PCAP_ERRBUF_SIZE];
	pcap_t *pcap;

	memset(result, 0, sizeof(*result));
	result->file = file;
	pcap = pcap_open_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, reason);
	if (pcap == NULL) {
		snprintf(result->error, sizeof(result->error), "%s cannot be read: %s", file,
			reason);
		return;
	}
	if (pcap_datalink(pcap) != DLT_EN10MB) {
		const char *name = pcap_datalink_val_to_name(pcap_datalink(pcap));

		snprintf(result->error, sizeof(result->error),
			"%s has link type %s, only Ethernet is supported", file,
			name == NULL ? "unknown" : name);
	} else {
		result->trace = nd_trace_open(config);
		if (result->trace == NULL)
			snprintf(result->error, sizeof(result->error),
				"%s cannot be checked: memory is exhausted", file);
		else
			frames_read(pcap, result);
	}
	pcap_close(pcap);
}

void
check_release(struct check_result *result)
{
	nd_trace_close(result->trace);
}

enum check_verdict
check_verdict(const struct check_result *result)
{
	struct nd_trace_totals totals;

	if (result->trace == NULL || result->error[0] != '\0')
		return CHECK_FAILED;
	nd_trace_totals(result->trace, &totals);
	if (totals.icrc_bad != 0 || nd_trace_violation_count(result->trace) != 0)
		return CHECK_FOUND;
	/* A capture without any RoCEv2 says nothing about RoCEv2. */
	if (totals.roce_packets == 0 || totals.malformed != 0 || totals.truncated != 0 ||
		totals.hidden != 0 || nd_trace_doubt_count(result->trace) != 0)
		return CHECK_UNJUDGED;
	return CHECK_CLEAN;
}
