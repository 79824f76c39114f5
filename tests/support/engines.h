/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SUPPORT_ENGINES_H
#define NDPDK_SUPPORT_ENGINES_H

#include <ndpdk/nd.h>

/*
 * How many engines the adapters of a test have: the environment variable NDPDK_TEST_ENGINES says
 * it, so that the same tests run with one engine and with several. With several, the objects of a
 * test are on the last engine, which is not the one that has the connections.
 */

/** @return engines of each adapter: 1 unless the environment says more. */
uint32_t test_engines(void);

/** @return the engine that a test's endpoints are on. */
struct nd_engine *test_home(struct nd_adapter *adapter);

/** One turn of all engines of an adapter. @return packets received and sent */
unsigned int test_poll(struct nd_adapter *adapter);

#endif
