/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "engine/command.h"

#include <pthread.h>
#include <sched.h>

#include <rte_pause.h>

#define COMMAND_RING_ENTRIES 256
/*
 * A waiting caller spins this often before it gives its core away: the owner may be on the same
 * one.
 */
#define COMMAND_SPINS        1000

struct command {
	command_fn fn;
	void *arg;
	bool done; /* set by the owner with release, read by the caller with acquire */
};

static uint64_t
self(void)
{
	return (uint64_t)pthread_self();
}

int
command_queue_init(struct command_queue *queue, const char *name, int socket_id)
{
	queue->ring = rte_ring_create(name, COMMAND_RING_ENTRIES, socket_id, RING_F_SC_DEQ);
	queue->claimed = false;
	command_owner_take(queue);
	return queue->ring == NULL ? -1 : 0;
}

void
command_queue_fini(struct command_queue *queue)
{
	rte_ring_free(queue->ring);
	queue->ring = NULL;
}

bool
command_owner_is_self(const struct command_queue *queue)
{
	return __atomic_load_n(&queue->owner, __ATOMIC_ACQUIRE) == self();
}

void
command_owner_take(struct command_queue *queue)
{
	__atomic_store_n(&queue->owner, self(), __ATOMIC_RELEASE);
}

void
command_call(struct command_queue *queue, command_fn fn, void *arg)
{
	struct command command = {.fn = fn, .arg = arg};
	unsigned int spins = 0;

	if (command_owner_is_self(queue)) {
		fn(arg);
		return;
	}
	while (rte_ring_enqueue(queue->ring, &command) != 0)
		sched_yield();
	/* Pairs with the release in command_drain(): what the call wrote is visible. */
	while (!__atomic_load_n(&command.done, __ATOMIC_ACQUIRE)) {
		/*
		 * Ownership may come to the waiting thread (a launched engine was stopped by it). /
		 */
		if (command_owner_is_self(queue))
			command_drain(queue);
		if (++spins < COMMAND_SPINS)
			rte_pause();
		else
			sched_yield();
	}
}

unsigned int
command_drain(struct command_queue *queue)
{
	struct command *commands[COMMANDS_PER_TURN];
	unsigned int count;

	if (rte_ring_empty(queue->ring))
		return 0;
	count = rte_ring_sc_dequeue_burst(queue->ring, (void **)commands, COMMANDS_PER_TURN, NULL);
	for (unsigned int i = 0; i < count; i++) {
		commands[i]->fn(commands[i]->arg);
		__atomic_store_n(&commands[i]->done, true, __ATOMIC_RELEASE);
	}
	return count;
}
