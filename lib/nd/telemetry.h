/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_TELEMETRY_INTERNAL_H
#define NDPDK_ND_TELEMETRY_INTERNAL_H

/*
 * What runs is seen from outside: commands of DPDK's telemetry, read with dpdk-telemetry.py.
 * docs/observe.md names them with their members.
 *
 * They run on threads of DPDK, up to ten at a time, and change nothing. Counters are read as they
 * are; what belongs to an engine's thread is asked for (engine_ask()), which costs that engine one
 * command of its ring. What goes wrong is one member, error, in the answer.
 */

/** Make the commands known, once in a process. */
void telemetry_start(void);

#endif
