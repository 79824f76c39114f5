/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "bench.h"

#include <string.h>

#include <sys/mman.h>

#include <rte_common.h>

#define HUGE_PAGE_BYTES (UINT64_C(2) << 20)

void *
bench_memory(size_t bytes)
{
	size_t whole = RTE_ALIGN_CEIL(bytes, HUGE_PAGE_BYTES);
	void *mapped = mmap(NULL, whole + HUGE_PAGE_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	void *memory;

	BENCH_REQUIRE(mapped != MAP_FAILED);
	memory = (void *)RTE_ALIGN_CEIL((uintptr_t)mapped, HUGE_PAGE_BYTES);
	/* If the call fails, the memory has small pages. */
	(void)madvise(memory, whole, MADV_HUGEPAGE);
	/* Write all pages, because all pages that were only read map to the same zero page. */
	memset(memory, 0, whole);
	return memory;
}
