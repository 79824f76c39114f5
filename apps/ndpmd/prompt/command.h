/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_COMMAND_H
#define NDPDK_PROMPT_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The commands, whoever gives them: the prompt, a file, or a program over the control socket. A
 * command is a line of words. Its answer is a JSON object, or a sentence about what is wrong.
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
	struct json_object *result;      /**< of a success; owned by whoever has the answer */
	char error[COMMAND_ERROR_BYTES]; /**< empty = success */
	int exit_status;                 /**< for an error: EXIT_BAD_USE or EXIT_RUN_FAILED */
	/**
	 * NULL: the answer is complete. Else it is to be called now and then until it returns true:
	 * the answer is complete then.
	 */
	bool (*later)(struct prompt *prompt, struct command_answer *answer);
	uint64_t until_tsc; /**< of later */
};

/** @param words behind those that name the command */
typedef void (*command_fn)(
	struct prompt *prompt, const struct command_words *words, struct command_answer *answer);

struct command {
	const char *name;  /**< first word */
	const char *noun;  /**< second word; NULL = the name is one word */
	const char *usage; /**< words behind these, for people */
	unsigned int least, most;
	const char *help; /**< one line */
	command_fn run;
};

/** @return row number index, NULL: there are no more. Those of the same name are neighbours. */
const struct command *command_row(size_t index);

/** Execute a line, which has a word at least. @param answer all zero */
void command_execute(struct prompt *prompt, const char *line, struct command_answer *answer);

/** Execute words likewise. */
void command_execute_words(
	struct prompt *prompt, const struct command_words *words, struct command_answer *answer);

/** @return whether a line has no word: it is empty, or a comment behind #. */
bool command_is_empty(const char *line);

/** The answer is that something is wrong, as a sentence in printf's way. */
void command_refuse(struct command_answer *answer, int exit_status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** Write the answer for people, and free its result. @param stream of results and errors */
struct command_print {
	void (*write)(void *arg, const char *text);
	void *arg;
};
void command_print(const struct command_print *print, struct command_answer *answer);

#endif
