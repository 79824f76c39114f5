/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_CALL_H
#define NDPDK_ND_CALL_H

#include "nd/adapter.h"

/** Run fn(arg) on the engine's thread, settle, and give back what it returned. */
nd_status adapter_call(struct nd_adapter *adapter, nd_status (*fn)(void *arg), void *arg);

#endif
