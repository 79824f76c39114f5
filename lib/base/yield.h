/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BASE_YIELD_H
#define NDPDK_BASE_YIELD_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A yield point is a place between two accesses to memory that several threads share. The simulator
 * has only one thread. It compiles its own copy of the library with NDPDK_YIELD. At a yield point,
 * the simulator executes actions that a concurrent thread could take. In all other builds, yield
 * points are empty.
 */

/**
 * Execute actions that a concurrent thread could take at this point. The simulator defines this
 * function and base_yield_copy().
 * @param point name of the function that contains the yield point
 * @param wait true if the caller can continue only after an action of a different thread
 */
void base_yield(const char *point, bool wait);

/** Copy bytes, with a yield point in the middle. */
void base_yield_copy(void *to, const void *from, size_t bytes);

#ifdef NDPDK_YIELD

#define BASE_YIELD()               base_yield(__func__, false)
#define BASE_COPY(to, from, bytes) base_yield_copy(to, from, bytes)
#define BASE_SPINLOCK_LOCK(spinlock)                                                               \
	do {                                                                                       \
		while (!rte_spinlock_trylock(spinlock))                                            \
			base_yield(__func__, true);                                                \
	} while (0)

#else

#define BASE_YIELD()                 ((void)0)
#define BASE_COPY(to, from, bytes)   memcpy(to, from, bytes)
#define BASE_SPINLOCK_LOCK(spinlock) rte_spinlock_lock(spinlock)

#endif

#endif
