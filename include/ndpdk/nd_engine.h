/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_ENGINE_H
#define NDPDK_ND_ENGINE_H

/**
 * @file
 * Engines: where they run, and who may call them.
 *
 * An engine executes the protocol of an adapter: it receives, sends and checks deadlines in one
 * run-to-completion loop. The loop runs inside the application's own loop (nd_engine_poll) or on a
 * separate lcore (nd_engine_launch).
 *
 * nd_adapter_config.engines is the number of engines of an adapter. Each engine has a receive queue
 * and a transmit queue of the port, and the endpoints whose completion queues were created on it.
 * In the data path, engines share no cache line that is written. All engines of an adapter must
 * run. The first engine also runs the connection manager: it executes the calls of connectors and
 * listeners, and their callbacks run on its thread. If the port delivers a frame to the queue of
 * the wrong engine, this engine hands the frame over to the right engine, which costs more time
 * than the processing of the packet. The counter handed_over counts these frames, and docs/ports.md
 * explains how to avoid them. If acknowledgements arrive in the queue of the wrong engine just
 * before the peer disconnects, the acknowledged requests may end with ND_CANCELED.
 *
 * Threads. An engine has one owner. Until the first poll or launch, the owner is the thread that
 * opened the adapter. Then the owner is the first thread that polled the engine, or its lcore from
 * nd_engine_launch() on. If another thread stops a launched engine with nd_engine_stop(), this
 * thread becomes the owner. No other thread may poll the engine, even after the owner has ended:
 * polling does not change the owner, and control calls would wait for the old owner for ever.
 * Threads that poll one engine in turn share it (below). One thread may own several engines. Only
 * the owner may post to the endpoints of an engine and take their results. Any thread may make
 * control calls (create, connect, listen, accept, disconnect, notify, release). If the caller is
 * not the owner, the call is passed to the owner through the command ring, and returns after the
 * owner has executed it. The engine must therefore be polled or launched during the call. A thread
 * that waits in a control call executes the calls of other threads to the engines that it owns, so
 * two threads can wait for each other.
 *
 * Shared engines. With nd_engine_enter(), several threads use one engine in turn, under its lock. A
 * thread owns the engine from nd_engine_enter() until nd_engine_leave(). While no thread is inside,
 * the engine has no owner, and control calls need no thread that polls: the calling thread executes
 * the call at once, and the callbacks run on this thread. If another thread is inside, that thread
 * executes the call in its next turn, or when it leaves. Frames and deadlines still require turns.
 * Therefore threads must regularly call nd_engine_poll() inside, or nd_engine_wait(), or wait in
 * nd_overlapped_get_result().
 *
 * Cancellation. nd_engine_wait() is a cancellation point while the thread sleeps. The library adds
 * no other cancellation point, so pthread_cancel() of a thread in another call takes effect after
 * the call. Calls that take turns or run callbacks can contain cancellation points that the library
 * does not control: in callbacks, in log output, and in drivers that make system calls, such as
 * net_tap and net_af_packet. A thread that can be cancelled in such a call must disable
 * cancellation before the call. nd_engine_wait() disables cancellation itself during its turns. No
 * call may be made with asynchronous cancellation (PTHREAD_CANCEL_ASYNCHRONOUS).
 */

