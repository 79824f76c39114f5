/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_EAL_H
#define NDPDK_KIT_EAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Time limit of eal_end(), in seconds. Seconds in which the process does not run do not count. */
#define EAL_END_S 10u

/** The command line, divided at the first lone -- into EAL's part and the application's part. */
struct eal_arguments {
	int eal_count; /**< 0 = the command line has no lone --, so EAL has no part */
	char **eal;    /**< EAL's part; begins with the program's name */
	int application_count;
	char **application; /**< begins with the program's name */
};

/**
 * Divide the arguments at the first lone --. Earlier arguments belong to EAL, and later arguments
 * to the application. Without a lone --, all arguments belong to the application. The function
 * changes arguments.
 */
void eal_divide(int count, char *arguments[], struct eal_arguments *divided);

/** Lists of lcores in the format of EAL's options. Lcore n runs on processor n. */
struct eal_lcores {
	char list[112]; /**< all lcores, separated by commas */
	char main[8];
};

/**
 * Start EAL with its part of the command line. Without such a part, EAL is started on the first
 * processor allowed, without devices, hugepages, root permissions and log messages.
 *
 * @param megabytes memory if the command line has no part for EAL; 0 = EAL's default
 * @param lcores lcores if the command line has no part for EAL; NULL = lcore 0 on the first
 *        processor allowed
 * @param why on failure, filled with one sentence that suggests a remedy; >= 256 bytes
 */
bool eal_start(const struct eal_arguments *divided, uint64_t megabytes,
	const struct eal_lcores *lcores, char *why, size_t size);

/**
 * Explain from rte_errno why rte_pktmbuf_pool_create() or rte_ring_create() failed.
 *
 * @param what user of the packet buffers, for the message
 * @param why buffer of at least 256 bytes; filled with one sentence that suggests a remedy
 */
void eal_pool_error(const char *what, char *why, size_t size);

/**
 * Shut EAL down, as the last step before the process ends. Drivers handle no interrupts after this
 * call begins. This is necessary because net_memif of DPDK 22.11 listens even after its port is
 * closed: if a peer connected then, the driver would use memory that EAL has freed.
 *
 * rte_eal_cleanup() may block for ever if another process that shared the memory, such as
 * dpdk-dumpcap, was killed while it held a lock. Therefore, after EAL_END_S seconds, the process
 * exits without the rest of the cleanup and prints a message to standard error. The message
 * mentions the killed process only if the memory can be shared.
 *
 * @param status exit status of the process if the cleanup blocks
 * @return status
 */
int eal_end(int status);

#endif
