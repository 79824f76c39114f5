/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "engine/gate.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>

#include <rte_pause.h>

/** Number of attempts (about 10 us) after which a waiting thread counts as starving. */
#define GATE_SPINS 200

/**
 * Longest sleep in ns between two attempts to take a gate, for a thread that must also serve its
 * own queues.
 */
#define SERVE_NS 100000

/**
 * State that all gates of the process share. The lock serializes giving and revoking biases, which
 * is rare.
 */
static struct {
	pthread_mutex_t lock;
	bool can_bias; /**< true: the kernel supports membarrier(); atomic */
	struct gate_guest *guests;
} gates = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct gate_guest gate_nobody;
__thread struct gate_guest *gate_self __attribute__((tls_model("initial-exec"))) = &gate_nobody;

static int
membarrier(int command)
{
	return (int)syscall(SYS_membarrier, command, 0, 0);
}

/**
 * Make all threads of the process execute a memory barrier. If the kernel has no memory,
 * membarrier() fails; then retry, because without the barrier the caller cannot know whether the
 * biased thread is inside.
 */
static void
barrier_everywhere(void)
{
	while (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0 &&
		membarrier(MEMBARRIER_CMD_GLOBAL) != 0) {
		/* Bias no further gates. */
		__atomic_store_n(&gates.can_bias, false, __ATOMIC_RELAXED);
		sched_yield();
	}
}

bool
gates_init(void)
{
	bool can = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;

	__atomic_store_n(&gates.can_bias, can, __ATOMIC_RELAXED);
	return can;
}

/**
 * @return the entry of an earlier thread with the same ID, or a new entry; &gate_nobody: no memory
 */
static struct gate_guest *
guest_find(void)
{
	uint64_t self = (uint64_t)pthread_self();
	struct gate_guest *guest = gates.guests;

	while (guest != NULL && guest->thread != self)
		guest = guest->next;
	if (guest != NULL)
		return guest;
	guest = aligned_alloc(RTE_CACHE_LINE_SIZE, sizeof(*guest));
	if (guest == NULL)
		return &gate_nobody;
	*guest = (struct gate_guest){.thread = self, .next = gates.guests};
	gates.guests = guest;
	return guest;
}

void
gate_judge(struct gate *gate)
{
	gate->was_biased = false;
	gate->stays = 0;
	gate->doubles =
		gate->used >= GATE_BIAS_PAID ? 0 : RTE_MIN(gate->doubles + 1, GATE_BIAS_DOUBLES);
	gate->used = 0;
}

void
gate_bias(struct gate *gate)
{
	gate->stays = 0;
	if (!__atomic_load_n(&gates.can_bias, __ATOMIC_RELAXED))
		return;
	pthread_mutex_lock(&gates.lock);
	if (gate_self == &gate_nobody)
		gate_self = guest_find();
	/* Give no bias if the thread holds another biased gate now. */
	if (gate_self != &gate_nobody &&
		__atomic_load_n(&gate_self->inside, __ATOMIC_RELAXED) == NULL) {
		gate->was_biased = true;
		__atomic_store_n(&gate_self->inside, gate, __ATOMIC_RELAXED);
		__atomic_store_n(&gate->guest, gate_self, __ATOMIC_SEQ_CST);
	}
	pthread_mutex_unlock(&gates.lock);
	/*
	 * If threads are already starving, revoke the bias. A thread that begins to starve later
	 * revokes the bias itself.
	 */
	if (gate_is_wanted(gate))
		gate_revoke(gate);
}

/**
 * Clear "held" after the bias was revoked and guest, the biased thread, has left. If two threads
 * call this function, only one of the two clears "held".
 */
static void
revoked_free(struct gate *gate, struct gate_guest *guest)
{
	if (__atomic_compare_exchange_n(
		    &gate->revoked, &guest, NULL, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		gate_free(gate);
}

void
gate_revoke(struct gate *gate)
{
	struct gate_guest *guest;

	pthread_mutex_lock(&gates.lock);
	guest = __atomic_load_n(&gate->guest, __ATOMIC_RELAXED);
	if (guest != NULL) {
		__atomic_store_n(&gate->revoked, guest, __ATOMIC_RELAXED);
		__atomic_store_n(&gate->guest, NULL, __ATOMIC_SEQ_CST);
		/*
		 * Pairs with the fences of gate_again() and gate_leave_by_bias(): either this
		 * thread reads the current guest->inside, or the biased thread sees the revocation.
		 */
		barrier_everywhere();
		if (__atomic_load_n(&guest->inside, __ATOMIC_ACQUIRE) != gate)
			revoked_free(gate, guest);
	}
	pthread_mutex_unlock(&gates.lock);
}

void
gate_leave_revoked(struct gate *gate, struct gate_guest *guest)
{
	__atomic_store_n(&guest->inside, NULL, __ATOMIC_RELEASE);
	revoked_free(gate, guest);
}

/** Sleep until the lock may be free. */
static void
gate_sleep(struct gate *gate, bool soon)
{
	const struct timespec pause = {.tv_nsec = SERVE_NS};

	(void)syscall(SYS_futex, &gate->held, FUTEX_WAIT_PRIVATE, 1, soon ? &pause : NULL, NULL, 0);
}

static bool
gate_take(struct gate *gate, uint32_t ticket)
{
	uint32_t free = 0;

	/*
	 * Check for a bias in each attempt, because the gate may have become biased while this
	 * thread waited.
	 */
	if (__atomic_load_n(&gate->guest, __ATOMIC_SEQ_CST) != NULL)
		gate_revoke(gate);
	return __atomic_load_n(&gate->served, __ATOMIC_SEQ_CST) == ticket &&
		__atomic_compare_exchange_n(
			&gate->held, &free, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

void
gate_wait(struct gate *gate, bool (*meanwhile)(void))
{
	uint32_t ticket;

	for (unsigned int i = 0; i < GATE_SPINS; i++) {
		if (gate_try(gate))
			return;
		rte_pause();
	}
	ticket = __atomic_fetch_add(&gate->hungry, 1, __ATOMIC_SEQ_CST);
	while (!gate_take(gate, ticket)) {
		bool soon = meanwhile();

		/*
		 * The lock is free, but another waiting thread is to get it first. That thread was
		 * woken and may need this core, so yield.
		 */
		if (__atomic_load_n(&gate->held, __ATOMIC_SEQ_CST) == 0)
			sched_yield();
		else
			gate_sleep(gate, soon);
	}
	__atomic_fetch_add(&gate->served, 1, __ATOMIC_SEQ_CST);
	gate_count(gate);
}

void
gate_free(struct gate *gate)
{
	/*
	 * The exchange is sequentially consistent, because a thread that begins to wait first
	 * increments hungry and then reads held. So either that thread sees held cleared, or this
	 * thread sees hungry incremented.
	 */
	(void)__atomic_exchange_n(&gate->held, 0, __ATOMIC_SEQ_CST);
	if (unlikely(gate_is_wanted(gate)))
		(void)syscall(SYS_futex, &gate->held, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}
