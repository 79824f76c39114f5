/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SUPPORT_REFUSAL_H
#define NDPDK_SUPPORT_REFUSAL_H

#include <stdint.h>

#include <criterion/criterion.h>

/* Access to log lines of type lib.ndpdk.api, which explain why a call refused a parameter. */

/** @return number of lines so far. The first call starts EAL and redirects the log. */
unsigned int refusal_count(void);

/** @return the last line, without line feed */
const char *refusal_last(void);

/**
 * If the call refused a parameter, assert that it logged one line with the number of the parameter.
 * If the call succeeded, assert that it logged no line.
 *
 * @param before refusal_count() before the call
 */
void refusal_check(const char *call, int32_t status, unsigned int before);

/** Assert that a call refuses a parameter with this status and logs this line. */
#define ASSERT_REFUSED(call, expected, line)                                                       \
	do {                                                                                       \
		const unsigned int before_ = refusal_count();                                      \
		const int32_t got_ = (call);                                                       \
                                                                                                   \
		cr_assert_eq(got_, (expected), "%s gives %#x", #call, (unsigned int)got_);         \
		refusal_check(#call, got_, before_);                                               \
		cr_assert_str_eq(refusal_last(), (line));                                          \
	} while (0)

#endif
