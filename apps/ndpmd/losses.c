/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "losses.h"

#include <string.h>

#include <rte_ethdev.h>

#include "kit/inject_port.h"

#define COUNTERS_MAX 256u

static const char *const drop_counters[] = {
	"drop_truncated",
	"drop_ip_header",
	"drop_fragment",
	"drop_length",
	"drop_udp_checksum",
	"drop_version",
	"drop_opcode",
	"drop_header_length",
	"drop_payload",
	"drop_pkey",
	"drop_icrc",
	"drop_aeth",
	"drop_hand_over",
};

bool
losses_is_drop(const char *counter)
{
	for (size_t i = 0; i < RTE_DIM(drop_counters); i++)
		if (strcmp(counter, drop_counters[i]) == 0)
			return true;
	return false;
}

/** @return frames that the port lost before an engine received them, as the driver counts them */
static uint64_t
port_losses(const struct nd_adapter *adapter)
{
	struct rte_eth_stats stats;

	if (rte_eth_stats_get(nd_adapter_port_id(adapter), &stats) != 0)
		return 0;
	return stats.imissed + stats.ierrors;
}

static bool
starts_with(const char *name, const char *beginning)
{
	return strncmp(name, beginning, strlen(beginning)) == 0;
}

static void
add(struct losses *losses, const struct nd_counter *counter, bool sent_too)
{
	const char *name = counter->name;

	if (strcmp(name, "retransmitted_packets") == 0)
		losses->retransmitted += counter->value;
	else if (strcmp(name, "probes") == 0)
		losses->probes += counter->value;
	else if (starts_with(name, "rx_naks_") || (sent_too && starts_with(name, "tx_naks_")))
		losses->naks += counter->value;
	else if (strcmp(name, "rx_rnr_naks") == 0 || (sent_too && strcmp(name, "tx_rnr_naks") == 0))
		losses->rnrs += counter->value;
	else if (losses_is_drop(name))
		losses->drops += counter->value;
}

static void
add_injected(struct losses *losses, const struct inject *inject)
{
	struct inject_counts counts[INJECT_WAYS];

	inject_read(inject, counts);
	for (unsigned int way = 0; way < INJECT_WAYS; way++)
		losses->drops += counts[way].faults[INJECT_DROP] + counts[way].overflow;
}

void
losses_read(const struct nd_adapter *const adapters[2], const struct inject *inject,
	struct losses *losses)
{
	const bool both = adapters[0] != NULL && adapters[1] != NULL;
	struct nd_counter counters[COUNTERS_MAX];

	*losses = (struct losses){0};
	for (unsigned int i = 0; i < 2; i++) {
		size_t count;

		if (adapters[i] == NULL)
			continue;
		losses->drops += port_losses(adapters[i]);
		count = nd_adapter_counters(adapters[i], counters, COUNTERS_MAX);
		for (size_t k = 0; k < count && k < COUNTERS_MAX; k++)
			add(losses, &counters[k], !both);
	}
	if (inject != NULL)
		add_injected(losses, inject);
}

struct losses
losses_since(const struct losses *now, const struct losses *before)
{
	return (struct losses){
		.retransmitted = now->retransmitted - before->retransmitted,
		.probes = now->probes - before->probes,
		.naks = now->naks - before->naks,
		.rnrs = now->rnrs - before->rnrs,
		.drops = now->drops - before->drops,
	};
}
