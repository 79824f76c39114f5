/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "command.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#include "kit/program.h"

#include "commands.h"
#include "settings.h"

#define SPACES " \t\r\n"

static void help(struct prompt *prompt, const struct command_words *words, struct answer *answer);

static const struct command rows[] = {
	{"start", NULL, "", 0, 0, "start the configured runs", command_start},
	{"stop", NULL, "", 0, 0, "end the runs; the row of the current run has the figures so far",
		command_stop},
	{"wait", NULL, "[SECONDS]", 0, 1, "wait until no run is in progress", command_wait},
	{"clear", NULL, "", 0, 0, "reset show stats and show counters to 0", command_clear},
	{"show", "port", "", 0, 0, "adapters with their ports, addresses and links",
		command_show_port},
	{"show", "engine", "", 0, 0, "engines: queue, thread, whether they are polled",
		command_show_engine},
	{"show", "qp", "[QPN]", 0, 1, "numbers of the queue pairs, or details of one queue pair",
		command_show_qp},
	{"show", "cq", "", 0, 0, "completion queues: entries, pending results, endpoints",
		command_show_cq},
	{"show", "mr", "[REGION]", 0, 1, "numbers of the memory regions, or details of one region",
		command_show_mr},
	{"show", "mw", "", 0, 0, "number of memory windows and of bound windows", command_show_mw},
	{"show", "neighbours", "", 0, 0, "IP addresses with their MAC addresses",
		command_show_neighbours},
	{"show", "config", "", 0, 0, "settings of the current or last run, and of the next start",
		command_show_config},
	{"show", "stats", "", 0, 0, "state and figures of the run, rows of the last start",
		command_show_stats},
	{"show", "counters", "", 0, 0, "counters of the adapters that are not 0",
		command_show_counters},
	{"set", NULL, "OPTION VALUE [OPTION VALUE...]", 2, COMMAND_WORDS_MAX,
		"change settings (rate, interval, inject, dcqcn: at once; others: at the next "
		"start)",
		command_set},
	{"connect", NULL, "[IP]", 0, 1, "make a connection in addition to those of the runs",
		command_connect},
	{"disconnect", NULL, "", 0, 0, "end the connection made by connect", command_disconnect},
	{"bind", NULL, "", 0, 0, "bind a memory window over the connection made by connect",
		command_bind},
	{"invalidate", NULL, "", 0, 0, "invalidate the window bound by bind", command_invalidate},
	{"listen", NULL, "[stop]", 0, 1,
		"accept clients; stop: accept no more, connected clients stay", command_listen},
	{"capture", "start", "FILE", 1, 1, "write the frames of the port into a pcapng file",
		command_capture_start},
	{"capture", "stop", "", 0, 0, "end the capture", command_capture_stop},
	{"help", NULL, "[COMMAND]", 0, 2, "list the commands, or explain a command", help},
	{"quit", NULL, "", 0, 0, "end the run and the connections, then ndpmd", command_quit},
};

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

const struct command *
command_row(size_t index)
{
	return index < ROW_COUNT ? &rows[index] : NULL;
}

static void
help_of_settings(struct json_object *result)
{
	struct json_object *settings = json_object_new_object();
	const struct settings_row *row;
	char text[160], names[512];

	for (size_t i = 0; (row = settings_row(i)) != NULL; i++) {
		snprintf(text, sizeof(text), "%s (%s%s%s)", row->values,
			row->when == SETTINGS_AT_ONCE ? "at once" : "at the next start",
			row->model != NULL ? "; OTG name: " : "",
			row->model != NULL ? row->model : "");
		json_object_object_add(settings, row->name, json_object_new_string(text));
	}
	json_object_object_add(result, "OPTION", settings);
	transport_dcqcn_names(names, sizeof(names));
	json_object_object_add(result, "NAME of dcqcn", json_object_new_string(names));
}

static bool
is_asked_for(const struct command *row, const struct command_words *words)
{
	if (words->count > 0 && strcmp(row->name, words->word[0]) != 0)
		return false;
	return words->count < 2 || (row->noun != NULL && strcmp(row->noun, words->word[1]) == 0);
}

