/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_CQ1_H
#define NDPDK_SPI_CQ1_H

#include "spi/cq.h"

extern const struct spi_class spi_cq1_class;

/** INDAdapter::CreateCompletionQueue */
HRESULT spi_cq1_create(INDAdapter *self, SIZE_T entries, INDCompletionQueue **out);

#endif
