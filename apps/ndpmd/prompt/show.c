/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Commands that show objects. The commands return the answers of telemetry for each adapter of the
 * process.
 */

#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#include "kit/program.h"
#include "kit/value.h"

#include "commands.h"
#include "connection.h"
#include "prompt.h"
#include "settings.h"
#include "telemetry_json.h"

/*
 * @return number of adapters of the process. Adapters are numbered from 0 in the order of opening.
 */
static unsigned int
adapter_count(const struct prompt *prompt)
{
	return (prompt->host.client_adapter != NULL) + (prompt->host.server_adapter != NULL);
}

static const char *
adapter_role(const struct prompt *prompt, unsigned int number)
{
	return number == 0 && prompt->host.client_adapter != NULL ? "client" : "server";
}

/* @return true if object is an answer of telemetry. If false, answer has the error message. */
static bool
has_answer(struct json_object *object, struct answer *answer)
{
	struct json_object *error = NULL;

	if (object == NULL)
		answer_refuse(answer, EXIT_RUN_FAILED, "the telemetry query failed");
	else if (json_object_object_get_ex(object, "error", &error) &&
		json_object_object_length(object) == 1)
		answer_refuse(answer, EXIT_RUN_FAILED, "%s", json_object_get_string(error));
	else
		return true;
	json_object_put(object);
	return false;
}

/*
 * Execute a telemetry command for each adapter, and put the answers into an array.
 * @param parameters the command's parameters after the adapter's number
 * @param any true = succeed if at least one adapter has answered; false = succeed only if all
 *        adapters have answered
 */
static void
show_adapters(struct prompt *prompt, const char *name, const char *parameters, bool any,
	struct answer *answer)
{
	struct json_object *adapters = json_object_new_array();
	char command[64];

	for (unsigned int i = 0; i < adapter_count(prompt); i++) {
		struct json_object *object;

		snprintf(command, sizeof(command), "/ndpdk/%s,%u%s", name, i, parameters);
		object = telemetry_json(command);
		if (!has_answer(object, answer)) {
			if (any)
				continue;
			json_object_put(adapters);
			return;
		}
		json_object_object_add(
			object, "role", json_object_new_string(adapter_role(prompt, i)));
		json_object_array_add(adapters, object);
	}
	if (json_object_array_length(adapters) == 0) {
		json_object_put(adapters);
		return;
	}
	answer->error[0] = '\0';
	answer->result = json_object_new_object();
	json_object_object_add(answer->result, "adapters", adapters);
}

static void
drop_members(struct answer *answer, const char *const *names)
{
	struct json_object *adapters = json_object_object_get(answer->result, "adapters");

	for (size_t i = 0; adapters != NULL && i < json_object_array_length(adapters); i++)
		for (const char *const *name = names; *name != NULL; name++)
			json_object_object_del(json_object_array_get_idx(adapters, i), *name);
}

void
command_show_port(struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	static const char *const others[] = {"counters", NULL};

	(void)words;
	show_adapters(prompt, "adapter", "", false, answer);
	drop_members(answer, others);
}

void
command_show_engine(struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	struct json_object *engines = json_object_new_array();
	char command[64];

	(void)words;
	for (unsigned int i = 0; i < adapter_count(prompt); i++)
		for (uint32_t engine = 0; engine < prompt->host.workers->count; engine++) {
			struct json_object *object;

			snprintf(command, sizeof(command), "/ndpdk/engine,%u,%u", i, engine);
			object = telemetry_json(command);
			if (!has_answer(object, answer)) {
				json_object_put(engines);
				return;
			}
			json_object_object_del(object, "counters");
			json_object_array_add(engines, object);
		}
	answer->result = json_object_new_object();
	json_object_object_add(answer->result, "engines", engines);
}

static bool
take_number(const struct command_words *words, const char *what, struct answer *answer,
	uint64_t *number)
{
	if (value_number(words->word[0], UINT32_MAX, number))
		return true;
	answer_refuse(
		answer, EXIT_BAD_USE, "Bad arguments: %.64s: expected %s", words->word[0], what);
	return false;
}

void
command_show_qp(struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	uint64_t qpn;
	char command[64];
	struct json_object *object;

	if (words->count == 0) {
		show_adapters(prompt, "qp/list", "", false, answer);
		return;
	}
	if (!take_number(words, "the number of a queue pair: show qp lists them", answer, &qpn))
		return;
	snprintf(command, sizeof(command), "/ndpdk/qp,%u", (uint32_t)qpn);
	object = telemetry_json(command);
	if (has_answer(object, answer))
		answer->result = object;
}

void
command_show_cq(struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	struct json_object *queues = json_object_new_array();
	char command[64];

	(void)words;
	for (unsigned int i = 0; i < adapter_count(prompt); i++)
		for (uint32_t engine = 0; engine < prompt->host.workers->count; engine++) {
			struct json_object *object;

			snprintf(command, sizeof(command), "/ndpdk/cq,%u,%u", i, engine);
			object = telemetry_json(command);
			if (!has_answer(object, answer)) {
				json_object_put(queues);
				return;
			}
			json_object_array_add(queues, object);
		}
	answer->result = json_object_new_object();
	json_object_object_add(answer->result, "engines", queues);
}

void
command_show_mr(struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	char parameter[32];
	uint64_t region;

	if (words->count == 0) {
		show_adapters(prompt, "mr/list", "", false, answer);
		return;
	}
	if (!take_number(words, "the number of a region: show mr lists them", answer, &region))
		return;
	snprintf(parameter, sizeof(parameter), ",%u", (uint32_t)region);
	show_adapters(prompt, "mr", parameter, true, answer);
}

void
command_show_mw(struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	static const char *const others[] = {"regions", "regions_max", NULL};

	(void)words;
	show_adapters(prompt, "mr", "", false, answer);
	drop_members(answer, others);
	if (answer->result != NULL)
		json_object_object_add(
			answer->result, "connection", connection_window_json(prompt));
}

void
command_show_neighbours(
	struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	(void)words;
	show_adapters(prompt, "neighbours", "", false, answer);
}

static struct json_object *
address_json(const struct sockaddr_storage *address)
{
	char text[64];

	if (address->ss_family != AF_INET && address->ss_family != AF_INET6)
		return NULL;
	return json_object_new_string(options_address_text(address, text, sizeof(text)));
}

void
command_show_config(struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	static const char *const modes[] = {
		[OPTIONS_MODE_LOOPBACK] = "loopback",
		[OPTIONS_MODE_SERVER] = "server",
		[OPTIONS_MODE_CLIENT] = "client",
	};
	const struct options *options = prompt->host.options;
	struct json_object *result = json_object_new_object();

	(void)words;
	json_object_object_add(result, "mode", json_object_new_string(modes[options->mode]));
	json_object_object_add(result, "peer", address_json(prompt->host.peer));
	json_object_object_add(result, "listen_port", json_object_new_int(options->listen_port));
	json_object_object_add(
		result, "engines", json_object_new_int64(prompt->host.workers->count));
	json_object_object_add(result, "now", settings_json(options));
	json_object_object_add(result, "next_start", settings_json(&prompt->next));
	answer->result = result;
}
