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

/* The test itself has said which violations it expects. */
static inline void
just_close(void)
{
	scene_close(&scene);
}

static inline void
clean_close(void)
{
	scene_expect_clean(&scene, "scene");
	scene_close(&scene);
}

#endif
