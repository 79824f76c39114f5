/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_ANSWER_H
#define NDPDK_PROMPT_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

/* The answer to a command: a JSON object or an error message. */

struct json_object;
struct prompt;

#define ANSWER_ERROR_BYTES 512u

struct answer {
	struct json_object *result;     /**< result of a success; the answer's owner frees it */
	char error[ANSWER_ERROR_BYTES]; /**< empty = success */
	int exit_status; /**< exit status of an error: EXIT_BAD_USE or EXIT_RUN_FAILED */
	/**
	 * Function that completes the answer; NULL = the answer is complete. If it is not NULL,
	 * call it regularly until it returns true.
	 */
	bool (*later)(struct prompt *prompt, struct answer *answer);
	uint64_t until_tsc; /**< time limit that later() uses */
};

/** Answer with an error message, in the format of printf(). */
void answer_refuse(struct answer *answer, int exit_status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** Print the answer as text, and free its result. */
struct answer_print {
	void (*write)(void *arg, const char *text);
	void *arg;
};
void answer_print(const struct answer_print *print, struct answer *answer);

#endif
