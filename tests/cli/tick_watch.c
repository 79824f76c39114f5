/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Linked with ndtick. Between ndtick_steady(true) and ndtick_steady(false), this code counts the
 * allocations and mutex calls of the calling thread, and ends the process with a message at a
 * system call. The symbols of a program precede those of shared libraries, so all libraries except
 * the C library call the functions of this file.
 */

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/prctl.h>

#include <rte_malloc.h>

#include "ndtick.h"

#define UNSUPPORTED 77
#define NOT_STEADY  3

/* Names under which the C library exports the functions that this file replaces. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *pointer, size_t size);
void __libc_free(void *pointer);

/**
 * The kernel reads this variable at each system call of the thread (PR_SET_SYSCALL_USER_DISPATCH).
 */
static __thread char selector = PR_SYS_DISPATCH_OFF;
static __thread bool watched;
static __thread uint64_t allocations, mutexes;

void *
malloc(size_t size)
{
	allocations += watched;
	return __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
	allocations += watched;
	return __libc_calloc(count, size);
}

void *
realloc(void *pointer, size_t size)
{
	allocations += watched;
	return __libc_realloc(pointer, size);
}

void
free(void *pointer)
{
	allocations += watched;
	__libc_free(pointer);
}

void *
rte_zmalloc_socket(const char *type, size_t size, unsigned int align, int socket)
{
	static void *(*next)(const char *, size_t, unsigned int, int);

	allocations += watched;
	if (next == NULL)
		*(void **)&next = dlsym(RTLD_NEXT, "rte_zmalloc_socket");
	return next(type, size, align, socket);
}

void
rte_free(void *pointer)
{
	static void (*next)(void *);

	allocations += watched;
	if (next == NULL)
		*(void **)&next = dlsym(RTLD_NEXT, "rte_free");
	next(pointer);
}

int
pthread_mutex_lock(pthread_mutex_t *mutex)
{
	static int (*next)(pthread_mutex_t *);

	mutexes += watched;
	if (next == NULL)
		*(void **)&next = dlsym(RTLD_NEXT, "pthread_mutex_lock");
	return next(mutex);
}

static void
caught(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	selector = PR_SYS_DISPATCH_OFF;
	fprintf(stderr, "steady: system call %d\n", info->si_syscall);
	_exit(NOT_STEADY);
}

/** Make the mistake that the environment variable NDTICK_BREAK selects. It must be detected. */
static void
mistake_make(void)
{
	static __thread pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	const char *mistake = getenv("NDTICK_BREAK");
	void *volatile pointer; /* volatile, so that the compiler keeps both calls */

	if (mistake == NULL)
		return;
	if (strcmp(mistake, "call") == 0)
		(void)getppid();
	if (strcmp(mistake, "malloc") == 0) {
		pointer = malloc(16);
		free(pointer);
	}
	if (strcmp(mistake, "rte_malloc") == 0)
		rte_free(rte_zmalloc_socket("break", 16, 0, SOCKET_ID_ANY));
	if (strcmp(mistake, "mutex") == 0) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
}

void
ndtick_steady(bool steady)
{
	const struct sigaction action = {.sa_sigaction = caught, .sa_flags = SA_SIGINFO};

	if (steady == watched)
		return;
	if (steady) {
		/*
		 * Let the replacements of both functions call dlsym() now, because dlsym() makes
		 * system calls.
		 */
		rte_free(rte_zmalloc_socket("watch", 16, 0, SOCKET_ID_ANY));
		sigaction(SIGSYS, &action, NULL);
		if (prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, 0, 0, &selector) != 0) {
			fprintf(stderr,
				"steady: this kernel has no PR_SET_SYSCALL_USER_DISPATCH\n");
			_exit(UNSUPPORTED);
		}
		watched = true;
		selector = PR_SYS_DISPATCH_ON;
		mistake_make();
		return;
	}
	selector = PR_SYS_DISPATCH_OFF;
	watched = false;
	fprintf(stderr, "steady: no system call, %" PRIu64 " allocations, %" PRIu64 " mutexes\n",
		allocations, mutexes);
	if (allocations + mutexes != 0)
		_exit(NOT_STEADY);
}
