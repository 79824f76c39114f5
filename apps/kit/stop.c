/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "kit/stop.h"

#include <signal.h>

#include "kit/output.h"

static volatile sig_atomic_t has_signal;

static void
handle_signal(int number)
{
	has_signal = number;
}

void
stop_catch_signals(void)
{
	/*
	 * SA_RESETHAND restores the default action, so the second signal ends the process.
	 * SA_RESTART resumes an interrupted write. Otherwise a signal would make a write fail, and
	 * the output would count as lost.
	 */
	struct sigaction action = {
		.sa_handler = handle_signal, .sa_flags = (int)SA_RESETHAND | SA_RESTART};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

bool
stop_is_wanted(void)
{
	return has_signal != 0 || output_is_lost();
}

int
stop_take(void)
{
	const int number = has_signal;

	if (number == 0)
		return 0;
	has_signal = 0;
	stop_catch_signals();
	return number;
}
