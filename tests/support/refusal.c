/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "support/refusal.h"

#include <stdio.h>
#include <string.h>

#include <rte_common.h>
#include <rte_log.h>

#include <ndpdk/nd_status.h>

#include "support/eal.h"

static int api_log = -1;
static unsigned int lines;
static char last[256];

/**
 * Write callback of fopencookie(). text is exactly one line, because rte_log() flushes after each
 * line.
 */
static ssize_t
line_take(void *cookie, const char *text, size_t length)
{
	const size_t kept = RTE_MIN(length - 1, sizeof(last) - 1);

	(void)cookie;
	if (rte_log_cur_msg_logtype() != api_log)
		return (ssize_t)fwrite(text, 1, length, stderr);
	memcpy(last, text, kept);
	last[kept] = '\0';
	__atomic_add_fetch(&lines, 1, __ATOMIC_RELAXED);
	return (ssize_t)length;
}

unsigned int
refusal_count(void)
{
	if (api_log < 0) {
		test_eal_init_large();
		api_log = rte_log_register("lib.ndpdk.api");
		cr_assert_geq(api_log, 0);
		rte_openlog_stream(
			fopencookie(NULL, "w", (cookie_io_functions_t){.write = line_take}));
	}
	return __atomic_load_n(&lines, __ATOMIC_RELAXED);
}

const char *
refusal_last(void)
{
	return last;
}

void
refusal_check(const char *call, int32_t status, unsigned int before)
{
	const bool refused = status == ND_INVALID_PARAMETER ||
		(status >= ND_INVALID_PARAMETER_1 && status <= ND_INVALID_PARAMETER_10);
	const unsigned int more = refusal_count() - before;
	char number[32] = "";

	/*
	 * Other errors are not checked, because they may be a converted refusal of a lower layer.
	 */
	if (!refused && nd_failed(status))
		return;
	cr_assert_eq(more, refused ? 1 : 0, "%s gives %#x and logs %u lines, the last: %s", call,
		(unsigned int)status, more, last);
	if (refused && status != ND_INVALID_PARAMETER)
		snprintf(number, sizeof(number), ": parameter %d, ",
			status - ND_INVALID_PARAMETER_1 + 1);
	cr_assert(strstr(last, number) != NULL, "%s gives %#x, but the log has: %s", call,
		(unsigned int)status, last);
}
