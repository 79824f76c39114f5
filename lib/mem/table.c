/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem/table.h"

#include <errno.h>
#include <string.h>

#include <numa.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_memory.h>

#include "base/assert.h"

/*
 * Memory of tables that grow in place. Reserving creates an anonymous mapping without access
 * rights, which costs only address space. Committing makes the next part accessible and resident.
 * Keys are random numbers, so accesses to the tables are random, too. With small pages, most cache
 * misses would also be TLB misses. Therefore the mapping is aligned for transparent huge pages and
 * requests them.
 *
 * rte_malloc() is not used, because its memory cannot grow in place, and no device needs this
 * memory.
 */

#define HUGE_PAGE_BYTES (UINT64_C(2) << 20)

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* since Linux 5.14 */
#endif

static uint64_t
page_bytes(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

enum rc_status
mem_table_init(struct mem_table *table, uint64_t bytes_max, int socket_id)
{
	void *reserved;

	memset(table, 0, sizeof(*table));
	table->socket_id = socket_id;
	table->bytes_max = RTE_ALIGN_CEIL(bytes_max, page_bytes());
	table->reserved_bytes = table->bytes_max + HUGE_PAGE_BYTES;
	reserved = mmap(NULL, table->reserved_bytes, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (reserved == MAP_FAILED)
		return RC_NO_RESOURCES;
	table->reserved = reserved;
	table->entries = RTE_PTR_ALIGN_CEIL(table->reserved, HUGE_PAGE_BYTES);
	/* Ignore the result: the table also works if the kernel has no huge pages. */
	(void)madvise(table->entries, table->bytes_max, MADV_HUGEPAGE);
	return RC_OK;
}

void
mem_table_fini(struct mem_table *table)
{
	if (table->reserved != NULL)
		(void)munmap(table->reserved, table->reserved_bytes);
	memset(table, 0, sizeof(*table));
}

/** Make pages resident. @return whether the kernel has done this */
static bool
populate(uint8_t *start, uint64_t bytes)
{
	const uint64_t page = page_bytes();

	if (madvise(start, bytes, MADV_POPULATE_WRITE) == 0)
		return true;
	if (errno != EINVAL)
		return false;
	for (uint64_t offset = 0; offset < bytes; offset += page)
		__atomic_store_n(&start[offset], 0, __ATOMIC_RELAXED);
	return true;
}

enum rc_status
mem_table_commit(struct mem_table *table, uint64_t bytes)
{
	uint64_t wanted = RTE_ALIGN_CEIL(bytes, page_bytes());
	uint8_t *start = table->entries + table->committed_bytes;
	uint64_t more;

	BASE_ASSERT(wanted <= table->bytes_max);
	if (wanted <= table->committed_bytes)
		return RC_OK;
	more = wanted - table->committed_bytes;
	if (mprotect(start, more, PROT_READ | PROT_WRITE) != 0)
		return RC_NO_RESOURCES;
	if (table->socket_id != SOCKET_ID_ANY && numa_available() >= 0)
		numa_tonode_memory(start, more, table->socket_id);
	if (!populate(start, more)) {
		(void)madvise(start, more, MADV_DONTNEED);
		(void)mprotect(start, more, PROT_NONE);
		return RC_NO_RESOURCES;
	}
	table->committed_bytes = wanted;
	return RC_OK;
}
