/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SUPPORT_ENGINES_H
#define NDPDK_SUPPORT_ENGINES_H

#include <ndpdk/nd.h>

/*
 * Number of engines of each adapter in a test. The environment variable NDPDK_TEST_ENGINES sets it,
 * so that the same tests can run with one engine and with several engines. With several engines,
 * the endpoints of a test are on the last engine. The connection manager runs on the first engine.
 */

/** @return the number of engines of each adapter; 1 if NDPDK_TEST_ENGINES is not set */
uint32_t test_engines(void);

struct nd_engine *test_home(struct nd_adapter *adapter);

/** Poll each engine of an adapter once. @return number of packets received and sent */
unsigned int test_poll(struct nd_adapter *adapter);

#endif
