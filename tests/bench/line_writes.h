/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BENCH_LINE_WRITES_H
#define NDPDK_BENCH_LINE_WRITES_H

#include <stddef.h>
#include <stdint.h>

/*
 * Records the cache lines that a function writes. All writable memory is made read-only, so each
 * writing instruction causes a fault. The fault handler records the cache line, makes the page
 * writable and executes only this instruction, with the trap flag. So every write is detected,
 * also locked instructions and writes that do not change the value. A write costs microseconds.
 *
 * Not watched: stack and thread-local memory of the thread that line_writes_thread() starts, and
 * writes of other threads and of the kernel. x86-64 only.
 */

#define LINE_WRITES_BYTES 64u

struct line_write {
	uintptr_t line;        /**< address of the line */
	uintptr_t instruction; /**< address of the first instruction that wrote this line */
};

/** Set of lines that were written, unsorted. Initialise with zeros. */
struct line_writes {
	struct line_write *entries; /**< hash table */
	size_t count;
};

/**
 * Run a function on a new thread, and wait until it returns. The thread's stack and thread-local
 * memory are not watched. Ends the process if memory is exhausted.
 */
void line_writes_thread(void (*function)(void *arg), void *arg);

/**
 * Run a function, and add the lines that it writes. Call only inside line_writes_thread(). The
 * function must not make a system call that writes to memory. Ends the process if there are too
 * many lines.
 */
void line_writes_record(struct line_writes *writes, void (*function)(void *arg), void *arg);

/**
 * Find the lines that are in both sets.
 *
 * @param visit called for each line; NULL: only count.
 * @return number of lines
 */
size_t line_writes_common(const struct line_writes *a, const struct line_writes *b,
	void (*visit)(const struct line_write *of_a, const struct line_write *of_b));

/**
 * Get the name of an instruction's function from addr2line. If addr2line is not available, get the
 * address.
 */
void line_writes_function(uintptr_t instruction, char *text, size_t size);

#endif