static void
help(struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	struct json_object *result = json_object_new_object();
	const struct command *row;
	char name[64];

	(void)prompt;
	for (size_t i = 0; (row = command_row(i)) != NULL; i++) {
		if (!is_asked_for(row, words))
			continue;
		snprintf(name, sizeof(name), "%s%s%s%s%s", row->name, row->noun != NULL ? " " : "",
			row->noun != NULL ? row->noun : "", *row->usage != '\0' ? " " : "",
			row->usage);
		json_object_object_add(result, name, json_object_new_string(row->help));
	}
	if (json_object_object_length(result) == 0) {
		json_object_put(result);
		answer_refuse(answer, EXIT_BAD_USE,
			"Command not found: %.64s: help without arguments lists all commands",
			words->word[0]);
		return;
	}
	if (words->count > 0 && strcmp(words->word[0], "set") == 0)
		help_of_settings(result);
	answer->result = result;
}

/* Write the names of all commands, or the second words of a command, separated by commas. */
static void
list_words(char *text, size_t size, const char *name)
{
	const char *last = "";
	size_t length = 0;

	text[0] = '\0';
	for (size_t i = 0; i < ROW_COUNT && length < size; i++) {
		const char *word = name == NULL ? rows[i].name : rows[i].noun;

		if ((name != NULL && strcmp(rows[i].name, name) != 0) || strcmp(word, last) == 0)
			continue;
		length += (size_t)snprintf(
			text + length, size - length, "%s%s", length > 0 ? ", " : "", word);
		last = word;
	}
}

static const struct command *
find(const struct command_words *words, bool *has_name)
{
	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (strcmp(rows[i].name, words->word[0]) != 0)
			continue;
		*has_name = true;
		if (rows[i].noun == NULL ||
			(words->count > 1 && strcmp(rows[i].noun, words->word[1]) == 0))
			return &rows[i];
	}
	return NULL;
}

void
command_execute_words(
	struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	char expected[ANSWER_ERROR_BYTES / 2];
	struct command_words behind = {0};
	const struct command *command;
	bool has_name = false;
	unsigned int named;

	command = find(words, &has_name);
	if (command == NULL) {
		list_words(expected, sizeof(expected), has_name ? words->word[0] : NULL);
		answer_refuse(answer, EXIT_BAD_USE, "%s: %.64s: expected %s%s%s",
			has_name ? "Bad arguments" : "Command not found",
			has_name && words->count > 1 ? words->word[1] : words->word[0],
			has_name ? words->word[0] : "", has_name ? " and one of " : "one of ",
			expected);
		return;
	}
	named = command->noun == NULL ? 1 : 2;
	behind.count = words->count - named;
	memcpy(behind.word, words->word + named, behind.count * sizeof(behind.word[0]));
	if (behind.count < command->least || behind.count > command->most) {
		answer_refuse(answer, EXIT_BAD_USE, "Bad arguments: expected %s%s%s%s%s",
			command->name, named > 1 ? " " : "", named > 1 ? command->noun : "",
			*command->usage != '\0' ? " " : "", command->usage);
		return;
	}
	command->run(prompt, &behind, answer);
}

bool
command_is_empty(const char *line)
{
	line += strspn(line, SPACES);
	return *line == '\0' || *line == '#';
}

void
command_execute(struct prompt *prompt, const char *line, struct answer *answer)
{
	char text[COMMAND_LINE_BYTES], *rest = text, *word;
	struct command_words words = {0};

	if (strlen(line) >= sizeof(text)) {
		answer_refuse(answer, EXIT_BAD_USE,
			"Bad arguments: expected a line of %u characters at most",
			COMMAND_LINE_BYTES - 1);
		return;
	}
	snprintf(text, sizeof(text), "%s", line);
	while ((word = strtok_r(rest, SPACES, &rest)) != NULL) {
		if (words.count == COMMAND_WORDS_MAX) {
			answer_refuse(answer, EXIT_BAD_USE,
				"Bad arguments: expected %u words at most", COMMAND_WORDS_MAX);
			return;
		}
		words.word[words.count++] = word;
	}
	if (words.count == 0)
		answer_refuse(answer, EXIT_BAD_USE, "Command not found: expected a command");
	else
		command_execute_words(prompt, &words, answer);
}
