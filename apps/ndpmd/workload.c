/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "workload.h"

static const struct workload *const workloads[OPTIONS_OP_COUNT] = {
	[OPTIONS_OP_SEND] = &workload_message,
	[OPTIONS_OP_WRITE] = &workload_write,
	[OPTIONS_OP_READ] = &workload_fetch,
	[OPTIONS_OP_BIND] = &workload_bind,
	[OPTIONS_OP_SEND_IMM] = &workload_message,
	[OPTIONS_OP_WRITE_IMM] = &workload_message,
	[OPTIONS_OP_FETCH_ADD] = &workload_fetch,
	[OPTIONS_OP_COMPARE_SWAP] = &workload_fetch,
	[OPTIONS_OP_MIX] = &workload_mix,
};

const struct workload *
workload_of(enum options_op op)
{
	return workloads[op];
}
