/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "nd/name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <rte_ethdev.h>

#include "nd/registry.h"

#define GIVEN_MAX 63u

/** Write the names and numbers of all ports to text. The list is truncated if it is too long. */
static void
ports_write(char *text, size_t size)
{
	size_t length = 0;

	snprintf(text, size, "no port");
	for (uint16_t id = rte_eth_find_next(0); id < RTE_MAX_ETHPORTS && length < size;
		id = rte_eth_find_next((uint16_t)(id + 1))) {
		char name[RTE_ETH_NAME_MAX_LEN];

		if (rte_eth_dev_get_name_by_port(id, name) == 0)
			length += (size_t)snprintf(text + length, size - length, "%s%s (%u)",
				length == 0 ? "" : ", ", name, id);
	}
	if (length >= size)
		memcpy(text + size - sizeof("..."), "...", sizeof("..."));
}

static nd_status
port_find(struct nd_adapter_config *config, char *why, size_t size)
{
	char there[160], number[8];
	bool found;

	if (config->port_name != NULL)
		found = rte_eth_dev_get_port_by_name(config->port_name, &config->port_id) == 0;
	else
		found = rte_eth_dev_is_valid_port(config->port_id);
	if (found)
		return ND_SUCCESS;
	ports_write(there, sizeof(there));
	snprintf(number, sizeof(number), "%u", config->port_id);
	snprintf(why, size, "port %.64s does not exist: EAL has found %s",
		config->port_name != NULL ? config->port_name : number, there);
	return ND_DEVICE_NOT_READY;
}

/**
 * A valid name begins with a letter, because digits could be an adapter's number, and contains no
 * comma, because commas separate parameters.
 */
bool
name_is_valid(const char *name)
{
	const size_t length = strnlen(name, GIVEN_MAX + 1);

	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)name[i]) && strchr("_-.:/", name[i]) == NULL)
			return false;
	return length <= GIVEN_MAX && isalpha((unsigned char)name[0]);
}

nd_status
name_refuse(const char *name, char *why, size_t size)
{
	snprintf(why, size,
		"name is \"%.64s\", but must be 1 to %u letters, digits and _-.:/, and begin with "
		"a letter",
		name, GIVEN_MAX);
	return ND_INVALID_PARAMETER;
}

nd_status
name_resolve(struct nd_adapter_config *config, char *name, char *why, size_t size)
{
	const nd_status status = port_find(config, why, size);
	char port[RTE_ETH_NAME_MAX_LEN] = "";

	if (nd_failed(status))
		return status;
	if (config->name != NULL && !name_is_valid(config->name))
		return name_refuse(config->name, why, size);
	(void)rte_eth_dev_get_name_by_port(config->port_id, port);
	if (config->name != NULL)
		snprintf(name, NAME_BYTES, "%s", config->name);
	else if (config->queue_id == 0)
		snprintf(name, NAME_BYTES, "%s", port);
	else
		snprintf(name, NAME_BYTES, "%s.%u", port, config->queue_id);
	/*
	 * Only check a name that the application has chosen. If two adapters use one queue, the
	 * port refuses the second adapter with a better message.
	 */
	if (config->name == NULL || !registry_has(name))
		return ND_SUCCESS;
	snprintf(why, size, "an open adapter already has the name %s: choose another name", name);
	return ND_SHARING_VIOLATION;
}
