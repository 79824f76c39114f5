/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_CALL_H
#define NDPDK_ND_CALL_H

#include "nd/adapter.h"

/**
 * Execute fn(arg) on the engine's thread; unless called from within a turn, transmit and tell
 * owners of finished operations. @return what fn returned
 */
nd_status adapter_call(struct nd_adapter *adapter, nd_status (*fn)(void *arg), void *arg);

#endif
