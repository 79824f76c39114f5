/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "workload.h"

#include <stddef.h>

const struct workload *
workload_of(enum options_op op)
{
	switch (op) {
	case OPTIONS_OP_SEND:
	case OPTIONS_OP_SEND_IMM:
		return &workload_send;
	case OPTIONS_OP_WRITE:
		return &workload_write;
	case OPTIONS_OP_READ:
		return &workload_read;
	case OPTIONS_OP_WRITE_IMM:
		return &workload_write_imm;
	case OPTIONS_OP_FETCH_ADD:
		return &workload_fetch_add;
	case OPTIONS_OP_COMPARE_SWAP:
		return &workload_compare_swap;
	case OPTIONS_OP_BIND:
	case OPTIONS_OP_COUNT:
		break;
	}
	return &workload_bind;
}
