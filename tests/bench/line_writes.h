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
 * writes of the kernel. Other threads must not write memory during a recording. x86-64 only.
 */

#define LINE_WRITES_BYTES 64u

struct line_write {
	uintptr_t line;        /**< address of the line */
	uintptr_t instruction; /**< address of the first instruction that wrote this line */
};

/** Unsorted set of lines that were written. Zeros are an empty set. */
struct line_writes {
	struct line_write *entries; /**< hash table */
	size_t count;
};

/**
 * Run a function on a new thread, and wait until the function returns. The stack and the
 * thread-local memory of the new thread are not watched. End the process if memory is exhausted.
 */
void line_writes_thread(void (*function)(void *arg), void *arg);

/**
 * Run a function, and add the lines that the function writes. Call this only inside
 * line_writes_thread(). The function must not make a system call that writes to memory. End the
 * process if there are more lines than the set can hold.
 */
void line_writes_record(struct line_writes *writes, void (*function)(void *arg), void *arg);

/**
 * Find the lines that are in both sets.
 * @param visit called for each line in both sets; NULL = only count
 * @return number of lines
 */
size_t line_writes_common(const struct line_writes *a, const struct line_writes *b,
	void (*visit)(const struct line_write *of_a, const struct line_write *of_b));

/**
 * Ask addr2line for the function that contains an instruction. If addr2line is not available, write
 * the address.
 */
void line_writes_function(uintptr_t instruction, char *text, size_t size);

#endif
