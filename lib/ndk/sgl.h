/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_SGL_H
#define NDPDK_NDK_SGL_H

#include "ndk/mapping.h"

#define SGL_ENTRIES 16u
#define SGL_INLINE  256u

/** A list in the native form, for the time of a call. */
struct ndk_sgl {
	struct nd_sge entries[SGL_ENTRIES];
	size_t count;
	uint8_t copy[SGL_INLINE];
};

/** @return the region of an entry, and its address there; NULL: it has none */
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

/** Translate a list of registered memory. @return as the posting calls say */
static inline NTSTATUS
sgl_load(struct ndk_adapter *adapter, const NDK_SGE *from, ULONG count, struct ndk_sgl *sgl)
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

/** Copy the bytes of a list of inline data, at most limit bytes. */
NTSTATUS sgl_copy(const NDK_SGE *from, ULONG count, size_t limit, struct ndk_sgl *sgl);

#endif
