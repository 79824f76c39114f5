/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_H
#define NDPDK_ND_H

/**
 * @file
 * The Network Direct endpoint API on DPDK: one C function for each method of Network Direct (ND)
 * version 1, with the same order of arguments. Two parts go beyond ND: requests of the RC transport
 * that verbs applications use (nd_extension.h), and the reason why a connection ended (nd_end.h).
 *
 * These rules hold for all functions, unless the comment of a function says otherwise:
 *
 * - **Outputs.** A call that fails leaves all outputs unchanged. ND_PENDING is not a failure.
 * - **Arguments.** Handles must be valid and belong to the same adapter. Handles of registered
 *   memory and of windows are checked, and stale ones are refused. Releasing or closing NULL does
 *   nothing and succeeds.
 * - **Operations.** A call that takes a struct nd_overlapped returns the same status for NULL and
 *   for a structure that is already pending.
 *
 * The comment of each function has one of three words for the threads that may call the function:
 *
 * - **any**: any thread, at any time. The engine need not run.
 * - **control**: any thread. The owner of the engine executes the call. If the caller is not the
 *   owner, the caller waits until the owner executes the call in its next turn. The engine must
 *   therefore be polled or launched. If no thread is inside a shared engine (nd_engine_enter()),
 *   the calling thread executes the call.
 * - **owner**: only the thread that owns the engine (nd_engine.h). The owner of a shared engine is
 *   the thread that is inside. Debug builds assert this rule. These calls are the fast path: they
 *   take no lock and allocate no memory.
 *
 * Callbacks of operations run on the owner's thread, and never inside another call into the engine,
 * except the call that caused the callback. Callbacks may call functions of all three kinds. While
 * one thread releases a handle, no other thread may use this handle.
 */
#include <ndpdk/nd_adapter.h>
#include <ndpdk/nd_connector.h>
#include <ndpdk/nd_cq.h>
#include <ndpdk/nd_end.h>
#include <ndpdk/nd_endpoint.h>
#include <ndpdk/nd_engine.h>
#include <ndpdk/nd_extension.h>
#include <ndpdk/nd_lookup.h>
#include <ndpdk/nd_memory.h>
#include <ndpdk/nd_region.h>
#include <ndpdk/nd_shared.h>
#include <ndpdk/nd_srq.h>
#include <ndpdk/nd_status.h>
#include <ndpdk/nd_telemetry.h>
#include <ndpdk/nd_types.h>
#include <ndpdk/nd_virtual.h>

#endif
