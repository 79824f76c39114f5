/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "engine/gate.h"

#include <limits.h>
#include <sched.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include <linux/futex.h>
#include <sys/syscall.h>

#include <rte_pause.h>

/** How often a thread looks before it is hungry: some 10 us. */
#define GATE_SPINS 200

/** How long a thread sleeps that has others to serve. */
#define SERVE_NS 100000

/** Sleep while the lock is held. */
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

		/* Free, but another thread is the next one: it was woken, and may need the core. */
		if (__atomic_load_n(&gate->held, __ATOMIC_SEQ_CST) == 0)
			sched_yield();
		else
			gate_sleep(gate, soon);
	}
	__atomic_fetch_add(&gate->served, 1, __ATOMIC_SEQ_CST);
}

void
gate_wake(struct gate *gate)
{
	(void)syscall(SYS_futex, &gate->held, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}
