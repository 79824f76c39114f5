/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "control.h"
#include "flow.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <rte_common.h>

#include "kit/end_words.h"

/*
 * Number of receives of a flow, the same as in perftest. All receives use one buffer, because
 * nothing reads the received bytes. Therefore receives for long messages need little memory.
 */
#define RECEIVES           512u
/*
 * One additional receive accepts an unexpected message, because its sender would otherwise wait
 * forever.
 */
#define RECEIVES_SPARE     1u
/*
 * Number of request structures for answers. One structure is not enough, because the peer's next
 * message may arrive before the acknowledgement of this side's previous answer.
 */
#define REQUESTS_OF_ANSWER 8u
/*
 * Highest number of refusals after which a connection request is repeated. perftest's server
 * reports that it is ready before it listens, and its process may have to wait for a processor.
 * perftest's client repeats refused requests, too.
 */
#define REFUSALS           50u
#define RESULTS_PER_CALL   64u

void
perftest_flow_init(struct perftest_flow *flow, const struct perftest_flow_setup *setup)
{
	memset(flow, 0, sizeof(*flow));
	flow->setup = *setup;
	flow->measured_from = UINT64_MAX;
	link_init(&flow->link, setup->adapter);
	flow->link.refused = PERFTEST_REFUSED;
}

static bool
answers(const struct perftest_flow_setup *setup)
{
	return setup->latency && setup->op != OPTIONS_OP_READ;
}

static bool
needs_window(const struct perftest_flow_setup *setup)
{
	if (setup->op == OPTIONS_OP_SEND)
		return false;
	return !setup->initiator || answers(setup);
}

/*
 * @return size in bytes of the buffer for this side's messages. An answer is as long as the message
 *         that it answers, which may be long. The bytes of answers need no physical memory, because
 *         nothing writes them.
 */
static uint64_t
local_bytes(const struct perftest_flow_setup *setup)
{
	if (setup->op == OPTIONS_OP_SEND && setup->latency && !setup->initiator)
		return setup->span_bytes;
	return setup->size_bytes;
}

