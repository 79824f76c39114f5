/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "kit/transport.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kit/value.h"

#define MS_PER_MINUTE  60000u
#define US_PER_SECOND  1000000u
#define REORDER_US_MAX 100000u
#define WINDOW_MAX     1024u
#define MBUFS_MIN      512u
#define MBUFS_MAX      (UINT32_C(1) << 24)
#define LINE_MBPS_MAX  4000000u
#define DSCP_MAX       63u
#define RETRIES_MAX    7u
#define TIMER_CODE_MAX 31u
#define READS_MAX      128u
#define POST_LIST_MAX  64u
#define INLINE_MAX     256u
#define CM_RETRIES_MAX 15u

static const char *const congestion_names[] = {
	[ND_CONGESTION_LOSS_WINDOW] = "loss-window",
	[ND_CONGESTION_NONE] = "none",
	[ND_CONGESTION_DCQCN] = "dcqcn",
	[ND_CONGESTION_SWIFT] = "swift",
	NULL,
};

static const char *const recovery_names[] = {
	[ND_RECOVERY_SELECTIVE] = "selective",
	[ND_RECOVERY_GO_BACK_N] = "go-back-n",
	NULL,
};

/* Parameters of DCQCN. The library checks their ranges. */
#define PARAMETER(member)                                                                          \
	{                                                                                          \
#member, offsetof(struct nd_dcqcn_parameters, member)                              \
	}

static const struct {
	const char *name;
	size_t offset;
} parameters[] = {
	PARAMETER(g_1024),
	PARAMETER(initial_alpha_1024),
	PARAMETER(alpha_timer_us),
	PARAMETER(rpg_time_reset_us),
	PARAMETER(rpg_byte_reset),
	PARAMETER(rpg_threshold),
	PARAMETER(rpg_ai_rate_mbps),
	PARAMETER(rpg_hai_rate_mbps),
	PARAMETER(rpg_min_rate_mbps),
	PARAMETER(rpg_gd),
	PARAMETER(min_dec_fac_percent),
	PARAMETER(rate_reduce_monitor_period_us),
	PARAMETER(rate_to_set_on_first_cnp_mbps),
};

#define PARAMETER_COUNT (sizeof(parameters) / sizeof(parameters[0]))

/* @param given an entry for each parameter: true if this --dcqcn value has already set it */
static bool
take_parameter(struct transport *transport, const char *name, const char *value,
	bool given[PARAMETER_COUNT])
{
	for (size_t i = 0; i < PARAMETER_COUNT; i++) {
		uint64_t number;

		if (strcmp(name, parameters[i].name) != 0)
			continue;
		if (!value_number(value, UINT32_MAX, &number) || number == 0)
			return false;
		if (given[i])
			transport->dcqcn_twice = parameters[i].name;
		given[i] = true;
		*(uint32_t *)((uint8_t *)&transport->dcqcn + parameters[i].offset) =
			(uint32_t)number;
		return true;
	}
	return false;
}

static bool
take_dcqcn(void *options, const char *value)
{
	struct transport *transport = options;
	bool given[PARAMETER_COUNT] = {false};
	const char *rest = value;

	transport->has_dcqcn = true;
	while (rest != NULL) {
		char item[VALUE_ITEM_BYTES], name[VALUE_ITEM_BYTES];
		const char *number;

		if (!value_item(rest, ',', item, &rest) || !value_item(item, ':', name, &number) ||
			number == NULL || !take_parameter(transport, name, number, given))
			return false;
	}
	return true;
}

/*
 * --reorder-window 0 means "no window". The library's member uses 0 for its default, so 0 is
 * replaced.
 */
static bool
take_reorder_window(void *options, const char *value)
{
	struct transport *transport = options;
	uint64_t us;

	if (!value_number(value, REORDER_US_MAX, &us))
		return false;
	transport->config.reorder_window_us = us == 0 ? ND_REORDER_NONE : (uint32_t)us;
	return true;
}

