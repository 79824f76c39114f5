/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_ENGINE_H
#define NDPDK_ND_ENGINE_H

#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/*
 * An engine does the work of an adapter: it receives, answers, sends and watches deadlines, in one
 * run-to-completion loop, either inside the application's own loop (nd_engine_poll) or on an lcore
 * of its own (nd_engine_launch).
 *
 * Threads. The engine belongs to the thread that polls it, or to its lcore. Posting to endpoints,
 * taking results and everything else on completion queues belong to that thread only. Control calls
 * (register, create, connect, listen, accept, disconnect, release) may come from any thread: from
 * another one they are passed to the engine through its command ring, and return when it has
 * executed them, so it must be running. Before the first poll or launch the engine belongs to the
 * thread that opened the adapter.
 */

/** @return the adapter's engine. */
struct nd_engine *nd_adapter_engine(struct nd_adapter *adapter);

/**
 * Do what is to be done now: one burst of packets at most, what expired, what became possible.
 * Never blocks. The first caller becomes the owner.
 * @return packets received plus packets sent; 0 = there was nothing to do
 */
unsigned int nd_engine_poll(struct nd_engine *engine);

/**
 * Called in each turn of a launched engine, on its lcore: the place for posting and for taking
 * results.
 */
typedef void (*nd_engine_loop_fn)(struct nd_engine *engine, void *arg);

/**
 * Let the engine run on an EAL worker lcore until nd_engine_stop().
 *
 * @param loop may be NULL
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: not an idle worker lcore; ND_INVALID_DEVICE_STATE:
 *         already launched
 */
nd_status nd_engine_launch(
	struct nd_engine *engine, unsigned int lcore_id, nd_engine_loop_fn loop, void *arg);

/**
 * Stop a launched engine and wait until it has; the calling thread may poll it afterwards. Called
 * on the engine's own lcore it only ends the loop: another thread has to call it, too.
 */
void nd_engine_stop(struct nd_engine *engine);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
