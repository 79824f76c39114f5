/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "ndk/sgl.h"

#include <string.h>

#include "ndk/refuse.h"

NTSTATUS
sgl_refused(const char *function, const NDK_SGE *list, ULONG count, NTSTATUS status)
{
	if (status != STATUS_INVALID_PARAMETER)
		return status;
	if (list == NULL)
		return NDK_REFUSE(function, "pSgl is NULL, but nSge is %u", count);
	return NDK_REFUSE(
		function, "pSgl: an entry of inline data has a Length, but VirtualAddress is NULL");
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
	/* Always use one entry, because the native list may be limited to one entry. */
	sgl->entries[0] = (struct nd_sge){.address = sgl->copy, .length = bytes};
	sgl->count = bytes == 0 ? 0 : 1;
	return STATUS_SUCCESS;
}
