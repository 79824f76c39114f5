/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Reads the configuration of adapters. A configuration consists of lines of `key = value` in
 * sections [adapter], with comments after #. In the environment variable, a semicolon also ends a
 * line.
 */

#include "spi/config.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spi/config_value.h"

#define CONFIG_BYTES_MAX 65536

static const char example[] = "eal = --no-huge --no-pci --no-shconf -m 256 "
			      "--vdev=net_memif0,role=client,socket=/run/ndpdk.sock\n"
			      "[adapter]\n"
			      "port = net_memif0\n"
			      "address = 198.51.100.1/24\n";

static bool
fail(char *error, const char *where, size_t line, const char *text, const char *value)
{
	snprintf(error, SPI_ERROR_BYTES, "%s, line %zu: %s%s%s%s", where, line, text,
		value == NULL ? "" : ", but found \"", value == NULL ? "" : value,
		value == NULL ? "" : "\"");
	return false;
}

/**
 * Remove white space at both ends of a text, which is modified. @return start of the remaining text
 */
static char *
trim(char *text)
{
	size_t length;

	text += strspn(text, " \t\r");
	length = strlen(text);
	while (length > 0 && strchr(" \t\r", text[length - 1]) != NULL)
		text[--length] = '\0';
	return text;
}

static bool
eal_set(struct spi_config *config, const char *value)
{
	char *rest;

	if (config->eal_text != NULL)
		return false;
	config->eal_text = strdup(value);
	if (config->eal_text == NULL)
		return false;
	for (char *word = strtok_r(config->eal_text, " \t", &rest); word != NULL;
		word = strtok_r(NULL, " \t", &rest)) {
		if (config->eal_count == SPI_EAL_ARGUMENTS_MAX)
			return false;
		config->eal_arguments[config->eal_count++] = word;
	}
	return true;
}

/**
 * Value of keepalive_ms while a section is read, if the section has not set it. Not a valid value.
 */
#define KEEPALIVE_NOT_SET UINT32_MAX

struct line {
	const char *where;
	size_t number;
	char *error;
};

static bool
section_begin(struct spi_config *config, const struct line *line, const char *text)
{
	if (strcmp(text, "[adapter]") != 0)
		return fail(
			line->error, line->where, line->number, "expected section [adapter]", text);
	if (config->adapter_count == SPI_ADAPTERS_MAX)
		return fail(line->error, line->where, line->number,
			"at most 16 adapters are allowed", NULL);
	config->adapters[config->adapter_count++].native.keepalive_ms = KEEPALIVE_NOT_SET;
	return true;
}

static bool
pair_take(struct spi_config *config, const struct line *line, const char *key, const char *value)
{
	const char *expected;

	if (strcmp(key, "eal") == 0) {
		if (config->adapter_count != 0)
			return fail(line->error, line->where, line->number,
				"eal must be before the first [adapter]", NULL);
		return eal_set(config, value) ||
			fail(line->error, line->where, line->number,
				"expected one eal line, with at most 64 arguments", NULL);
	}
	if (config->adapter_count == 0)
		return fail(line->error, line->where, line->number,
			"only eal is allowed before the first [adapter]", key);
	expected = config_value_set(&config->adapters[config->adapter_count - 1], key, value);
	return expected == NULL ||
		fail(line->error, line->where, line->number, expected,
			expected == config_value_unknown_key ? key : value);
}

static bool
line_take(struct spi_config *config, const struct line *line, char *text)
{
	char *comment = strchr(text, '#'), *equals;

	if (comment != NULL)
		*comment = '\0';
	text = trim(text);
	if (text[0] == '\0')
		return true;
	if (text[0] == '[')
		return section_begin(config, line, text);
	equals = strchr(text, '=');
	if (equals == NULL)
		return fail(line->error, line->where, line->number, "expected key = value", text);
	*equals = '\0';
	return pair_take(config, line, trim(text), trim(equals + 1));
}

/**
 * @return true if all adapters have different addresses. This is required because an address
 *         identifies an adapter.
 */
static bool
addresses_differ(const struct spi_config *config, const char *where, char *error)
{
	for (size_t i = 1; i < config->adapter_count; i++) {
		for (size_t n = 0; n < i; n++) {
			if (memcmp(&config->adapters[i].native.address,
				    &config->adapters[n].native.address,
				    sizeof(config->adapters[n].native.address)) != 0)
				continue;
			snprintf(error, SPI_ERROR_BYTES,
				"%s: adapters %zu and %zu have the same address: give each adapter "
				"a different address",
				where, n + 1, i + 1);
			return false;
		}
	}
	return true;
}

