/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Commands that control runs, settings and clients. */

#include <string.h>

#include <json-c/json.h>
#include <rte_common.h>

#include <ndpdk/nd_adapter.h>

#include "kit/program.h"
#include "kit/value.h"

#include "commands.h"
#include "prompt.h"
#include "settings.h"

#define NO_CLIENT "this process is a server and has no runs: start requires --loopback or --client"

static void
result_text(struct answer *answer, const char *name, const char *text)
{
	if (answer->result == NULL)
		answer->result = json_object_new_object();
	json_object_object_add(answer->result, name, json_object_new_string(text));
}

void
command_start(struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	(void)words;
	if (prompt->host.client_adapter == NULL) {
		answer_refuse(answer, EXIT_RUN_FAILED, NO_CLIENT);
		return;
	}
	if (prompt->is_running || prompt->start_wanted) {
		answer_refuse(answer, EXIT_RUN_FAILED,
			"a run is in progress: stop ends the run, wait waits for its end");
		return;
	}
	prompt->start_wanted = true;
	rows_clear(&prompt->rows);
	result_text(answer, "state", "started");
}

void
command_stop(struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	(void)words;
	if (!prompt->is_running && !prompt->start_wanted) {
		answer_refuse(answer, EXIT_RUN_FAILED, "no run is in progress");
		return;
	}
	prompt->start_wanted = false;
	if (prompt->is_running)
		__atomic_store_n(&prompt->host.workers->stop, true, __ATOMIC_RELAXED);
	result_text(answer, "state", "stopping");
}

static bool
wait_is_over(struct prompt *prompt, struct answer *answer)
{
	if (prompt->is_running || prompt->start_wanted) {
		if (stopwatch_now() < answer->until_tsc)
			return false;
		answer_refuse(answer, EXIT_RUN_FAILED, "the run is still in progress");
		return true;
	}
	answer->result = json_object_new_object();
	json_object_object_add(answer->result, "state", json_object_new_string("idle"));
	rows_add_to(&prompt->rows, answer->result);
	return true;
}

void
command_wait(struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	uint64_t ns;

	answer->until_tsc = UINT64_MAX;
	if (words->count == 1) {
		if (!value_seconds(words->word[0], &ns)) {
			answer_refuse(answer, EXIT_BAD_USE,
				"Bad arguments: %.64s: expected a number of seconds",
				words->word[0]);
			return;
		}
		answer->until_tsc = stopwatch_now() + stopwatch_cycles(prompt->host.stopwatch, ns);
	}
	answer->later = wait_is_over;
}

void
command_clear(struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	(void)words;
	baseline_take(&prompt->baseline.client, prompt->host.client_adapter);
	baseline_take(&prompt->baseline.server, prompt->host.server_adapter);
	prompt->baseline.start_tsc = stopwatch_now();
	answer->result = json_object_new_object();
}

/* Add the changed settings to the answer, grouped by the time when they take effect. */
static void
tell_settings(const struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	struct json_object *values = settings_json(&prompt->next);
	struct json_object *now = json_object_new_object(), *next = json_object_new_object();

	for (unsigned int i = 0; i < words->count; i += 2) {
		const struct settings_row *row = settings_find(words->word[i]);
		const bool at_once = row->when == SETTINGS_AT_ONCE;

		json_object_object_add(at_once ? now : next, row->name,
			json_object_get(json_object_object_get(values, row->name)));
	}
	answer->result = json_object_new_object();
	if (json_object_object_length(now) > 0)
		json_object_object_add(answer->result, "at_once", now);
	else
		json_object_put(now);
	if (json_object_object_length(next) > 0)
		json_object_object_add(answer->result, "next_start", next);
	else
		json_object_put(next);
	json_object_put(values);
}

