/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_CONFIG_VALUE_H
#define NDPDK_SPI_CONFIG_VALUE_H

#include "spi/config.h"

/** What config_value_set() returns for a key that it does not know. */
extern const char config_value_unknown_key[];

/**
 * Set one value of an adapter.
 *
 * @return NULL: done; else what is expected in its place, in a few words, static text
 */
const char *
config_value_set(struct spi_adapter_config *adapter, const char *key, const char *value);

#endif
