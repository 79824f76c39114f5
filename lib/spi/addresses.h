/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_ADDRESSES_H
#define NDPDK_SPI_ADDRESSES_H

#include "spi/device.h"

/**
 * Fill a SOCKET_ADDRESS_LIST with the address of one device, or of all of them.
 *
 * @param device NULL: all
 * @param[out] list its addresses lie behind it in the same buffer; unchanged after a failure
 * @param[in,out] bytes in: of the buffer; out: needed or used, also with ND_BUFFER_OVERFLOW
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: too small, or list is NULL
 */
nd_status
spi_address_list(const struct spi_device *device, SOCKET_ADDRESS_LIST *list, size_t *bytes);

/** spi_address_list() of an interface with 32 bits for lengths. */
nd_status
spi_address_list_32(const struct spi_device *device, SOCKET_ADDRESS_LIST *list, ULONG *bytes);

/** @return bytes of an address of this family; 0: neither IPv4 nor IPv6 */
size_t spi_address_bytes(int family);

/**
 * Copy an address, with the protocol of lengths that all methods have.
 *
 * @param port network byte order
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: too small, or address is NULL
 */
nd_status spi_address_store(
	const struct sockaddr_storage *own, uint16_t port, struct sockaddr *address, size_t *bytes);

/** What an address of a caller is, to an adapter. */
enum spi_address_kind {
	SPI_ADDRESS_BAD,   /**< not of a known family, or too short */
	SPI_ADDRESS_OWN,   /**< the adapter's */
	SPI_ADDRESS_ZERO,  /**< 0.0.0.0 or :: */
	SPI_ADDRESS_OTHER, /**< any other */
};

/** @param[out] port network byte order; unchanged for SPI_ADDRESS_BAD */
enum spi_address_kind spi_address_classify(const struct spi_device *device,
	const struct sockaddr *address, size_t bytes, uint16_t *port);

#endif
