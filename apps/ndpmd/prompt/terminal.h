/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_TERMINAL_H
#define NDPDK_PROMPT_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The prompt on the terminal. rte_cmdline provides line editing, completion, help for words, and
 * the history. command.h executes the lines.
 */

struct prompt;

/** @param why filled with one sentence on failure; >= 128 bytes */
bool terminal_open(struct prompt *prompt, char *why, size_t size);

/** Read the typed characters. @return false: the input has ended */
bool terminal_poll(struct prompt *prompt);

/** Remove the prompt from the line. Call this function before other output. */
void terminal_hide(struct prompt *prompt);

/** Print the prompt and the typed line again. Call this function after other output. */
void terminal_redisplay(struct prompt *prompt);

/** Restore the settings of the terminal. */
void terminal_close(struct prompt *prompt);

#endif
