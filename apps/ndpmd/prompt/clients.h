/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_CLIENTS_H
#define NDPDK_PROMPT_CLIENTS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The control socket: programs send requests, each a line of JSON, and get an answer to each, in
 * the order of their requests. docs/prompt.md describes the keys. Memory and time for a client are
 * limited, whatever it sends or does not read.
 */

struct prompt;

/** @param why filled with one sentence on failure; >= 320 bytes */
bool clients_open(struct prompt *prompt, const char *path, char *why, size_t size);

/** Accept, read, execute and answer. */
void clients_poll(struct prompt *prompt);

/** Write what can be written at once, close all connections, remove the socket. */
void clients_close(struct prompt *prompt);

#endif
