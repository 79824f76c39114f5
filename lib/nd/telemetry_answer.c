/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "nd/telemetry_answer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_ethdev.h>
#include <rte_version.h>

int
telemetry_refuse(struct rte_tel_data *data, const char *format, ...)
{
	char sentence[RTE_TEL_MAX_STRING_LEN];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(sentence, sizeof(sentence), format, arguments);
	va_end(arguments);
	rte_tel_data_start_dict(data);
	telemetry_add_text(data, "error", sentence);
	return 0;
}

/* @return behind the number and its comma, or at the end; NULL: it is none */
static const char *
number_read(const char *text, uint32_t *number)
{
	unsigned long value;
	char *end;

	/* strtoul() would take signs and spaces, too. */
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
		/* A comma has a number behind it. */
		if (at == NULL || (*at == '\0' && at[-1] == ','))
			return false;
	}
	return true;
}

void
telemetry_port_name(const struct nd_adapter *adapter, char *name)
{
	if (adapter->port == NULL ||
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

/* Under the lock. */
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
telemetry_for_adapter(const char *params, struct rte_tel_data *data, unsigned int least,
	unsigned int most, telemetry_answer_fn answer)
{
	struct telemetry_request request = {.data = data};
	size_t length = params == NULL ? 0 : strcspn(params, ",");
	int result;

	if (length == 0)
		return telemetry_refuse(data,
			"the first parameter is an adapter: its number, its name, or "
			"the name of its port");
	if ((params[length] == ',' && params[length + 1] == '\0') ||
		!telemetry_numbers(params[length] == ',' ? params + length + 1 : NULL,
			request.numbers, most, &request.count) ||
		request.count < least)
		return telemetry_refuse(data,
			"the parameters are an adapter and %u to %u numbers, with commas between",
			least, most);
	registry_lock();
	request.adapter = adapter_find(params, length);
	if (request.adapter == NULL)
		result = telemetry_refuse(
			data, "there is no such adapter: /ndpdk/adapter/list has those there are");
	else
		result = answer(&request);
	registry_unlock();
	return result;
}

void
telemetry_add(struct rte_tel_data *data, const char *name, uint64_t value)
{
#if RTE_VERSION >= RTE_VERSION_NUM(23, 3, 0, 0)
	(void)rte_tel_data_add_dict_uint(data, name, value);
#else
	(void)rte_tel_data_add_dict_u64(data, name, value);
#endif
}

void
telemetry_add_text(struct rte_tel_data *data, const char *name, const char *text)
{
	(void)rte_tel_data_add_dict_string(data, name, text);
}

bool
telemetry_add_numbers(
	struct rte_tel_data *data, const char *name, const uint32_t *numbers, unsigned int count)
{
	struct rte_tel_data *array = rte_tel_data_alloc();

	if (array == NULL)
		return false;
#if RTE_VERSION >= RTE_VERSION_NUM(23, 3, 0, 0)
	rte_tel_data_start_array(array, RTE_TEL_UINT_VAL);
	for (unsigned int i = 0; i < count; i++)
		(void)rte_tel_data_add_array_uint(array, numbers[i]);
#else
	rte_tel_data_start_array(array, RTE_TEL_U64_VAL);
	for (unsigned int i = 0; i < count; i++)
		(void)rte_tel_data_add_array_u64(array, numbers[i]);
#endif
	/* DPDK frees it when the answer is written. */
	if (rte_tel_data_add_dict_container(data, name, array, 0) == 0)
		return true;
	rte_tel_data_free(array);
	return false;
}
