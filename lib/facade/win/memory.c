/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/** The heap, implemented by malloc(), and mappings. */

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ndpdk/win/windows.h>

#include "base/list.h"
#include "win/error.h"

/** The address of this variable is the handle of the heap. No other handle has this value. */
static char heap;

HANDLE
GetProcessHeap(void)
{
	return &heap;
}

HANDLE
HeapCreate(DWORD options, SIZE_T initial, SIZE_T maximum)
{
	(void)options;
	(void)initial;
	(void)maximum;
	return &heap;
}

BOOL
HeapDestroy(HANDLE handle)
{
	return handle == &heap ? TRUE : win_fail(ERROR_INVALID_HANDLE);
}

LPVOID
HeapAlloc(HANDLE handle, DWORD flags, SIZE_T size)
{
	void *memory;

	if (handle != &heap) {
		win_fail(ERROR_INVALID_HANDLE);
		return NULL;
	}
	/* An allocation of 0 bytes must also return memory. */
	if (size == 0)
		size = 1;
	memory = flags & HEAP_ZERO_MEMORY ? calloc(1, size) : malloc(size);
	if (!memory)
		win_fail(ERROR_NOT_ENOUGH_MEMORY);
	return memory;
}

LPVOID
HeapReAlloc(HANDLE handle, DWORD flags, LPVOID memory, SIZE_T size)
{
	size_t old_size;
	void *grown;

	if (handle != &heap || !memory) {
		win_fail(handle == &heap ? ERROR_INVALID_PARAMETER : ERROR_INVALID_HANDLE);
		return NULL;
	}
	old_size = malloc_usable_size(memory);
	grown = realloc(memory, size > 0 ? size : 1);
	if (!grown)
		win_fail(ERROR_NOT_ENOUGH_MEMORY);
	else if (flags & HEAP_ZERO_MEMORY && size > old_size)
		memset((char *)grown + old_size, 0, size - old_size);
	return grown;
}

BOOL
HeapFree(HANDLE handle, DWORD flags, LPVOID memory)
{
	(void)flags;
	if (handle != &heap)
		return win_fail(ERROR_INVALID_HANDLE);
	free(memory);
	return TRUE;
}

SIZE_T
HeapSize(HANDLE handle, DWORD flags, LPCVOID memory)
{
	union {
		LPCVOID in;
		void *out;
	} pointer = {.in = memory};

	(void)flags;
	return handle == &heap && memory ? malloc_usable_size(pointer.out) : (SIZE_T)-1;
}

/** A mapping of VirtualAlloc(). VirtualFree() needs its size. */
struct mapping {
	struct base_list node;
	char *start;
	size_t size;
};

static pthread_mutex_t mappings_lock = PTHREAD_MUTEX_INITIALIZER;
static struct base_list mappings = {&mappings, &mappings};

/** @return mapping that contains the range. The lock must be held. */
static struct mapping *
mapping_of(const char *start, size_t size)
{
	for (struct base_list *node = mappings.next; node != &mappings; node = node->next) {
		struct mapping *mapping = (struct mapping *)node;

		if (start >= mapping->start && start - mapping->start <= (ptrdiff_t)mapping->size &&
			size <= mapping->size - (size_t)(start - mapping->start))
			return mapping;
	}
	return NULL;
}

/** @return protection for mmap(); -1: protection is not a constant of sysinfoapi.h */
static int
protection_of(DWORD protection)
{
	switch (protection) {
	case PAGE_NOACCESS:
		return PROT_NONE;
	case PAGE_READONLY:
		return PROT_READ;
	case PAGE_READWRITE:
		return PROT_READ | PROT_WRITE;
	case PAGE_EXECUTE_READ:
		return PROT_READ | PROT_EXEC;
	case PAGE_EXECUTE_READWRITE:
		return PROT_READ | PROT_WRITE | PROT_EXEC;
	default:
		return -1;
	}
}

static LPVOID
map_pages(SIZE_T size, int protection)
{
	struct mapping *mapping = malloc(sizeof(*mapping));
	void *start;

	if (!mapping)
		return NULL;
	start = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (start == MAP_FAILED) {
		free(mapping);
		return NULL;
	}
	base_list_init(&mapping->node);
	mapping->start = start;
	mapping->size = size;
	pthread_mutex_lock(&mappings_lock);
	base_list_append(&mappings, &mapping->node);
	pthread_mutex_unlock(&mappings_lock);
	return start;
}

LPVOID
VirtualAlloc(LPVOID address, SIZE_T size, DWORD kinds, DWORD protection)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int access = protection_of(protection);
	bool known;

	if (access < 0 || size == 0 || size > SIZE_MAX / 2 ||
		!(kinds & (MEM_COMMIT | MEM_RESERVE))) {
		win_fail(ERROR_INVALID_PARAMETER);
		return NULL;
	}
	size = (size + page - 1) & ~(page - 1);
	if (!(kinds & MEM_COMMIT))
		access = PROT_NONE;
	if (!address) {
		address = map_pages(size, access);
		if (!address)
			win_fail(ERROR_NOT_ENOUGH_MEMORY);
		return address;
	}
	pthread_mutex_lock(&mappings_lock);
	known = mapping_of(address, size) && mprotect(address, size, access) == 0;
	pthread_mutex_unlock(&mappings_lock);
	if (!known)
		win_fail(ERROR_INVALID_ADDRESS);
	return known ? address : NULL;
}

BOOL
VirtualFree(LPVOID address, SIZE_T size, DWORD kind)
{
	struct mapping *mapping;
	bool ok = false;

	if ((kind == MEM_RELEASE) != (size == 0) || (kind != MEM_RELEASE && kind != MEM_DECOMMIT))
		return win_fail(ERROR_INVALID_PARAMETER);
	pthread_mutex_lock(&mappings_lock);
	mapping = mapping_of(address, size);
	if (mapping && kind == MEM_DECOMMIT) {
		ok = madvise(address, size, MADV_DONTNEED) == 0 &&
			mprotect(address, size, PROT_NONE) == 0;
	} else if (mapping && mapping->start == address) {
		ok = munmap(mapping->start, mapping->size) == 0;
		base_list_remove(&mapping->node);
		free(mapping);
	}
	pthread_mutex_unlock(&mappings_lock);
	return ok ? TRUE : win_fail(ERROR_INVALID_ADDRESS);
}
