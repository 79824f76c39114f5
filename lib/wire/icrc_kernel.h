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

/**
 * ICRC of a packet whose payload is still elsewhere; it is copied to its place meanwhile.
 *
 * Each byte of the payload is read once: the ICRC is that of the packet as it was copied, also when
 * another thread writes the source meanwhile. For packets that are sent only: what is received is
 * placed when its ICRC was verified.
 *
 * @param ip    as for wire_icrc_kernel_fn; in front of the payload the packet is written
 * @param bytes as for wire_icrc_kernel_fn, the payload included
 * @param from  the payload, with any alignment; does not overlap the packet
 * @param count bytes of the payload, the last ones of `bytes`: there is no pad
 */
typedef uint32_t (*wire_icrc_copy_fn)(
	uint8_t *ip, uint32_t bytes, bool v6, const uint8_t *from, uint32_t count);

/** One of several implementations with the same results. */
struct wire_icrc_kernel {
	const char *name; /**< the instructions it uses, or "isal" */
	wire_icrc_kernel_fn run;
	wire_icrc_copy_fn copy;
};

/** The fastest kernel for this CPU, chosen when the library is loaded. */
extern wire_icrc_kernel_fn wire_icrc_fastest;
extern wire_icrc_copy_fn wire_icrc_copy_fastest;

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
uint32_t
wire_icrc_copy_pclmul(uint8_t *ip, uint32_t bytes, bool v6, const uint8_t *from, uint32_t count);
uint32_t
wire_icrc_copy_avx2(uint8_t *ip, uint32_t bytes, bool v6, const uint8_t *from, uint32_t count);
uint32_t
wire_icrc_copy_avx512(uint8_t *ip, uint32_t bytes, bool v6, const uint8_t *from, uint32_t count);

#endif
