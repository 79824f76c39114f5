/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "ndk/sgl.h"

#include <string.h>

#include "ndk/mapping.h"

/** @return the region of an entry, and its address there; NULL: it has none */
static struct nd_mr *
region_of(struct ndk_adapter *adapter, const NDK_SGE *entry, void **address)
{
	if (entry->MemoryRegionToken != PRIVILEGED_TOKEN) {
		*address = entry->VirtualAddress;
		return nd_adapter_find_region(adapter->native, entry->MemoryRegionToken);
	}
	*address = (void *)(uintptr_t)entry->LogicalAddress.QuadPart;
	return mapping_find(adapter, (uintptr_t)*address, entry->Length);
}

NTSTATUS
sgl_load(struct ndk_adapter *adapter, const NDK_SGE *from, ULONG count, struct ndk_sgl *sgl)
{
	if (from == NULL && count != 0)
		return STATUS_INVALID_PARAMETER;
	if (count > SGL_ENTRIES)
		return STATUS_DATA_OVERRUN;
	sgl->count = count;
	sgl->bytes = 0;
	for (ULONG i = 0; i < count; i++) {
		struct nd_sge *entry = &sgl->entries[i];

		entry->length = from[i].Length;
		entry->mr = region_of(adapter, &from[i], &entry->address);
		if (entry->mr == NULL)
			return STATUS_ACCESS_VIOLATION;
		sgl->bytes += entry->length;
	}
	return STATUS_SUCCESS;
}

NTSTATUS
sgl_copy(const NDK_SGE *from, ULONG count, size_t limit, struct ndk_sgl *sgl)
{
	size_t bytes = 0;

	if (from == NULL && count != 0)
		return STATUS_INVALID_PARAMETER;
	if (limit > sizeof(sgl->copy))
		limit = sizeof(sgl->copy);
	for (ULONG i = 0; i < count; i++) {
		if (from[i].Length > limit - bytes)
			return STATUS_BUFFER_OVERFLOW;
		if (from[i].Length != 0 && from[i].VirtualAddress == NULL)
			return STATUS_INVALID_PARAMETER;
		if (from[i].Length != 0)
			memcpy(sgl->copy + bytes, from[i].VirtualAddress, from[i].Length);
		bytes += from[i].Length;
	}
	/* One entry, however many there were: the native list is as long as requested. */
	sgl->entries[0] = (struct nd_sge){.address = sgl->copy, .length = bytes};
	sgl->count = bytes == 0 ? 0 : 1;
	sgl->bytes = bytes;
	return STATUS_SUCCESS;
}
