/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_OPTIONS_LOAD_H
#define NDPDK_NDPMD_OPTIONS_LOAD_H

#include "options.h"

/*
 * The options that say what is posted: operations, sizes, rate. For the rows of options.c.
 *
 * The functions that take a value have the form of option_row.take: options is a struct options.
 */

bool options_take_op(void *options, const char *value);
bool options_take_size(void *options, const char *value);
bool options_take_rate(void *options, const char *value);

/**
 * Make one operation of those that have weights.
 *
 * @param why filled with a sentence when false is returned; >= 256 bytes
 * @return whether they can be in one mix
 */
bool options_make_mix(struct options *options, char *why, size_t size);

#endif
