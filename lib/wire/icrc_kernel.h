/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIRE_ICRC_KERNEL_H
#define NDPDK_WIRE_ICRC_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

/**
 * ICRC of a packet in contiguous memory.
 *
 * A kernel reads the `bytes` bytes at ip, with any alignment, and no bytes before or after them. It
 * does not change the packet.
 *
 * @param ip first byte of the IP header, without options
 * @param bytes length from ip to the ICRC: a multiple of 4, as in every valid packet, and at least
 *         IP header (20 or 40), UDP header (8) and BTH (12)
 * @param v6 true for an IPv6 header
 * @return ICRC, to be stored little-endian
 */
typedef uint32_t (*wire_icrc_kernel_fn)(const uint8_t *ip, uint32_t bytes, bool v6);

/**
 * ICRC of a packet, and copy of its payload into the packet.
 *
 * Each byte of the payload is read once, so the ICRC is correct for the copy even if a different
 * thread writes the source during the call. The function is only for packets to be sent, because
 * the payload of a received packet must not be copied before its ICRC is verified.
 *
 * @param ip as for wire_icrc_kernel_fn; all bytes before the payload are already written
 * @param bytes as for wire_icrc_kernel_fn, including the payload
 * @param from the payload, with any alignment; must not overlap the packet
 * @param count length of the payload, which ends the packet without a pad
 */
typedef uint32_t (*wire_icrc_copy_fn)(
	uint8_t *ip, uint32_t bytes, bool v6, const uint8_t *from, uint32_t count);

/** An implementation of the ICRC. All implementations give the same results. */
struct wire_icrc_kernel {
	const char *name; /**< name of the instructions, or "isal" */
	wire_icrc_kernel_fn run;
	wire_icrc_copy_fn copy;
};

/** The fastest kernel for this CPU, chosen when the library is loaded. */
extern wire_icrc_kernel_fn wire_icrc_fastest;
extern wire_icrc_copy_fn wire_icrc_copy_fastest;

/**
 * Kernels that this CPU can execute, for tests and benchmarks.
 *
 * @param index 0 for the fastest kernel, wire_icrc_fastest; the last kernel is ISA-L, which runs on
 *         every CPU
 * @return NULL if index is beyond the last kernel
 */
const struct wire_icrc_kernel *wire_icrc_kernel_get(unsigned int index);

/*
 * Kernels for x86-64. They crash on a CPU without the instructions; wire_icrc_kernel_get() checks
 * this.
 */
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
