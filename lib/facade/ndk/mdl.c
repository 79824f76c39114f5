/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "ndk/mdl.h"

#include <stdlib.h>

#include "ndk/refuse.h"

void
ndk_mdl_initialize(MDL *mdl, PVOID virtual_address, PVOID memory, ULONG length)
{
	const uintptr_t offset = (uintptr_t)virtual_address % NDK_PAGE_SIZE;

	*mdl = (MDL){
		.MappedSystemVa = memory,
		.StartVa = (PVOID)((uintptr_t)virtual_address - offset),
		.ByteCount = length,
		.ByteOffset = (ULONG)offset,
	};
}

static uintptr_t
start_of(const MDL *mdl)
{
	return (uintptr_t)mdl->StartVa + mdl->ByteOffset;
}

/**
 * Check that the chain has this many bytes, with contiguous virtual addresses.
 *
 * @param[out] count number of pieces that contain the range
 * @return NULL: the chain is valid; otherwise the defect, as text for the log
 */
static const char *
chain_defect(const MDL *mdl, SIZE_T length, size_t *count)
{
	SIZE_T left = length;
	uintptr_t next = mdl == NULL ? 0 : start_of(mdl);

	if (next == 0)
		return "Mdl is NULL or has a NULL address";
	if (length == 0 || next + length < next)
		return "the range is empty or exceeds the address space";
	for (*count = 0; left != 0; mdl = mdl->Next, ++*count) {
		if (mdl == NULL)
			return "the chain of MDLs has fewer bytes";
		if (*count == ND_REGION_BUFFERS_MAX)
			return "the range has too many MDLs";
		if (mdl->ByteCount == 0 || mdl->MappedSystemVa == NULL)
			return "an MDL is empty or not mapped";
		if (start_of(mdl) != next)
			return "the virtual addresses of the MDLs are not contiguous";
		next += mdl->ByteCount;
		left -= left < mdl->ByteCount ? left : mdl->ByteCount;
	}
	return NULL;
}

NTSTATUS
mdl_buffers(const char *function, const MDL *mdl, SIZE_T length, struct ndk_buffers *buffers)
{
	struct nd_buffer *entries;
	size_t count;
	const char *defect = chain_defect(mdl, length, &count);

	if (defect != NULL)
		return NDK_REFUSE(function, "Mdl, Length %zu: %s", length, defect);
	entries = calloc(count, sizeof(*entries));
	if (entries == NULL)
		return STATUS_INSUFFICIENT_RESOURCES;
	*buffers = (struct ndk_buffers){entries, count, MmGetMdlVirtualAddress(mdl)};
	for (size_t i = 0; i < count; i++, mdl = mdl->Next) {
		entries[i].address = mdl->MappedSystemVa;
		entries[i].length = length < mdl->ByteCount ? length : mdl->ByteCount;
		length -= entries[i].length;
	}
	return STATUS_SUCCESS;
}

void
buffers_free(struct ndk_buffers *buffers)
{
	free(buffers->entries);
}
