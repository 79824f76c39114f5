/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Registers the trace points before EAL evaluates --trace. */

#ifndef ALLOW_EXPERIMENTAL_API
#define ALLOW_EXPERIMENTAL_API
#endif
#include <rte_trace_point_register.h>

#include "engine/probe_points.h"

RTE_TRACE_POINT_REGISTER(lib_ndpdk_qp_state, lib.ndpdk.qp.state)
RTE_TRACE_POINT_REGISTER(lib_ndpdk_qp_retry, lib.ndpdk.qp.retry)
RTE_TRACE_POINT_REGISTER(lib_ndpdk_qp_refused, lib.ndpdk.qp.refused)
RTE_TRACE_POINT_REGISTER(lib_ndpdk_connection, lib.ndpdk.connection)
