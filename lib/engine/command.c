/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "engine/command.h"

#include <sched.h>
#include <time.h>

#include <rte_atomic.h>
#include <rte_log.h>
#include <rte_pause.h>

#include "base/assert.h"
#include "engine/eventfd.h"

#define COMMAND_RING_ENTRIES 256
/*
 * Number of spins after which a waiting caller yields its core, because the owner of the queue may
 * need the core.
 */
#define COMMAND_SPINS        1000
/*
 * After COMMAND_SPINS spins, a caller with a deadline sleeps this many nanoseconds between two
 * checks.
 */
#define COMMAND_SLEEP_NS     50000
/* Time in nanoseconds after which a call that still waits for the owner is logged. */
#define COMMAND_LATE_NS      UINT64_C(1000000000)

RTE_LOG_REGISTER(command_log, lib.ndpdk.engine, NOTICE)

/*
 * Table of all command queues of the process. A thread that waits for one queue finds here the
 * queues that it owns itself, and executes their commands meanwhile. Queues beyond KNOWN_MAX work,
 * but a waiting owner does not execute their commands.
 */
#define KNOWN_MAX 1024

static struct {
	struct command_queue *queue; /* atomic; NULL: the entry is free */
	uint32_t users;              /* number of threads that use this entry now; atomic */
} known[KNOWN_MAX];
static uint32_t known_count; /* number of entries that were ever used; atomic */

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
	queue->wake_fd = -1;
	command_owner_take(queue);
	pthread_mutexattr_init(&attr);
	/* Recursive, because a callback of a control call may make control calls. */
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

static void
owner_set(struct command_queue *queue, uint64_t owner)
{
	__atomic_store_n(&queue->owner, owner, __ATOMIC_RELEASE);
}

static bool
is_shared(const struct command_queue *queue)
{
	return __atomic_load_n(&queue->shared, __ATOMIC_ACQUIRE);
}

void
command_owner_take(struct command_queue *queue)
{
	__atomic_store_n(&queue->shared, false, __ATOMIC_RELEASE);
	queue->depth = 0;
	owner_set(queue, self());
}

/**
 * Execute the commands of a queue if the caller owns the queue. @return whether the caller is the
 * owner
 */
static bool
serve_owned(struct command_queue *queue)
{
	bool claimed = __atomic_load_n(&queue->claimed, __ATOMIC_ACQUIRE);

	if (!command_owner_is_self(queue))
		return false;
	/*
	 * Until a queue is claimed, check its owner only with the lock held, as command_run_owned()
	 * does. If the lock is not free, another thread holds it, becomes the owner and will
	 * execute the commands.
	 */
	if (!claimed && pthread_mutex_trylock(&queue->handover) != 0)
		return true;
	if (command_owner_is_self(queue))
		command_drain(queue);
	if (!claimed)
		pthread_mutex_unlock(&queue->handover);
	return true;
}

bool
command_serve_owned(void)
{
	uint32_t count = __atomic_load_n(&known_count, __ATOMIC_ACQUIRE);
	bool some = false;

	for (uint32_t i = 0; i < count; i++) {
		struct command_queue *queue;

		/*
		 * Pairs with queue_withdraw(), which waits until users is 0 before the queue is
		 * freed.
		 */
		__atomic_fetch_add(&known[i].users, 1, __ATOMIC_SEQ_CST);
		queue = __atomic_load_n(&known[i].queue, __ATOMIC_SEQ_CST);
		if (queue != NULL && serve_owned(queue))
			some = true;
		__atomic_fetch_sub(&known[i].users, 1, __ATOMIC_RELEASE);
	}
	return some;
}

/**
 * Lock queue->handover. The thread that holds the lock may be waiting for a queue that the caller
 * owns, so execute the commands of the caller's queues while waiting.
 */
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
	owner_set(queue, owner);
	/*
	 * Pairs with the acquire in command_run_owned(): a thread that reads claimed as true also
	 * reads the new owner.
	 */
	__atomic_store_n(&queue->claimed, true, __ATOMIC_RELEASE);
}

void
command_claim(struct command_queue *queue)
{
	handover_lock(queue);
	/*
	 * Another thread may have made the queue shared meanwhile. A shared queue is not claimed.
	 */
	if (!is_shared(queue))
		claim(queue, self());
	pthread_mutex_unlock(&queue->handover);
}

