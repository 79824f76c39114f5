/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <ndpdk/nd_extension.h>

#include "operation.h"

#include <stdio.h>

#include "posting.h"
#include "shared.h"

void
operation_fill(struct session *session, const struct request *request, enum pattern_stream stream)
{
	if (session->setup.verify)
		pattern_fill(session_local(session, request->slot), session->setup.size_bytes,
			pattern_seed(session->setup.qp, stream, request->sequence));
}

static uint32_t
immediate_of(uint64_t sequence)
{
	return rte_cpu_to_be_32((uint32_t)sequence);
}

static nd_status
post(struct session *session, struct request *request, enum options_op op)
{
	struct nd_endpoint *endpoint = session->link.endpoint;
	uint8_t *message = session_local(session, request->slot);
	const struct nd_sge sge = op == OPTIONS_OP_READ ? session_sge(session, message)
							: posting_sge(session, message);
	struct nd_result *result = &request->result;
	const struct nd_mw_descriptor *remote = &session->remote;
	const uint64_t offset = request->remote_slot * session->memory.slot_bytes;
	const uint32_t immediate = immediate_of(request->sequence);
	const size_t count = session->setup.size_bytes > 0;

	switch (op) {
	case OPTIONS_OP_SEND:
		return nd_endpoint_send(endpoint, result, &sge, count, 0);
	case OPTIONS_OP_SEND_IMM:
		return nd_endpoint_send_with_imm(endpoint, result, &sge, count, immediate, 0);
	case OPTIONS_OP_WRITE:
		return nd_endpoint_write(endpoint, result, &sge, count, remote, offset, 0);
	case OPTIONS_OP_WRITE_IMM:
		return nd_endpoint_write_with_imm(
			endpoint, result, &sge, count, remote, offset, immediate, 0);
	case OPTIONS_OP_READ:
		return nd_endpoint_read(endpoint, result, &sge, count, remote, offset, 0);
	case OPTIONS_OP_BIND:
	case OPTIONS_OP_FETCH_ADD:
	case OPTIONS_OP_COMPARE_SWAP:
	case OPTIONS_OP_MIX:
	case OPTIONS_OP_COUNT:
		break;
	}
	return ND_INVALID_PARAMETER;
}

bool
operation_post(struct session *session, struct request *request, enum options_op op)
{
	request->busy = true;
	request->posted_tsc = operation_posting_tsc(session);
	return session_posted(session, post(session, request, op), options_op_name(op));
}

void
operation_count(struct session *session, const struct request *request, uint64_t now)
{
	session->tally.completed++;
	if (request->sequence < session->tally.measured_from)
		return;
	session->tally.measured++;
	histogram_record(
		session->histogram, stopwatch_ns(session->stopwatch, now - request->posted_tsc));
}

void
operation_check(struct session *session, const void *message, size_t length,
	enum pattern_stream stream, uint64_t sequence)
{
	const size_t offset =
		pattern_check(message, length, pattern_seed(session->setup.qp, stream, sequence));

	if (offset == PATTERN_MATCHES)
		return;
	if (session->tally.errors++ == 0)
		fprintf(stderr, "ndpmd: %s %llu on queue pair %u: byte %zu is wrong\n",
			options_op_name(session->setup.op), (unsigned long long)sequence,
			session->setup.qp, offset);
}

static void
check_immediate(
	struct session *session, const struct request *receive, uint32_t flags, uint64_t sequence)
{
	const struct nd_result *result = &receive->result;
	const uint32_t immediate = (flags & ND_RESULT_WITH_IMM) != 0 ? immediate_of(sequence) : 0;

	if (result->flags == flags && result->imm_data == immediate)
		return;
	if (session->tally.errors++ == 0)
		fprintf(stderr,
			"ndpmd: %s %llu on queue pair %u: wrong flags 0x%x or immediate data "
			"0x%08x\n",
			options_op_name(session->setup.op), (unsigned long long)sequence,
			session->setup.qp, result->flags, rte_be_to_cpu_32(result->imm_data));
}

void
operation_check_receive(struct session *session, const struct request *receive, enum options_op op,
	enum pattern_stream stream, uint64_t sequence)
{
	const uint32_t written = op == OPTIONS_OP_WRITE_IMM ? ND_RESULT_WRITE : 0;

	if (written == 0)
		operation_check(session, shared_message(session, receive),
			session->setup.size_bytes, stream, sequence);
	check_immediate(session, receive,
		written | (op == OPTIONS_OP_SEND ? 0 : ND_RESULT_WITH_IMM), sequence);
}

bool
operation_may_answer(struct session *session, const struct request *request)
{
	/*
	 * The answer's request is still busy if the peer has sent its next message before it
	 * acknowledged the answer.
	 */
	if (request->busy)
		session_fail(session,
			"the client sent a message before it acknowledged an earlier answer");
	return !request->busy;
}
