/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_CONTEXT_H
#define NDPDK_SPI_CONTEXT_H

#include <ndpdk/nd.h>

/*
 * Completions are taken by value (nd_shared.h). So a request needs no memory here: the
 * application's context of a request is passed as the native context. Version 2 allows NULL as
 * context, but the native API does not. Therefore the address of spi_context_null replaces NULL.
 */
extern char spi_context_null;

/** Convert the application's context of a request to the native context. */
static inline void *
spi_context_native(void *context)
{
	return context != NULL ? context : &spi_context_null;
}

/**
 * Convert a context as spi_context_native() does, to the type that functions of nd_endpoint.h
 * require.
 */
static inline struct nd_result *
spi_context_result(void *context)
{
	return spi_context_native(context);
}

static inline void *
spi_context_of(void *native)
{
	return native != &spi_context_null ? native : NULL;
}

/**
 * Context of a window's invalidate result. The native window refers to it until the window is
 * released.
 */
struct spi_window_context {
	ND_RESULT *result; /**< NULL: the result is discarded */
};

#endif
