/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_CONFIG_H
#define NDPDK_SPI_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include <ndpdk/nd_config.h>

/* The configuration of adapters: docs/spi.md has its syntax. */

#define SPI_ADAPTERS_MAX      16
#define SPI_NEIGHBOURS_MAX    64
#define SPI_EAL_ARGUMENTS_MAX 64
#define SPI_TEXT_BYTES        128
#define SPI_ERROR_BYTES       1024
/** nd_adapter_config.keepalive_ms, if neither that nor peer_timeout_ms is given. */
#define SPI_KEEPALIVE_MS      10000
/** Where the configuration is when the environment says nothing. */
#define SPI_CONFIG_FILE       "/etc/ndpdk/spi.conf"
#define SPI_CONFIG_VARIABLE   "NDPDK_SPI_CONFIG"

/** One section [adapter]. */
struct spi_adapter_config {
	struct nd_adapter_config
		native;            /**< its port_name and neighbours are set when it is used */
	char port[SPI_TEXT_BYTES]; /**< name or number */
	char name[SPI_TEXT_BYTES]; /**< "": none */
	struct nd_neighbour neighbours[SPI_NEIGHBOURS_MAX];
};

struct spi_config {
	char *eal_text;                             /**< what eal_arguments point into; malloc() */
	char *eal_arguments[SPI_EAL_ARGUMENTS_MAX]; /**< without a program's name */
	size_t eal_count;
	struct spi_adapter_config adapters[SPI_ADAPTERS_MAX];
	size_t adapter_count;
};

/**
 * Read the configuration that the environment names, or that is in it.
 *
 * @param[out] config to be freed by spi_config_free(); all 0 after a failure
 * @param[out] error after a failure sentences that say what to write and where; SPI_ERROR_BYTES
 * @return whether there is a configuration with at least one adapter
 */
bool spi_config_read(struct spi_config *config, char *error);

/**
 * As spi_config_read(), from text.
 *
 * @param ends characters that end a line
 * @param where what a message calls the text
 */
bool spi_config_parse(struct spi_config *config, const char *text, const char *ends,
	const char *where, char *error);

void spi_config_free(struct spi_config *config);

#endif
