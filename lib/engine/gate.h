/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_GATE_H
#define NDPDK_ENGINE_GATE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The lock of an engine that several threads use in turn. Who finds it free takes it, also before
 * threads that wait a short time already: so a thread that comes and goes often does not pay for a
 * switch of threads each time. A thread that has waited longer is hungry: from then on nobody takes
 * the lock but hungry threads, in the order in which they have become it. So no thread waits longer
 * than GATE_SPINS, and the stays of those that were hungry before it.
 */
struct gate {
	uint32_t held;   /**< 0 or 1; threads sleep on it; atomic, as are all */
	uint32_t hungry; /**< threads that ever were */
	uint32_t served; /**< and those of them that have got the lock */
};

/** @return whether threads wait that are hungry */
static inline bool
gate_is_wanted(const struct gate *gate)
{
	return __atomic_load_n(&gate->hungry, __ATOMIC_SEQ_CST) !=
		__atomic_load_n(&gate->served, __ATOMIC_SEQ_CST);
}

/** @return whether the lock was free, and is the caller's now */
static inline bool
gate_try(struct gate *gate)
{
	uint32_t free = 0;

	return !gate_is_wanted(gate) &&
		__atomic_compare_exchange_n(
			&gate->held, &free, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

/**
 * Wait for the lock.
 * @param meanwhile called from time to time; it returns whether it has to be called again soon
 */
void gate_wait(struct gate *gate, bool (*meanwhile)(void));

/** Wake those that wait: part of gate_leave(). */
void gate_wake(struct gate *gate);

static inline void
gate_leave(struct gate *gate)
{
	/* In one order with a waiting thread: it says that it is hungry, then looks at held. */
	(void)__atomic_exchange_n(&gate->held, 0, __ATOMIC_SEQ_CST);
	if (__builtin_expect(gate_is_wanted(gate), 0))
		gate_wake(gate);
}

#endif
