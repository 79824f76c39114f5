/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <rte_ethdev.h>

/* Loaded with LD_PRELOAD into a program with a net_memif port, to test the end of the port. */

/* Range of lengths that contains the rings, and no other memory that EAL or a driver unmaps. */
#define RINGS_BYTES_MIN (4u << 20)
#define RINGS_BYTES_MAX (8u << 20)

static bool
is_interrupt_thread(void)
{
	char name[16] = "";

	/* The second name is the name in DPDK 23.11 and later. */
	(void)pthread_getname_np(pthread_self(), name, sizeof(name));
	return strcmp(name, "eal-intr-thread") == 0 || strcmp(name, "dpdk-intr") == 0;
}

/*
 * Delay the interrupt thread when it unmaps the rings. If another thread unmaps the same address
 * during the delay, abort.
 */
int
munmap(void *address, size_t length)
{
	static const struct timespec while_others_act = {.tv_sec = 1, .tv_nsec = 500000000};
	static void *delayed;

	if (address != NULL && address == __atomic_load_n(&delayed, __ATOMIC_RELAXED))
		abort();
	if (length >= RINGS_BYTES_MIN && length < RINGS_BYTES_MAX && is_interrupt_thread()) {
		fputs("delayed\n", stderr);
		__atomic_store_n(&delayed, address, __ATOMIC_RELAXED);
		(void)nanosleep(&while_others_act, NULL);
		__atomic_store_n(&delayed, NULL, __ATOMIC_RELAXED);
	}
	return (int)syscall(SYS_munmap, address, length);
}

/* If the variable NDPDK_TEST_LINK is set, a link that was up stays up. */
int
rte_eth_link_get_nowait(uint16_t port_id, struct rte_eth_link *link)
{
	static bool was_up;
	int (*next)(uint16_t, struct rte_eth_link *);
	int status;

	*(void **)&next = dlsym(RTLD_NEXT, "rte_eth_link_get_nowait");
	status = next(port_id, link);
	if (link->link_status == RTE_ETH_LINK_UP)
		was_up = true;
	else if (was_up && getenv("NDPDK_TEST_LINK") != NULL)
		link->link_status = RTE_ETH_LINK_UP;
	return status;
}
