/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BENCH_CONFINED_H
#define NDPDK_BENCH_CONFINED_H

#include <stdint.h>

/*
 * Runs a function in a forked process that may not make system calls. Counts its memory allocations
 * and mutex locks. The forked process has a single thread and ends after the function. confined.c
 * replaces malloc(), rte_malloc() and pthread_mutex_lock(): the replacements count calls and then
 * call the functions of the libraries.
 */

enum confined_end {
	CONFINED_RETURNED,    /**< the function returned */
	CONFINED_SYSTEM_CALL, /**< The process was killed, because it made a system call. */
	CONFINED_STUCK,       /**< The function did not return within the time limit. */
	CONFINED_FAILED,
	CONFINED_UNSUPPORTED, /**< Seccomp filters are not available or not permitted. */
};

struct confined_counts {
	/** number of calls that allocate or free memory, in the C library and DPDK */
	uint64_t allocations;
	uint64_t mutexes; /**< number of calls that lock a mutex */
};

/**
 * Run function(arg) in a forked process.
 * @param limit_s time limit in seconds
 * @param counts filled in only if the function returned
 */
enum confined_end confined_run(void (*function)(void *arg), void *arg, unsigned int limit_s,
	struct confined_counts *counts);

#endif
