/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "loop_operation.h"

#include <ndpdk/nd_extension.h>
#include <ndpdk/nd_srq.h>

#include "bench.h"

#define IMM_DATA 0x01020304u

static struct nd_sge
entry_of(struct loop_side *side, uint32_t bytes)
{
	return (struct nd_sge){.address = side->memory, .length = bytes, .mr = side->mr};
}

static nd_status
write_post(struct loop_pair *pair, struct nd_result *result, uint32_t bytes)
{
	const struct nd_sge sge = entry_of(&pair->side[0], bytes);

	return nd_endpoint_write(pair->side[0].endpoint, result, &sge, 1, &pair->window, 0, 0);
}

static nd_status
read_post(struct loop_pair *pair, struct nd_result *result, uint32_t bytes)
{
	const struct nd_sge sge = entry_of(&pair->side[0], bytes);

	return nd_endpoint_read(pair->side[0].endpoint, result, &sge, 1, &pair->window, 0, 0);
}

static nd_status
send_post(struct loop_pair *pair, struct nd_result *result, uint32_t bytes)
{
	const struct nd_sge sge = entry_of(&pair->side[0], bytes);

	return nd_endpoint_send(pair->side[0].endpoint, result, &sge, 1, 0);
}

static nd_status
send_imm_post(struct loop_pair *pair, struct nd_result *result, uint32_t bytes)
{
	const struct nd_sge sge = entry_of(&pair->side[0], bytes);

	return nd_endpoint_send_with_imm(pair->side[0].endpoint, result, &sge, 1, IMM_DATA, 0);
}

static nd_status
send_srq_post(struct loop_pair *pair, struct nd_result *result, uint32_t bytes)
{
	const struct nd_sge sge = entry_of(&pair->side[0], bytes);

	return nd_endpoint_send(pair->shared.endpoints[0], result, &sge, 1, 0);
}

static nd_status
fetch_add_post(struct loop_pair *pair, struct nd_result *result, uint32_t bytes)
{
	const struct nd_sge sge = entry_of(&pair->side[0], bytes);

	return nd_endpoint_fetch_and_add(
		pair->side[0].endpoint, result, &sge, &pair->window, 0, 1, 0);
}

const struct loop_operation loop_write = {.name = "write", .post = write_post};
const struct loop_operation loop_write_singly = {
	.name = "write_singly", .singly = true, .post = write_post};
const struct loop_operation loop_send_singly = {
	.name = "send_singly", .received = true, .singly = true, .post = send_post};
const struct loop_operation loop_read = {.name = "read", .post = read_post};
const struct loop_operation loop_send = {.name = "send", .received = true, .post = send_post};
const struct loop_operation loop_send_imm = {
	.name = "send_imm", .received = true, .post = send_imm_post};
const struct loop_operation loop_send_srq = {
	.name = "send_srq", .received = true, .shared = true, .post = send_srq_post};
const struct loop_operation loop_fetch_add = {.name = "fetch_add", .post = fetch_add_post};

static void
receives_post(struct loop_pair *pair, uint32_t bytes, uint32_t count)
{
	struct nd_result *results = pair->results[1];
	struct loop_side *side = &pair->side[1];
	const struct nd_sge sge = entry_of(side, bytes);
	nd_status status = ND_SUCCESS;

	for (uint32_t i = 0; i < count && status == ND_SUCCESS; i++)
		status = nd_endpoint_receive(side->endpoint, &results[i], &sge, 1);
	BENCH_REQUIRE(status == ND_SUCCESS);
}

static void
shared_receives_post(struct loop_pair *pair, uint32_t bytes, uint32_t count)
{
	const struct nd_sge sge = entry_of(&pair->side[1], bytes);
	nd_status status = ND_SUCCESS;

	for (uint32_t i = 0; i < count && status == ND_SUCCESS; i++)
		status = nd_srq_receive(pair->srq, &pair->results[1][i], &sge, 1);
	BENCH_REQUIRE(status == ND_SUCCESS);
}

static void
batch_post(struct loop_pair *pair, const struct loop_operation *operation, uint32_t bytes,
	uint32_t count)
{
	struct nd_result *results = pair->results[0];
	struct nd_endpoint *endpoint =
		operation->shared ? pair->shared.endpoints[0] : pair->side[0].endpoint;
	nd_status status = ND_SUCCESS;

	if (!operation->singly)
		nd_endpoint_start_request_batch(endpoint);
	for (uint32_t i = 0; i < count && status == ND_SUCCESS; i++)
		status = operation->post(pair, &results[i], bytes);
	if (!operation->singly)
		nd_endpoint_submit_request_batch(endpoint);
	BENCH_REQUIRE(status == ND_SUCCESS);
}

static uint32_t
results_take(struct nd_cq *cq)
{
	struct nd_result *results[LOOP_DEPTH_MAX];
	size_t got = nd_cq_get_results(cq, results, LOOP_DEPTH_MAX);

	for (size_t i = 0; i < got; i++)
		BENCH_REQUIRE(results[i]->status == ND_SUCCESS);
	return (uint32_t)got;
}

void
loop_operation_run(struct loop_pair *pair, const struct loop_operation *operation, uint32_t bytes,
	uint32_t count)
{
	uint32_t wanted = operation->received ? 2 * count : count;

	if (operation->shared) {
		loop_pair_share(pair);
		shared_receives_post(pair, bytes, count);
	} else if (operation->received) {
		receives_post(pair, bytes, count);
	}
	batch_post(pair, operation, bytes, count);
	while (wanted > 0) {
		nd_engine_poll(pair->side[1].engine);
		nd_engine_poll(pair->side[0].engine);
		wanted -= results_take(pair->side[0].outbound);
		if (operation->received)
			wanted -= results_take(pair->side[1].inbound);
	}
}
