/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_INTERLOCKEDAPI_H
#define NDPDK_INTERLOCKEDAPI_H

/**
 * @file
 * Atomic operations and pauses. Each atomic operation is a full barrier.
 *
 * The operations accept integers of any width, signed or unsigned, because LONG is not long here:
 * a program may call InterlockedIncrement() for a long, which has 64 bits. The result has the type
 * of the integer. Increment, Decrement and Add return the new value, all others the old value.
 */

#include <ndpdk/win/windef.h>

#ifdef __cplusplus
extern "C++" {

#define NDWIN_ATOMIC_0(name, builtin)                                                              \
	template <typename T> static inline T name(volatile T *target)                             \
	{                                                                                          \
		return builtin(target, 1, __ATOMIC_SEQ_CST);                                       \
	}
#define NDWIN_ATOMIC_1(name, builtin)                                                              \
	template <typename T, typename V> static inline T name(volatile T *target, V value)        \
	{                                                                                          \
		return builtin(target, static_cast<T>(value), __ATOMIC_SEQ_CST);                   \
	}
#define NDWIN_ATOMIC_2(name)                                                                       \
	template <typename T, typename V, typename C>                                              \
	static inline T name(volatile T *target, V value, C comparand)                             \
	{                                                                                          \
		T old = static_cast<T>(comparand);                                                 \
		__atomic_compare_exchange_n(target, &old, static_cast<T>(value), false,            \
			__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                                       \
		return old;                                                                        \
	}

NDWIN_ATOMIC_0(InterlockedIncrement, __atomic_add_fetch)
NDWIN_ATOMIC_0(InterlockedDecrement, __atomic_sub_fetch)
NDWIN_ATOMIC_1(InterlockedExchange, __atomic_exchange_n)
NDWIN_ATOMIC_1(InterlockedExchangeAdd, __atomic_fetch_add)
NDWIN_ATOMIC_1(InterlockedAdd, __atomic_add_fetch)
NDWIN_ATOMIC_1(InterlockedAnd, __atomic_fetch_and)
NDWIN_ATOMIC_1(InterlockedOr, __atomic_fetch_or)
NDWIN_ATOMIC_1(InterlockedXor, __atomic_fetch_xor)
NDWIN_ATOMIC_2(InterlockedCompareExchange)
NDWIN_ATOMIC_0(InterlockedIncrement64, __atomic_add_fetch)
NDWIN_ATOMIC_0(InterlockedDecrement64, __atomic_sub_fetch)
NDWIN_ATOMIC_1(InterlockedExchange64, __atomic_exchange_n)
NDWIN_ATOMIC_1(InterlockedExchangeAdd64, __atomic_fetch_add)
NDWIN_ATOMIC_1(InterlockedAdd64, __atomic_add_fetch)
NDWIN_ATOMIC_1(InterlockedAnd64, __atomic_fetch_and)
NDWIN_ATOMIC_1(InterlockedOr64, __atomic_fetch_or)
NDWIN_ATOMIC_1(InterlockedXor64, __atomic_fetch_xor)
NDWIN_ATOMIC_2(InterlockedCompareExchange64)
}
#else
#define NDWIN_COMPARE_EXCHANGE(target, value, comparand)                                           \
	__extension__({                                                                            \
		__typeof__(target) target_ = (target);                                             \
		__typeof__(*target_ + 0) wide_ = (comparand);                                      \
		__typeof__(__atomic_load_n(target_, __ATOMIC_RELAXED)) old_ = wide_;               \
		__atomic_compare_exchange_n(                                                       \
			target_, &old_, (value), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);           \
		old_;                                                                              \
	})
#define InterlockedIncrement(target)          __atomic_add_fetch(target, 1, __ATOMIC_SEQ_CST)
#define InterlockedDecrement(target)          __atomic_sub_fetch(target, 1, __ATOMIC_SEQ_CST)
#define InterlockedExchange(target, value)    __atomic_exchange_n(target, value, __ATOMIC_SEQ_CST)
#define InterlockedExchangeAdd(target, value) __atomic_fetch_add(target, value, __ATOMIC_SEQ_CST)
#define InterlockedAdd(target, value)         __atomic_add_fetch(target, value, __ATOMIC_SEQ_CST)
#define InterlockedAnd(target, value)         __atomic_fetch_and(target, value, __ATOMIC_SEQ_CST)
#define InterlockedOr(target, value)          __atomic_fetch_or(target, value, __ATOMIC_SEQ_CST)
#define InterlockedXor(target, value)         __atomic_fetch_xor(target, value, __ATOMIC_SEQ_CST)
#define InterlockedCompareExchange(target, value, comparand)                                       \
	NDWIN_COMPARE_EXCHANGE(target, value, comparand)
#define InterlockedIncrement64(target)          __atomic_add_fetch(target, 1, __ATOMIC_SEQ_CST)
#define InterlockedDecrement64(target)          __atomic_sub_fetch(target, 1, __ATOMIC_SEQ_CST)
#define InterlockedExchange64(target, value)    __atomic_exchange_n(target, value, __ATOMIC_SEQ_CST)
#define InterlockedExchangeAdd64(target, value) __atomic_fetch_add(target, value, __ATOMIC_SEQ_CST)
#define InterlockedAdd64(target, value)         __atomic_add_fetch(target, value, __ATOMIC_SEQ_CST)
#define InterlockedAnd64(target, value)         __atomic_fetch_and(target, value, __ATOMIC_SEQ_CST)
#define InterlockedOr64(target, value)          __atomic_fetch_or(target, value, __ATOMIC_SEQ_CST)
#define InterlockedXor64(target, value)         __atomic_fetch_xor(target, value, __ATOMIC_SEQ_CST)
#define InterlockedCompareExchange64(target, value, comparand)                                     \
	NDWIN_COMPARE_EXCHANGE(target, value, comparand)
#endif

/** Atomic exchange of pointers. Returns the old pointer. */
static inline __attribute__((__unused__)) PVOID
InterlockedExchangePointer(PVOID volatile *target, PVOID value)
{
	return __atomic_exchange_n(target, value, __ATOMIC_SEQ_CST);
}

static inline __attribute__((__unused__)) PVOID
InterlockedCompareExchangePointer(PVOID volatile *target, PVOID value, PVOID comparand)
{
	__atomic_compare_exchange_n(
		target, &comparand, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	return comparand;
}

#define _InterlockedIncrement         InterlockedIncrement
#define _InterlockedIncrement64       InterlockedIncrement64
#define _InterlockedDecrement         InterlockedDecrement
#define _InterlockedDecrement64       InterlockedDecrement64
#define _InterlockedExchange          InterlockedExchange
#define _InterlockedExchange64        InterlockedExchange64
#define _InterlockedExchangeAdd       InterlockedExchangeAdd
#define _InterlockedExchangeAdd64     InterlockedExchangeAdd64
#define _InterlockedCompareExchange   InterlockedCompareExchange
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
