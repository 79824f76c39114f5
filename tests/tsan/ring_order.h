/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TSAN_RING_ORDER_H
#define NDPDK_TSAN_RING_ORDER_H

#include <rte_pause.h>

/*
 * Comes before every file of a build with ThreadSanitizer. A producer of DPDK's ring waits for the
 * one before it with a relaxed load, then publishes the slots of both: in order on x86, where
 * stores are seen in turn, but not in the language, and so not for the sanitizer. With an acquire
 * the ring does what it means.
 */
static inline void
tsan_wait_until_equal_32(volatile uint32_t *address, uint32_t expected, int order)
{
	(void)order;
	while (__atomic_load_n(address, __ATOMIC_ACQUIRE) != expected)
		rte_pause();
}

#define rte_wait_until_equal_32 tsan_wait_until_equal_32

#include <rte_ring.h>

/*
 * Whether a ring is empty is asked with plain loads of two words that others store atomically: one
 * load each on x86, a race in the language. What they say is old in any case.
 */
static inline int
tsan_ring_empty(const struct rte_ring *ring)
{
	return __atomic_load_n(&ring->prod.tail, __ATOMIC_RELAXED) ==
		__atomic_load_n(&ring->cons.tail, __ATOMIC_RELAXED);
}

#define rte_ring_empty tsan_ring_empty

#endif
