/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Defaults and checks of an adapter's configuration. */

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/sized.h"
#include "cm/config.h"
#include "cm/message.h"
#include "nd/adapter.h"
#include "nd/address.h"
#include "nd/congestion.h"

#define NEIGHBOURS_MAX 65536u
#define HALF_OPEN_MIN  32u

/** Set a member to its default if it is 0. */
#define DEFAULT(field, value)                                                                      \
	do {                                                                                       \
		if ((field) == 0)                                                                  \
			(field) = (value);                                                         \
	} while (0)

/** @return default of half_open_max: half of all endpoints, within the range of half_open_max */
static uint32_t
half_open_default(const struct nd_adapter_config *config)
{
	uint64_t half = (uint64_t)config->endpoints_max * config->engines / 2;

	return (uint32_t)RTE_MIN(RTE_MAX(half, HALF_OPEN_MIN), LIMIT_QP_SLOTS);
}

/**
 * Share of peer_timeout_ms, in 1/1000, that the retries may take. The rest is needed because up to
 * 375/1000 pass before a keepalive is sent.
 */
#define RETRIES_SHARE 600u

/**
 * Default of retry_count if peer_timeout_ms is set. If the time is too short, fewer retries are
 * used. If peer_timeout_ms is below USUAL_DELAY_MS, a shorter ack_delay makes room for the retries.
 */
#define RETRIES_WANTED 3u

/** Smallest peer_timeout_ms, in ms, for which the default ACK delay is used. */
#define USUAL_DELAY_MS 100u

/**
 * @return time after which a request fails if no acknowledgement arrives, in ns; see
 * docs/timeouts.md
 */
static uint64_t
retries_ns(uint8_t ack_timeout, uint8_t ack_delay, uint8_t retry_count)
{
	const uint8_t timeout = cm_ack_timeout(ack_timeout, ack_delay);

	return (3 + 4 * (uint64_t)(retry_count - 1)) * (UINT64_C(4096) << timeout);
}

static uint8_t
ack_delay_choose(uint32_t peer_timeout_ms, uint64_t budget_ns)
{
	uint8_t delay = CM_ACK_DELAY_DEFAULT;

	if (peer_timeout_ms >= USUAL_DELAY_MS)
		return delay;
	while (delay > 1 && retries_ns(1, delay, RETRIES_WANTED) > budget_ns)
		delay--;
	return delay;
}

/** Set the other timers so that the loss of a peer is detected within peer_timeout_ms. */
static void
peer_timeout_fill(struct nd_adapter_config *config)
{
	const uint32_t ms = config->peer_timeout_ms;
	const uint64_t budget_ns = (uint64_t)ms * 1000 * RETRIES_SHARE;
	uint8_t retries = RETRIES_WANTED, timeout = WIRE_TIMEOUT_CODE_MAX;

	DEFAULT(config->ack_delay, ack_delay_choose(ms, budget_ns));

	/* A keepalive is sent after at most 1.5 times this interval without a packet of a peer. */
	DEFAULT(config->keepalive_ms, ms / 4);
	/* The retransmissions take 1 + 2 + 4 + 8 = 15 times this interval. */
	DEFAULT(config->connect_retransmit_ms, RTE_MIN(ms / 16, 60000u));
	DEFAULT(config->connect_retries, 3);
	while (retries > 1 && retries_ns(1, config->ack_delay, retries) > budget_ns)
		retries--;
	DEFAULT(config->retry_count, retries);
	while (timeout > 1 &&
		retries_ns(timeout, config->ack_delay, config->retry_count) > budget_ns)
		timeout--;
	DEFAULT(config->ack_timeout, timeout);
}

static void
defaults_fill(struct nd_adapter_config *config, bool v4)
{
	if (config->peer_timeout_ms >= ADAPTER_PEER_TIMEOUT_MS_MIN)
		peer_timeout_fill(config);
	DEFAULT(config->prefix_length, v4 ? 24 : 64);
	DEFAULT(config->engines, 1);
	if (config->mbuf_pool != NULL)
		DEFAULT(config->mbuf_count, config->mbuf_pool->size / config->engines);
	DEFAULT(config->mbuf_count, 8192);
	DEFAULT(config->endpoints_max, 1024);
	DEFAULT(config->regions_max, 1 << 16);
	DEFAULT(config->windows_max, 1 << 20);
	DEFAULT(config->ttl, 64);
	DEFAULT(config->ack_delay, CM_ACK_DELAY_DEFAULT);
	DEFAULT(config->ack_timeout, 14);
	DEFAULT(config->retry_count, 7);
	DEFAULT(config->rnr_retry_count, 6);
	DEFAULT(config->rnr_timer, 12);
	DEFAULT(config->connect_retransmit_ms, 250);
	DEFAULT(config->connect_retries, 7);
	DEFAULT(config->guesses_max, 64);
	DEFAULT(config->guess_interval_ms, 1000);
	DEFAULT(config->half_open_max, half_open_default(config));
	DEFAULT(config->connections_per_second, 1000);
	DEFAULT(config->answers_per_second, 1000);
	DEFAULT(config->proof_lifetime_s, 3600);
	DEFAULT(config->mra_max_ms, 120000);
	DEFAULT(config->guess_bar_max_ms, RTE_MAX(config->guess_interval_ms, 3000u));
	DEFAULT(config->keep_packets, 512);
	DEFAULT(config->keep_packets_total, config->mbuf_count / 8);
	DEFAULT(config->reorder_window_us, 10);
	DEFAULT(config->dscp_ack, config->dscp);
	DEFAULT(config->dscp_cnp, 48);
	DEFAULT(config->cnp_interval_us, 50);
}

