/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "sim_fiber.h"

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

struct sim_fiber {
	ucontext_t context;
	void *stack;
	void *fake_stack; /**< AddressSanitizer's fake stack of the paused fiber */
	void (*fn)(void *arg);
	void *arg;
	bool done; /**< fn has returned */
	struct sim_fiber *next;
};

static struct sim_fiber *idle;
static struct sim_fiber *running; /**< NULL: the main stack */
static ucontext_t main_context;
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
	swapcontext(&fiber->context, &main_context);
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
	getcontext(&fiber->context);
	fiber->context.uc_stack.ss_sp = fiber->stack;
	fiber->context.uc_stack.ss_size = STACK_BYTES;
	makecontext(&fiber->context, fiber_main, 0);
	return fiber;
}

static bool
run(struct sim_fiber *fiber)
{
	running = fiber;
	switch_begin(&main_fake_stack, fiber->stack, STACK_BYTES);
	swapcontext(&main_context, &fiber->context);
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
