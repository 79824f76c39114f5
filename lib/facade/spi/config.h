/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_CONFIG_H
#define NDPDK_SPI_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include <ndpdk/nd_config.h>

/* The configuration of adapters. docs/facade/spi.md describes its syntax. */

#define SPI_ADAPTERS_MAX      16
#define SPI_NEIGHBOURS_MAX    64
#define SPI_EAL_ARGUMENTS_MAX 64
#define SPI_TEXT_BYTES        128
#define SPI_ERROR_BYTES       1024
/** Default of nd_adapter_config.keepalive_ms if peer_timeout_ms is not set. */
#define SPI_KEEPALIVE_MS      10000
/** Default path of the configuration, if the environment variable is not set. */
#define SPI_CONFIG_FILE       "/etc/ndpdk/spi.conf"
#define SPI_CONFIG_VARIABLE   "NDPDK_SPI_CONFIG"

/** One section [adapter]. */
struct spi_adapter_config {
	struct nd_adapter_config
		native; /**< port_name and neighbours are set when the adapter is opened */
	char port[SPI_TEXT_BYTES]; /**< name or number of the port */
	char name[SPI_TEXT_BYTES]; /**< name of the adapter; "": none */
	struct nd_neighbour neighbours[SPI_NEIGHBOURS_MAX];
};

struct spi_config {
	char *eal_text; /**< text to which eal_arguments point; allocated with malloc() */
	char *eal_arguments[SPI_EAL_ARGUMENTS_MAX]; /**< without a program name */
	size_t eal_count;
	struct spi_adapter_config adapters[SPI_ADAPTERS_MAX];
	size_t adapter_count;
};

/**
 * Read the configuration. The environment variable contains the configuration, or the name of its
 * file.
 *
 * @param[out] config to be freed with spi_config_free(); zeroed on failure
 * @param[out] error SPI_ERROR_BYTES; on failure: message with the line and the expected text
 * @return true if the configuration is valid and has at least one adapter
 */
bool spi_config_read(struct spi_config *config, char *error);

/**
 * Read the configuration from a text, as spi_config_read() does.
 *
 * @param ends characters that end a line
 * @param where name of the text in messages
 */
bool spi_config_parse(struct spi_config *config, const char *text, const char *ends,
	const char *where, char *error);

void spi_config_free(struct spi_config *config);

#endif
