/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_PROMPT_H
#define NDPDK_PROMPT_PROMPT_H

#include <stdbool.h>
#include <stdint.h>

#include "kit/inject_port.h"
#include "ndpmd/meter.h"
#include "ndpmd/options.h"
#include "ndpmd/report.h"
#include "ndpmd/stopwatch.h"
#include "ndpmd/worker.h"

#include "baseline.h"

/*
 * Commands while traffic goes on: from the terminal, from a file, and from programs over a Unix
 * socket. All of it works on the main thread, between two turns of the first worker: a turn costs
 * a look at the clock, and every few milliseconds the descriptors are looked at.
 */

struct json_object;
struct prompt_terminal;
struct prompt_script;
struct prompt_clients;
struct prompt_connection;
struct prompt_capture;

/** What the commands act on; all of it outlives the prompt. */
struct prompt_host {
	struct options *options; /**< of the runs */
	const struct stopwatch *stopwatch;
	const struct meter *meter; /**< of the run that is under way */
	struct workers *workers;
	struct nd_adapter *client_adapter, *server_adapter; /**< NULL = not this role */
	const struct sockaddr_storage *peer;                /**< of a client, and in loopback */
	struct inject *inject;                              /**< NULL = not started with --inject */
};

struct prompt {
	struct prompt_host host;
	struct options next; /**< what `set` has changed, for the next start */
	bool start_wanted, is_running, is_over;
	uint32_t qps_max;  /**< that the adapters have room for */
	int exit_status;   /**< of the first command of the file that failed */
	uint64_t look_tsc; /**< when the descriptors are looked at next */
	struct baseline baseline;
	struct json_object *rows;      /**< of the last start */
	char failure[320];             /**< why its last run failed; empty = it did not */
	struct histogram merged, part; /**< for show stats */
	/* NULL: there is none. */
	struct prompt_terminal *terminal;
	struct prompt_script *script;
	struct prompt_clients *clients;
	struct prompt_connection *connection;
	struct prompt_capture *capture;
};

/**
 * @param options of the process, which say where commands come from
 * @param why filled with one sentence on failure; >= 320 bytes
 */
bool prompt_open(struct prompt *prompt, const struct prompt_host *host, char *why, size_t size);

/** Execute what has come. After each turn of the first worker. */
void prompt_turn(struct prompt *prompt);

/** @return whether there may be more commands; if not, no run is under way either. */
static inline bool
prompt_goes_on(const struct prompt *prompt)
{
	return !prompt->is_over;
}

/** @return whether a start was commanded: the caller makes the runs, then calls prompt_ended(). */
bool prompt_takes_start(struct prompt *prompt);

/** End in order, the run that is under way first. */
void prompt_quit(struct prompt *prompt);

/** Discard the rows and the failure of the last start. Called when a new start is commanded. */
void prompt_clear_rows(struct prompt *prompt);

/** A run of a start has this row. */
void prompt_row(struct prompt *prompt, const struct report_row *row);

/** Add what has come of the last start to an object: members rows and failure. */
void prompt_add_rows(struct prompt *prompt, struct json_object *object);

/** A run of a start has failed, with this sentence. */
void prompt_failure(struct prompt *prompt, const char *why);

/** The runs of a start are over. */
void prompt_ended(struct prompt *prompt);

/** Free everything, remove the socket, give the terminal back. */
void prompt_close(struct prompt *prompt);

#endif
