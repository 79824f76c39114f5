/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_REFUSE_H
#define NDPDK_ND_REFUSE_H

#include <ndpdk/nd_status.h>

#include <rte_common.h>

/**
 * Refuse an argument: log one line with the public function, the parameter and the reason.
 * @param function name of the public function
 * @param parameter number of the parameter in the status, 1 .. 10; 0: the status has no number
 * @param format name of the parameter, its value and the expected values; no newline
 * @return ND_INVALID_PARAMETER_1 .. _10; ND_INVALID_PARAMETER if parameter is 0
 */
nd_status refuse_log(const char *function, int parameter, const char *format,
	...) __rte_cold __rte_noinline __rte_format_printf(3, 4);

/** Refuse an argument of the public function that contains this line. */
#define REFUSE(parameter, ...) refuse_log(__func__, parameter, __VA_ARGS__)

#endif