#define AT(member)  OPTION_AT(struct transport, config.member)
#define OWN(member) OPTION_AT(struct transport, member)

const struct option_row transport_rows[TRANSPORT_ROW_COUNT] = {
	{"ttl", OPTION_NUMBER, AT(ttl), 1, UINT8_MAX, "N",
		"TTL of all packets, IPv6: hop limit [64]"},
	{"dscp", OPTION_NUMBER, AT(dscp), 0, DSCP_MAX, "N", "DSCP of all packets [0]"},
	{"dscp-ack", OPTION_NUMBER, AT(dscp_ack), 1, DSCP_MAX, "N",
		"DSCP of acknowledgements [that of all packets]"},
	{"dscp-cnp", OPTION_NUMBER, AT(dscp_cnp), 1, DSCP_MAX, "N",
		"DSCP of congestion notification packets [48]"},
	{"udp-source-port", OPTION_NUMBER, AT(udp_source_port), 1, UINT16_MAX, "N",
		"UDP source port of all connections [a different one for each]"},
	{"ack-timeout", OPTION_NUMBER, AT(ack_timeout), 1, TIMER_CODE_MAX, "N",
		"retransmit if not acknowledged within 4.096 us * 2^N\n"
		"[14, larger if --qps and --depth require it]"},
	{"ack-delay", OPTION_NUMBER, AT(ack_delay), 1, TIMER_CODE_MAX, "N",
		"ACK delay announced to peers, 4.096 us * 2^N [12]"},
	{"retry-count", OPTION_NUMBER, AT(retry_count), 1, RETRIES_MAX, "N",
		"retries before the connection ends [7]"},
	{"rnr-retry-count", OPTION_NUMBER, AT(rnr_retry_count), 1, RETRIES_MAX, "N",
		"retries that peers make after RNR NAKs; 7 = unlimited [6]"},
	{"rnr-timer", OPTION_NUMBER, AT(rnr_timer), 1, TIMER_CODE_MAX, "CODE",
		"wait of peers before an RNR retry: IBTA code [12 = 0.64 ms]"},
	{"peer-timeout", OPTION_NUMBER, AT(peer_timeout_ms), 20, MS_PER_MINUTE * 60, "MS",
		"set these timers and --keepalive to detect an unreachable\n"
		"peer within this time [off]"},
	{"connect-retransmit", OPTION_NUMBER, AT(connect_retransmit_ms), 1, MS_PER_MINUTE, "MS",
		"time to the first retransmission of a connection message [250]"},
	{"connect-retries", OPTION_NUMBER, AT(connect_retries), 1, CM_RETRIES_MAX, "N",
		"retransmissions of a connection message [7]"},
	{"recovery", OPTION_CHOICE, AT(recovery), 0, 0, "NAME",
		"packets retransmitted after a loss: selective, go-back-n\n"
		"[selective]",
		.choices = recovery_names},
	{"keep-packets", OPTION_NUMBER, AT(keep_packets), 1, WINDOW_MAX, "N",
		"packets after a gap that a queue pair keeps [512]"},
	{"keep-packets-total", OPTION_SIZE, AT(keep_packets_total), 1, MBUFS_MAX / 4, "N",
		"packets after gaps that all queue pairs of an engine keep\n"
		"[an eighth of --mbufs]"},
	{"reorder-window", OPTION_CALL, .value = "US",
		.help = "wait for a missing packet before it is requested [10]",
		.expected = "0 to 100000", .take = take_reorder_window},
	{"initial-window", OPTION_NUMBER, AT(initial_window), 1, WINDOW_MAX, "N",
		"packets in flight before the first acknowledgement [64]"},
	{"congestion", OPTION_CHOICE, AT(congestion), 0, 0, "NAME",
		"congestion control: loss-window, none, dcqcn,\n"
		"swift [loss-window]",
		.choices = congestion_names},
	{"ecn", OPTION_FLAG, AT(ecn), 0, 0, NULL,
		"mark packets ECT(0), so that switches can mark them CE"},
	{"no-cnps", OPTION_FLAG, AT(no_cnps), 0, 0, NULL, "send no CNPs for marked packets"},
	{"cnp-interval", OPTION_NUMBER, AT(cnp_interval_us), 1, US_PER_SECOND, "US",
		"minimum time between two CNPs of a queue pair [50]"},
	{"dcqcn", OPTION_CALL, .value = "NAME:N[,...]",
		.help = "parameters of dcqcn, named as in nd_congestion.h",
		.expected = "names and numbers above 0 such as rpg_gd:11,g_1024:4",
		.take = take_dcqcn},
	{"line-rate", OPTION_NUMBER, AT(line_rate_mbps), 1, LINE_MBPS_MAX, "MBPS",
		"initial rate of dcqcn [line rate of the port]"},
	{"swift-target", OPTION_NUMBER, AT(swift_target_us), 1, US_PER_SECOND, "US",
		"target round-trip time of swift [50]"},
	{"reads", OPTION_NUMBER, OWN(reads), 1, READS_MAX, "N",
		"outstanding READs and atomics per queue pair, of this side\n"
		"and of the peer [--depth]"},
	{"post-list", OPTION_NUMBER, OWN(post_list), 1, POST_LIST_MAX, "N",
		"maximum number of requests posted in one batch [64]"},
	{"inline", OPTION_NUMBER, OWN(inline_bytes), 1, INLINE_MAX, "BYTES",
		"send, write: messages up to this size are inline data [none]"},
	{"mbufs", OPTION_SIZE, AT(mbuf_count), MBUFS_MIN, MBUFS_MAX, "N",
		"packet buffers of each engine [8192]"},
	{"own-port", OPTION_FLAG, AT(own_port), 0, 0, NULL,
		"own the ethdev port, which hides it from dpdk-dumpcap"},
};

