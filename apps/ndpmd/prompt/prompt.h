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
#include "rows.h"

/*
 * Commands during runs: from the terminal, from a file, and from programs over a Unix socket. The
 * main thread executes commands between two turns of the first worker (iterations of its polling
 * loop). Each turn reads the clock. The file descriptors are polled every 2 ms.
 */

struct prompt_terminal;
struct prompt_script;
struct prompt_clients;
struct prompt_connection;
struct prompt_capture;

/** The objects that the commands use. They must outlive the prompt. */
struct prompt_host {
	struct options *options; /**< options of the runs */
	const struct stopwatch *stopwatch;
	const struct meter *meter;
	struct workers *workers;
	struct nd_adapter *client_adapter, *server_adapter; /**< NULL = the role is not used */
	const struct sockaddr_storage *peer; /**< client, loopback: the server's address */
	struct inject *inject;               /**< NULL = ndpmd was started without --inject */
};

struct prompt {
	struct prompt_host host;
	struct options next; /**< options for the next `start`; `set` changes them */
	bool start_wanted, is_running, is_over;
	uint32_t qps_max;  /**< highest number of queue pairs that the adapters support */
	int exit_status;   /**< status of the first failed command in the file; 0 = none */
	uint64_t look_tsc; /**< time of the next poll of the descriptors */
	struct baseline baseline;
	struct rows rows;              /**< table rows of the runs of the last `start` */
	struct histogram merged, part; /**< used by show stats */
	/* Sources of commands. NULL = the source is not used. */
	struct prompt_terminal *terminal;
	struct prompt_script *script;
	struct prompt_clients *clients;
	struct prompt_connection *connection;
	struct prompt_capture *capture;
};

/**
 * @param host its options define which sources of commands are opened
 * @param why filled with one sentence on failure; >= 320 bytes
 */
bool prompt_open(struct prompt *prompt, const struct prompt_host *host, char *why, size_t size);

/**
 * Execute the commands that have arrived. Call this function after each turn of the first worker.
 */
void prompt_turn(struct prompt *prompt);

/** @return true if more commands may follow; false if the process has to end */
static inline bool
prompt_goes_on(const struct prompt *prompt)
{
	return !prompt->is_over;
}

/**
 * @return true if `start` was given. In this case the caller executes the runs and calls
 *         prompt_ended().
 */
bool prompt_takes_start(struct prompt *prompt);

/** End the current run, if there is one, and then the process. */
static inline void
prompt_quit(struct prompt *prompt)
{
	prompt->is_over = true;
	prompt->start_wanted = false;
	__atomic_store_n(&prompt->host.workers->stop, true, __ATOMIC_RELAXED);
}

/** Tell the prompt that all runs of a `start` have ended. */
void prompt_ended(struct prompt *prompt);

/** Free everything, remove the socket, and restore the terminal. */
void prompt_close(struct prompt *prompt);

#endif
