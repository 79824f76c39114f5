/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_CLIENTS_H
#define NDPDK_PROMPT_CLIENTS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The control socket. Programs send requests, each one line of JSON, and get the answers in the
 * order of the requests. docs/prompt.md describes the members. A client cannot use unlimited memory
 * or time, even if it sends too much or does not read.
 */

struct prompt;

/** @param why filled with one sentence on failure; >= 320 bytes */
bool clients_open(struct prompt *prompt, const char *path, char *why, size_t size);

/** Accept connections, read requests, execute them and write answers. Does not block. */
void clients_poll(struct prompt *prompt);

/**
 * Write as much of the answers as possible without blocking. Then close all connections and remove
 * the socket.
 */
void clients_close(struct prompt *prompt);

#endif