/** Check that each adapter has a port and an address, and that all addresses differ. */
static bool
complete(const struct spi_config *config, const char *where, char *error)
{
	if (config->adapter_count == 0) {
		snprintf(error, SPI_ERROR_BYTES, "%s has no adapter. Example configuration:\n%s",
			where, example);
		return false;
	}
	for (size_t i = 0; i < config->adapter_count; i++) {
		const struct spi_adapter_config *adapter = &config->adapters[i];

		if (adapter->port[0] == '\0' || adapter->native.address.ss_family == 0) {
			snprintf(error, SPI_ERROR_BYTES,
				"%s: adapter %zu has no %s. Example configuration:\n%s", where,
				i + 1, adapter->port[0] == '\0' ? "port" : "address", example);
			return false;
		}
	}
	return addresses_differ(config, where, error);
}

/**
 * Set the default keepalive of adapters that have no value. When Windows kills a process, it
 * disconnects the connections. Here the peers must detect the end of the process themselves, so
 * keepalives are enabled.
 */
static void
keepalives_set(struct spi_config *config)
{
	for (size_t i = 0; i < config->adapter_count; i++) {
		struct nd_adapter_config *native = &config->adapters[i].native;

		if (native->keepalive_ms == KEEPALIVE_NOT_SET)
			native->keepalive_ms = native->peer_timeout_ms == 0 ? SPI_KEEPALIVE_MS : 0;
	}
}

bool
spi_config_parse(struct spi_config *config, const char *text, const char *ends, const char *where,
	char *error)
{
	char *copy = strdup(text), *next = copy;
	struct line line = {.where = where, .error = error};
	bool taken = copy != NULL;

	memset(config, 0, sizeof(*config));
	error[0] = '\0';
	while (taken && next != NULL) {
		char *end = strpbrk(next, ends), *start = next;

		line.number++;
		next = end == NULL ? NULL : end + 1;
		if (end != NULL)
			*end = '\0';
		taken = line_take(config, &line, start);
	}
	free(copy);
	if (taken && complete(config, where, error)) {
		keepalives_set(config);
		return true;
	}
	spi_config_free(config);
	return false;
}

void
spi_config_free(struct spi_config *config)
{
	free(config->eal_text);
	memset(config, 0, sizeof(*config));
}

/**
 * Read a file of up to CONFIG_BYTES_MAX bytes. Tries to read one byte more, to detect a longer
 * file.
 *
 * @param[out] text CONFIG_BYTES_MAX + 2 bytes; ends with '\0'
 * @return NULL: success; otherwise the reason why the file cannot be used
 */
static const char *
stream_read(FILE *file, char *text)
{
	size_t length = fread(text, 1, CONFIG_BYTES_MAX + 1, file);

	if (ferror(file))
		return strerror(errno);
	if (length > CONFIG_BYTES_MAX)
		return "the file has more than 65536 bytes";
	text[length] = '\0';
	/* Some editors on Windows write UTF-16, which contains zero bytes. */
	if (strlen(text) != length)
		return "the file is not ASCII or UTF-8 text";
	return NULL;
}

/** @return text of the file, allocated with malloc(); NULL: failure, with the reason in *why */
static char *
file_read(const char *path, const char **why)
{
	FILE *file = fopen(path, "re");
	char *text;

	if (file == NULL) {
		*why = strerror(errno);
		return NULL;
	}
	text = malloc(CONFIG_BYTES_MAX + 2);
	*why = text == NULL ? "out of memory" : stream_read(file, text);
	fclose(file);
	if (*why == NULL)
		return text;
	free(text);
	return NULL;
}

/** Skip the UTF-8 byte order mark that editors on Windows write. @return the text after it */
static const char *
skip_mark(const char *text)
{
	static const char mark[] = "\xef\xbb\xbf";

	return strncmp(text, mark, sizeof(mark) - 1) == 0 ? text + sizeof(mark) - 1 : text;
}

/**
 * @return true if the environment variable contains a configuration; false: the variable contains a
 * file name
 */
static bool
is_text(const char *value)
{
	return value[0] != '/' && value[0] != '.' && strchr(value, '=') != NULL;
}

bool
spi_config_read(struct spi_config *config, char *error)
{
	const char *value = getenv(SPI_CONFIG_VARIABLE);
	const char *path = value == NULL || value[0] == '\0' ? SPI_CONFIG_FILE : value;
	const char *why;
	char *text;
	bool read;

	if (value != NULL && is_text(value))
		return spi_config_parse(config, value, "\n;", SPI_CONFIG_VARIABLE, error);
	memset(config, 0, sizeof(*config));
	text = file_read(path, &why);
	if (text == NULL) {
		snprintf(error, SPI_ERROR_BYTES,
			"no adapters for Network Direct: %s: %s. Create this file, or set the "
			"environment variable " SPI_CONFIG_VARIABLE
			" to the path of another file. Example configuration:\n%s",
			path, why, example);
		return false;
	}
	read = spi_config_parse(config, skip_mark(text), "\n", path, error);
	free(text);
	return read;
}