/**
 * Wake the sleeping threads, because there may be an event or an earlier deadline. Write the
 * eventfd only once, because further writes have no effect before the threads run.
 */
static void
sleepers_wake(struct command_queue *queue)
{
	uint64_t told;

	if (likely(!command_sleeps(queue)))
		return;
	told = __atomic_load_n(&queue->told, __ATOMIC_SEQ_CST);
	if ((told & COMMAND_TOLD) != 0)
		return;
	/*
	 * Write the eventfd before setting COMMAND_TOLD, because threads that see COMMAND_TOLD do
	 * not write the eventfd, and this thread may be preempted between the two steps. If a
	 * sleeper reads the eventfd in between, the count in told changes. Then the exchange fails,
	 * and COMMAND_TOLD stays clear.
	 */
	engine_eventfd_raise(__atomic_load_n(&queue->wake_fd, __ATOMIC_ACQUIRE));
	(void)__atomic_compare_exchange_n(&queue->told, &told, told | COMMAND_TOLD, false,
		__ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

void
command_awake(struct command_queue *queue)
{
	uint64_t told;

	engine_eventfd_clear(queue->wake_fd);
	/*
	 * A thread that saw COMMAND_TOLD did not write the eventfd, but had put its command into
	 * the ring before. The caller finds this command, because the caller checks the ring before
	 * its next sleep.
	 */
	told = __atomic_load_n(&queue->told, __ATOMIC_RELAXED);
	__atomic_store_n(&queue->told, (told & ~COMMAND_TOLD) + 2, __ATOMIC_SEQ_CST);
}

void
command_wake(struct command_queue *queue)
{
	__atomic_fetch_add(&queue->wakes, 1, __ATOMIC_SEQ_CST);
	sleepers_wake(queue);
}

void
command_ring_filled(struct command_queue *queue)
{
	/*
	 * Pairs with the barrier in a thread that is about to sleep. Either the sleeping thread
	 * sees the new ring entry, or this thread sees the sleeping thread and wakes it.
	 */
	rte_smp_mb();
	sleepers_wake(queue);
}

/* ---- shared queues ---- */

static void
inside_begin(struct command_queue *queue, uint32_t depth)
{
	BASE_ASSERT(queue->depth == 0);
	owner_set(queue, self());
	queue->depth = depth;
}

/** Leave a shared queue. This must be the last action of the thread that is inside. */
static void
inside_end(struct command_queue *queue)
{
	/*
	 * Execute the commands before leaving, because they may run callbacks, which only the owner
	 * may run.
	 */
	command_drain(queue);
	queue->depth = 0;
	owner_set(queue, COMMAND_OWNER_NONE);
	gate_leave(&queue->gate);
}

/** Enter a shared queue, unless another thread is inside. @return whether the caller has entered */
static bool
inside_try(struct command_queue *queue)
{
	if (!is_shared(queue) || !gate_try(&queue->gate))
		return false;
	if (is_shared(queue)) {
		inside_begin(queue, 1);
		return true;
	}
	gate_leave(&queue->gate);
	return false;
}

/**
 * Enter a shared queue, after waiting until no thread is inside. @return false: the queue is not
 * shared any more
 */
static bool
inside_wait(struct command_queue *queue, uint32_t depth)
{
	if (unlikely(!gate_try(&queue->gate)))
		gate_wait(&queue->gate, command_serve_owned);
	if (likely(is_shared(queue))) {
		inside_begin(queue, depth);
		return true;
	}
	gate_leave(&queue->gate);
	return false;
}

/**
 * Make a queue shared, unless another thread has claimed it. @return whether the queue is shared
 * now
 */
static bool
share(struct command_queue *queue)
{
	bool shared;

	handover_lock(queue);
	if (!is_shared(queue) &&
		(!__atomic_load_n(&queue->claimed, __ATOMIC_RELAXED) ||
			command_owner_is_self(queue))) {
		(void)gates_init();
		claim(queue, COMMAND_OWNER_NONE);
		__atomic_store_n(&queue->shared, true, __ATOMIC_RELEASE);
	}
	shared = is_shared(queue);
	pthread_mutex_unlock(&queue->handover);
	return shared;
}

/**
 * If the caller is already inside, only increment the nesting depth. @return whether the caller was
 * inside
 */
static inline bool
deeper(struct command_queue *queue, bool within)
{
	if (!command_owner_is_self(queue) || (queue->depth == 0 && !within))
		return false;
	queue->depth++;
	return true;
}

bool
command_enter(struct command_queue *queue, bool within)
{
	if (deeper(queue, within))
		return true;
	if (unlikely(!is_shared(queue)) && !share(queue))
		return false;
	return inside_wait(queue, 1);
}

enum command_entry
command_try_enter(struct command_queue *queue, bool within)
{
	if (deeper(queue, within))
		return COMMAND_INSIDE;
	if (unlikely(!is_shared(queue)) && !share(queue))
		return COMMAND_FOREIGN;
	return inside_try(queue) ? COMMAND_INSIDE : COMMAND_BUSY;
}

bool
command_leave(struct command_queue *queue, bool within)
{
	if (!command_owner_is_self(queue) || queue->depth == 0)
		return false;
	if (queue->depth > 1 || !is_shared(queue)) {
		queue->depth--;
		return true;
	}
	/*
	 * The caller had already entered the queue before the API call in progress began. This API
	 * call is not over, so do not leave.
	 */
	if (within)
		return false;
	inside_end(queue);
	return true;
}

uint32_t
command_step_out(struct command_queue *queue)
{
	uint32_t depth = queue->depth;

	if (depth != 0)
		inside_end(queue);
	return depth;
}

bool
command_return(struct command_queue *queue, uint32_t depth)
{
	return depth == 0 || inside_wait(queue, depth);
}

bool
command_run_shared(struct command_queue *queue, command_fn fn, void *arg)
{
	if (!inside_try(queue))
		return false;
	fn(arg);
	sleepers_wake(queue);
	inside_end(queue);
	return true;
}

void
command_serve_shared(struct command_queue *queue)
{
	if (inside_try(queue))
		inside_end(queue);
}

bool
command_claim_for_other(struct command_queue *queue)
{
	if (command_owner_is_self(queue) && queue->depth != 0)
		return false;
	handover_lock(queue);
	if (is_shared(queue) && inside_wait(queue, 1)) {
		__atomic_store_n(&queue->shared, false, __ATOMIC_RELEASE);
		/* Wake the sleeping threads, because they may no longer use the queue. */
		sleepers_wake(queue);
		inside_end(queue);
	}
	claim(queue, COMMAND_OWNER_NONE);
	pthread_mutex_unlock(&queue->handover);
	return true;
}

bool
command_run_owned(struct command_queue *queue, command_fn fn, void *arg)
{
	bool claimed = __atomic_load_n(&queue->claimed, __ATOMIC_ACQUIRE);
	bool owned;

	/*
	 * Until a queue is claimed, another thread may become its owner at any time, unless the
	 * lock is held. After the claim, only the owner itself can release the ownership.
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

/* ---- calls through the ring ---- */

static bool
state_change(struct command *command, uint32_t from, enum command_state to)
{
	/*
	 * The memory order makes the caller's data visible to the other thread, and the other
	 * thread's data to the caller.
	 */
	return __atomic_compare_exchange_n(
		&command->state, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/**
 * Execute a command on the owner's thread. When the command's state becomes IDLE, the waiting
 * caller may free the command.
 */
static void
command_execute(struct command *command)
{
	/*
	 * Try both transitions in a loop. Between the two attempts, the next call with a deadline
	 * may reuse the command that was given up, and set its state to WAITING again.
	 */
	while (!state_change(command, COMMAND_WAITING, COMMAND_RUNNING))
		if (state_change(command, COMMAND_GIVEN_UP, COMMAND_IDLE))
			return;
	command->fn(command->arg);
	__atomic_store_n(&command->state, COMMAND_IDLE, __ATOMIC_RELEASE);
}

/**
 * Return whether a command is still pending. If it is not, all data that the command has written is
 * visible to the caller.
 */
static bool
command_is_pending(const struct command *command)
{
	return __atomic_load_n(&command->state, __ATOMIC_ACQUIRE) != COMMAND_IDLE;
}

static uint64_t
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/**
 * Called repeatedly while a call waits for the owner. Logs once a call that waits longer than
 * COMMAND_LATE_NS, because the call never returns if the owner has stopped polling.
 * @param since_ns time of the first call of this function; 0 before it, UINT64_MAX after the log
 */
static void
wait_watch(const struct command_queue *queue, uint64_t *since_ns)
{
	const uint64_t now = now_ns();

	if (*since_ns == 0)
		*since_ns = now;
	if (*since_ns == UINT64_MAX || now - *since_ns < COMMAND_LATE_NS)
		return;
	*since_ns = UINT64_MAX;
	rte_log(RTE_LOG_WARNING, command_log,
		"adapter %s: a control call has waited for 1 s, because the thread that owns the "
		"engine does not poll it\n",
		queue->label);
}

void
command_call(struct command_queue *queue, command_fn fn, void *arg)
{
	struct command command = {.fn = fn, .arg = arg, .state = COMMAND_WAITING};
	uint64_t since_ns = 0;
	unsigned int spins = 0;

	if (command_run_owned(queue, fn, arg) || command_run_shared(queue, fn, arg))
		return;
	while (rte_ring_enqueue(queue->ring, &command) != 0) {
		command_serve_owned();
		command_serve_shared(queue);
		wait_watch(queue, &since_ns);
		sched_yield();
	}
	command_ring_filled(queue);
	while (command_is_pending(&command)) {
		/*
		 * Serve own queues in each iteration. If this thread is stopping a launched engine,
		 * it becomes the owner of this engine while it waits, and must execute its own
		 * command here.
		 */
		command_serve_owned();
		command_serve_shared(queue);
		if (++spins < COMMAND_SPINS) {
			rte_pause();
		} else {
			wait_watch(queue, &since_ns);
			sched_yield();
		}
	}
}

/**
 * Put the timed command into the ring, unless a command that was given up is still there and can be
 * reused. @return whether the command is in the ring
 */
static bool
timed_put(struct command_queue *queue, command_fn fn, void *arg)
{
	struct command *timed = &queue->timed;

	timed->fn = fn;
	timed->arg = arg;
	if (state_change(timed, COMMAND_GIVEN_UP, COMMAND_WAITING))
		return true;
	__atomic_store_n(&timed->state, COMMAND_WAITING, __ATOMIC_RELEASE);
	if (rte_ring_enqueue(queue->ring, timed) == 0) {
		command_ring_filled(queue);
		return true;
	}
	/* The ring is full, which means that the engine is not being polled. */
	__atomic_store_n(&timed->state, COMMAND_IDLE, __ATOMIC_RELAXED);
	return false;
}

void
command_call_timed_cancel(struct command_queue *queue)
{
	__atomic_store_n(&queue->timed_cancelled, true, __ATOMIC_RELAXED);
}

bool
command_call_timed(struct command_queue *queue, command_fn fn, void *arg, uint64_t timeout_ns)
{
	const struct timespec pause = {.tv_nsec = COMMAND_SLEEP_NS};
	uint64_t end_ns = now_ns() + timeout_ns;
	unsigned int spins = 0;

	if (command_owner_is_self(queue))
		return command_run_owned(queue, fn, arg);
	if (command_run_shared(queue, fn, arg))
		return true;
	if (!timed_put(queue, fn, arg))
		return false;
	while (command_is_pending(&queue->timed)) {
		if (++spins < COMMAND_SPINS) {
			rte_pause();
			continue;
		}
		command_serve_shared(queue);
		if ((now_ns() > end_ns ||
			    __atomic_load_n(&queue->timed_cancelled, __ATOMIC_RELAXED)) &&
			state_change(&queue->timed, COMMAND_WAITING, COMMAND_GIVEN_UP))
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

unsigned int
command_drain_some(struct command_queue *queue)
{
	struct command *commands[COMMANDS_PER_TURN];
	unsigned int count;

	count = rte_ring_sc_dequeue_burst(queue->ring, (void **)commands, COMMANDS_PER_TURN, NULL);
	for (unsigned int i = 0; i < count; i++)
		command_execute(commands[i]);
	sleepers_wake(queue);
	return count;
}
