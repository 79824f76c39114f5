/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_CONNECTION_H
#define NDPDK_PROMPT_CONNECTION_H

/*
 * The connection that the command `connect` makes: one queue pair to a listening ndpmd, and a
 * memory window. It is independent of the connections of runs. The two sides exchange only ready
 * messages.
 */

struct json_object;
struct prompt;

/** Advance the connection. Call this function after each turn of the first worker. */
void connection_turn(struct prompt *prompt);

/** @return new object with the connection's state and window; NULL = there is no connection */
struct json_object *connection_window_json(struct prompt *prompt);

/** Disconnect, and free everything. Call this function before the workers end. */
void connection_end(struct prompt *prompt);

#endif
