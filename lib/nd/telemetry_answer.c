/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "nd/telemetry_answer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_ethdev.h>

/* Maximum length of a string in DPDK's telemetry, with terminator. */
#define SENTENCE_BYTES 128

int
telemetry_refuse(struct telemetry_answer *to, const char *format, ...)
{
	char sentence[SENTENCE_BYTES];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(sentence, sizeof(sentence), format, arguments);
	va_end(arguments);
	telemetry_open(to, NULL);
	telemetry_add_text(to, "error", sentence);
	telemetry_close(to);
	return 0;
}

int
telemetry_not_answered(const struct telemetry_request *request, uint32_t engine)
{
	const struct nd_adapter *adapter = request->adapter;

	if (engine_call_timed_cancelled(adapter->engines[engine].engine))
		return telemetry_refuse(request->answer,
			"adapter %u was closed before its engine %u answered", adapter->number,
			engine);
	return telemetry_refuse(request->answer,
		"engine %u of adapter %u is not polled: it did not answer for 1 s", engine,
		adapter->number);
}

/* Read a number. @return position after the number and its comma, or the end; NULL: not a number */
static const char *
number_read(const char *text, uint32_t *number)
{
	unsigned long value;
	char *end;

	/* Require a digit, because strtoul() also accepts signs and spaces. */
	if (*text < '0' || *text > '9')
		return NULL;
	errno = 0;
	value = strtoul(text, &end, text[0] == '0' && text[1] == 'x' ? 16 : 10);
	if (errno != 0 || value > UINT32_MAX || (*end != ',' && *end != '\0'))
		return NULL;
	*number = (uint32_t)value;
	return *end == ',' ? end + 1 : end;
}

bool
telemetry_numbers(const char *params, uint32_t *numbers, unsigned int most, unsigned int *count)
{
	const char *at = params == NULL ? "" : params;

	*count = 0;
	while (*at != '\0') {
		if (*count == most)
			return false;
		at = number_read(at, &numbers[(*count)++]);
		/* A number must follow each comma. */
		if (at == NULL || (*at == '\0' && at[-1] == ','))
			return false;
	}
	return true;
}

void
telemetry_port_name(const struct nd_adapter *adapter, char *name)
{
	if (adapter->port == NULL || port_removed(adapter->port) ||
		rte_eth_dev_get_name_by_port(adapter->config.port_id, name) != 0)
		snprintf(name, RTE_ETH_NAME_MAX_LEN, "-");
}

static bool
is_named(const struct nd_adapter *adapter, const char *params, size_t length)
{
	char name[RTE_ETH_NAME_MAX_LEN];

	if (strlen(adapter->name) == length && memcmp(adapter->name, params, length) == 0)
		return true;
	telemetry_port_name(adapter, name);
	return strlen(name) == length && memcmp(name, params, length) == 0;
}

/* Find an adapter by number or name. The registry must be locked. */
static struct nd_adapter *
adapter_find(const char *params, size_t length)
{
	struct nd_adapter *adapter;
	uint32_t number;
	bool numeric = number_read(params, &number) != NULL;

	REGISTRY_FOREACH (adapter)
		if ((numeric && adapter->number == number) || is_named(adapter, params, length))
			return adapter;
	return NULL;
}

int
telemetry_for_adapter(const char *params, struct telemetry_answer *to, unsigned int least,
	unsigned int most, telemetry_answer_fn answer)
{
	struct telemetry_request request = {.answer = to};
	size_t length = params == NULL ? 0 : strcspn(params, ",");
	int result;

	if (length == 0)
		return telemetry_refuse(to,
			"the first parameter must be an adapter: its number, its name, or the name "
			"of its port");
	if ((params[length] == ',' && params[length + 1] == '\0') ||
		!telemetry_numbers(params[length] == ',' ? params + length + 1 : NULL,
			request.numbers, most, &request.count) ||
		request.count < least)
		return telemetry_refuse(to,
			"the parameters must be an adapter and %u to %u numbers, separated by "
			"commas",
			least, most);
	registry_ask_begin();
	registry_lock();
	request.adapter = adapter_find(params, length);
	registry_keep(request.adapter);
	registry_unlock();
	if (request.adapter == NULL)
		result = telemetry_refuse(to,
			"the adapter does not exist: /ndpdk/adapter/list lists the open adapters");
	else
		result = answer(&request);
	registry_ask_end();
	return result;
}

void
telemetry_open(struct telemetry_answer *to, const char *name)
{
	to->sink->begin(to->arg, name, ND_TELEMETRY_OBJECT);
}

void
telemetry_open_array(struct telemetry_answer *to, const char *name, enum nd_telemetry_kind kind)
{
	to->sink->begin(to->arg, name, kind);
}

void
telemetry_close(struct telemetry_answer *to)
{
	to->sink->end(to->arg);
}

void
telemetry_add(struct telemetry_answer *to, const char *name, uint64_t value)
{
	to->sink->number(to->arg, name, value);
}

void
telemetry_add_text(struct telemetry_answer *to, const char *name, const char *text)
{
	to->sink->text(to->arg, name, text);
}

void
telemetry_add_numbers(
	struct telemetry_answer *to, const char *name, const uint32_t *numbers, unsigned int count)
{
	telemetry_open_array(to, name, ND_TELEMETRY_NUMBERS);
	for (unsigned int i = 0; i < count; i++)
		telemetry_add(to, NULL, numbers[i]);
	telemetry_close(to);
}
