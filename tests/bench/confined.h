/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BENCH_CONFINED_H
#define NDPDK_BENCH_CONFINED_H

#include <stdint.h>

/*
 * A function in a process that may make no system call, and whose allocations and mutexes are
 * counted. The process is a copy of this one with a single thread, and ends with the function.
 * A program that has this file has its own malloc(), rte_malloc() and pthread_mutex_lock(), which
 * count and call those of the libraries.
 */

enum confined_end {
	CONFINED_RETURNED,    /**< the function came to its end */
	CONFINED_SYSTEM_CALL, /**< it made a system call, and was ended by that */
	CONFINED_STUCK,       /**< it ran for longer than it may: it waits for something */
	CONFINED_FAILED,      /**< it ended in another way */
	CONFINED_UNSUPPORTED, /**< the kernel has no seccomp filters, or does not allow them */
};

struct confined_counts {
	uint64_t allocations; /**< of the C library or of DPDK, successful or not; frees as well */
	uint64_t mutexes;     /**< locked */
};

/**
 * Run function(arg).
 * @param limit_s seconds after which it is stuck
 * @param counts written when it returned
 */
enum confined_end confined_run(void (*function)(void *arg), void *arg, unsigned int limit_s,
	struct confined_counts *counts);

#endif
