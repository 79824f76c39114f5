/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "prompt.h"

#include <signal.h>
#include <string.h>

#include "kit/output.h"
#include "kit/stop.h"
#include "ndpmd/start.h"

#include "capture.h"
#include "clients.h"
#include "connection.h"
#include "script.h"
#include "terminal.h"

/* Time in ns between two polls of the descriptors. */
#define LOOK_NS UINT64_C(2000000)

bool
prompt_open(struct prompt *prompt, const struct prompt_host *host, char *why, size_t size)
{
	const struct options *options = host->options;

	memset(prompt, 0, sizeof(*prompt));
	prompt->host = *host;
	prompt->next = *options;
	host->workers->is_commanded = true;
	prompt->qps_max = start_qps_max(options);
	rows_clear(&prompt->rows);
	baseline_take(&prompt->baseline.client, host->client_adapter);
	baseline_take(&prompt->baseline.server, host->server_adapter);
	prompt->baseline.start_tsc = stopwatch_now();
	if (options->cmdline_file != NULL && !script_open(prompt, options->cmdline_file, why, size))
		return false;
	if (options->control_path != NULL &&
		!clients_open(prompt, options->control_path, why, size))
		return false;
	return !options->interactive || terminal_open(prompt, why, size);
}

/*
 * Ctrl-C ends a run. If there is no run, or the run is ending already, Ctrl-C ends the process.
 * SIGTERM always ends the process.
 */
static void
look_at_signals(struct prompt *prompt)
{
	struct workers *workers = prompt->host.workers;
	int number;

	if (output_is_lost()) {
		prompt_quit(prompt);
		return;
	}
	number = prompt->is_over ? 0 : stop_take();
	if (number == 0)
		return;
	if (number != SIGINT || !prompt->is_running ||
		__atomic_load_n(&workers->stop, __ATOMIC_RELAXED))
		prompt_quit(prompt);
	else
		__atomic_store_n(&workers->stop, true, __ATOMIC_RELAXED);
}

static void
look_at_sources(struct prompt *prompt)
{
	if (prompt->clients != NULL)
		clients_poll(prompt);
	if (prompt->script != NULL && !prompt->is_over) {
		if (!script_poll(prompt))
			script_close(prompt);
	} else if (prompt->terminal != NULL && !prompt->is_over) {
		if (!terminal_poll(prompt))
			prompt_quit(prompt);
	}
	if (prompt->script == NULL && prompt->terminal == NULL && prompt->clients == NULL &&
		!prompt->is_running && !prompt->start_wanted)
		prompt->is_over = true;
}

void
prompt_turn(struct prompt *prompt)
{
	uint64_t now;

	connection_turn(prompt);
	capture_turn(prompt);
	now = stopwatch_now();
	if (now < prompt->look_tsc)
		return;
	prompt->look_tsc = now + stopwatch_cycles(prompt->host.stopwatch, LOOK_NS);
	look_at_signals(prompt);
	look_at_sources(prompt);
}

bool
prompt_takes_start(struct prompt *prompt)
{
	if (!prompt->start_wanted)
		return false;
	prompt->start_wanted = false;
	prompt->is_running = true;
	workers_change(prompt->host.workers, prompt->host.options, &prompt->next);
	if (prompt->terminal != NULL)
		terminal_hide(prompt);
	return true;
}

void
prompt_ended(struct prompt *prompt)
{
	prompt->is_running = false;
	if (!prompt->is_over)
		__atomic_store_n(&prompt->host.workers->stop, false, __ATOMIC_RELAXED);
	if (prompt->terminal != NULL && prompt->script == NULL)
		terminal_redisplay(prompt);
}

void
prompt_close(struct prompt *prompt)
{
	capture_close(prompt);
	connection_end(prompt);
	script_close(prompt);
	clients_close(prompt);
	terminal_close(prompt);
	rows_close(&prompt->rows);
}
