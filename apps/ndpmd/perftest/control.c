/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "control.h"

#include <stdlib.h>
#include <string.h>

#include "kit/end_words.h"

#define MEMORY_BYTES ((size_t)PERFTEST_CONTROL_RECEIVES * PERFTEST_CONTROL_BYTES)

void
perftest_control_init(struct perftest_control *control, struct nd_adapter *adapter)
{
	memset(control, 0, sizeof(*control));
	link_init(&control->link, adapter);
	control->link.refused = PERFTEST_REFUSED;
}

static void
post_receive(struct perftest_control *control, uint32_t index)
{
	const struct nd_sge sge = {control->memory + (size_t)index * PERFTEST_CONTROL_BYTES,
		PERFTEST_CONTROL_BYTES, control->mr};

	link_posted(&control->link,
		nd_endpoint_receive(control->link.endpoint, &control->receives[index], &sge, 1),
		"a receive on the control connection cannot be posted");
}

static bool
open_control(struct perftest_control *control)
{
	static const struct link_shape shape = {
		.receives = PERFTEST_CONTROL_RECEIVES,
		.requests = PERFTEST_CONTROL_SENDS + 1, /* 1 for the probe */
	};
	struct link *link = &control->link;
	nd_status status;

	control->memory = calloc(1, MEMORY_BYTES);
	if (control->memory == NULL) {
		link_fail(link, "no memory for a connection");
		return false;
	}
	status = nd_adapter_register_memory(
		link->adapter, control->memory, MEMORY_BYTES, NULL, &control->mr);
	if (nd_failed(status)) {
		control->mr = NULL;
		link_fail(link, "memory cannot be registered: %s", nd_status_name(status));
		return false;
	}
	if (!link_open(link, &shape))
		return false;
	for (uint32_t i = 0; i < PERFTEST_CONTROL_RECEIVES; i++)
		post_receive(control, i);
	return link->state != LINK_FAILED;
}

void
perftest_control_connect(struct perftest_control *control, const struct sockaddr_storage *peer)
{
	if (open_control(control))
		link_connect(&control->link, peer, 0);
}

void
perftest_control_accept(struct perftest_control *control)
{
	if (open_control(control))
		link_accept(&control->link);
	else
		(void)nd_connector_reject(control->link.connector, NULL, 0);
}

static bool
is_receive(const struct perftest_control *control, const struct nd_result *result)
{
	return result >= control->receives &&
		result < control->receives + PERFTEST_CONTROL_RECEIVES;
}

void
perftest_control_turn(struct perftest_control *control)
{
	struct nd_result *results[PERFTEST_CONTROL_RECEIVES + PERFTEST_CONTROL_SENDS + 1];
	char words[END_WORDS_BYTES];
	size_t count;

	link_turn(&control->link);
	if (control->link.cq == NULL)
		return;
	count = nd_cq_get_results(control->link.cq, results, RTE_DIM(results));
	for (size_t i = 0; i < count; i++) {
		if (results[i]->status == ND_CANCELED)
			control->link.peer_gone = true;
		else if (results[i]->status != ND_SUCCESS)
			link_fail(&control->link, "the control connection failed: %s%s",
				nd_status_name(results[i]->status),
				end_words(control->link.connector, words));
		else if (is_receive(control, results[i]))
			control->arrived++;
		else if (results[i] == &control->probe)
			control->probing = false;
		else
			control->acknowledged++;
	}
}

void
perftest_control_send(struct perftest_control *control, const void *item, uint32_t bytes)
{
	struct nd_result *result = &control->sends[control->sent % PERFTEST_CONTROL_SENDS];
	uint8_t copy[PERFTEST_ITEM_MAX];
	const struct nd_sge sge = {copy, bytes, NULL};

	if (control->sent - control->acknowledged == PERFTEST_CONTROL_SENDS) {
		link_fail(&control->link,
			"the peer does not acknowledge the messages of the control connection");
		return;
	}
	memcpy(copy, item, bytes);
	control->sent++;
	link_posted(&control->link, nd_endpoint_send(control->link.endpoint, result, &sge, 1, 0),
		"a send on the control connection cannot be posted");
}

void
perftest_control_probe(struct perftest_control *control)
{
	/* A WRITE without data uses no key. */
	static const struct nd_mw_descriptor nothing;

	control->probing = true;
	link_posted(&control->link,
		nd_endpoint_write(control->link.endpoint, &control->probe, NULL, 0, &nothing, 0, 0),
		"a write on the control connection cannot be posted");
}

bool
perftest_control_take(struct perftest_control *control, void *item, size_t *bytes)
{
	const uint32_t index = control->next_receive;

	if (control->arrived == 0)
		return false;
	control->arrived--;
	control->next_receive = (index + 1) % PERFTEST_CONTROL_RECEIVES;
	*bytes = control->receives[index].bytes_transferred;
	memcpy(item, control->memory + (size_t)index * PERFTEST_CONTROL_BYTES, *bytes);
	post_receive(control, index);
	return true;
}

void
perftest_control_close(struct perftest_control *control)
{
	link_close(&control->link);
	if (control->mr == NULL ||
		nd_adapter_deregister_memory(control->link.adapter, control->mr, NULL) ==
			ND_SUCCESS)
		free(control->memory);
	control->mr = NULL;
	control->memory = NULL;
}
