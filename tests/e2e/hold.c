/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "hold.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include <sys/mman.h>

#include <criterion/criterion.h>

/* These variables are atomic, because the handler runs on another thread. */
static uint8_t *armed; /* protected page, or NULL */
static bool taken, released;

static void
fault(int number, siginfo_t *info, void *context)
{
	const struct timespec pause = {.tv_nsec = 50000};
	const uint8_t *page = __atomic_load_n(&armed, __ATOMIC_ACQUIRE);
	uintptr_t offset = (uintptr_t)info->si_addr - (uintptr_t)page;
	int saved = errno;

	(void)context;
	if (page == NULL || offset >= HOLD_PAGE) {
		/*
		 * The fault is not in our page. After the handler is removed, the instruction
		 * faults again and ends the process.
		 */
		signal(number, SIG_DFL);
		return;
	}
	__atomic_store_n(&taken, true, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&released, __ATOMIC_ACQUIRE))
		nanosleep(&pause, NULL);
	errno = saved;
}

uint8_t *
hold_pages(size_t count)
{
	uint8_t *pages = mmap(NULL, count * HOLD_PAGE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	cr_assert(pages != MAP_FAILED);
	memset(pages, 0, count * HOLD_PAGE);
	return pages;
}

void
hold_arm(uint8_t *page)
{
	struct sigaction action = {.sa_sigaction = fault, .sa_flags = SA_SIGINFO};

	cr_assert_eq(sigaction(SIGSEGV, &action, NULL), 0);
	__atomic_store_n(&released, false, __ATOMIC_RELEASE);
	__atomic_store_n(&taken, false, __ATOMIC_RELEASE);
	__atomic_store_n(&armed, page, __ATOMIC_RELEASE);
	cr_assert_eq(mprotect(page, HOLD_PAGE, PROT_NONE), 0);
}

bool
hold_taken(void)
{
	return __atomic_load_n(&taken, __ATOMIC_ACQUIRE);
}

void
hold_release(void)
{
	if (armed != NULL)
		cr_assert_eq(mprotect(armed, HOLD_PAGE, PROT_READ | PROT_WRITE), 0);
	__atomic_store_n(&released, true, __ATOMIC_RELEASE);
}

static void *
caller_main(void *arg)
{
	struct hold_caller *caller = arg;

	caller->status = caller->fn(caller->arg);
	__atomic_store_n(&caller->over, true, __ATOMIC_RELEASE);
	return NULL;
}

void
hold_caller_start(struct hold_caller *caller, nd_status (*fn)(void *arg), void *arg)
{
	*caller = (struct hold_caller){.fn = fn, .arg = arg, .started = true};
	cr_assert_eq(pthread_create(&caller->thread, NULL, caller_main, caller), 0);
}

bool
hold_caller_over(const struct hold_caller *caller)
{
	return __atomic_load_n(&caller->over, __ATOMIC_ACQUIRE);
}

nd_status
hold_caller_end(struct hold_caller *caller, struct engines_net *net)
{
	time_t since = 0;

	while (!hold_caller_over(caller)) {
		cr_assert(engines_patience(&since), "a call does not return");
		engines_poll(net);
		sched_yield();
	}
	pthread_join(caller->thread, NULL);
	caller->started = false;
	return caller->status;
}
