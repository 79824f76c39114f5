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

/** @return whether only ND_MR_FLAG_ bits are set, and of each multi-bit flag all bits or none */
bool region_flags_valid(uint32_t flags);

/** @return the rights of the memory index that these valid flags mean */
uint32_t region_rights(uint32_t flags);

/** @return the flags of the API that mean these rights of the memory index */
uint32_t region_flags(uint32_t rights);

/** Implements nd_mr_get_remote_token() for a fast region. */
nd_status fast_region_token(struct nd_adapter *adapter, const struct nd_mr *mr, uint32_t *token);

#endif
