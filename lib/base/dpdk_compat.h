/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BASE_DPDK_COMPAT_H
#define NDPDK_BASE_DPDK_COMPAT_H

/*
 * Where releases of DPDK differ, 22.11 to 24.11. Addresses of struct rte_ipv6_hdr are an array in
 * 22.11 and a structure in 24.11: take their address, and both are 16 bytes.
 */

/* rte_bsf32() and its like: 22.11 has them in the second of these, 24.11 in the first. */
#include <rte_bitops.h>
#include <rte_common.h>
#include <rte_version.h>

#if RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0)
#define DPDK_ICMP_ECHO_REPLY   RTE_ICMP_TYPE_ECHO_REPLY
#define DPDK_ICMP_ECHO_REQUEST RTE_ICMP_TYPE_ECHO_REQUEST
#else
#define DPDK_ICMP_ECHO_REPLY   RTE_IP_ICMP_ECHO_REPLY
#define DPDK_ICMP_ECHO_REQUEST RTE_IP_ICMP_ECHO_REQUEST
#endif

#endif
