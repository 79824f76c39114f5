/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BASE_ASSERT_H
#define NDPDK_BASE_ASSERT_H

#include <assert.h>

/*
 * BASE_ASSERT states what this library owns and must hold; it is on in debug builds, tests and the
 * simulator (that is, unless NDEBUG) and never looks at a byte that a peer or the application may
 * choose.
 */
#ifdef NDEBUG
/* Not evaluated, but seen: what only an assertion uses is no unused variable. */
#define BASE_ASSERT(condition) ((void)sizeof(!(condition)))
#else
#define BASE_ASSERT(condition) assert(condition)
#endif

#endif
