/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "request.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "kit/program.h"

#define NESTING_MAX 8

struct parts {
	struct json_object *command, *arguments, *settings; /* NULL = not given */
};

/*
 * @return true if a line contains a null character, which would end the C string. The rest of the
 *         line would be ignored.
 */
static bool
has_null(const char *line, size_t length)
{
	bool escaped = false;

	if (memchr(line, '\0', length) != NULL)
		return true;
	for (size_t i = 0; i + 5 < length; i++) {
		if (escaped && memcmp(line + i, "u0000", 5) == 0)
			return true;
		escaped = !escaped && line[i] == '\\';
	}
	return false;
}

static bool
skip_digits(const char **at)
{
	const size_t digits = strspn(*at, "0123456789");

	*at += digits;
	return digits > 0;
}

static bool
is_number(const char *at, const char *end, bool *is_integer)
{
	at += *at == '-';
	if (*at == '0')
		at++;
	else if (!skip_digits(&at))
		return false;
	*is_integer = at == end;
	if (*at == '.' && (at++, !skip_digits(&at)))
		return false;
	if (*at == 'e' || *at == 'E') {
		at++;
		at += *at == '+' || *at == '-';
		if (!skip_digits(&at))
			return false;
	}
	return at == end;
}

static bool
fits_64_bits(const char *integer)
{
	errno = 0;
	if (*integer == '-')
		(void)strtoll(integer, NULL, 10);
	else
		(void)strtoull(integer, NULL, 10);
	return errno == 0;
}

/*
 * Find numbers that are not valid JSON. json-c accepts NaN, Infinity and 1., and changes integers
 * of more than 64 bits. The line is an object for json-c, so a bracket, a comma or a space follows
 * each number.
 */
static bool
has_valid_numbers(const char *line, size_t length, char *why, size_t size)
{
	bool in_string = false, is_integer;

	for (size_t i = 0; i < length; i++) {
		const char *at = line + i;
		size_t span;

		if (*at == '"')
			in_string = !in_string;
		else if (in_string)
			i += *at == '\\';
		else if (strchr("-0123456789NI", *at) != NULL) {
			span = strcspn(at, ",]} \t\r\n");
			if (!is_number(at, at + span, &is_integer) ||
				(is_integer && !fits_64_bits(at))) {
				snprintf(why, size,
					"expected a line with one JSON object: %.*s is not a "
					"JSON number, or is an integer of more than 64 bits",
					(int)(span < 64 ? span : 64), at);
				return false;
			}
			i += span - 1;
		}
	}
	return true;
}

static struct json_object *
parse(const char *line, size_t length, char *why, size_t size)
{
	struct json_tokener *tokener = json_tokener_new_ex(NESTING_MAX);
	struct json_object *object = NULL;
	enum json_tokener_error error = json_tokener_error_size;

	if (tokener != NULL && length < INT32_MAX) {
		json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
		object = json_tokener_parse_ex(tokener, line, (int)length);
		error = json_tokener_get_error(tokener);
		/*
		 * Success means a complete object, because only a number could continue after the
		 * end of the text. Only white space may follow the object.
		 */
		if (error == json_tokener_success &&
			json_tokener_get_parse_end(tokener) != length) {
			const char *rest = line + json_tokener_get_parse_end(tokener);

			if (strspn(rest, " \t\r") < (size_t)(line + length - rest))
				error = json_tokener_error_parse_unexpected;
		}
	}
	if (tokener != NULL)
		json_tokener_free(tokener);
	if (error == json_tokener_success && json_object_is_type(object, json_type_object)) {
		if (has_valid_numbers(line, length, why, size))
			return object;
		json_object_put(object);
		return NULL;
	}
	json_object_put(object);
	snprintf(why, size, "expected a line with one JSON object: %s",
		error == json_tokener_success ? "the value is not an object"
			: error == json_tokener_continue
			? "the value is not an object, or is incomplete"
			: json_tokener_error_desc(error));
	return NULL;
}

static bool
take_part(struct parts *parts, const char *key, struct json_object *value, char *why, size_t size)
{
	if (strcmp(key, "id") == 0)
		return true;
	if (strcmp(key, "command") == 0 && json_object_is_type(value, json_type_string)) {
		parts->command = value;
		return true;
	}
	if (strcmp(key, "arguments") == 0 && json_object_is_type(value, json_type_array)) {
		parts->arguments = value;
		return true;
	}
	if (strcmp(key, "settings") == 0 && json_object_is_type(value, json_type_object)) {
		parts->settings = value;
		return true;
	}
	snprintf(why, size,
		"%.64s is not valid: expected the keys id, command (a string), arguments (an "
		"array), settings (an object)",
		key);
	return false;
}

static bool
take_parts(struct parts *parts, struct json_object *object, char *why, size_t size)
{
	const struct json_object_iterator end = json_object_iter_end(object);
	struct json_object_iterator at = json_object_iter_begin(object);

	*parts = (struct parts){0};
	for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at))
		if (!take_part(parts, json_object_iter_peek_name(&at),
			    json_object_iter_peek_value(&at), why, size))
			return false;
	if (parts->command != NULL)
		return true;
	snprintf(why, size, "the key command is missing: expected a string such as \"start\"");
	return false;
}

