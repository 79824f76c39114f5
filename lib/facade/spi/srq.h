/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_SRQ_H
#define NDPDK_SPI_SRQ_H

#include "spi/adapter.h"

struct nd_srq;

struct spi_srq {
	struct spi_object object;
	struct spi_engine *engine;
	struct nd_srq *native;
	uint32_t sge_max;
};

extern const struct spi_class spi_srq2_class;

/** IND2Adapter::CreateSharedReceiveQueue */
HRESULT spi_srq2_create(IND2Adapter *self, REFIID iid, HANDLE file, ULONG depth, ULONG sge_max,
	ULONG threshold, USHORT group, KAFFINITY affinity, VOID **out);

#endif
