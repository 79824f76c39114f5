/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "peer_task.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

#define STACK_BYTES (256u << 10)

struct task {
	struct task *next;
	ucontext_t context;
	void *stack;
	void (*run)(void *arg);
	void *arg;
	int ended;
};

static struct task *tasks;
static struct task *running;
static ucontext_t scheduler;

static void
begin(void)
{
	running->run(running->arg);
	running->ended = 1;
	swapcontext(&running->context, &scheduler);
}

void
task_spawn(void (*run)(void *arg), void *arg)
{
	struct task *task = calloc(1, sizeof(*task));
	struct task **last = &tasks;

	if (task != NULL)
		task->stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (task == NULL || task->stack == MAP_FAILED || getcontext(&task->context) != 0) {
		perror("task");
		exit(EXIT_FAILURE);
	}
	task->run = run;
	task->arg = arg;
	task->context.uc_stack.ss_sp = task->stack;
	task->context.uc_stack.ss_size = STACK_BYTES;
	makecontext(&task->context, begin, 0);
	while (*last != NULL)
		last = &(*last)->next;
	*last = task;
}

void
task_yield(void)
{
	swapcontext(&running->context, &scheduler);
}

double
task_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void
task_sleep(double seconds)
{
	const double end = task_now() + seconds;

	while (task_now() < end)
		task_yield();
}

static void
remove_ended(void)
{
	struct task **place = &tasks;

	while (*place != NULL) {
		struct task *task = *place;

		if (!task->ended) {
			place = &task->next;
			continue;
		}
		*place = task->next;
		munmap(task->stack, STACK_BYTES);
		free(task);
	}
}

void
task_run_all(void (*between)(void *arg), void *arg)
{
	while (tasks != NULL) {
		for (running = tasks; running != NULL; running = running->next)
			swapcontext(&scheduler, &running->context);
		remove_ended();
		between(arg);
	}
}
