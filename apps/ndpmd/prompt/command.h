/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_COMMAND_H
#define NDPDK_PROMPT_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "answer.h"

/*
 * The commands, for all sources: the prompt, a file, and programs that use the control socket. A
 * command is a line of words. The answer is a JSON object or an error message.
 */

struct prompt;

#define COMMAND_WORDS_MAX  64u
#define COMMAND_LINE_BYTES 1024u

struct command_words {
	const char *word[COMMAND_WORDS_MAX];
	unsigned int count;
};

/** A function that executes a command. @param words words after the name of the command */
typedef void (*command_fn)(
	struct prompt *prompt, const struct command_words *words, struct answer *answer);

struct command {
	const char *name;  /**< first word of the name */
	const char *noun;  /**< second word of the name; NULL = the name is one word */
	const char *usage; /**< help text for the words after the name */
	unsigned int least, most;
	const char *help; /**< help text of one line */
	command_fn run;
};

/**
 * @return row number index of the table; NULL = no more rows. Rows with equal names are adjacent.
 */
const struct command *command_row(size_t index);

/** Execute a line, which must have at least one word. @param answer must be all zero */
void command_execute(struct prompt *prompt, const char *line, struct answer *answer);

/** Execute a command given as words. @param answer must be all zero */
void command_execute_words(
	struct prompt *prompt, const struct command_words *words, struct answer *answer);

/** @return true if a line has no words: it is empty or a comment that starts with #. */
bool command_is_empty(const char *line);

#endif
