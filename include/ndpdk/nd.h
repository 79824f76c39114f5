/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_H
#define NDPDK_ND_H

/**
 * @file
 * The Network Direct endpoint API on DPDK: one C function for each method of Network Direct (ND)
 * version 1, with the same order of arguments. This header includes what a first program needs:
 *
 * - adapter: nd_adapter_open(), nd_adapter_open_error(), nd_adapter_query(), nd_adapter_close()
 * - engine: nd_adapter_engine(), nd_engine_poll(), nd_engine_launch(), nd_engine_stop()
 * - memory: nd_adapter_register_memory(), nd_adapter_deregister_memory(),
 *   nd_adapter_create_memory_window(), nd_mw_release()
 * - results: nd_adapter_create_completion_queue(), nd_cq_get_results(), nd_cq_notify()
 * - connections: nd_adapter_create_connector(), nd_connector_create_endpoint(),
 *   nd_connector_connect(), nd_connector_complete_connect(), nd_adapter_listen(),
 *   nd_listener_get_connection_request(), nd_connector_accept(), nd_connector_disconnect()
 * - requests: nd_endpoint_send(), nd_endpoint_receive(), nd_endpoint_bind(),
 *   nd_endpoint_invalidate(), nd_endpoint_read(), nd_endpoint_write()
 * - operations and statuses: nd_overlapped_get_result(), nd_status_name()
 *
 * A program includes the headers of other functions by name: nd_end.h (why a connection ended),
 * nd_extension.h (requests of verbs, timestamps), nd_lookup.h, nd_region.h, nd_shared.h, nd_srq.h,
 * nd_telemetry.h, nd_virtual.h, and for captures nd_trace.h and nd_model.h.
 *
 * These rules hold for all functions, unless the comment of a function says otherwise:
 *
 * - **Outputs.** A call that fails leaves all outputs unchanged. ND_PENDING is not a failure.
 * - **Arguments.** Handles must be valid and belong to the same adapter. Handles of registered
 *   memory and of windows are checked: a handle that was released is refused until a new object
 *   gets the same handle, which happens late. Releasing or closing NULL does nothing and succeeds.
 * - **Operations.** A call that takes a struct nd_overlapped refuses a NULL pointer and a
 *   structure that is already pending, both with the same status.
 *
 * The comment of each function has one of three words for the threads that may call the function:
 *
 * - **any**: any thread, at any time. The engine need not run.
 * - **control**: any thread. The owner of the engine executes the call. If the caller is not the
 *   owner, the caller waits until the owner has executed the call in its next turn. The engine
 *   must therefore be polled or launched, unless the comment of the function says that engines
 *   need not be polled. After a wait of one second, the library logs a warning (type
 *   lib.ndpdk.engine). If no thread is inside a shared engine (nd_engine_enter()), the calling
 *   thread executes the call.
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
#include <ndpdk/nd_endpoint.h>
#include <ndpdk/nd_engine.h>
#include <ndpdk/nd_memory.h>
#include <ndpdk/nd_status.h>
#include <ndpdk/nd_types.h>

/**
 * @defgroup nd Native API
 * @{
 * @defgroup nd_adapter Adapters: open, close, query
 * @defgroup nd_config Configuration of an adapter
 * @defgroup nd_congestion Congestion control
 * @defgroup nd_connector Connections and listeners
 * @defgroup nd_cq Completion queues
 * @defgroup nd_end Reasons why connections end
 * @defgroup nd_endpoint Endpoints: requests
 * @defgroup nd_engine Engines
 * @defgroup nd_extension Requests beyond Network Direct
 * @defgroup nd_lookup Lookup of open adapters
 * @defgroup nd_memory Registered memory and windows
 * @defgroup nd_model Models of captures
 * @defgroup nd_region Memory with rights and keys
 * @defgroup nd_shared Calls for layers above
 * @defgroup nd_srq Shared receive queues
 * @defgroup nd_status Statuses
 * @defgroup nd_telemetry Telemetry
 * @defgroup nd_trace Analysis of captures
 * @defgroup nd_types Handles, results and operations
 * @defgroup nd_virtual Adapters without a port
 * @}
 */

#endif
