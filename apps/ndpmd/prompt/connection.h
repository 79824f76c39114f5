/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_CONNECTION_H
#define NDPDK_PROMPT_CONNECTION_H

/*
 * The connection of `connect`, beside those of the runs: one queue pair to an ndpmd that listens,
 * and a memory window of its own. Its traffic is that of the greeting only.
 */

struct json_object;
struct prompt;

/** Let it go on. After each turn of the first worker. */
void connection_turn(struct prompt *prompt);

/** @return new object: its state and its window; NULL = there is no connection */
struct json_object *connection_window_json(struct prompt *prompt);

/** Disconnect, if there is a connection, and free everything. The workers are still there. */
void connection_end(struct prompt *prompt);

#endif
