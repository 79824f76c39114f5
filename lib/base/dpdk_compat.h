/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BASE_DPDK_COMPAT_H
#define NDPDK_BASE_DPDK_COMPAT_H

/*
 * Differences between DPDK releases 22.11 to 24.11. The IPv6 addresses in struct rte_ipv6_hdr are
 * arrays of 16 bytes in 22.11, and structures of 16 bytes in 24.11. So code may only take the
 * address of these members.
 */

/* 22.11 declares rte_bsf32() and similar functions in rte_common.h, 24.11 in rte_bitops.h. */
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
