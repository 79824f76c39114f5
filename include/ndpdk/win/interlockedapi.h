/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_INTERLOCKEDAPI_H
#define NDPDK_INTERLOCKEDAPI_H

/**
 * @file
 * Atomic operations, each a full barrier, and pauses.
 */

#include <ndpdk/win/windef.h>

#define NDWIN_ATOMIC static inline __attribute__((__always_inline__, __unused__))

NDWIN_ATOMIC LONG
InterlockedIncrement(volatile LONG *target)
{
	return __atomic_add_fetch(target, 1, __ATOMIC_SEQ_CST);
}

NDWIN_ATOMIC LONG
InterlockedDecrement(volatile LONG *target)
{
	return __atomic_sub_fetch(target, 1, __ATOMIC_SEQ_CST);
}

NDWIN_ATOMIC LONG
InterlockedExchange(volatile LONG *target, LONG value)
{
	return __atomic_exchange_n(target, value, __ATOMIC_SEQ_CST);
}

NDWIN_ATOMIC LONG
InterlockedExchangeAdd(volatile LONG *target, LONG value)
{
	return __atomic_fetch_add(target, value, __ATOMIC_SEQ_CST);
}

NDWIN_ATOMIC LONG
InterlockedAdd(volatile LONG *target, LONG value)
{
	return __atomic_add_fetch(target, value, __ATOMIC_SEQ_CST);
}

NDWIN_ATOMIC LONG
InterlockedAnd(volatile LONG *target, LONG value)
{
	return __atomic_fetch_and(target, value, __ATOMIC_SEQ_CST);
}

NDWIN_ATOMIC LONG
InterlockedOr(volatile LONG *target, LONG value)
{
	return __atomic_fetch_or(target, value, __ATOMIC_SEQ_CST);
}

NDWIN_ATOMIC LONG
InterlockedXor(volatile LONG *target, LONG value)
{
	return __atomic_fetch_xor(target, value, __ATOMIC_SEQ_CST);
}

/** Replace the value if it is comparand. Returns the value it had. */
NDWIN_ATOMIC LONG
InterlockedCompareExchange(volatile LONG *target, LONG value, LONG comparand)
{
	__atomic_compare_exchange_n(
		target, &comparand, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	return comparand;
}

NDWIN_ATOMIC LONG64
InterlockedIncrement64(volatile LONG64 *target)
{
	return __atomic_add_fetch(target, 1, __ATOMIC_SEQ_CST);
}

NDWIN_ATOMIC LONG64
InterlockedDecrement64(volatile LONG64 *target)
{
	return __atomic_sub_fetch(target, 1, __ATOMIC_SEQ_CST);
}

NDWIN_ATOMIC LONG64
InterlockedExchange64(volatile LONG64 *target, LONG64 value)
{
	return __atomic_exchange_n(target, value, __ATOMIC_SEQ_CST);
}

NDWIN_ATOMIC LONG64
InterlockedExchangeAdd64(volatile LONG64 *target, LONG64 value)
{
	return __atomic_fetch_add(target, value, __ATOMIC_SEQ_CST);
}

NDWIN_ATOMIC LONG64
InterlockedAdd64(volatile LONG64 *target, LONG64 value)
{
	return __atomic_add_fetch(target, value, __ATOMIC_SEQ_CST);
}

NDWIN_ATOMIC LONG64
InterlockedAnd64(volatile LONG64 *target, LONG64 value)
{
	return __atomic_fetch_and(target, value, __ATOMIC_SEQ_CST);
}

NDWIN_ATOMIC LONG64
InterlockedOr64(volatile LONG64 *target, LONG64 value)
{
	return __atomic_fetch_or(target, value, __ATOMIC_SEQ_CST);
}

NDWIN_ATOMIC LONG64
InterlockedXor64(volatile LONG64 *target, LONG64 value)
{
	return __atomic_fetch_xor(target, value, __ATOMIC_SEQ_CST);
}

/** Replace the value if it is comparand. Returns the value it had. */
NDWIN_ATOMIC LONG64
InterlockedCompareExchange64(volatile LONG64 *target, LONG64 value, LONG64 comparand)
{
	__atomic_compare_exchange_n(
		target, &comparand, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	return comparand;
}

NDWIN_ATOMIC PVOID
InterlockedExchangePointer(PVOID volatile *target, PVOID value)
{
	return __atomic_exchange_n(target, value, __ATOMIC_SEQ_CST);
}

NDWIN_ATOMIC PVOID
InterlockedCompareExchangePointer(PVOID volatile *target, PVOID value, PVOID comparand)
{
	__atomic_compare_exchange_n(
		target, &comparand, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	return comparand;
}

#define _InterlockedIncrement         InterlockedIncrement
#define _InterlockedDecrement         InterlockedDecrement
#define _InterlockedExchange          InterlockedExchange
#define _InterlockedExchangeAdd       InterlockedExchangeAdd
#define _InterlockedCompareExchange   InterlockedCompareExchange
#define _InterlockedIncrement64       InterlockedIncrement64
#define _InterlockedDecrement64       InterlockedDecrement64
#define _InterlockedExchangeAdd64     InterlockedExchangeAdd64
#define _InterlockedCompareExchange64 InterlockedCompareExchange64

#define MemoryBarrier()     __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define _ReadWriteBarrier() __atomic_signal_fence(__ATOMIC_SEQ_CST)
#define _ReadBarrier()      _ReadWriteBarrier()
#define _WriteBarrier()     _ReadWriteBarrier()
#if defined(__x86_64__) || defined(__i386__)
#define YieldProcessor() __builtin_ia32_pause()
#elif defined(__aarch64__)
#define YieldProcessor() __asm__ __volatile__("yield")
#else
#define YieldProcessor() _ReadWriteBarrier()
#endif

#endif
