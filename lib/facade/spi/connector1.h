/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_CONNECTOR1_H
#define NDPDK_SPI_CONNECTOR1_H

#include "spi/adapter.h"
#include "spi/link.h"

/** A connector of version 1. */
struct spi_connector1 {
	struct spi_object object;
	struct spi_link *link; /**< native connector; holds a reference */
};

extern const struct spi_class spi_connector1_class;

/** INDAdapter::CreateConnector */
HRESULT spi_connector1_create(INDAdapter *self, INDConnector **out);

#endif
