/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "workload.h"

#include <stddef.h>

const struct workload *
workload_of(enum options_op op)
{
	switch (op) {
	case OPTIONS_OP_SEND:
		return &workload_send;
	case OPTIONS_OP_WRITE:
		return &workload_write;
	case OPTIONS_OP_READ:
		return &workload_read;
	case OPTIONS_OP_BIND:
	case OPTIONS_OP_COUNT:
		break;
	}
	return &workload_bind;
}
