/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "losses.h"

#include <stdbool.h>
#include <string.h>

#define COUNTERS_MAX 256u

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
	else if (starts_with(name, "rx_naks_") || (sent_too && starts_with(name, "tx_naks_")))
		losses->naks += counter->value;
	else if (strcmp(name, "rx_rnr_naks") == 0 || (sent_too && strcmp(name, "tx_rnr_naks") == 0))
		losses->rnrs += counter->value;
	else if (starts_with(name, "drop_"))
		losses->drops += counter->value;
}

void
losses_read(const struct nd_adapter *const adapters[2], struct losses *losses)
{
	const bool both = adapters[0] != NULL && adapters[1] != NULL;
	struct nd_counter counters[COUNTERS_MAX];

	*losses = (struct losses){0};
	for (unsigned int i = 0; i < 2; i++) {
		size_t count = 0;

		if (adapters[i] != NULL)
			count = nd_adapter_counters(adapters[i], counters, COUNTERS_MAX);
		for (size_t k = 0; k < count && k < COUNTERS_MAX; k++)
			add(losses, &counters[k], !both);
	}
}

struct losses
losses_since(const struct losses *now, const struct losses *before)
{
	return (struct losses){
		.retransmitted = now->retransmitted - before->retransmitted,
		.naks = now->naks - before->naks,
		.rnrs = now->rnrs - before->rnrs,
		.drops = now->drops - before->drops,
	};
}