static bool
path_mtu_valid(uint16_t pmtu)
{
	return pmtu == 0 ||
		(pmtu >= LIMIT_PMTU_MIN && pmtu <= LIMIT_PMTU_MAX && (pmtu & (pmtu - 1)) == 0);
}

struct range {
	const char *name;
	uint64_t value;
	uint64_t min;
	uint64_t max;
};

/**
 * @return maximum number of endpoints per engine. Some bits of a QPN select the engine, the others
 * the endpoint.
 */
static uint32_t
endpoints_limit(uint32_t engines)
{
	return engines > LIMIT_ENGINES ? 0 : LIMIT_QP_SLOTS / rte_align32pow2(engines);
}

static nd_status
ranges_check(const struct nd_adapter_config *config, bool v4, char *why, size_t size)
{
	uint32_t reorder_us =
		config->reorder_window_us == ND_REORDER_NONE ? 1 : config->reorder_window_us;
	const uint32_t peer_ms = config->peer_timeout_ms != 0 ? config->peer_timeout_ms
							      : ADAPTER_PEER_TIMEOUT_MS_MIN;
	const struct range ranges[] = {
		{"prefix_length", config->prefix_length, 1, v4 ? 32 : 128},
		{"vlan_id", config->vlan_id, 0, WIRE_VLAN_ID_MAX},
		{"mbuf_count", config->mbuf_count, 512, 1 << 24},
		{"engines", config->engines, 1, LIMIT_ENGINES},
		{"endpoints_max", config->endpoints_max, 1, endpoints_limit(config->engines)},
		{"regions_max", config->regions_max, 1, LIMIT_KEY_SLOTS / 4},
		{"windows_max", config->windows_max, 1, LIMIT_KEY_SLOTS - 1},
		{"dscp", config->dscp, 0, WIRE_DSCP_MAX},
		{"ack_delay", config->ack_delay, 1, WIRE_TIMEOUT_CODE_MAX},
		{"ack_timeout", config->ack_timeout, 1, WIRE_TIMEOUT_CODE_MAX},
		{"retry_count", config->retry_count, 1, WIRE_RETRY_COUNT_MAX},
		{"rnr_retry_count", config->rnr_retry_count, 1, WIRE_RETRY_COUNT_MAX},
		{"rnr_timer", config->rnr_timer, 1, WIRE_RNR_TIMER_MASK},
		{"connect_retransmit_ms", config->connect_retransmit_ms, 1, 60000},
		{"connect_retries", config->connect_retries, 1, WIRE_CM_RETRIES_MAX},
		{"guesses_max", config->guesses_max, 1, 1000000},
		{"guess_interval_ms", config->guess_interval_ms, 1, 3600000},
		{"half_open_max", config->half_open_max, 1, LIMIT_QP_SLOTS},
		{"connections_per_second", config->connections_per_second, 1, 1000000},
		{"answers_per_second", config->answers_per_second, 1, 1000000},
		{"proof_lifetime_s", config->proof_lifetime_s, 1, 86400},
		{"mra_max_ms", config->mra_max_ms, 1, 86400000},
		{"keepalive_ms", config->keepalive_ms, 0, ADAPTER_KEEPALIVE_MS_MAX},
		{"peer_timeout_ms", peer_ms, ADAPTER_PEER_TIMEOUT_MS_MIN, 3600000},
		{"guess_bar_max_ms", config->guess_bar_max_ms, 1, 86400000},
		{"recovery", config->recovery, ND_RECOVERY_SELECTIVE, ND_RECOVERY_GO_BACK_N},
		{"keep_packets", config->keep_packets, 1, LIMIT_KEEP_PACKETS},
		{"keep_packets_total", config->keep_packets_total, 1, config->mbuf_count / 4},
		{"reorder_window_us", reorder_us, 1, 100000},
		{"congestion", config->congestion, 0, ND_CONGESTION_SWIFT},
		{"dscp_ack", config->dscp_ack, 0, WIRE_DSCP_MAX},
		{"dscp_cnp", config->dscp_cnp, 1, WIRE_DSCP_MAX},
		{"cnp_interval_us", config->cnp_interval_us, 1, 1000000},
		{"line_rate_mbps", config->line_rate_mbps, 0, 4000000},
		{"initial_window", config->initial_window, 0, LIMIT_SEND_WINDOW},
		{"swift_target_us", config->swift_target_us, 0, 1000000},
	};

	for (size_t i = 0; i < RTE_DIM(ranges); i++) {
		const struct range *range = &ranges[i];

		if (range->value >= range->min && range->value <= range->max)
			continue;
		snprintf(why, size, "%s is %llu, but must be %llu to %llu", range->name,
			(unsigned long long)range->value, (unsigned long long)range->min,
			(unsigned long long)range->max);
		return ND_INVALID_PARAMETER;
	}
	if (!path_mtu_valid(config->path_mtu)) {
		snprintf(why, size, "path_mtu is %u, but must be 256, 512, 1024, 2048 or 4096",
			config->path_mtu);
		return ND_INVALID_PARAMETER;
	}
	return ND_SUCCESS;
}

