/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_TERMINAL_H
#define NDPDK_PROMPT_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The prompt: rte_cmdline edits the line, completes words, explains them and has the history. What
 * a line means is command.h's.
 */

struct prompt;

/** @param why filled with one sentence on failure; >= 128 bytes */
bool terminal_open(struct prompt *prompt, char *why, size_t size);

/** Take what has been typed; the end of the input ends the process in order. */
void terminal_poll(struct prompt *prompt);

/** Something will be printed: it does not stand behind the prompt. */
void terminal_hide(struct prompt *prompt);

/** Something was printed meanwhile: show the prompt and the line so far anew. */
void terminal_redisplay(struct prompt *prompt);

/** Give the terminal back as it was. */
void terminal_close(struct prompt *prompt);

#endif
