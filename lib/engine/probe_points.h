/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_PROBE_POINTS_H
#define NDPDK_ENGINE_PROBE_POINTS_H

/*
 * Fields of each trace point. Included by probe.c, which emits the trace points, and by
 * probe_register.c, which registers them. Only these two files define ALLOW_EXPERIMENTAL_API,
 * because DPDK may still change these calls.
 */

#include <rte_trace_point.h>

/* clang-format off */
RTE_TRACE_POINT(
	lib_ndpdk_qp_state,
	RTE_TRACE_POINT_ARGS(const char *port, uint8_t engine, uint32_t qpn, uint32_t peer_qpn,
		const char *state, const char *error),
	rte_trace_point_emit_string(port);
	rte_trace_point_emit_u8(engine);
	rte_trace_point_emit_u32(qpn);
	rte_trace_point_emit_u32(peer_qpn);
	rte_trace_point_emit_string(state);
	rte_trace_point_emit_string(error);
)

RTE_TRACE_POINT(
	lib_ndpdk_qp_retry,
	RTE_TRACE_POINT_ARGS(const char *port, uint8_t engine, uint32_t qpn, const char *why,
		uint32_t una_psn, uint32_t max_sent_psn, uint8_t retries_left),
	rte_trace_point_emit_string(port);
	rte_trace_point_emit_u8(engine);
	rte_trace_point_emit_u32(qpn);
	rte_trace_point_emit_string(why);
	rte_trace_point_emit_u32(una_psn);
	rte_trace_point_emit_u32(max_sent_psn);
	rte_trace_point_emit_u8(retries_left);
)

RTE_TRACE_POINT(
	lib_ndpdk_qp_refused,
	RTE_TRACE_POINT_ARGS(const char *port, uint8_t engine, uint32_t qpn, const char *peer,
		const char *why),
	rte_trace_point_emit_string(port);
	rte_trace_point_emit_u8(engine);
	rte_trace_point_emit_u32(qpn);
	rte_trace_point_emit_string(peer);
	rte_trace_point_emit_string(why);
)

RTE_TRACE_POINT(
	lib_ndpdk_connection,
	RTE_TRACE_POINT_ARGS(const char *port, uint32_t qpn, const char *peer, const char *from,
		const char *to),
	rte_trace_point_emit_string(port);
	rte_trace_point_emit_u32(qpn);
	rte_trace_point_emit_string(peer);
	rte_trace_point_emit_string(from);
	rte_trace_point_emit_string(to);
)
/* clang-format on */

#endif