/** Check that the retries take less time than peer_timeout_ms. */
static nd_status
peer_timeout_check(const struct nd_adapter_config *config, char *why, size_t size)
{
	const uint64_t us =
		retries_ns(config->ack_timeout, config->ack_delay, config->retry_count) / 1000;

	if (config->peer_timeout_ms == 0 || us < (uint64_t)config->peer_timeout_ms * 1000)
		return ND_SUCCESS;
	snprintf(why, size,
		"peer_timeout_ms is %u, but the retries take %.1f ms with ack_delay %u, "
		"ack_timeout %u, retry_count %u: set these to 0, or peer_timeout_ms to at least %u",
		config->peer_timeout_ms, (double)us / 1000, config->ack_delay, config->ack_timeout,
		config->retry_count, (unsigned int)(us / 1000 + 1));
	return ND_INVALID_PARAMETER;
}

/** Check the members that depend on whether the application has configured the port. */
static nd_status
port_check(const struct nd_adapter_config *config, char *why, size_t size)
{
	if (config->queue_id != 0 && !config->port_configured) {
		snprintf(why, size,
			"queue %u can only be used on a port that is already configured",
			config->queue_id);
		return ND_INVALID_PARAMETER;
	}
	if (config->own_port && config->port_configured) {
		snprintf(why, size,
			"own_port cannot be set together with port_configured: the application "
			"configures this port");
		return ND_INVALID_PARAMETER;
	}
	if (config->input_only && !config->port_configured) {
		snprintf(why, size,
			"input_only requires port_configured: the application must receive the "
			"frames");
		return ND_INVALID_PARAMETER;
	}
	return ND_SUCCESS;
}

/**
 * Check each static neighbour and the gateway separately. The engine checks later whether they are
 * in the network of the adapter's address.
 */
static nd_status
neighbours_check(
	const struct nd_adapter_config *config, const struct wire_gid *own, char *why, size_t size)
{
	struct wire_gid gid;

	if (config->gateway.ss_family != 0 &&
		(!address_load((const struct sockaddr *)&config->gateway, sizeof(config->gateway),
			 &gid, NULL) ||
			!wire_gid_is_unicast(&gid) ||
			wire_gid_is_v4(&gid) != wire_gid_is_v4(own))) {
		snprintf(why, size,
			"the gateway's address is not a unicast address of the adapter's address "
			"family");
		return ND_INVALID_ADDRESS;
	}
	if (config->neighbour_count > NEIGHBOURS_MAX ||
		(config->neighbour_count != 0 && config->neighbours == NULL)) {
		snprintf(why, size,
			"neighbour_count is %zu, but neighbours is NULL, or the count is above the "
			"maximum %u",
			config->neighbour_count, NEIGHBOURS_MAX);
		return ND_INVALID_PARAMETER;
	}
	return ND_SUCCESS;
}

nd_status
adapter_config_read(struct nd_adapter_config *own, const struct nd_adapter_config *config,
	size_t size, char *why)
{
	if (base_sized_read(own, sizeof(*own), config, size))
		return ND_SUCCESS;
	snprintf(why, ADAPTER_WHY_BYTES,
		"config has %zu bytes, and sets members after the %zu bytes that this version of "
		"the library knows",
		size, sizeof(*own));
	return ND_INVALID_PARAMETER_2;
}

nd_status
adapter_config_check(struct nd_adapter_config *config, char *why, size_t size)
{
	struct wire_gid gid;
	nd_status status;
	bool v4;

	if (!address_load((const struct sockaddr *)&config->address, sizeof(config->address), &gid,
		    NULL)) {
		snprintf(why, size, "the adapter has no IPv4 or IPv6 address");
		return ND_INVALID_ADDRESS;
	}
	if (!wire_gid_is_unicast(&gid)) {
		snprintf(why, size, "the adapter's address is not a unicast address");
		return ND_INVALID_ADDRESS;
	}
	v4 = wire_gid_is_v4(&gid);
	defaults_fill(config, v4);
	status = ranges_check(config, v4, why, size);
	if (!nd_failed(status))
		status = peer_timeout_check(config, why, size);
	if (!nd_failed(status))
		status = port_check(config, why, size);
	if (!nd_failed(status))
		status = congestion_check(config, why, size);
	return nd_failed(status) ? status : neighbours_check(config, &gid, why, size);
}
