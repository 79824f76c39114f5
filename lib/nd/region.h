/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_REGION_INTERNAL_H
#define NDPDK_ND_REGION_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd_types.h>

/*
 * Rights of registered memory: conversion between flags of the API and rights of the memory index.
 */

/** @return whether only ND_MR_FLAG_ bits are set, and all bits of each multi-bit flag */
bool region_flags_valid(uint32_t flags);

/** @return rights of the memory index for valid flags */
uint32_t region_rights(uint32_t flags);

/** @return flags for these rights of the memory index */
uint32_t region_flags(uint32_t rights);

/** nd_mr_get_remote_token() of a fast region. */
nd_status fast_region_token(struct nd_adapter *adapter, const struct nd_mr *mr, uint32_t *token);

#endif
