/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_GATE_H
#define NDPDK_ENGINE_GATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_branch_prediction.h>
#include <rte_common.h>

/*
 * The lock of an engine that several threads share. A thread takes the lock if it is free, even
 * before threads that have waited only a short time, so that a thread that enters and leaves often
 * does not pay for context switches. A thread that has waited longer (GATE_SPINS) is starving
 * ("hungry"): from then on, only starving threads get the lock, in FIFO order. So the waiting time
 * is limited by GATE_SPINS plus the hold times of the threads that were starving before.
 *
 * Biased locking: if one thread alone has taken the lock many times, the lock is biased to it. Then
 * "held" stays set, and the thread takes and releases the lock with plain loads and stores, without
 * a locked instruction. Any other thread that needs the lock revokes the bias: it makes the kernel
 * execute a memory barrier on all processors (membarrier(2)), and then knows whether the biased
 * thread holds the lock. A revocation costs some microseconds and disturbs the other threads of the
 * process. If a bias was used too little to pay for its revocation, the next bias needs twice as
 * many acquisitions.
 */

struct gate;

/**
 * State of a thread to which a gate was biased at least once. Never freed, because another thread
 * may still read it.
 */
struct gate_guest {
	/** pthread_self(); a later thread with the same value reuses this entry */
	uint64_t thread;
	struct gate *inside;     /**< biased gate that the thread holds; NULL: none; atomic */
	struct gate_guest *next; /**< next entry in the list of all entries */
} __rte_cache_aligned;

struct gate {
	uint32_t held; /**< 0 or 1; futex of waiting threads; held, hungry and served are atomic */
	uint32_t hungry; /**< number of threads that have become starving so far */
	uint32_t served; /**< number of starving threads that got the lock so far */

	struct gate_guest *guest; /**< thread to which the gate is biased; NULL: none; atomic */
	/** thread that lost its bias while "held" is not cleared yet; atomic */
	struct gate_guest *revoked;
	/* Accessed by the holder of the lock only. */
	uint64_t last;    /**< thread of the last acquisition without bias */
	uint32_t stays;   /**< consecutive acquisitions by that thread without bias */
	uint32_t used;    /**< acquisitions through the last bias */
	uint32_t doubles; /**< doublings of GATE_BIAS_STAYS for the next bias */
	bool was_biased;  /**< the gate was biased since the last acquisition without bias */
};

/** Consecutive acquisitions by one thread before the first bias. */
#define GATE_BIAS_STAYS   256u
/** Acquisitions through a bias that pay for its revocation. */
#define GATE_BIAS_PAID    16384u
/** Maximum number of doublings of GATE_BIAS_STAYS: about 50 ms of acquisitions. */
#define GATE_BIAS_DOUBLES 12u

/** Stands for threads without a struct gate_guest. Holds no gate. */
extern struct gate_guest gate_nobody;

/** State of the calling thread; &gate_nobody: no gate was ever biased to it. */
extern __thread struct gate_guest *gate_self __attribute__((tls_model("initial-exec")));

/**
 * Prepare the process for biased locking. @return false: not supported by the kernel; no gate is
 * biased
 */
bool gates_init(void);

/** Bias the gate to the calling thread, which holds the lock, unless starving threads wait. */
void gate_bias(struct gate *gate);

/** After a revocation: compute the number of acquisitions before the next bias. */
void gate_judge(struct gate *gate);

/** Revoke the bias of another thread. The lock becomes free when that thread does not hold it. */
void gate_revoke(struct gate *gate);

/** Release the lock if its bias was revoked meanwhile. */
void gate_leave_revoked(struct gate *gate, struct gate_guest *guest);

/** Clear "held" and wake waiting threads. */
void gate_free(struct gate *gate);

/** @return whether starving threads wait */
static inline bool
gate_is_wanted(const struct gate *gate)
{
	return __atomic_load_n(&gate->hungry, __ATOMIC_SEQ_CST) !=
		__atomic_load_n(&gate->served, __ATOMIC_SEQ_CST);
}

/**
 * Take the lock through the bias. @return whether the gate is biased to the calling thread, which
 * now holds it
 */
static inline bool
gate_again(struct gate *gate)
{
	struct gate_guest *guest = __atomic_load_n(&gate->guest, __ATOMIC_ACQUIRE);

	/*
	 * A thread holds one biased gate at a time, because gate_revoke() checks only
	 * guest->inside.
	 */
	if (guest != gate_self || __atomic_load_n(&guest->inside, __ATOMIC_RELAXED) != NULL)
		return false;
	__atomic_store_n(&guest->inside, gate, __ATOMIC_RELAXED);
	/* A compiler barrier suffices, because the revoking thread executes membarrier(). */
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (likely(__atomic_load_n(&gate->guest, __ATOMIC_ACQUIRE) == guest)) {
		gate->used++;
		return true;
	}
	gate_leave_revoked(gate, guest);
	return false;
}

/** @return whether the calling thread holds the lock through its bias */
static inline bool
gate_is_inside_by_bias(const struct gate *gate)
{
	return __atomic_load_n(&gate_self->inside, __ATOMIC_RELAXED) == gate;
}

/** gate_leave() after gate_is_inside_by_bias(). */
static inline void
gate_leave_by_bias(struct gate *gate)
{
	struct gate_guest *guest = gate_self;

	__atomic_store_n(&guest->inside, NULL, __ATOMIC_RELEASE);
	/* As in gate_again(). */
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (unlikely(__atomic_load_n(&gate->guest, __ATOMIC_ACQUIRE) != guest))
		gate_leave_revoked(gate, guest);
}

/** Count an acquisition without bias. */
static inline void
gate_count(struct gate *gate)
{
	uint64_t self = (uint64_t)pthread_self();

	if (unlikely(gate->was_biased))
		gate_judge(gate);
	if (gate->last != self) {
		gate->last = self;
		gate->stays = 0;
	}
	if (unlikely(++gate->stays >= GATE_BIAS_STAYS << gate->doubles))
		gate_bias(gate);
}

/** Take the lock if it is free. @return whether the caller now holds it */
static inline bool
gate_try(struct gate *gate)
{
	uint32_t free = 0;

	if (gate_again(gate))
		return true;
	if (unlikely(__atomic_load_n(&gate->guest, __ATOMIC_RELAXED) != NULL))
		gate_revoke(gate);
	if (gate_is_wanted(gate) ||
		!__atomic_compare_exchange_n(
			&gate->held, &free, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		return false;
	gate_count(gate);
	return true;
}

/**
 * Wait for the lock.
 * @param meanwhile called repeatedly while waiting; returns whether it must be called again soon
 */
void gate_wait(struct gate *gate, bool (*meanwhile)(void));

static inline void
gate_leave(struct gate *gate)
{
	if (gate_is_inside_by_bias(gate))
		gate_leave_by_bias(gate);
	else
		gate_free(gate);
}

#endif
