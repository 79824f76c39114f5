/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BASE_ASSERT_H
#define NDPDK_BASE_ASSERT_H

#include <assert.h>

/*
 * BASE_ASSERT checks an invariant of the library's own state. It is active unless NDEBUG is
 * defined: in debug builds, tests and the simulator. Never use it for values that a peer or the
 * application can choose.
 */
#ifdef NDEBUG
/* The condition is not evaluated. sizeof prevents warnings about unused variables. */
#define BASE_ASSERT(condition) ((void)sizeof(!(condition)))
#else
#define BASE_ASSERT(condition) assert(condition)
#endif

#endif
