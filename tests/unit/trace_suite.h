/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_TRACE_SUITE_H
#define NDPDK_UNIT_TRACE_SUITE_H

#include "unit/trace_scene.h"

/* The scene of a test, and how suites of tests open and close it. */

static struct scene scene;

/* No packet has been seen. */
static inline void
bare_open(void)
{
	scene_open(&scene);
}

static inline void
connected_open(void)
{
	scene_open(&scene);
	scene_connect(&scene);
}

static inline void
just_close(void)
{
	scene_close(&scene);
}

/*
 * A test behind which nothing may have been found. That is not for the end of its suite, which
 * Criterion runs behind the result: what fails there is a warning, and the test has passed.
 */
#define CleanTest(suite, name)                                                                     \
	static void suite##_##name(void);                                                          \
	Test(suite, name)                                                                          \
	{                                                                                          \
		suite##_##name();                                                                  \
		scene_expect_clean(&scene, #name);                                                 \
	}                                                                                          \
	static void suite##_##name(void)

#endif
