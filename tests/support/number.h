/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SUPPORT_NUMBER_H
#define NDPDK_SUPPORT_NUMBER_H

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/*
 * Sizes of tests. By default, a test is smaller than its statement (ND-nnn) requires. Environment
 * variables select the full size:
 *
 * - NDPDK_TEST_WRITES: number of single writes of ND-220, a multiple of 1024. Full: 8388608.
 * - NDPDK_TEST_CHURN_S: minimum number of seconds for which each thread of ND-181 connects. Full:
 *   60.
 */

static inline uint32_t
test_number(const char *name, uint32_t usual)
{
	const char *text = getenv(name);

	return text == NULL ? usual : (uint32_t)strtoul(text, NULL, 10);
}

/**
 * @return true if NDPDK_TEST_CHURN_S seconds have passed since the first call. Set *since to 0
 * before the first call.
 */
static inline int
test_churn_over(time_t *since)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (*since == 0)
		*since = now.tv_sec;
	return now.tv_sec - *since >= (time_t)test_number("NDPDK_TEST_CHURN_S", 0);
}

#endif
