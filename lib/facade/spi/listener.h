/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_LISTENER_H
#define NDPDK_SPI_LISTENER_H

#include "spi/adapter.h"

extern const struct spi_class spi_listen1_class, spi_listener2_class;

/** INDAdapter::Listen */
HRESULT spi_listen1_create(INDAdapter *self, SIZE_T backlog, INT protocol, USHORT port,
	USHORT *assigned_port, INDListen **out);

/** IND2Adapter::CreateListener */
HRESULT spi_listener2_create(IND2Adapter *self, REFIID iid, HANDLE file, VOID **out);

#endif
