/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIRE_ICRC_KERNEL_H
#define NDPDK_WIRE_ICRC_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

/**
 * ICRC of a packet in contiguous memory.
 *
 * A kernel reads the `bytes` bytes at ip, with any alignment, and nothing in front of them or
 * behind them. The packet is not changed.
 *
 * @param ip    first byte of the IP header, without options
 * @param bytes from there to the ICRC: a multiple of 4, as in every valid packet, and at least IP
 *              header (20 or 40), UDP header (8) and BTH (12)
 * @param v6    whether it is IPv6
 * @return value to be stored little-endian
 */
typedef uint32_t (*wire_icrc_kernel_fn)(const uint8_t *ip, uint32_t bytes, bool v6);

/** One of several functions with the same result. */
struct wire_icrc_kernel {
	const char *name; /**< the instructions it uses, or "isal" */
	wire_icrc_kernel_fn run;
};

/** The fastest kernel for this CPU, chosen when the library is loaded. */
extern wire_icrc_kernel_fn wire_icrc_fastest;

/**
 * The kernels that this CPU can execute, for tests and benchmarks.
 *
 * @param index 0 is the fastest, wire_icrc_fastest; the last one, ISA-L, runs on every CPU
 * @return NULL behind the last one
 */
const struct wire_icrc_kernel *wire_icrc_kernel_get(unsigned int index);

/* x86-64 only. A CPU without the instructions ends the process: wire_icrc_kernel_get() asks it. */
uint32_t wire_icrc_pclmul(const uint8_t *ip, uint32_t bytes, bool v6);
uint32_t wire_icrc_avx2(const uint8_t *ip, uint32_t bytes, bool v6);
uint32_t wire_icrc_avx512(const uint8_t *ip, uint32_t bytes, bool v6);

#endif
