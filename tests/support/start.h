/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SUPPORT_START_H
#define NDPDK_SUPPORT_START_H

#include <stdbool.h>

/** Call with true before this thread calls rte_eal_init(), and with false after the call. */
void test_start_eal(bool starting);

#endif
