/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/** Threads. */

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ndpdk/win/process.h>
#include <ndpdk/win/windows.h>

#include "win/error.h"
#include "win/wait.h"

#define STACK_MIN ((SIZE_T)1 << 20)

struct win_thread {
	struct win_object object;
	LPTHREAD_START_ROUTINE start;
	LPVOID parameter;
	/* The lock in dispatch.h protects the following members. */
	DWORD exit_code;
	DWORD id;
	bool suspended;
	struct win_waiter started; /**< the creator waits here for the thread's id */
	struct win_waiter resumed; /**< the thread waits here for ResumeThread() */
};

static __thread struct win_thread *current;

static void
thread_destroy(struct win_object *object)
{
	free(object);
}

/** Runs when the thread has returned or called ExitThread(). */
static void
thread_end(void *arg)
{
	struct win_thread *thread = arg;
	struct win_wakes wakes;

	win_lock(&wakes);
	win_object_signal(&thread->object, &wakes);
	win_unlock(&wakes);
	current = NULL;
	win_object_unref(&thread->object);
}

static void *
thread_main(void *arg)
{
	struct win_thread *thread = arg;
	struct win_wakes wakes;
	DWORD code;

	current = thread;
	win_lock(&wakes);
	thread->id = GetCurrentThreadId();
	win_waiter_finish(&thread->started, &wakes);
	win_unlock(&wakes);
	win_waiter_block(&thread->resumed, WIN_NO_DEADLINE);

	pthread_cleanup_push(thread_end, thread);
	code = thread->start(thread->parameter);
	win_lock(&wakes);
	thread->exit_code = code;
	win_unlock(&wakes);
	pthread_cleanup_pop(1);
	return NULL;
}

/** Start a detached thread for an object. Takes over a reference of the object. */
static bool
thread_start(struct win_thread *thread, SIZE_T stack_size)
{
	pthread_attr_t attributes;
	pthread_t id;
	bool ok;

	if (pthread_attr_init(&attributes) != 0)
		return false;
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	if (stack_size > 0) {
		stack_size = stack_size < STACK_MIN ? STACK_MIN
						    : (stack_size + 0xFFFF) & ~(SIZE_T)0xFFFF;
		pthread_attr_setstacksize(&attributes, stack_size);
	}
	ok = pthread_create(&id, &attributes, thread_main, thread) == 0;
	pthread_attr_destroy(&attributes);
	return ok;
}

HANDLE
CreateThread(LPSECURITY_ATTRIBUTES attributes, SIZE_T stack_size, LPTHREAD_START_ROUTINE start,
	LPVOID parameter, DWORD flags, LPDWORD id)
{
	struct win_thread *thread;
	struct win_wakes wakes;
	HANDLE handle;

	(void)attributes;
	if (!start) {
		win_fail(ERROR_INVALID_PARAMETER);
		return NULL;
	}
	thread = calloc(1, sizeof(*thread));
	if (!thread) {
		win_fail(ERROR_NOT_ENOUGH_MEMORY);
		return NULL;
	}
	win_object_init(&thread->object, WIN_THREAD, thread_destroy);
	win_waiter_init(&thread->started);
	win_waiter_init(&thread->resumed);
	thread->start = start;
	thread->parameter = parameter;
	thread->exit_code = STILL_ACTIVE;
	thread->suspended = (flags & CREATE_SUSPENDED) != 0;
	handle = win_handle_open(&thread->object);
	if (!handle) {
		free(thread);
		win_fail(ERROR_NOT_ENOUGH_MEMORY);
		return NULL;
	}
	if (!thread->suspended) {
		win_lock(&wakes);
		win_waiter_finish(&thread->resumed, &wakes);
		win_unlock(&wakes);
	}
	win_object_ref(&thread->object);
	if (!thread_start(thread, stack_size)) {
		win_object_unref(&thread->object);
		win_handle_close(handle);
		win_fail(ERROR_TOO_MANY_TCBS);
		return NULL;
	}
	win_waiter_block(&thread->started, WIN_NO_DEADLINE);
	if (id)
		*id = thread->id;
	return handle;
}

DWORD
ResumeThread(HANDLE handle)
{
	struct win_thread *thread = (struct win_thread *)win_handle_ref(handle, WIN_THREAD);
	struct win_wakes wakes;
	bool was_suspended;

	if (!thread) {
		win_fail(ERROR_INVALID_HANDLE);
		return (DWORD)-1;
	}
	win_lock(&wakes);
	was_suspended = thread->suspended;
	thread->suspended = false;
	if (was_suspended)
		win_waiter_finish(&thread->resumed, &wakes);
	win_unlock(&wakes);
	win_object_unref(&thread->object);
	return was_suspended;
}