#include <ndpdk/nd_adapter.h>
#include <ndpdk/nd_config.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * @addtogroup nd_engine
 * @{
 */

/**
 * @return the adapter's first engine; valid until the adapter is closed.
 * @note Threads: any.
 */
struct nd_engine *nd_adapter_engine(struct nd_adapter *adapter);

/**
 * @param index 0 .. nd_adapter_engine_count() - 1; 0 selects the engine of nd_adapter_engine()
 * @return an engine of the adapter, valid until the adapter is closed; NULL: index is too large
 * @note Threads: any.
 */
struct nd_engine *nd_adapter_get_engine(struct nd_adapter *adapter, size_t index);

/**
 * @return number of engines of the adapter.
 * @note Threads: any.
 */
size_t nd_adapter_engine_count(const struct nd_adapter *adapter);

/**
 * Create a completion queue on an engine. Endpoints that use the queue are on the same engine, so
 * both queues of an endpoint must be on one engine. The affinity argument of
 * IND2Adapter::CreateCompletionQueue selects a processor; here it selects the engine.
 *
 * @param entries number of results that the queue can hold, 1 .. max_cq_entries
 * @param[out] cq unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: cq is NULL, or entries is out of range; ND_NO_MEMORY;
 *         ND_DEVICE_REMOVED
 * @note Threads: control.
 */
nd_status
nd_engine_create_completion_queue(struct nd_engine *engine, size_t entries, struct nd_cq **cq);

/**
 * Execute one turn: receive at most one burst of packets, handle expired deadlines, send, run
 * callbacks. Never blocks.
 *
 * With nd_adapter_config.busy_poll, the engine delays the acknowledgement of a message until the
 * next turn, so that the application's answer can leave first. The engine does so only while turns
 * follow each other within 10 us and the application answers messages within this time. If the
 * thread then stops polling for longer than the peer's retries last, the connection is lost,
 * because the peer has no acknowledgement of the last message.
 *
 * @return number of packets received, packets sent, and items handed over by other engines of the
 *         adapter; 0 = there was nothing to do
 * @note Threads: owner. The first call makes its thread the owner.
 */
unsigned int nd_engine_poll(struct nd_engine *engine);

/**
 * Pass frames to an engine that the application has received itself: RoCEv2 packets, ARP and IPv6
 * neighbour discovery, listed in docs/tenant.md. Other frames go to nd_adapter_config.other_frames,
 * or are dropped and counted. For each 32 frames the call does the same as nd_engine_poll(), with
 * these frames instead of frames from the port. The application must still call nd_engine_poll()
 * for the deadlines.
 *
 * @param[out] mbufs the engine takes over all mbufs; the array itself is unchanged
 * @param count 0 or more
 * @return as nd_engine_poll()
 * @note Threads: owner. The first call makes its thread the owner. Not from a callback of this
 *       engine.
 */
unsigned int nd_engine_input(struct nd_engine *engine, struct rte_mbuf **mbufs, uint16_t count);

/**
 * Enter a shared engine and own it until nd_engine_leave(). Waits while another thread is inside.
 * The first call makes the engine shared until it is launched. From then on, threads may poll the
 * engine only while they are inside.
 *
 * A thread may enter several times, and must leave as often. A callback runs inside. The lock is
 * not strictly fair, but a thread waits at most about 10 us plus the time that the threads before
 * it stay inside. Two threads that enter two engines in opposite order can deadlock, as with any
 * two locks.
 *
 * @return ND_SUCCESS; ND_INVALID_DEVICE_STATE: the engine is launched, or another thread has polled
 *         it without being inside
 * @note Threads: any.
 */
nd_status nd_engine_enter(struct nd_engine *engine);

/**
 * Enter a shared engine as nd_engine_enter() does, but without waiting.
 *
 * @return ND_SUCCESS; ND_DEVICE_BUSY: another thread is inside, or has already waited for some
 *         time; ND_INVALID_DEVICE_STATE as nd_engine_enter()
 * @note Threads: any.
 */
nd_status nd_engine_try_enter(struct nd_engine *engine);

/**
 * Leave a shared engine. Before the engine is free, calls that other threads have queued are
 * executed, with their callbacks. Frames are processed only in turns, so a thread that takes no
 * turn inside leaves received frames pending.
 *
 * @return ND_SUCCESS; ND_INVALID_DEVICE_STATE: the thread is not inside, or calls this in a
 *         callback without having entered in this callback
 * @note Threads: owner.
 */
nd_status nd_engine_leave(struct nd_engine *engine);

/** Longest sleep of nd_engine_wait() on a port without RX interrupts, in nanoseconds. */
#define ND_ENGINE_NAP_MAX_NS 1000000

/**
 * Execute turns as nd_engine_poll() does, but sleep between turns without work. For threads that
 * must not occupy a core. Returns when a turn had work, an operation was reported, a deadline of
 * the engine has passed, nd_engine_wake() was called, or the timeout has passed. In a shared
 * engine, the call also returns when another thread had work inside. The caller must therefore
 * check whether the expected event has occurred, and otherwise call again.
 *
 * Control calls of other threads, and frames that other engines hand over, end a sleep at once. A
 * received frame ends a sleep at once only if nd_adapter_config.rx_interrupts is set and the port
 * has RX interrupts, configured by the adapter or the application. On other ports the thread polls
 * after short sleeps: an eighth of the time since the last work, at least 10 us, and at most
 * ND_ENGINE_NAP_MAX_NS. A frame then waits until the sleep ends. The timer slack of the system
 * adds 50 us, unless the thread has changed it (prctl(), PR_SET_TIMERSLACK). See docs/wait.md.
 *
 * In a shared engine the caller need not have entered the engine. If the caller has entered it,
 * however often, the thread leaves the engine while it sleeps and enters it again before the call
 * returns, as with a condition variable.
 *
 * The sleep is a cancellation point of pthread_cancel(), as with a condition variable. If the
 * thread had entered the engine before the call, it has entered the engine again when its cleanup
 * handlers run, and the handlers must call nd_engine_leave(). The cancellation wakes no other
 * thread.
 *
 * @param timeout_ns longest sleep; 0: one turn, UINT64_MAX: no limit
 * @return result of the last turn, as of nd_engine_poll(). In a callback of this engine, returns 0
 *         at once. With nd_adapter_open_virtual(), returns after one turn, because the program
 *         controls the clock.
 * @note Threads: owner. The first call makes its thread the owner. Any, of a shared engine.
 */
unsigned int nd_engine_wait(struct nd_engine *engine, uint64_t timeout_ns);

/**
 * Wake all threads that sleep in nd_engine_wait(). If no thread sleeps, the next nd_engine_wait()
 * returns at once.
 *
 * @note Threads: any.
 */
void nd_engine_wake(struct nd_engine *engine);

/** Called after each turn of a launched engine, on its lcore. Posts requests and takes results. */
typedef void (*nd_engine_loop_fn)(struct nd_engine *engine, void *arg);

/**
 * Run the engine on an EAL worker lcore until nd_engine_stop().
 *
 * @param loop may be NULL
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: lcore_id is not an idle worker lcore;
 *         ND_INVALID_DEVICE_STATE: already launched, or the calling thread is inside
 *         (nd_engine_enter())
 * @note Threads: any, one at a time. No other thread may poll the engine during the call. After a
 *       failure the caller owns the engine.
 */
nd_status nd_engine_launch(
	struct nd_engine *engine, unsigned int lcore_id, nd_engine_loop_fn loop, void *arg);

/**
 * Stop a launched engine and wait until it has stopped. Then the calling thread owns the engine. A
 * call on the engine's own lcore only ends the loop; another thread must also call this function.
 * Does nothing if the engine is not launched.
 *
 * @note Threads: any, one at a time.
 */
void nd_engine_stop(struct nd_engine *engine);

size_t nd_engine_counters_sized(
	const struct nd_engine *engine, struct nd_counter *counters, size_t size, size_t count);

/**
 * Read the counters of one engine. Names and order are those of nd_adapter_counters(), which
 * returns the sums of all engines. Counters of the whole adapter (connections, neighbours, ends)
 * are reported by the first engine and are 0 for the others.
 *
 * @param[out] counters filled with up to count entries; may be NULL when count is 0
 * @return number of counters, which may exceed count
 * @note Threads: any. Each value is read atomically, but not all values at the same moment.
 */
static inline size_t
nd_engine_counters(const struct nd_engine *engine, struct nd_counter *counters, size_t count)
{
	return nd_engine_counters_sized(engine, counters, sizeof(*counters), count);
}

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
