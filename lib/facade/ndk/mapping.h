/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_MAPPING_H
#define NDPDK_NDK_MAPPING_H

#include "ndk/adapter.h"

/** NdkBuildLAM(). */
NTSTATUS mapping_build(struct ndk_adapter *adapter, const MDL *mdl, SIZE_T length,
	NDK_LOGICAL_ADDRESS_MAPPING *out, ULONG *size, ULONG *offset);

/** NdkReleaseLAM(). */
void mapping_release(struct ndk_adapter *adapter, NDK_LOGICAL_ADDRESS_MAPPING *mapping);

void mappings_free(struct ndk_adapter *adapter);

/**
 * @return registered memory of the mapping that contains these bytes; NULL: no mapping contains
 *         them
 */
struct nd_mr *mapping_find(struct ndk_adapter *adapter, uintptr_t address, size_t length);

#endif