static bool
add_word(struct command_words *words, const char *word, char *why, size_t size)
{
	if (words->count < COMMAND_WORDS_MAX) {
		words->word[words->count++] = word;
		return true;
	}
	snprintf(why, size, "expected %u words at most", COMMAND_WORDS_MAX);
	return false;
}

/*
 * Convert a JSON value to a word of the prompt. Numbers are unchanged. true becomes "on", and false
 * becomes "off".
 */
static const char *
word_of(struct json_object *value)
{
	switch (json_object_get_type(value)) {
	case json_type_boolean:
		return json_object_get_boolean(value) ? "on" : "off";
	case json_type_null:
		return "default";
	case json_type_int:
	case json_type_double:
	case json_type_string:
		return json_object_get_string(value);
	case json_type_array:
	case json_type_object:
		break;
	}
	return NULL;
}

static bool
add_value(struct command_words *words, const char *key, struct json_object *value, char *why,
	size_t size)
{
	const char *word = word_of(value);

	if (word != NULL && (*word == '\0' || strlen(word) >= COMMAND_LINE_BYTES))
		word = NULL;
	if (word != NULL)
		return add_word(words, word, why, size);
	snprintf(why, size,
		"%.64s is not valid: expected a string of 1 to 1023 characters, a number, true, "
		"false or null",
		key);
	return false;
}

static bool
add_values(struct command_words *words, const struct parts *parts, char *why, size_t size)
{
	const size_t count =
		parts->arguments != NULL ? json_object_array_length(parts->arguments) : 0;
	struct json_object_iterator at, end;

	for (size_t i = 0; i < count; i++)
		if (!add_value(words, "arguments", json_object_array_get_idx(parts->arguments, i),
			    why, size))
			return false;
	if (parts->settings == NULL)
		return true;
	end = json_object_iter_end(parts->settings);
	for (at = json_object_iter_begin(parts->settings); !json_object_iter_equal(&at, &end);
		json_object_iter_next(&at)) {
		const char *key = json_object_iter_peek_name(&at);

		if (!add_word(words, key, why, size) ||
			!add_value(words, key, json_object_iter_peek_value(&at), why, size))
			return false;
	}
	return true;
}

static void
execute(struct prompt *prompt, struct client_request *request, struct json_object *object)
{
	char text[COMMAND_LINE_BYTES], *rest = text, *word, why[256] = "";
	struct command_words words = {0};
	struct parts parts;

	if (!take_parts(&parts, object, why, sizeof(why))) {
		request_refuse(request, why);
		return;
	}
	if (strlen(json_object_get_string(parts.command)) >= sizeof(text)) {
		request_refuse(request, "command is not valid: expected 1023 characters at most");
		return;
	}
	snprintf(text, sizeof(text), "%s", json_object_get_string(parts.command));
	while (why[0] == '\0' && (word = strtok_r(rest, " \t\r\n", &rest)) != NULL)
		add_word(&words, word, why, sizeof(why));
	if (why[0] == '\0' && words.count == 0)
		snprintf(why, sizeof(why), "Command not found: expected a command");
	if (why[0] != '\0' || !add_values(&words, &parts, why, sizeof(why))) {
		request_refuse(request, why);
		return;
	}
	command_execute_words(prompt, &words, &request->answer);
	request->is_busy = request->answer.later != NULL;
}

void
request_execute(
	struct prompt *prompt, struct client_request *request, const char *line, size_t length)
{
	const size_t spaces = strspn(line, " \t\r");
	struct json_object *object = NULL;
	char why[256];

	if (spaces >= length)
		snprintf(why, sizeof(why),
			"expected a line with one JSON object: the line is empty");
	else if (has_null(line, length))
		snprintf(why, sizeof(why),
			"expected a line with one JSON object: null characters are not allowed");
	else
		object = parse(line, length, why, sizeof(why));
	if (object == NULL) {
		request_refuse(request, why);
		return;
	}
	request->id = json_object_get(json_object_object_get(object, "id"));
	execute(prompt, request, object);
	json_object_put(object);
}

bool
request_is_over(struct prompt *prompt, struct client_request *request)
{
	request->is_busy = !request->answer.later(prompt, &request->answer);
	return !request->is_busy;
}

void
request_refuse(struct client_request *request, const char *why)
{
	request->is_busy = false;
	answer_refuse(&request->answer, EXIT_BAD_USE, "%s", why);
}

const char *
request_answer(struct client_request *request)
{
	const bool ok = request->answer.error[0] == '\0';

	request->reply = json_object_new_object();
	json_object_object_add(request->reply, "id", request->id);
	request->id = NULL;
	json_object_object_add(request->reply, "ok", json_object_new_boolean(ok));
	if (!ok) {
		json_object_object_add(
			request->reply, "error", json_object_new_string(request->answer.error));
	} else {
		json_object_object_add(request->reply, "result",
			request->answer.result != NULL ? request->answer.result
						       : json_object_new_object());
		request->answer.result = NULL;
	}
	return json_object_to_json_string_ext(request->reply, JSON_C_TO_STRING_PLAIN);
}

void
request_forget(struct client_request *request)
{
	json_object_put(request->id);
	json_object_put(request->answer.result);
	json_object_put(request->reply);
	*request = (struct client_request){0};
}