static bool
make_memory(struct perftest_flow *flow)
{
	const struct perftest_flow_setup *setup = &flow->setup;
	nd_status status;

	flow->memory_bytes = setup->span_bytes + local_bytes(setup);
	flow->memory = mmap(NULL, flow->memory_bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (flow->memory == MAP_FAILED) {
		flow->memory = NULL;
		link_fail(&flow->link, "no memory for %zu bytes of messages", flow->memory_bytes);
		return false;
	}
	flow->local = flow->memory + setup->span_bytes;
	if (setup->initiator)
		memset(flow->local, 0, setup->size_bytes);
	status = nd_adapter_register_memory(
		setup->adapter, flow->memory, flow->memory_bytes, NULL, &flow->mr);
	if (nd_failed(status)) {
		flow->mr = NULL;
		link_fail(&flow->link, "%zu bytes cannot be registered: %s", flow->memory_bytes,
			nd_status_name(status));
	}
	return !nd_failed(status);
}

static bool
make_requests(struct perftest_flow *flow)
{
	const struct perftest_flow_setup *setup = &flow->setup;

	flow->request_count = setup->initiator ? setup->depth : 1;
	if (answers(setup))
		flow->request_count = REQUESTS_OF_ANSWER;
	flow->receive_count = RECEIVES_SPARE;
	if (setup->op == OPTIONS_OP_SEND && (!setup->initiator || setup->latency))
		flow->receive_count = RECEIVES;
	flow->requests = calloc(flow->request_count, sizeof(*flow->requests));
	flow->receives = calloc(flow->receive_count, sizeof(*flow->receives));
	if (flow->requests == NULL || flow->receives == NULL)
		link_fail(&flow->link, "no memory for the requests");
	return flow->link.state != LINK_FAILED;
}

static bool
make_window(struct perftest_flow *flow)
{
	nd_status status;

	if (!needs_window(&flow->setup))
		return true;
	status = nd_adapter_create_memory_window(flow->setup.adapter, &flow->bound, &flow->window);
	if (nd_failed(status)) {
		flow->window = NULL;
		link_fail(&flow->link, "the memory window cannot be created: %s",
			nd_status_name(status));
	}
	return !nd_failed(status);
}

static void
post_receive(struct perftest_flow *flow, struct perftest_request *receive)
{
	const struct nd_sge sge = {flow->memory, flow->setup.span_bytes, flow->mr};

	link_posted(&flow->link,
		nd_endpoint_receive(flow->link.endpoint, &receive->result, &sge, 1), "receive");
}

static bool
open_flow(struct perftest_flow *flow)
{
	const struct perftest_flow_setup *setup = &flow->setup;
	struct nd_adapter_info info;
	size_t size = sizeof(info);
	struct link_shape shape;

	if (!make_memory(flow) || !make_requests(flow) || !make_window(flow))
		return false;
	if (nd_failed(nd_adapter_query(setup->adapter, ND_VERSION_1, &info, &size))) {
		link_fail(&flow->link, "the adapter cannot be queried");
		return false;
	}
	/* One additional request is for the bind of the window. */
	shape = (struct link_shape){
		.receives = flow->receive_count,
		.requests = flow->request_count + 1,
	};
	if (setup->op == OPTIONS_OP_READ && setup->initiator)
		shape.outbound_reads =
			RTE_MIN(setup->depth, (uint32_t)info.max_outbound_read_limit);
	else if (setup->op == OPTIONS_OP_READ)
		shape.inbound_reads = (uint32_t)info.max_inbound_read_limit;
	if (!link_open(&flow->link, &shape))
		return false;
	for (uint32_t i = 0; i < flow->receive_count; i++)
		post_receive(flow, &flow->receives[i]);
	return flow->link.state != LINK_FAILED;
}

void
perftest_flow_connect(struct perftest_flow *flow, const struct sockaddr_storage *peer)
{
	if (open_flow(flow))
		link_connect(&flow->link, peer, REFUSALS);
}

void
perftest_flow_accept(struct perftest_flow *flow)
{
	if (open_flow(flow))
		link_accept(&flow->link);
	else
		(void)nd_connector_reject(flow->link.connector, NULL, 0);
}

bool
perftest_flow_ready(const struct perftest_flow *flow)
{
	return flow->link.state == LINK_CONNECTED && (flow->window == NULL || flow->is_bound);
}

/* Bind the window. This is only possible after the connection is established. */
static void
bind_window(struct perftest_flow *flow)
{
	const uint32_t flags =
		flow->setup.op == OPTIONS_OP_READ ? ND_OP_FLAG_ALLOW_READ : ND_OP_FLAG_ALLOW_WRITE;
	const nd_status status = nd_endpoint_bind(flow->link.endpoint, &flow->bound, flow->mr,
		flow->window, flow->memory, flow->setup.span_bytes, flags, &flow->exposed);

	flow->is_bound = link_posted(&flow->link, status, "the memory window cannot be bound");
}

void
perftest_flow_start(struct perftest_flow *flow)
{
	flow->testing = true;
}

void
perftest_flow_stop(struct perftest_flow *flow)
{
	flow->cut = flow->posted < flow->limit;
	flow->limit = flow->posted;
}

/*
 * In write latency, the target answers every number except the number of the last iteration. If the
 * initiator stops early, the target answers the last posted message, too. The initiator must wait
 * for this answer. Otherwise the target would wait forever for the acknowledgement of its answer,
 * because perftest sets an unlimited retry count.
 */
bool
perftest_flow_complete(const struct perftest_flow *flow)
{
	uint64_t answers = 0;

	if (flow->setup.latency && flow->setup.op == OPTIONS_OP_SEND)
		answers = flow->posted;
	else if (flow->setup.latency && flow->setup.op == OPTIONS_OP_WRITE && flow->cut)
		answers = flow->posted + 1;
	return flow->completed == flow->posted && flow->arrived >= answers;
}

void
perftest_flow_finish(struct perftest_flow *flow)
{
	flow->measured += flow->posted - flow->completed;
	flow->completed = flow->posted;
	flow->cut = false;
}

/*
 * Report a failed request. The result with the cause comes before results with ND_CANCELED, so the
 * link keeps the cause.
 */
static void
take_failure(struct perftest_flow *flow, nd_status status)
{
	const struct perftest_flow_setup *setup = &flow->setup;
	char words[END_WORDS_BYTES];

	/*
	 * In write latency, a client does not wait for the answer to its last message. It destroys
	 * its queue pair, so the acknowledgement of the answer may be missing.
	 */
	if (status == ND_CANCELED ||
		(status == ND_IO_TIMEOUT && !setup->initiator && answers(setup)))
		flow->link.peer_gone = true;
	else
		link_fail(&flow->link, "%s failed on queue pair %u: %s%s",
			options_op_name(setup->op), setup->index, nd_status_name(status),
			end_words(flow->link.connector, words));
}

static bool
is_receive(const struct perftest_flow *flow, const struct perftest_request *request)
{
	return request >= flow->receives && request < flow->receives + flow->receive_count;
}

static void
take_result(struct perftest_flow *flow, struct nd_result *result, uint64_t now)
{
	struct perftest_request *request;

	if (result->status != ND_SUCCESS) {
		take_failure(flow, result->status);
		return;
	}
	if (result == &flow->bound)
		return;
	request = container_of(result, struct perftest_request, result);
	if (is_receive(flow, request)) {
		perftest_traffic_received(flow, result->bytes_transferred, now);
		post_receive(flow, request);
	} else {
		request->busy = false;
		perftest_traffic_completed(flow, request, now);
	}
}

void
perftest_flow_turn(struct perftest_flow *flow)
{
	struct nd_result *results[RESULTS_PER_CALL];
	size_t count = RESULTS_PER_CALL;

	link_turn(&flow->link);
	if (flow->link.state != LINK_CONNECTED)
		return;
	if (flow->window != NULL && !flow->is_bound)
		bind_window(flow);
	while (count == RESULTS_PER_CALL) {
		count = nd_cq_get_results(flow->link.cq, results, RESULTS_PER_CALL);
		const uint64_t now = count > 0 ? stopwatch_now() : 0;

		for (size_t i = 0; i < count && flow->link.state == LINK_CONNECTED; i++)
			take_result(flow, results[i], now);
	}
	if (flow->testing && flow->link.state == LINK_CONNECTED && !flow->link.peer_gone)
		perftest_traffic_turn(flow);
}

void
perftest_flow_close(struct perftest_flow *flow)
{
	link_close(&flow->link);
	if (flow->window != NULL)
		nd_mw_release(flow->setup.adapter, flow->window);
	if (flow->memory != NULL &&
		(flow->mr == NULL ||
			nd_adapter_deregister_memory(flow->setup.adapter, flow->mr, NULL) ==
				ND_SUCCESS))
		munmap(flow->memory, flow->memory_bytes);
	free(flow->requests);
	free(flow->receives);
	flow->window = NULL;
	flow->mr = NULL;
	flow->memory = NULL;
	flow->requests = NULL;
	flow->receives = NULL;
}
