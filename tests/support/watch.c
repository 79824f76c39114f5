/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "support/watch.h"

#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define SEES_THREADS
#endif
#endif

#ifdef SEES_THREADS

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include <rte_ethdev.h>
#include <rte_malloc.h>
#include <rte_mbuf_pool_ops.h>
#include <rte_mempool.h>

/** Number of bursts that were transmitted to the ring of each port. */
static uint32_t handed[2];

static uint16_t
before_transmit(uint16_t port, uint16_t queue, struct rte_mbuf **mbufs, uint16_t count, void *arg)
{
	(void)port, (void)queue, (void)mbufs;
	__atomic_fetch_add((uint32_t *)arg, 1, __ATOMIC_RELEASE);
	return count;
}

static uint16_t
behind_receive(uint16_t port, uint16_t queue, struct rte_mbuf **mbufs, uint16_t count,
	uint16_t count_max, void *arg)
{
	(void)port, (void)queue, (void)mbufs, (void)count_max;
	(void)__atomic_load_n((uint32_t *)arg, __ATOMIC_ACQUIRE);
	return count;
}

static bool
callbacks_add(uint16_t port, uint32_t *out, uint32_t *in)
{
	return rte_eth_add_tx_callback(port, 0, before_transmit, out) != NULL &&
		rte_eth_add_rx_callback(port, 0, behind_receive, in) != NULL;
}

bool
watch_ports(uint16_t one, uint16_t other)
{
	return callbacks_add(one, &handed[0], &handed[1]) &&
		callbacks_add(other, &handed[1], &handed[0]);
}

/** Storage of a packet buffer pool: a stack protected by a mutex. */
struct stack {
	pthread_mutex_t lock;
	unsigned int count;
	void *objects[];
};

static int
stack_alloc(struct rte_mempool *pool)
{
	struct stack *stack = rte_zmalloc(NULL, sizeof(*stack) + pool->size * sizeof(void *), 0);

	if (stack == NULL)
		return -ENOMEM;
	pthread_mutex_init(&stack->lock, NULL);
	pool->pool_data = stack;
	return 0;
}

static void
stack_free(struct rte_mempool *pool)
{
	rte_free(pool->pool_data);
}

static int
stack_put(struct rte_mempool *pool, void *const *objects, unsigned int count)
{
	struct stack *stack = pool->pool_data;

	pthread_mutex_lock(&stack->lock);
	for (unsigned int i = 0; i < count; i++)
		stack->objects[stack->count++] = objects[i];
	pthread_mutex_unlock(&stack->lock);
	return 0;
}

static int
stack_get(struct rte_mempool *pool, void **objects, unsigned int count)
{
	struct stack *stack = pool->pool_data;
	int status = -ENOBUFS;

	pthread_mutex_lock(&stack->lock);
	if (stack->count >= count) {
		for (unsigned int i = 0; i < count; i++)
			objects[i] = stack->objects[--stack->count];
		status = 0;
	}
	pthread_mutex_unlock(&stack->lock);
	return status;
}

static unsigned int
stack_count(const struct rte_mempool *pool)
{
	struct stack *stack = pool->pool_data;
	unsigned int count;

	pthread_mutex_lock(&stack->lock);
	count = stack->count;
	pthread_mutex_unlock(&stack->lock);
	return count;
}

static const struct rte_mempool_ops stack_ops = {
	.name = "locked_stack",
	.alloc = stack_alloc,
	.free = stack_free,
	.enqueue = stack_put,
	.dequeue = stack_get,
	.get_count = stack_count,
};

RTE_MEMPOOL_REGISTER_OPS(stack_ops)

/* Functions of ThreadSanitizer. It does not check the writes between Begin and End. */
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);

/**
 * Number of blocks freed to DPDK's heap. ThreadSanitizer sees each change of this variable, so it
 * knows that a block was freed before it is allocated again.
 */
static uint32_t given_back;

/** @return DPDK's own function with this name. *place caches the result. */
static void *
next_of(void **place, const char *name)
{
	void *next = __atomic_load_n(place, __ATOMIC_RELAXED);

	if (next == NULL) {
		next = dlsym(RTLD_NEXT, name);
		__atomic_store_n(place, next, __ATOMIC_RELAXED);
	}
	return next;
}

void
rte_free(void *memory)
{
	static void *place;
	void (*next)(void *) = (void (*)(void *))next_of(&place, "rte_free");

	__atomic_fetch_add(&given_back, 1, __ATOMIC_RELEASE);
	AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
	next(memory);
	AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
}

typedef void *(*socket_fn)(const char *, size_t, unsigned int, int);

static void *
taken(socket_fn next, const char *type, size_t bytes, unsigned int align, int socket)
{
	void *memory;

	AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
	memory = next(type, bytes, align, socket);
	AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
	(void)__atomic_load_n(&given_back, __ATOMIC_ACQUIRE);
	return memory;
}

void *
rte_zmalloc_socket(const char *type, size_t bytes, unsigned int align, int socket)
{
	static void *place;

	return taken((socket_fn)next_of(&place, "rte_zmalloc_socket"), type, bytes, align, socket);
}

void *
rte_malloc_socket(const char *type, size_t bytes, unsigned int align, int socket)
{
	static void *place;

	return taken((socket_fn)next_of(&place, "rte_malloc_socket"), type, bytes, align, socket);
}

bool
watch_pools(void)
{
	return rte_mbuf_set_user_mempool_ops(stack_ops.name) == 0;
}

#else

bool
watch_ports(uint16_t one, uint16_t other)
{
	(void)one, (void)other;
	return true;
}

bool
watch_pools(void)
{
	return true;
}

#endif
