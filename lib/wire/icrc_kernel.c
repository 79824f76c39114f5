/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/icrc_kernel.h"

#include <string.h>

#include <rte_common.h>

#include "wire/icrc.h"

/*
 * The ICRC kernel is selected when the library is loaded, with the compiler's test of CPU flags.
 * DPDK's test is not used for two reasons. It does not check whether the operating system saves the
 * registers. It belongs to EAL, which libndpdk-trace does not use.
 *
 * EAL's limit of the vector width (--force-max-simd-bitwidth) is not applied to AVX-512. The limit
 * is known only after rte_eal_init(), and its default on x86, 256, cannot be distinguished from 256
 * set by a user. The default is low because the first CPUs with AVX-512 reduce their clock for
 * AVX-512. The AVX-512 kernel does not run on these CPUs, because they have no VPCLMULQDQ. ISA-L
 * ignores the limit as well.
 */

#define KERNELS_MAX 4

/* Kernel that uses ISA-L. It copies and masks the headers, and calls the CRC function twice. */
static uint32_t
icrc_isal(const uint8_t *ip, uint32_t bytes, bool v6)
{
	uint32_t start_bytes = WIRE_ICRC_START_BYTES(v6);
	struct wire_icrc icrc;

	wire_icrc_start(&icrc, ip, v6);
	wire_icrc_add(&icrc, ip + start_bytes, bytes - start_bytes);
	return wire_icrc_value(&icrc);
}

static uint32_t
copy_isal(uint8_t *ip, uint32_t bytes, bool v6, const uint8_t *from, uint32_t count)
{
	memcpy(ip + bytes - count, from, count);
	return icrc_isal(ip, bytes, v6);
}

static struct wire_icrc_kernel kernels[KERNELS_MAX];
static unsigned int kernel_count;
wire_icrc_kernel_fn wire_icrc_fastest = icrc_isal;
wire_icrc_copy_fn wire_icrc_copy_fastest = copy_isal;

static void
kernel_add(const char *name, wire_icrc_kernel_fn run, wire_icrc_copy_fn copy)
{
	kernels[kernel_count++] = (struct wire_icrc_kernel){.name = name, .run = run, .copy = copy};
}

#ifdef RTE_ARCH_X86_64
static void
kernels_of_cpu_add(void)
{
	bool pclmul, vpclmul;

	__builtin_cpu_init();
	pclmul = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("avx2");
	vpclmul = pclmul && __builtin_cpu_supports("vpclmulqdq");
	if (vpclmul && __builtin_cpu_supports("avx512f"))
		kernel_add("avx512", wire_icrc_avx512, wire_icrc_copy_avx512);
	if (vpclmul)
		kernel_add("avx2", wire_icrc_avx2, wire_icrc_copy_avx2);
	if (pclmul)
		kernel_add("pclmul", wire_icrc_pclmul, wire_icrc_copy_pclmul);
}
#else
static void
kernels_of_cpu_add(void)
{
}
#endif

RTE_INIT(wire_icrc_kernels_find)
{
	kernels_of_cpu_add();
	kernel_add("isal", icrc_isal, copy_isal);
	wire_icrc_fastest = kernels[0].run;
	wire_icrc_copy_fastest = kernels[0].copy;
}

const struct wire_icrc_kernel *
wire_icrc_kernel_get(unsigned int index)
{
	return index < kernel_count ? &kernels[index] : NULL;
}