void
transport_dcqcn_names(char *text, size_t size)
{
	size_t length = 0;

	for (size_t i = 0; i < PARAMETER_COUNT && length < size; i++)
		length += (size_t)snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "",
			parameters[i].name);
}

void
transport_dcqcn_text(const struct transport *transport, char text[TRANSPORT_DCQCN_BYTES])
{
	size_t length = 0;

	text[0] = '\0';
	for (size_t i = 0; i < PARAMETER_COUNT; i++) {
		const uint32_t *value =
			(const void *)((const uint8_t *)&transport->dcqcn + parameters[i].offset);

		if (*value != 0)
			length += (size_t)snprintf(text + length, TRANSPORT_DCQCN_BYTES - length,
				"%s%s:%" PRIu32, length > 0 ? "," : "", parameters[i].name, *value);
	}
}

bool
transport_check(const struct transport *transport, char *why, size_t size)
{
	const struct nd_adapter_config *config = &transport->config;

	if (config->ecn && config->congestion == ND_CONGESTION_NONE)
		return option_fail(
			why, size, "--ecn needs a congestion control: not --congestion=none");
	if (config->initial_window > 0 && config->congestion == ND_CONGESTION_NONE)
		return option_fail(why, size,
			"--initial-window needs a congestion control: not --congestion=none");
	if ((transport->has_dcqcn || config->line_rate_mbps > 0) &&
		config->congestion != ND_CONGESTION_DCQCN)
		return option_fail(
			why, size, "--dcqcn and --line-rate are for --congestion=dcqcn only");
	if (transport->dcqcn_twice != NULL)
		return option_fail(why, size, "--dcqcn gives %s twice: expected each name once",
			transport->dcqcn_twice);
	if (config->swift_target_us > 0 && config->congestion != ND_CONGESTION_SWIFT)
		return option_fail(why, size, "--swift-target is for --congestion=swift only");
	return true;
}

struct nd_adapter_config
transport_config(const struct transport *transport)
{
	struct nd_adapter_config config = transport->config;

	if (transport->has_dcqcn)
		config.dcqcn = &transport->dcqcn;
	return config;
}
