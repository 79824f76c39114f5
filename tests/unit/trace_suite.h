/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_TRACE_SUITE_H
#define NDPDK_UNIT_TRACE_SUITE_H

#include "unit/trace_scene.h"

/* The scene of a test, and the functions by which test suites open and close the scene. */

static struct scene scene;

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
 * Define a test that fails if the trace contains a violation at the end. The fini function of the
 * suite cannot check the trace, because Criterion runs fini when the result of the test is already
 * fixed. A failure in fini would only be a warning.
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
