/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_COMMAND_H
#define NDPDK_PROMPT_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The commands of all sources: the prompt, a file, and programs over the control socket. A command
 * is a line of words. The answer is a JSON object, or an error message.
 */

struct json_object;
struct prompt;

#define COMMAND_WORDS_MAX   64u
#define COMMAND_LINE_BYTES  1024u
#define COMMAND_ERROR_BYTES 512u

struct command_words {
	const char *word[COMMAND_WORDS_MAX];
	unsigned int count;
};

struct command_answer {
	struct json_object *result; /**< result of a success; belongs to the owner of the answer */
	char error[COMMAND_ERROR_BYTES]; /**< empty = success */
	int exit_status;                 /**< for an error: EXIT_BAD_USE or EXIT_RUN_FAILED */
	/**
	 * NULL: the answer is complete. Otherwise call this function regularly until it returns
	 * true. Then the answer is complete.
	 */
	bool (*later)(struct prompt *prompt, struct command_answer *answer);
	uint64_t until_tsc; /**< time limit that later() uses */
};

/** @param words words after the name of the command */
typedef void (*command_fn)(
	struct prompt *prompt, const struct command_words *words, struct command_answer *answer);

struct command {
	const char *name;  /**< first word */
	const char *noun;  /**< second word; NULL = the name is one word */
	const char *usage; /**< help text for the words after the name */
	unsigned int least, most;
	const char *help; /**< one line */
	command_fn run;
};

/** @return row of the table; NULL: no more rows. Rows with the same name are adjacent. */
const struct command *command_row(size_t index);

/** Execute a line, which must have at least one word. @param answer all zero */
void command_execute(struct prompt *prompt, const char *line, struct command_answer *answer);

/** Execute a command given as words. @param answer all zero */
void command_execute_words(
	struct prompt *prompt, const struct command_words *words, struct command_answer *answer);

/** @return whether a line has no words: it is empty or a comment with #. */
bool command_is_empty(const char *line);

/** Answer with an error message, in the format of printf(). */
void command_refuse(struct command_answer *answer, int exit_status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** Print the answer as text, and free its result. */
struct command_print {
	void (*write)(void *arg, const char *text);
	void *arg;
};
void command_print(const struct command_print *print, struct command_answer *answer);

#endif
