/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIRE_ICRC_CONSTANTS_H
#define NDPDK_WIRE_ICRC_CONSTANTS_H

#include <stdint.h>

/** CRC of the 8 bytes of ones that stand for the local route header. */
#define ICRC_OF_ONES 0x2144DF1Cu

/** IP header, UDP header and BTH of IPv6: no variant field is behind them. */
#define ICRC_VARIANT_BYTES_MAX 60

/** What these headers are OR-ed with: variant fields are ones. [0] is IPv4, [1] is IPv6. */
extern const uint8_t wire_icrc_variant[2][ICRC_VARIANT_BYTES_MAX];

#endif
