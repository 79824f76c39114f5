/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/*
 * Loaded with LD_PRELOAD. Delays EAL's interrupt thread when a driver unmaps memory in it. If
 * another thread unmaps the same memory meanwhile, the process aborts.
 */
int
munmap(void *address, size_t length)
{
	static const struct timespec while_others_act = {.tv_sec = 1, .tv_nsec = 500000000};
	static void *delayed;
	char name[16] = "";

	(void)pthread_getname_np(pthread_self(), name, sizeof(name));
	if (strcmp(name, "eal-intr-thread") == 0) {
		__atomic_store_n(&delayed, address, __ATOMIC_RELAXED);
		(void)nanosleep(&while_others_act, NULL);
		__atomic_store_n(&delayed, NULL, __ATOMIC_RELAXED);
	} else if (address == __atomic_load_n(&delayed, __ATOMIC_RELAXED)) {
		abort();
	}
	return (int)syscall(SYS_munmap, address, length);
}
