/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "kit/program.h"

#include "command.h"
#include "prompt.h"

struct prompt_script {
	FILE *file;
	const char *path;
	char *line; /* the line that was read last; allocated by getline() */
	size_t line_bytes;
	unsigned long number; /* number of the line */
	bool is_busy;
	struct answer answer;
};

bool
script_open(struct prompt *prompt, const char *path, char *why, size_t size)
{
	struct prompt_script *script = calloc(1, sizeof(*script));

	prompt->script = script;
	if (script == NULL) {
		snprintf(why, size, "no memory for %.128s", path);
		return false;
	}
	script->path = path;
	script->file = fopen(path, "r");
	/* Read one character as a test, because a folder can be opened but not read. */
	if (script->file != NULL)
		ungetc(getc(script->file), script->file);
	if (script->file != NULL && !ferror(script->file))
		return true;
	snprintf(why, size, "%.192s cannot be read: %s", path, strerror(errno));
	return false;
}

static void
print(void *arg, const char *text)
{
	(void)arg;
	fputs(text, stdout);
}

static void
answer_is_complete(struct prompt *prompt)
{
	const struct answer_print to = {.write = print};
	struct prompt_script *script = prompt->script;
	struct answer *answer = &script->answer;

	script->is_busy = false;
	if (answer->error[0] == '\0') {
		answer_print(&to, answer);
		fflush(stdout);
		return;
	}
	fprintf(stderr, "ndpmd: %s:%lu: %s\n", script->path, script->number, answer->error);
	if (prompt->exit_status == 0)
		prompt->exit_status = answer->exit_status;
}

bool
script_poll(struct prompt *prompt)
{
	struct prompt_script *script = prompt->script;
	ssize_t length;

	if (script->is_busy) {
		if (!script->answer.later(prompt, &script->answer))
			return true;
		answer_is_complete(prompt);
	}
	length = getline(&script->line, &script->line_bytes, script->file);
	if (length < 0)
		return false;
	script->number++;
	if (strlen(script->line) == (size_t)length && command_is_empty(script->line))
		return true;
	script->answer = (struct answer){0};
	/* Refuse a null character, because the rest of the line would be ignored. */
	if (strlen(script->line) < (size_t)length)
		answer_refuse(&script->answer, EXIT_BAD_USE,
			"Bad arguments: null characters are not allowed");
	else
		command_execute(prompt, script->line, &script->answer);
	script->is_busy = script->answer.later != NULL;
	if (!script->is_busy)
		answer_is_complete(prompt);
	return true;
}

void
script_close(struct prompt *prompt)
{
	struct prompt_script *script = prompt->script;

	if (script == NULL)
		return;
	if (script->file != NULL)
		fclose(script->file);
	json_object_put(script->answer.result);
	free(script->line);
	free(script);
	prompt->script = NULL;
}
