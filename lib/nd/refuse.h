/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_REFUSE_H
#define NDPDK_ND_REFUSE_H

#include <ndpdk/nd_status.h>

#include <rte_common.h>

void refuse_log(const char *function, int parameter, const char *format,
	...) __rte_cold __rte_noinline __rte_format_printf(3, 4);

/** @return ND_INVALID_PARAMETER_1 .. _10 for parameter 1 .. 10, ND_INVALID_PARAMETER for 0 */
static inline nd_status
refuse_status(int parameter)
{
	return parameter == 0 ? ND_INVALID_PARAMETER : ND_INVALID_PARAMETER_1 + parameter - 1;
}

/**
 * Refuse an argument: log one line with the public function, the parameter and the reason. The
 * value of the macro is refuse_status(parameter). Because that function is inline, the compiler
 * knows that the value is a failure.
 * @param function name of the public function
 * @param parameter number of the parameter that the status names, 1 .. 10. With 0, the status names
 *         no parameter. The macro evaluates this argument twice.
 * @param ... format and arguments: name of the parameter, its value, the expected values; no
 *         newline
 */
#define REFUSE_IN(function, parameter, ...)                                                        \
	(refuse_log((function), (parameter), __VA_ARGS__), refuse_status(parameter))

/** Refuse an argument of the public function that contains this line. */
#define REFUSE(parameter, ...) REFUSE_IN(__func__, parameter, __VA_ARGS__)

#endif
