/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_H
#define NDPDK_ND_H

/*
 * The Network Direct endpoint API on DPDK, complete: one C function per ND v1 method, in ND's
 * argument order; and, beyond it, what other applications use of the transport (nd_extension.h).
 */
#include <ndpdk/nd_adapter.h>
#include <ndpdk/nd_connector.h>
#include <ndpdk/nd_cq.h>
#include <ndpdk/nd_endpoint.h>
#include <ndpdk/nd_engine.h>
#include <ndpdk/nd_extension.h>
#include <ndpdk/nd_status.h>
#include <ndpdk/nd_types.h>

#endif
