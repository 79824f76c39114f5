/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_RESERVE_H
#define NDPDK_SIM_SIM_RESERVE_H

struct mem_domain;

/*
 * Keeps the address space of the library's tables (mem/table.c) when an adapter closes. The next
 * adapter gets the tables cleared, so the kernel need not reclaim, clear and map pages. The linker
 * redirects the library's mmap(), munmap(), mprotect() and madvise() to sim_reserve.c (--wrap).
 */

/**
 * Register the tables of an adapter. The table of keys has 8 MB: when the tables are unmapped, only
 * its used part is cleared, if the used part is known.
 */
void sim_reserve_watch(const struct mem_domain *domain);

#endif
