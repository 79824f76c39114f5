/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SUPPORT_REFUSAL_H
#define NDPDK_SUPPORT_REFUSAL_H

#include <stdint.h>

#include <criterion/criterion.h>

/* The lines of the log that say why a call has refused a parameter: type lib.ndpdk.api. */

/** @return lines so far. The first call starts EAL and diverts these lines from stderr. */
unsigned int refusal_count(void);

/** @return the last line, without its end */
const char *refusal_last(void);

/**
 * Assert that a call has logged one line if its status says that a parameter is refused, with the
 * number of the parameter if the status has one, and no line if the call has succeeded.
 * @param before refusal_count() before the call
 */
void refusal_check(const char *call, int32_t status, unsigned int before);

/** Assert that a call is refused with this status and this line. */
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
