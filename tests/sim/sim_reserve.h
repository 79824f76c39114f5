/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_RESERVE_H
#define NDPDK_SIM_SIM_RESERVE_H

struct mem_domain;

/*
 * Keeps the address space of the library's tables (mem/table.c) when an adapter closes, clears it,
 * and gives it to the next adapter. So the kernel need not reclaim, clear and map pages. The linker
 * redirects the library's mmap(), munmap(), mprotect() and madvise() to sim_reserve.c (--wrap).
 */

/**
 * Register the tables of an adapter, whose table of keys has 8 MB. When the tables are unmapped,
 * only the used part of the table of keys is cleared, if that part is known.
 */
void sim_reserve_watch(const struct mem_domain *domain);

#endif
