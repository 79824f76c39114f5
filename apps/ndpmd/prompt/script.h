/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_SCRIPT_H
#define NDPDK_PROMPT_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Commands from a file with one command in each line. A command is executed after the previous
 * command was answered.
 */

struct prompt;

/** @param why filled with one sentence if the file cannot be read; >= 320 bytes */
bool script_open(struct prompt *prompt, const char *path, char *why, size_t size);

/** Execute the next line, if the previous line was answered. @return false: the file has ended */
bool script_poll(struct prompt *prompt);

void script_close(struct prompt *prompt);

#endif
