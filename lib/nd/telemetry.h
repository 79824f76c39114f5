/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_TELEMETRY_INTERNAL_H
#define NDPDK_ND_TELEMETRY_INTERNAL_H

/*
 * Commands of DPDK's telemetry, which show the state of a running process; read them with
 * dpdk-telemetry.py. docs/observe.md lists the commands and the members of their answers.
 *
 * The commands run on threads of DPDK, up to ten at a time, and change no state. Counters are read
 * directly. Data that only an engine's thread may read is requested from that thread
 * (engine_call_timed()), which costs the engine one command. An error is reported as one member,
 * error, in the answer.
 */

/** Register the commands. Only the first call in a process has an effect. */
void telemetry_start(void);

#endif
