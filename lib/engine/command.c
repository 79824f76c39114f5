/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "engine/command.h"

#include <sched.h>

#include <rte_pause.h>

#define COMMAND_RING_ENTRIES 256
/*
 * A waiting caller spins this often before it yields its core, because the owner may need it.
 */
#define COMMAND_SPINS        1000
/* pthread_self() is never 0. */
#define OWNER_NONE           0

/*
 * The queues of the process. A thread that waits for one of them looks here for those it owns. More
 * than there is room for work, too, but are not served by an owner that waits.
 */
#define KNOWN_MAX 1024

static struct {
	struct command_queue *queue; /* NULL: free; atomic, as is users */
	uint32_t users;              /* threads that are looking at it */
} known[KNOWN_MAX];
static uint32_t known_count; /* places that were ever used; atomic */

static uint64_t
self(void)
{
	return (uint64_t)pthread_self();
}

static void
queue_publish(struct command_queue *queue)
{
	for (uint32_t i = 0; i < KNOWN_MAX; i++) {
		struct command_queue *none = NULL;
		uint32_t count;

		if (!__atomic_compare_exchange_n(&known[i].queue, &none, queue, false,
			    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
			continue;
		count = __atomic_load_n(&known_count, __ATOMIC_RELAXED);
		while (count <= i &&
			!__atomic_compare_exchange_n(&known_count, &count, i + 1, false,
				__ATOMIC_RELEASE, __ATOMIC_RELAXED))
			;
		return;
	}
}

static void
queue_withdraw(const struct command_queue *queue)
{
	for (uint32_t i = 0; i < KNOWN_MAX; i++) {
		if (__atomic_load_n(&known[i].queue, __ATOMIC_RELAXED) != queue)
			continue;
		__atomic_store_n(&known[i].queue, NULL, __ATOMIC_SEQ_CST);
		while (__atomic_load_n(&known[i].users, __ATOMIC_SEQ_CST) != 0)
			sched_yield();
		return;
	}
}

int
command_queue_init(struct command_queue *queue, const char *name, int socket_id)
{
	pthread_mutexattr_t attr;

	queue->claimed = false;
	command_owner_take(queue);
	pthread_mutexattr_init(&attr);
	/* A callback of a control call may make further ones. */
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&queue->handover, &attr);
	pthread_mutexattr_destroy(&attr);
	queue->ring = rte_ring_create(name, COMMAND_RING_ENTRIES, socket_id, RING_F_SC_DEQ);
	if (queue->ring == NULL)
		return -1;
	queue_publish(queue);
	return 0;
}

void
command_queue_fini(struct command_queue *queue)
{
	queue_withdraw(queue);
	rte_ring_free(queue->ring);
	queue->ring = NULL;
	pthread_mutex_destroy(&queue->handover);
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
command_serve_owned(void)
{
	uint32_t count = __atomic_load_n(&known_count, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < count; i++) {
		struct command_queue *queue;

		/* Pairs with queue_withdraw(): a queue that is in use here is not freed yet. */
		__atomic_fetch_add(&known[i].users, 1, __ATOMIC_SEQ_CST);
		queue = __atomic_load_n(&known[i].queue, __ATOMIC_SEQ_CST);
		if (queue != NULL && command_owner_is_self(queue))
			command_drain(queue);
		__atomic_fetch_sub(&known[i].users, 1, __ATOMIC_RELEASE);
	}
}

/** Lock the hand-over. Its holder may be waiting for a queue that the caller owns: serve it. */
static void
handover_lock(struct command_queue *queue)
{
	while (pthread_mutex_trylock(&queue->handover) != 0) {
		command_serve_owned();
		sched_yield();
	}
}

static void
claim(struct command_queue *queue, uint64_t owner)
{
	handover_lock(queue);
	__atomic_store_n(&queue->owner, owner, __ATOMIC_RELEASE);
	/* Pairs with the acquire in command_run_owned(): a thread that sees it sees the owner, too.
	 * */
	__atomic_store_n(&queue->claimed, true, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&queue->handover);
}

void
command_claim(struct command_queue *queue)
{
	claim(queue, self());
}

void
command_claim_for_other(struct command_queue *queue)
{
	claim(queue, OWNER_NONE);
}

bool
command_run_owned(struct command_queue *queue, command_fn fn, void *arg)
{
	bool claimed = __atomic_load_n(&queue->claimed, __ATOMIC_ACQUIRE);
	bool owned;

	/*
	 * Before the claim another thread may take the ownership at any time: lock it out. After
	 * the claim only the owner itself can give it up.
	 */
	if (!claimed)
		handover_lock(queue);
	owned = command_owner_is_self(queue);
	if (owned)
		fn(arg);
	if (!claimed)
		pthread_mutex_unlock(&queue->handover);
	return owned;
}

void
command_call(struct command_queue *queue, command_fn fn, void *arg)
{
	struct command command = {.fn = fn, .arg = arg};
	unsigned int spins = 0;

	if (command_run_owned(queue, fn, arg))
		return;
	while (rte_ring_enqueue(queue->ring, &command) != 0) {
		command_serve_owned();
		sched_yield();
	}
	/* Pairs with the release in command_drain(): what the call wrote is visible. */
	while (!__atomic_load_n(&command.done, __ATOMIC_ACQUIRE)) {
		/* When the waiting thread stops a launched engine, it becomes the owner itself. */
		command_serve_owned();
		if (++spins < COMMAND_SPINS)
			rte_pause();
		else
			sched_yield();
	}
}

unsigned int
command_drain_some(struct command_queue *queue)
{
	struct command *commands[COMMANDS_PER_TURN];
	unsigned int count;

	count = rte_ring_sc_dequeue_burst(queue->ring, (void **)commands, COMMANDS_PER_TURN, NULL);
	for (unsigned int i = 0; i < count; i++) {
		commands[i]->fn(commands[i]->arg);
		__atomic_store_n(&commands[i]->done, true, __ATOMIC_RELEASE);
	}
	return count;
}
