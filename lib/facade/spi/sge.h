/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_SGE_H
#define NDPDK_SPI_SGE_H

#include <string.h>

#include <ndpdk/nd.h>
#include <ndpdk/nd_region.h>
#include <ndpdk/ndspi_types.h>

/** Maximum number of entries of a list, as in native adapters. */
#define SPI_SGE_MAX    16
/** Maximum inline data in bytes, as in native adapters. */
#define SPI_INLINE_MAX 256

/** The list of a request, converted for the native API. */
struct spi_sgl {
	struct nd_sge entries[SPI_SGE_MAX];
	size_t count;
	uint8_t data[SPI_INLINE_MAX]; /**< inline data, gathered from all entries */
};

/**
 * Convert a list.
 * @return ND_SUCCESS; ND_DATA_OVERRUN: too many entries; ND_ACCESS_VIOLATION: no region has the
 *         token of an entry
 */
static inline nd_status
spi_sgl_take(struct spi_sgl *sgl, struct nd_adapter *adapter, const ND2_SGE *sge, size_t count)
{
	size_t filled = 0;

	if (count > SPI_SGE_MAX)
		return ND_DATA_OVERRUN;
	for (size_t i = 0; i < count; i++) {
		struct nd_mr *mr;

		/* An entry without bytes accesses no memory, so its token is not checked. */
		if (sge[i].BufferLength == 0)
			continue;
		mr = nd_adapter_find_region(adapter, sge[i].MemoryRegionToken);
		if (mr == NULL)
			return ND_ACCESS_VIOLATION;
		sgl->entries[filled++] = (struct nd_sge){sge[i].Buffer, sge[i].BufferLength, mr};
	}
	sgl->count = filled;
	return ND_SUCCESS;
}

/**
 * Gather inline data. Any number of entries is allowed; the number of bytes is limited.
 *
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: more than limit; ND_ACCESS_VIOLATION: an entry with bytes
 *         has no address
 */
static inline nd_status
spi_sgl_inline(struct spi_sgl *sgl, const ND2_SGE *sge, size_t count, size_t limit)
{
	size_t bytes = 0;

	for (size_t i = 0; i < count; i++) {
		if (sge[i].BufferLength == 0)
			continue;
		if (sge[i].BufferLength > limit - bytes)
			return ND_BUFFER_OVERFLOW;
		if (sge[i].Buffer == NULL)
			return ND_ACCESS_VIOLATION;
		memcpy(sgl->data + bytes, sge[i].Buffer, sge[i].BufferLength);
		bytes += sge[i].BufferLength;
	}
	sgl->entries[0] = (struct nd_sge){sgl->data, bytes, NULL};
	sgl->count = bytes == 0 ? 0 : 1;
	return ND_SUCCESS;
}

#endif
