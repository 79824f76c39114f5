/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* The checked longjmp() of glibc refuses to change to another stack. */
#undef _FORTIFY_SOURCE

#include "sim_fiber.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#ifdef __has_feature
#define FEATURE(name) __has_feature(name)
#else
#define FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || FEATURE(address_sanitizer)
#include <sanitizer/common_interface_defs.h>
#define ANNOTATED 1
#else
#define ANNOTATED 0
#endif

#define STACK_BYTES ((size_t)1 << 20)

/*
 * A new fiber is entered with setcontext(). All later changes of the stack use _longjmp(), which
 * makes no system call. swapcontext() makes one for the mask of signals, which took half of the
 * time of a simulation with four engines.
 */
struct sim_fiber {
	ucontext_t start;
	jmp_buf place; /**< where the fiber has paused */
	bool entered;
	void *stack;
	void *fake_stack; /**< AddressSanitizer's fake stack of the paused fiber */
	void (*fn)(void *arg);
	void *arg;
	bool done; /**< fn has returned */
	struct sim_fiber *next;
};

static struct sim_fiber *idle;
static struct sim_fiber *running; /**< NULL: the main stack */
static jmp_buf main_place;        /**< where the main stack has entered the running fiber */
static void *main_fake_stack;
static const void *main_stack;
static size_t main_stack_bytes;

static void
switch_begin(void **fake_stack, const void *stack, size_t bytes)
{
#if ANNOTATED
	__sanitizer_start_switch_fiber(fake_stack, stack, bytes);
#else
	(void)fake_stack;
	(void)stack;
	(void)bytes;
#endif
}

/** @param from set to the bottom of the previous stack; may be NULL */
static void
switch_end(void *fake_stack, const void **from, size_t *from_bytes)
{
#if ANNOTATED
	__sanitizer_finish_switch_fiber(fake_stack, from, from_bytes);
#else
	(void)fake_stack;
	(void)from;
	(void)from_bytes;
#endif
}

static void
to_main(struct sim_fiber *fiber)
{
	switch_begin(&fiber->fake_stack, main_stack, main_stack_bytes);
	if (_setjmp(fiber->place) == 0)
		_longjmp(main_place, 1);
	switch_end(fiber->fake_stack, &main_stack, &main_stack_bytes);
}

static void
fiber_main(void)
{
	switch_end(NULL, &main_stack, &main_stack_bytes);
	for (;;) {
		struct sim_fiber *fiber = running;

		fiber->fn(fiber->arg);
		fiber->done = true;
		to_main(fiber);
	}
}

static struct sim_fiber *
fiber_make(void)
{
	struct sim_fiber *fiber = calloc(1, sizeof(*fiber));

	if (fiber == NULL)
		abort();
	fiber->stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	if (fiber->stack == MAP_FAILED) {
		perror("sim: stack");
		exit(2);
	}
	getcontext(&fiber->start);
	fiber->start.uc_stack.ss_sp = fiber->stack;
	fiber->start.uc_stack.ss_size = STACK_BYTES;
	makecontext(&fiber->start, fiber_main, 0);
	return fiber;
}

static bool
run(struct sim_fiber *fiber)
{
	running = fiber;
	switch_begin(&main_fake_stack, fiber->stack, STACK_BYTES);
	if (_setjmp(main_place) == 0) {
		if (fiber->entered)
			_longjmp(fiber->place, 1);
		fiber->entered = true;
		setcontext(&fiber->start);
	}
	/* The fiber has paused or ended. */
	switch_end(main_fake_stack, NULL, NULL);
	running = NULL;
	if (!fiber->done)
		return false;
	fiber->next = idle;
	idle = fiber;
	return true;
}

struct sim_fiber *
sim_fiber_start(void (*fn)(void *arg), void *arg)
{
	struct sim_fiber *fiber = idle;

	if (fiber != NULL)
		idle = fiber->next;
	else
		fiber = fiber_make();
	fiber->fn = fn;
	fiber->arg = arg;
	fiber->done = false;
	return run(fiber) ? NULL : fiber;
}

bool
sim_fiber_resume(struct sim_fiber *fiber)
{
	return run(fiber);
}

void
sim_fiber_pause(void)
{
	to_main(running);
}
