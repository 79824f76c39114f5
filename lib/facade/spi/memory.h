/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_MEMORY_H
#define NDPDK_SPI_MEMORY_H

#include "spi/adapter.h"
#include "spi/context.h"

enum spi_mr_state {
	SPI_MR_EMPTY = 0,
	SPI_MR_CHANGING, /**< being registered or deregistered; other calls are refused */
	SPI_MR_REGISTERED,
};

struct spi_mr {
	struct spi_object object;
	uint32_t state;        /**< enum spi_mr_state; atomic */
	struct nd_mr *native;  /**< NULL: not registered; atomic */
	uint32_t local_token;  /**< 0: not registered; atomic */
	uint32_t remote_token; /**< in network byte order; 0: no remote token; atomic */
	uint32_t flags;
};

/** A memory window of either version. */
struct spi_mw {
	struct spi_object object;
	struct nd_mw *native;
	uint32_t token; /**< remote token of the last bind, network byte order; atomic */
};

extern const struct spi_class spi_mr2_class, spi_mw2_class;

/** IND2Adapter::CreateMemoryRegion */
HRESULT spi_mr2_create(IND2Adapter *self, REFIID iid, HANDLE file, VOID **out);

/** IND2Adapter::CreateMemoryWindow */
HRESULT spi_mw2_create(IND2Adapter *self, REFIID iid, VOID **out);

/**
 * Create the native window of a window object. The parent of the object must be set.
 *
 * @param invalidated context of the window's invalidate result
 */
nd_status spi_mw_open(struct spi_mw *mw, struct spi_window_context *invalidated);

/** spi_class.destroy of both versions. */
void spi_mw_destroy(struct spi_object *object);

#endif
