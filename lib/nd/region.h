/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_REGION_INTERNAL_H
#define NDPDK_ND_REGION_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd_types.h>

/* Rights of registered memory, as flags of the API and as rights of the memory index. */

/** @return whether these are ND_MR_FLAG_ flags, and each of them whole. */
bool region_flags_valid(uint32_t flags);

/** @return the rights of the index that valid flags grant. */
uint32_t region_rights(uint32_t flags);

/** @return the flags that grant these rights of the index. */
uint32_t region_flags(uint32_t rights);

/** nd_mr_get_remote_token() of a fast region. */
nd_status fast_region_token(struct nd_adapter *adapter, const struct nd_mr *mr, uint32_t *token);

#endif
