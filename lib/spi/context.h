/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_CONTEXT_H
#define NDPDK_SPI_CONTEXT_H

#include <ndpdk/nd.h>

/*
 * Results are taken by value (nd_shared.h), so a request needs no memory here: what the application
 * gave with it is the native context. The native API refuses NULL, which version 2 allows: a
 * pointer to this object stands for it.
 */
extern char spi_context_null;

/** The native context of what an application gave with a request. */
static inline void *
spi_context_native(void *context)
{
	return context != NULL ? context : &spi_context_null;
}

/** The same, in a call of nd_endpoint.h. */
static inline struct nd_result *
spi_context_result(void *context)
{
	return spi_context_native(context);
}

/** What the application gave. */
static inline void *
spi_context_of(void *native)
{
	return native != &spi_context_null ? native : NULL;
}

/**
 * Context of a window's invalidate result. The native window keeps a pointer to it, until its
 * release.
 */
struct spi_window_context {
	ND_RESULT *result; /**< NULL: nobody wants the result */
};

#endif
