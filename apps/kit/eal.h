/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_EAL_H
#define NDPDK_KIT_EAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* DPDK's environment, from the command line. */

/** Seconds that EAL may take for its end, without those in which the process does not run. */
#define EAL_END_S 10u

/** Command line, divided at the first lone --. */
struct eal_arguments {
	int eal_count; /**< 0 = no lone -- on the command line */
	char **eal;    /**< with the program's name */
	int application_count;
	char **application; /**< with the program's name */
};

/**
 * Arguments before the first lone -- belong to EAL, those after it to the application; without a
 * lone --, all belong to the application. Changes arguments.
 */
void eal_divide(int count, char *arguments[], struct eal_arguments *divided);

/** Lcores, each on the processor of its number, as EAL takes them. */
struct eal_lcores {
	char list[112]; /**< with commas */
	char main[8];
};

/**
 * Start EAL with its part of the command line, or, if there is none, on the first processor allowed
 * without devices, hugepages, root and messages.
 *
 * @param megabytes memory if the command line has no part for EAL; 0 = EAL's default
 * @param lcores likewise; NULL = lcore 0 on the first processor allowed
 * @param why on failure, filled with one sentence that says what to do; >= 256 bytes
 */
bool eal_start(const struct eal_arguments *divided, uint64_t megabytes,
	const struct eal_lcores *lcores, char *why, size_t size);

/**
 * Say why rte_pktmbuf_pool_create() or rte_ring_create() has failed: rte_errno.
 *
 * @param what they are for
 * @param why filled with a sentence that says what to do; >= 256 bytes
 */
void eal_pool_error(const char *what, char *why, size_t size);

/**
 * End EAL; the last step before the process ends. No driver handles an interrupt any more from here
 * on: net_memif still listens after its port is closed, and a peer that connects then would have it
 * use memory that EAL has given back (DPDK 22.11).
 *
 * Another process that shared the memory, such as dpdk-dumpcap, may have died with its lock, which
 * EAL would wait for without end: after EAL_END_S the process ends without the rest of EAL's steps,
 * and says so on standard error. It names that cause only where memory can be shared.
 *
 * @param status which the process ends with in that case
 * @return status
 */
int eal_end(int status);

#endif
