/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_H
#define NDPDK_ND_H

/**
 * @file
 * The Network Direct endpoint API on DPDK: one C function per ND v1 method, in ND's argument order;
 * and, beyond it, requests of the RC transport that verbs applications use (nd_extension.h), and
 * why connections end (nd_end.h).
 *
 * What holds for all functions, unless a comment says otherwise:
 *
 * - **Outputs.** After a failure every output is as it was before the call. ND_PENDING is no
 *   failure.
 * - **Arguments.** Handles must be live, and of the same adapter. Handles of registered memory and
 *   of windows are checked: stale ones are refused. Releasing or closing NULL does nothing and
 *   succeeds.
 * - **Operations.** A call that takes a struct nd_overlapped refuses NULL, and one that is pending
 *   already, with the same status.
 *
 * Each function names the threads that may call it, with one of three words:
 *
 * - **any**: any thread, at any time; the engine need not run.
 * - **control**: any thread. The owner of the engine executes the call: directly when it is the
 *   caller, else in its next turn, while the caller waits. The engine must be polled or launched
 *   meanwhile. Of a shared engine (nd_engine_enter()) that nobody is inside, the caller is the one.
 * - **owner**: only the thread that owns the engine (nd_engine.h), of a shared one the thread that
 *   is inside; debug builds assert it. These are the fast calls: no lock, no allocation.
 *
 * Callbacks of operations run on the owner's thread, when no call into the engine is under way but
 * the one that brings them; they may call all three kinds. Two threads must not use a handle while
 * one of them releases it.
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
