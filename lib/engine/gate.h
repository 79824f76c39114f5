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
 * The gate is the lock of an engine that several threads share. A thread takes the lock if it is
 * free, even if other threads have waited a short time. So a thread that enters and leaves often
 * does not pay for context switches. A thread that has waited longer (GATE_SPINS) is starving
 * ("hungry"): from then on, only starving threads get the lock, in FIFO order. So a thread waits
 * at most for GATE_SPINS attempts, plus the times for which the threads that starved before it
 * hold the lock.
 *
 * Biased locking: if one thread alone has taken the lock many times, the lock is biased to this
 * thread. Then "held" stays set, and the thread takes and releases the lock with plain loads and
 * stores, without a locked instruction. Any other thread that needs the lock revokes the bias. To
 * do so, it makes the kernel execute a memory barrier on all processors (membarrier(2)). After the
 * barrier it knows whether the biased thread holds the lock. A revocation costs some microseconds
 * and disturbs the other threads of the process. If a bias was used too few times to be worth its
 * revocation, twice as many acquisitions are needed before the next bias.
 */

struct gate;

/**
 * State of a thread to which a gate was biased at least once. These structures are never freed,
 * because another thread may still read them.
 */
struct gate_guest {
	/** pthread_self() of the thread. A later thread with the same value reuses this entry. */
	uint64_t thread;
	/** The biased gate that the thread holds now. NULL: none. Atomic. */
	struct gate *inside;
	struct gate_guest *next; /**< next entry in the list of all entries */
} __rte_cache_aligned;

struct gate {
	/**
	 * Futex: 1 if the lock is taken or biased. The members held, hungry and served are atomic.
	 */
	uint32_t held;
	uint32_t hungry; /**< number of threads that have become starving so far */
	uint32_t served; /**< number of starving threads that got the lock so far */

	struct gate_guest *guest; /**< thread to which the gate is biased; NULL: none; atomic */
	/** Thread whose bias was revoked while "held" is still set. NULL: none. Atomic. */
	struct gate_guest *revoked;
	/* The members below are accessed only by the thread that holds the lock. */
	uint64_t last;  /**< thread that made the last acquisition without bias */
	uint32_t stays; /**< number of consecutive acquisitions by "last" without bias */
	uint32_t used;  /**< number of acquisitions through the last bias */
	/** Number of times that GATE_BIAS_STAYS is doubled before the next bias. */
	uint32_t doubles;
	bool was_biased; /**< true: the gate was biased since the last acquisition without bias */
};

/** Number of consecutive acquisitions by one thread after which the gate is first biased to it. */
#define GATE_BIAS_STAYS   256u
/** A bias that was used for this many acquisitions was worth the cost of its revocation. */
#define GATE_BIAS_PAID    16384u
/**
 * Maximum number of times GATE_BIAS_STAYS is doubled. The largest value is about 50 ms of
 * acquisitions.
 */
#define GATE_BIAS_DOUBLES 12u

/** Placeholder entry of threads to which no gate was ever biased. It holds no gate. */
extern struct gate_guest gate_nobody;

/** Entry of the calling thread; &gate_nobody if no gate was ever biased to it. */
extern __thread struct gate_guest *gate_self __attribute__((tls_model("initial-exec")));

/**
 * Prepare the process for biased locking.
 * @return false: the kernel does not support membarrier(); no gate will be biased
 */
bool gates_init(void);

/**
 * Bias the gate to the calling thread, which holds the lock. If starving threads wait, revoke the
 * bias at once.
 */
void gate_bias(struct gate *gate);

/** After a revocation: compute the number of acquisitions before the next bias. */
void gate_judge(struct gate *gate);

/** Revoke another thread's bias. The lock becomes free now, or when that thread releases it. */
void gate_revoke(struct gate *gate);

/** Release the lock that the caller took through its bias. The bias was revoked meanwhile. */
void gate_leave_revoked(struct gate *gate, struct gate_guest *guest);

/** Release the lock: clear "held" and wake the waiting threads. */
void gate_free(struct gate *gate);

/** @return whether starving threads wait */
static inline bool
gate_is_wanted(const struct gate *gate)
{
	return __atomic_load_n(&gate->hungry, __ATOMIC_SEQ_CST) !=
		__atomic_load_n(&gate->served, __ATOMIC_SEQ_CST);
}

/**
 * Take the lock through the bias, without a locked instruction. @return whether the gate is biased
 * to the calling thread, which now holds the lock
 */
static inline bool
gate_again(struct gate *gate)
{
	struct gate_guest *guest = __atomic_load_n(&gate->guest, __ATOMIC_ACQUIRE);

	/*
	 * A thread may hold only one gate through a bias, because gate_revoke() checks only
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
	/* A compiler barrier suffices, as in gate_again(). */
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (unlikely(__atomic_load_n(&gate->guest, __ATOMIC_ACQUIRE) != guest))
		gate_leave_revoked(gate, guest);
}

/**
 * Count an acquisition without bias, and bias the gate if the same thread has made enough of them.
 */
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
