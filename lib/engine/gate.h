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
 * The lock of an engine that several threads use in turn. Who finds it free takes it, also before
 * threads that wait a short time already: so a thread that comes and goes often does not pay for a
 * switch of threads each time. A thread that has waited longer is hungry: from then on nobody takes
 * the lock but hungry threads, in the order in which they have become it. So no thread waits longer
 * than GATE_SPINS, and the stays of those that were hungry before it.
 *
 * Biased locking: after many stays of one thread and of no other one, the lock is left to it. Then
 * "held" stays set while the thread is outside, and the thread comes and goes with plain loads and
 * stores, without a locked instruction. Any other thread that wants the lock revokes the bias: it
 * has the kernel execute a memory barrier on all processors (membarrier(2)), and then knows whether
 * the thread is inside. That costs some us, and disturbs other threads of the process: a bias that
 * was used too little to pay for it doubles the number of stays that the next one needs.
 */

struct gate;

/** Of a thread to which gates were ever biased; never freed, since a late thread may look at it. */
struct gate_guest {
	uint64_t thread;         /**< pthread_self(); threads with the same one follow each other */
	struct gate *inside;     /**< the biased gate in which the thread is; NULL: none; atomic */
	struct gate_guest *next; /**< in the list of all */
} __rte_cache_aligned;

struct gate {
	uint32_t held;   /**< 0 or 1; threads sleep on it; atomic, as are the next two */
	uint32_t hungry; /**< threads that ever were */
	uint32_t served; /**< and those of them that have got the lock */

	struct gate_guest *guest;   /**< the gate is biased to this thread; NULL: to none; atomic */
	struct gate_guest *revoked; /**< lost its bias, and "held" is not yet cleared; atomic */
	/* Of who holds the lock. */
	uint64_t last;    /**< thread of the last ordinary stay */
	uint32_t stays;   /**< ordinary ones of that thread, without others in between */
	uint32_t used;    /**< stays by the last bias */
	uint32_t doubles; /**< of GATE_BIAS_STAYS, for the next one */
	bool was_biased;  /**< since the last ordinary stay */
};

/** Stays of one thread, and no other, for the first bias. */
#define GATE_BIAS_STAYS   256u
/** Stays by a bias that pay for its revocation. */
#define GATE_BIAS_PAID    16384u
/** The number is doubled so many times at most: that is some 50 ms of stays. */
#define GATE_BIAS_DOUBLES 12u

/** In place of the guest of a thread that has none: it is never inside. */
extern struct gate_guest gate_nobody;

/** Of the calling thread; &gate_nobody: no gate was ever biased to it. */
extern __thread struct gate_guest *gate_self __attribute__((tls_model("initial-exec")));

/** Prepare the process for biases. @return false: the kernel does not help; no gate is biased */
bool gates_init(void);

/** Bias the gate to the calling thread, which is inside, if nobody wants the lock. */
void gate_bias(struct gate *gate);

/** A bias was revoked: say how many stays the next one needs. */
void gate_judge(struct gate *gate);

/** Take the bias from whatever thread has it; the lock becomes free when that is outside. */
void gate_revoke(struct gate *gate);

/** End a stay by a bias that was revoked. */
void gate_leave_revoked(struct gate *gate, struct gate_guest *guest);

/** Clear "held", and wake those that wait. */
void gate_free(struct gate *gate);

/** @return whether threads wait that are hungry */
static inline bool
gate_is_wanted(const struct gate *gate)
{
	return __atomic_load_n(&gate->hungry, __ATOMIC_SEQ_CST) !=
		__atomic_load_n(&gate->served, __ATOMIC_SEQ_CST);
}

/** @return whether the gate is biased to the calling thread, which is inside now */
static inline bool
gate_again(struct gate *gate)
{
	struct gate_guest *guest = __atomic_load_n(&gate->guest, __ATOMIC_ACQUIRE);

	/* Inside one biased gate at a time: gate_revoke() looks for this one. */
	if (guest != gate_self || __atomic_load_n(&guest->inside, __ATOMIC_RELAXED) != NULL)
		return false;
	__atomic_store_n(&guest->inside, gate, __ATOMIC_RELAXED);
	/* The processor's part of this barrier is that of the thread which revokes. */
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (likely(__atomic_load_n(&gate->guest, __ATOMIC_ACQUIRE) == guest)) {
		gate->used++;
		return true;
	}
	gate_leave_revoked(gate, guest);
	return false;
}

/** @return whether the calling thread is inside by its bias */
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

/** The caller has got the lock in the ordinary way. */
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

/** @return whether the lock was free, and is the caller's now */
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
 * @param meanwhile called from time to time; it returns whether it has to be called again soon
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
