/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_PORT_H
#define NDPDK_SPI_PORT_H

#include <stdint.h>

/** @return a port in 49152 .. 65535 in network byte order; each call returns the next port */
uint16_t spi_port_choose(void);

#endif
