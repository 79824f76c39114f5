/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BENCH_CONFINED_H
#define NDPDK_BENCH_CONFINED_H

#include <stdint.h>

/*
 * Runs a function in a forked process that may not make system calls, and counts its allocations
 * and mutex locks. The forked process has a single thread and ends after the function.
 * confined.c replaces malloc(), rte_malloc() and pthread_mutex_lock() of the program by functions
 * that count calls and then call the functions of the libraries.
 */

enum confined_end {
	CONFINED_RETURNED,    /**< the function returned */
	CONFINED_SYSTEM_CALL, /**< the function made a system call and was killed */
	CONFINED_STUCK,       /**< the function did not return within the time limit */
	CONFINED_FAILED,      /**< the process ended in another way */
	CONFINED_UNSUPPORTED, /**< seccomp filters are unavailable or not permitted */
};

struct confined_counts {
	uint64_t allocations; /**< calls that allocate or free, of the C library or DPDK */
	uint64_t mutexes;     /**< calls that lock a mutex */
};

/**
 * Run function(arg) in a forked process.
 * @param limit_s time limit in seconds
 * @param counts set if the function returned
 */
enum confined_end confined_run(void (*function)(void *arg), void *arg, unsigned int limit_s,
	struct confined_counts *counts);

#endif
