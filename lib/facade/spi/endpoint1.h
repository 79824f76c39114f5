/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_ENDPOINT1_H
#define NDPDK_SPI_ENDPOINT1_H

#include "spi/qp.h"

extern const struct spi_class spi_endpoint1_class;

/** INDConnector::CreateEndpoint. */
HRESULT spi_endpoint1_create(struct spi_adapter *adapter, struct spi_link *link,
	INDCompletionQueue *inbound_cq, INDCompletionQueue *outbound_cq,
	const struct spi_endpoint_limits *limits, INDEndpoint **out);

/* Posting methods: endpoint_post1.c. */
HRESULT spi_endpoint1_send(
	INDEndpoint *self, ND_RESULT *result, const ND_SGE *sge, SIZE_T count, DWORD flags);
HRESULT spi_endpoint1_send_and_invalidate(INDEndpoint *self, ND_RESULT *result, const ND_SGE *sge,
	SIZE_T count, const ND_MW_DESCRIPTOR *remote, DWORD flags);
HRESULT
spi_endpoint1_receive(INDEndpoint *self, ND_RESULT *result, const ND_SGE *sge, SIZE_T count);
HRESULT spi_endpoint1_bind(INDEndpoint *self, ND_RESULT *result, ND_MR_HANDLE region,
	INDMemoryWindow *window, const void *buffer, SIZE_T bytes, DWORD flags,
	ND_MW_DESCRIPTOR *descriptor);
HRESULT spi_endpoint1_invalidate(
	INDEndpoint *self, ND_RESULT *result, INDMemoryWindow *window, DWORD flags);
HRESULT spi_endpoint1_read(INDEndpoint *self, ND_RESULT *result, const ND_SGE *sge, SIZE_T count,
	const ND_MW_DESCRIPTOR *remote, ULONGLONG offset, DWORD flags);
HRESULT spi_endpoint1_write(INDEndpoint *self, ND_RESULT *result, const ND_SGE *sge, SIZE_T count,
	const ND_MW_DESCRIPTOR *remote, ULONGLONG offset, DWORD flags);

#endif
