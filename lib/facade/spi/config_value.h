/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_CONFIG_VALUE_H
#define NDPDK_SPI_CONFIG_VALUE_H

#include "spi/config.h"

/** Return value of config_value_set() for an unknown key. */
extern const char config_value_unknown_key[];

/**
 * Set one value of an adapter.
 * @return NULL: success; otherwise the expected value in a few words, static text
 */
const char *
config_value_set(struct spi_adapter_config *adapter, const char *key, const char *value);

#endif
