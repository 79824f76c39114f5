/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TSAN_RING_ORDER_H
#define NDPDK_TSAN_RING_ORDER_H

#include <rte_pause.h>

/*
 * The compiler includes this file before each source file of a build with ThreadSanitizer. A
 * producer of rte_ring waits for the previous producer with a relaxed load, and then publishes the
 * slots of both producers. The order of these accesses is guaranteed on x86, which does not reorder
 * stores. The C memory model, which ThreadSanitizer checks, does not guarantee it. Therefore the
 * load in this file has acquire order.
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
 * rte_ring_empty() reads two words with plain loads while other threads store them atomically. On
 * x86 this is harmless, but in C it is a data race. Therefore the loads in this file are atomic. In
 * any case, the result may be out of date when it is used.
 */
static inline int
tsan_ring_empty(const struct rte_ring *ring)
{
	return __atomic_load_n(&ring->prod.tail, __ATOMIC_RELAXED) ==
		__atomic_load_n(&ring->cons.tail, __ATOMIC_RELAXED);
}

#define rte_ring_empty tsan_ring_empty

#endif
