/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Replaces functions of shared libraries. Symbols of the program take precedence over symbols of
 * shared libraries, so all callers in the process use the functions below. Calls inside the same
 * DPDK library are not counted: rte_malloc() counts only calls from other libraries and from the
 * program.
 */

#include "confined.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <rte_common.h>
#include <rte_malloc.h>

#include "bench.h"

/** Exit status of a child process that could not forbid system calls. */
#define UNSUPPORTED 77

/* Names by which this file calls the C library's malloc(), calloc() and realloc(). */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *pointer, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *pointer);

static struct confined_counts counted;

void *
malloc(size_t size)
{
	counted.allocations++;
	return __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
	counted.allocations++;
	return __libc_calloc(count, size);
}

void *
realloc(void *pointer, size_t size)
{
	counted.allocations++;
	return __libc_realloc(pointer, size);
}

void *
aligned_alloc(size_t alignment, size_t size)
{
	counted.allocations++;
	return __libc_memalign(alignment, size);
}

int
posix_memalign(void **pointer, size_t alignment, size_t size)
{
	counted.allocations++;
	*pointer = __libc_memalign(alignment, size);
	return *pointer == NULL ? ENOMEM : 0;
}

void
free(void *pointer)
{
	counted.allocations++;
	__libc_free(pointer);
}

/** @return the function `name` of a shared library. A function of this file replaces it. */
static void *
hidden(const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);

	BENCH_REQUIRE(function != NULL);
	return function;
}

void *
rte_malloc_socket(const char *type, size_t size, unsigned int align, int socket)
{
	static void *(*next)(const char *, size_t, unsigned int, int);

	counted.allocations++;
	if (next == NULL)
		next = hidden("rte_malloc_socket");
	return next(type, size, align, socket);
}

void *
rte_malloc(const char *type, size_t size, unsigned int align)
{
	return rte_malloc_socket(type, size, align, SOCKET_ID_ANY);
}

void *
rte_zmalloc_socket(const char *type, size_t size, unsigned int align, int socket)
{
	static void *(*next)(const char *, size_t, unsigned int, int);

	counted.allocations++;
	if (next == NULL)
		next = hidden("rte_zmalloc_socket");
	return next(type, size, align, socket);
}

void *
rte_zmalloc(const char *type, size_t size, unsigned int align)
{
	return rte_zmalloc_socket(type, size, align, SOCKET_ID_ANY);
}

void
rte_free(void *pointer)
{
	static void (*next)(void *);

	counted.allocations++;
	if (next == NULL)
		next = hidden("rte_free");
	next(pointer);
}

int
pthread_mutex_lock(pthread_mutex_t *mutex)
{
	static int (*next)(pthread_mutex_t *);

	counted.mutexes++;
	if (next == NULL)
		next = hidden("pthread_mutex_lock");
	return next(mutex);
}

/** Forbid all system calls except exit. @return false if the kernel does not support this */
static bool
confine(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = {.len = RTE_DIM(filter), .filter = filter};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

static _Noreturn void
child_run(void (*function)(void *arg), void *arg, unsigned int limit_s,
	struct confined_counts *counts)
{
	signal(SIGALRM, SIG_DFL);
	alarm(limit_s);
	if (!confine())
		_exit(UNSUPPORTED);
	counted = (struct confined_counts){0};
	function(arg);
	*counts = counted;
	_exit(EXIT_SUCCESS);
}

static enum confined_end
end_of(int status)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS)
		return CONFINED_RETURNED;
	if (WIFEXITED(status) && WEXITSTATUS(status) == UNSUPPORTED)
		return CONFINED_UNSUPPORTED;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
		return CONFINED_SYSTEM_CALL;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		return CONFINED_STUCK;
	return CONFINED_FAILED;
}

enum confined_end
confined_run(void (*function)(void *arg), void *arg, unsigned int limit_s,
	struct confined_counts *counts)
{
	struct confined_counts *shared = mmap(
		NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t child;
	int status;

	BENCH_REQUIRE(shared != MAP_FAILED);
	child = fork();
	BENCH_REQUIRE(child >= 0);
	if (child == 0)
		child_run(function, arg, limit_s, shared);
	BENCH_REQUIRE(waitpid(child, &status, 0) == child);
	*counts = *shared;
	munmap(shared, sizeof(*shared));
	return end_of(status);
}
