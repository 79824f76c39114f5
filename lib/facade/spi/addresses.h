/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_ADDRESSES_H
#define NDPDK_SPI_ADDRESSES_H

#include "spi/device.h"

/**
 * Fill a SOCKET_ADDRESS_LIST with the address of one device or of all devices.
 *
 * @param device NULL: all devices
 * @param[out] list followed by its addresses in the same buffer; unchanged on failure
 * @param[in,out] bytes in: size of the buffer; out: size needed or used, also for
 *         ND_BUFFER_OVERFLOW
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: the buffer is too small, or list is NULL
 */
nd_status
spi_address_list(const struct spi_device *device, SOCKET_ADDRESS_LIST *list, size_t *bytes);

/** Fill a list as spi_address_list() does, with 32-bit lengths. */
nd_status
spi_address_list_32(const struct spi_device *device, SOCKET_ADDRESS_LIST *list, ULONG *bytes);

/** @return size of an address of this family; 0: neither IPv4 nor IPv6 */
size_t spi_address_bytes(int family);

/**
 * Copy an address to the buffer of a caller.
 *
 * @param port network byte order
 * @param bytes in: size of the buffer; out: size needed
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: the buffer is too small, or address is NULL
 */
nd_status spi_address_store(
	const struct sockaddr_storage *own, uint16_t port, struct sockaddr *address, size_t *bytes);

enum spi_address_kind {
	SPI_ADDRESS_BAD,  /**< unknown family, or too short */
	SPI_ADDRESS_OWN,  /**< the address of the adapter */
	SPI_ADDRESS_ZERO, /**< 0.0.0.0 or :: */
	SPI_ADDRESS_OTHER,
};

/**
 * Classify an address that a caller passed. @param[out] port network byte order; unchanged for
 * SPI_ADDRESS_BAD
 */
enum spi_address_kind spi_address_classify(const struct spi_device *device,
	const struct sockaddr *address, size_t bytes, uint16_t *port);

#endif