static void
list_settings(char *text, size_t size)
{
	const struct settings_row *row;
	size_t length = 0;

	for (size_t i = 0; (row = settings_row(i)) != NULL && length < size; i++)
		length += (size_t)snprintf(
			text + length, size - length, "%s%s", i > 0 ? ", " : "", row->name);
}

/* @return false: the library refused the parameters of DCQCN. */
static bool
change_dcqcn(const struct prompt *prompt, const struct transport *next)
{
	struct nd_adapter *adapters[] = {prompt->host.client_adapter, prompt->host.server_adapter};

	if (memcmp(&next->dcqcn, &prompt->next.transport.dcqcn, sizeof(next->dcqcn)) == 0)
		return true;
	for (size_t i = 0; i < RTE_DIM(adapters); i++)
		if (adapters[i] != NULL &&
			nd_failed(nd_adapter_set_dcqcn(adapters[i], &next->dcqcn)))
			return false;
	return true;
}

void
command_set(struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	struct options next = prompt->next, now = *prompt->host.options;
	char why[ANSWER_ERROR_BYTES - 32], names[ANSWER_ERROR_BYTES / 2];

	if (words->count % 2 != 0) {
		answer_refuse(answer, EXIT_BAD_USE,
			"Bad arguments: expected set OPTION VALUE [OPTION VALUE...]");
		return;
	}
	for (unsigned int i = 0; i < words->count; i += 2) {
		const struct settings_row *row = settings_find(words->word[i]);

		if (row == NULL) {
			list_settings(names, sizeof(names));
			answer_refuse(answer, EXIT_BAD_USE,
				"Bad arguments: %.64s: expected one of %s; all other options "
				"can be set only on the command line",
				words->word[i], names);
			return;
		}
		if (!settings_set(&next, row, words->word[i + 1], why, sizeof(why))) {
			answer_refuse(answer, EXIT_BAD_USE, "Bad arguments: %s", why);
			return;
		}
	}
	if (next.qps > prompt->qps_max) {
		answer_refuse(answer, EXIT_BAD_USE,
			"Bad arguments: qps %u: expected 1 to %u, the limit fixed when ndpmd was "
			"started: start ndpmd with --qps=%u",
			next.qps, prompt->qps_max, next.qps);
		return;
	}
	if (!change_dcqcn(prompt, &next.transport)) {
		answer_refuse(answer, EXIT_BAD_USE, "Bad arguments: %s", nd_adapter_open_error());
		return;
	}
	if (prompt->host.inject != NULL &&
		!inject_plans_equal(&next.inject, &prompt->next.inject) &&
		!inject_change(prompt->host.inject, &next.inject)) {
		answer_refuse(answer, EXIT_RUN_FAILED, "no memory for the setting inject");
		return;
	}
	prompt->next = next;
	settings_copy_at_once(&now, &next);
	workers_change(prompt->host.workers, prompt->host.options, &now);
	tell_settings(prompt, words, answer);
}

void
command_listen(struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	struct server *server = &prompt->host.workers->worker[0]->server;

	if (prompt->host.server_adapter == NULL) {
		answer_refuse(answer, EXIT_RUN_FAILED,
			"this process is a client: listen requires --loopback or --server");
		return;
	}
	if (words->count == 1 && strcmp(words->word[0], "stop") != 0) {
		answer_refuse(answer, EXIT_BAD_USE, "Bad arguments: expected listen [stop]");
		return;
	}
	if (words->count == 1) {
		server_pause(server);
		result_text(answer, "state", "not listening");
		return;
	}
	if (!server_listen(server, prompt->host.options)) {
		answer_refuse(answer, EXIT_RUN_FAILED, "%s", server->error);
		server->error[0] = '\0';
		return;
	}
	result_text(answer, "state", "listening");
	json_object_object_add(answer->result, "listen_port",
		json_object_new_int(prompt->host.options->listen_port));
}

void
command_quit(struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	(void)words;
	prompt_quit(prompt);
	result_text(answer, "state", "ending");
}
