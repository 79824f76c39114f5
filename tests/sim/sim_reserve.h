/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_RESERVE_H
#define NDPDK_SIM_SIM_RESERVE_H

struct mem_domain;

/*
 * Address space of the library's tables (mem/table.c) stays with the process when an adapter
 * closes. The next adapter gets it cleared, and the kernel has no pages to take back, to clear and
 * to give out. The linker sends the library's mmap(), munmap(), mprotect() and madvise() here
 * (--wrap), so that there is one function to call only:
 */

/**
 * An adapter has these tables. That of the keys has 8 MB: when they go, only what was used of it is
 * cleared, if that can be told.
 */
void sim_reserve_watch(const struct mem_domain *domain);

#endif