void
ExitThread(DWORD exit_code)
{
	struct win_wakes wakes;

	if (current) {
		win_lock(&wakes);
		current->exit_code = exit_code;
		win_unlock(&wakes);
	}
	pthread_exit(NULL);
}

BOOL
GetExitCodeThread(HANDLE handle, LPDWORD exit_code)
{
	struct win_thread *thread = (struct win_thread *)win_handle_ref(handle, WIN_THREAD);
	struct win_wakes wakes;

	if (!thread)
		return win_fail(ERROR_INVALID_HANDLE);
	if (exit_code) {
		win_lock(&wakes);
		*exit_code = thread->object.signalled ? thread->exit_code : STILL_ACTIVE;
		win_unlock(&wakes);
	}
	win_object_unref(&thread->object);
	return exit_code ? TRUE : win_fail(ERROR_INVALID_PARAMETER);
}

/** Start a thread as CreateThread() does, with a start routine that returns unsigned int. */
uintptr_t
_beginthreadex(void *attributes, unsigned int stack_size, unsigned int (*start)(void *),
	void *parameter, unsigned int flags, unsigned int *id)
{
	return (uintptr_t)CreateThread(attributes, stack_size, start, parameter, flags, id);
}

void
_endthreadex(unsigned int exit_code)
{
	ExitThread(exit_code);
}

struct simple_start {
	void (*start)(void *);
	void *parameter;
};

static DWORD
simple_main(LPVOID arg)
{
	struct simple_start simple = *(struct simple_start *)arg;

	free(arg);
	simple.start(simple.parameter);
	return 0;
}

uintptr_t
_beginthread(void (*start)(void *), unsigned int stack_size, void *parameter)
{
	struct simple_start *simple = start ? malloc(sizeof(*simple)) : NULL;
	HANDLE thread;

	if (!simple)
		return (uintptr_t)-1;
	simple->start = start;
	simple->parameter = parameter;
	thread = CreateThread(NULL, stack_size, simple_main, simple, CREATE_SUSPENDED, NULL);
	if (!thread) {
		free(simple);
		return (uintptr_t)-1;
	}
	ResumeThread(thread);
	/* Close the handle already here, although Windows closes it when the thread ends. */
	CloseHandle(thread);
	return (uintptr_t)thread;
}

void
_endthread(void)
{
	ExitThread(0);
}

HANDLE
GetCurrentThread(void)
{
	return NDWIN_HANDLE(-2);
}

HANDLE
GetCurrentProcess(void)
{
	return NDWIN_HANDLE(-1);
}

DWORD
GetCurrentThreadId(void)
{
	return (DWORD)syscall(SYS_gettid);
}

DWORD
GetCurrentProcessId(void)
{
	return (DWORD)getpid();
}

DWORD
GetCurrentProcessorNumber(void)
{
	int cpu = sched_getcpu();

	return cpu < 0 ? 0 : (DWORD)cpu;
}

/** @return Linux thread ID; 0: not a thread, or the thread has ended */
static pid_t
thread_number(HANDLE handle)
{
	struct win_thread *thread;
	struct win_wakes wakes;
	pid_t number;

	if (handle == GetCurrentThread())
		return (pid_t)GetCurrentThreadId();
	thread = (struct win_thread *)win_handle_ref(handle, WIN_THREAD);
	if (!thread)
		return 0;
	win_lock(&wakes);
	number = thread->object.signalled ? 0 : (pid_t)thread->id;
	win_unlock(&wakes);
	win_object_unref(&thread->object);
	return number;
}

DWORD_PTR
SetThreadAffinityMask(HANDLE handle, DWORD_PTR mask)
{
	pid_t number = thread_number(handle);
	DWORD_PTR old_mask = 0;
	cpu_set_t set;

	if (number == 0) {
		win_fail(ERROR_INVALID_HANDLE);
		return 0;
	}
	CPU_ZERO(&set);
	sched_getaffinity(number, sizeof(set), &set);
	for (unsigned int i = 0; i < 64; i++)
		old_mask |= (DWORD_PTR)(CPU_ISSET(i, &set) != 0) << i;
	CPU_ZERO(&set);
	for (unsigned int i = 0; i < 64; i++) {
		if (mask >> i & 1)
			CPU_SET(i, &set);
	}
	if (sched_setaffinity(number, sizeof(set), &set) != 0) {
		win_fail(ERROR_INVALID_PARAMETER);
		return 0;
	}
	return old_mask;
}

BOOL
SetThreadPriority(HANDLE handle, int priority)
{
	(void)handle;
	(void)priority;
	return TRUE;
}

BOOL
SetPriorityClass(HANDLE process, DWORD priority)
{
	(void)process;
	(void)priority;
	return TRUE;
}

BOOL
SwitchToThread(void)
{
	return sched_yield() == 0;
}

void
ExitProcess(UINT exit_code)
{
	exit((int)exit_code);
}
