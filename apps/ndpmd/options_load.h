/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_OPTIONS_LOAD_H
#define NDPDK_NDPMD_OPTIONS_LOAD_H

#include "options.h"

/*
 * Values for the member take of the rows in options.c: they parse --op, --size and --rate. The
 * parameter options is a struct options.
 */

bool options_take_op(void *options, const char *value);
bool options_take_size(void *options, const char *value);
bool options_take_rate(void *options, const char *value);

/**
 * Combine the operations that have weights into one mix.
 *
 * @param why filled with a sentence when false is returned; >= 256 bytes
 * @return whether the operations can be in one mix
 */
bool options_make_mix(struct options *options, char *why, size_t size);

#endif
