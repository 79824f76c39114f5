/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PERFTEST_DEFAULTS_H
#define NDPDK_PERFTEST_DEFAULTS_H

#include "ndpmd/options.h"

/**
 * Check that --perftest supports the options, and set options that were not given to perftest's
 * defaults.
 * @param why filled with one sentence when false is returned; >= 256 bytes
 */
bool options_check_perftest(struct options *options, char *why, size_t size);

#endif
