/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_SGL_H
#define NDPDK_NDK_SGL_H

#include <ndpdk/nd_region.h>

#include "ndk/mapping.h"

#define SGL_ENTRIES 16u
#define SGL_INLINE  256u

/** A list, converted for one native call. */
struct ndk_sgl {
	struct nd_sge entries[SGL_ENTRIES];
	size_t count;
	uint8_t copy[SGL_INLINE];
};

/**
 * @return region of a list entry, and its address in the region; NULL: no region has the entry's
 *         token
 */
static inline struct nd_mr *
region_of(struct ndk_adapter *adapter, const NDK_SGE *entry, void **address)
{
	if (entry->MemoryRegionToken != PRIVILEGED_TOKEN) {
		*address = entry->VirtualAddress;
		return nd_adapter_find_region(adapter->native, entry->MemoryRegionToken);
	}
	*address = (void *)(uintptr_t)entry->LogicalAddress.QuadPart;
	return mapping_find(adapter, (uintptr_t)*address, entry->Length);
}

/**
 * Convert a list of registered memory with any number of entries. @return status of the posting
 * call
 */
static inline NTSTATUS
sgl_load_any(struct ndk_adapter *adapter, const NDK_SGE *from, ULONG count, struct ndk_sgl *sgl)
{
	if (from == NULL && count != 0)
		return STATUS_INVALID_PARAMETER;
	if (count > SGL_ENTRIES)
		return STATUS_DATA_OVERRUN;
	sgl->count = count;
	for (ULONG i = 0; i < count; i++) {
		struct nd_sge *entry = &sgl->entries[i];

		entry->length = from[i].Length;
		entry->mr = region_of(adapter, &from[i], &entry->address);
		if (entry->mr == NULL)
			return STATUS_ACCESS_VIOLATION;
	}
	return STATUS_SUCCESS;
}

/**
 * Convert a list as sgl_load_any() does. Lists with one entry and the token of a region are
 * converted fast, because most lists have this form.
 */
static inline __attribute__((always_inline)) NTSTATUS
sgl_load(struct ndk_adapter *adapter, const NDK_SGE *from, ULONG count, struct ndk_sgl *sgl)
{
	struct nd_mr *mr;

	if (__builtin_expect(
		    count != 1 || from == NULL || from->MemoryRegionToken == PRIVILEGED_TOKEN, 0))
		return sgl_load_any(adapter, from, count, sgl);
	mr = nd_adapter_find_region(adapter->native, from->MemoryRegionToken);
	if (__builtin_expect(mr == NULL, 0))
		return STATUS_ACCESS_VIOLATION;
	sgl->entries[0] = (struct nd_sge){from->VirtualAddress, from->Length, mr};
	sgl->count = 1;
	return STATUS_SUCCESS;
}

/**
 * Called when a list could not be converted: log a line if the arguments are wrong.
 *
 * @param function name of the NDK function
 * @param status of the conversion
 * @return status
 */
NTSTATUS sgl_refused(const char *function, const NDK_SGE *list, ULONG count, NTSTATUS status)
	__attribute__((cold, noinline));

/** Copy at most limit bytes of inline data. */
NTSTATUS sgl_copy(const NDK_SGE *from, ULONG count, size_t limit, struct ndk_sgl *sgl);

#endif
