/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Logical addresses, which in user space are the addresses of the process. Each piece of a mapping
 * is registered as memory, so that list entries with the privileged token can use its bytes.
 */

#include "ndk/mapping.h"

#include <stdlib.h>
#include <string.h>

#include <ndpdk/nd_region.h>

#include "ndk/mdl.h"
#include "ndk/refuse.h"
#include "ndk/status.h"

struct mapped_piece {
	uintptr_t start;
	size_t length;
	struct nd_mr *region;
};

/** A mapping. NDK_LOGICAL_ADDRESS_MAPPING.AdapterContext points to it. */
struct ndk_mapping {
	struct ndk_mapping *next;
	size_t count;
	struct mapped_piece pieces[];
};

/** @return number of pages of the range; 0: two pieces do not meet at a page border */
static size_t
pages_of(const struct ndk_buffers *buffers)
{
	size_t pages = 0;

	for (size_t i = 0; i < buffers->count; i++) {
		uintptr_t start = (uintptr_t)buffers->entries[i].address;
		uintptr_t end = start + buffers->entries[i].length;

		if (i != 0 && start % NDK_PAGE_SIZE != 0)
			return 0;
		if (i + 1 != buffers->count && end % NDK_PAGE_SIZE != 0)
			return 0;
		pages += (end + NDK_PAGE_SIZE - 1) / NDK_PAGE_SIZE - start / NDK_PAGE_SIZE;
	}
	return pages;
}

static void
pages_tell(const struct ndk_buffers *buffers, NDK_LOGICAL_ADDRESS *pages)
{
	for (size_t i = 0; i < buffers->count; i++) {
		uintptr_t start = (uintptr_t)buffers->entries[i].address;
		uintptr_t end = start + buffers->entries[i].length;

		for (start -= start % NDK_PAGE_SIZE; start < end; start += NDK_PAGE_SIZE)
			(pages++)->QuadPart = (LONGLONG)start;
	}
}

static void
mapping_free(struct ndk_adapter *adapter, struct ndk_mapping *mapping)
{
	for (size_t i = 0; i < mapping->count; i++)
		nd_adapter_deregister_memory(adapter->native, mapping->pieces[i].region, NULL);
	free(mapping);
}

static NTSTATUS
mapping_make(
	struct ndk_adapter *adapter, const struct ndk_buffers *buffers, struct ndk_mapping **out)
{
	struct ndk_mapping *mapping =
		calloc(1, sizeof(*mapping) + buffers->count * sizeof(mapping->pieces[0]));

	if (mapping == NULL)
		return STATUS_INSUFFICIENT_RESOURCES;
	for (size_t i = 0; i < buffers->count; i++) {
		const struct nd_buffer *buffer = &buffers->entries[i];
		struct mapped_piece *piece = &mapping->pieces[i];
		NTSTATUS status = status_of(nd_adapter_register_region(adapter->native, buffer, 1,
			buffer->address, ND_MR_FLAG_ALLOW_LOCAL_WRITE, NULL, &piece->region));

		if (status != STATUS_SUCCESS) {
			mapping_free(adapter, mapping);
			return status;
		}
		piece->start = (uintptr_t)buffer->address;
		piece->length = buffer->length;
		mapping->count++;
	}
	*out = mapping;
	return STATUS_SUCCESS;
}

static NTSTATUS
build(struct ndk_adapter *adapter, const struct ndk_buffers *buffers,
	NDK_LOGICAL_ADDRESS_MAPPING *out, ULONG *size, ULONG *offset)
{
	size_t pages = pages_of(buffers), needed;
	ULONG room = *size;
	struct ndk_mapping *mapping;
	NTSTATUS status;

	needed = offsetof(NDK_LOGICAL_ADDRESS_MAPPING, AdapterPageArray) +
		pages * sizeof(out->AdapterPageArray[0]);
	if (pages == 0)
		return NDK_REFUSE("NdkBuildLAM", "Mdl: two MDLs do not meet at a page boundary");
	if (needed > UINT32_MAX)
		return NDK_REFUSE("NdkBuildLAM",
			"Length: the mapping needs %zu bytes, but the maximum of *pLAMSize is "
			"4294967295",
			needed);
	*size = (ULONG)needed;
	if (out == NULL || room < needed)
		return STATUS_BUFFER_TOO_SMALL;
	status = mapping_make(adapter, buffers, &mapping);
	if (status != STATUS_SUCCESS)
		return status;
	out->AdapterContext = mapping;
	out->AdapterPageCount = (ULONG)pages;
	pages_tell(buffers, out->AdapterPageArray);
	*offset = (ULONG)((uintptr_t)buffers->entries[0].address % NDK_PAGE_SIZE);
	pthread_rwlock_wrlock(&adapter->mappings_lock);
	mapping->next = adapter->mappings;
	adapter->mappings = mapping;
	pthread_rwlock_unlock(&adapter->mappings_lock);
	return STATUS_SUCCESS;
}

NTSTATUS
mapping_build(struct ndk_adapter *adapter, const MDL *mdl, SIZE_T length,
	NDK_LOGICAL_ADDRESS_MAPPING *out, ULONG *size, ULONG *offset)
{
	struct ndk_buffers buffers;
	NTSTATUS status = LIMITS_CHECK(
		"NdkBuildLAM", {"Length", length, 1, adapter->limits.max_registration_size});

	if (status == STATUS_SUCCESS)
		status = mdl_buffers("NdkBuildLAM", mdl, length, &buffers);
	if (status != STATUS_SUCCESS)
		return status;
	status = build(adapter, &buffers, out, size, offset);
	buffers_free(&buffers);
	return status;
}

void
mapping_release(struct ndk_adapter *adapter, NDK_LOGICAL_ADDRESS_MAPPING *mapping)
{
	struct ndk_mapping **link = &adapter->mappings, *found;

	pthread_rwlock_wrlock(&adapter->mappings_lock);
	while (*link != NULL && *link != mapping->AdapterContext)
		link = &(*link)->next;
	found = *link;
	if (found != NULL)
		*link = found->next;
	pthread_rwlock_unlock(&adapter->mappings_lock);
	/* If the mapping is not in the list, it was released before. */
	if (found != NULL)
		mapping_free(adapter, found);
}

void
mappings_free(struct ndk_adapter *adapter)
{
	while (adapter->mappings != NULL) {
		struct ndk_mapping *mapping = adapter->mappings;

		adapter->mappings = mapping->next;
		mapping_free(adapter, mapping);
	}
}

struct nd_mr *
mapping_find(struct ndk_adapter *adapter, uintptr_t address, size_t length)
{
	struct nd_mr *region = NULL;

	pthread_rwlock_rdlock(&adapter->mappings_lock);
	for (struct ndk_mapping *mapping = adapter->mappings; mapping != NULL && region == NULL;
		mapping = mapping->next) {
		for (size_t i = 0; i < mapping->count && region == NULL; i++) {
			const struct mapped_piece *piece = &mapping->pieces[i];
			uintptr_t within = address - piece->start;

			if (within <= piece->length && length <= piece->length - within)
				region = piece->region;
		}
	}
	pthread_rwlock_unlock(&adapter->mappings_lock);
	return region;
}
