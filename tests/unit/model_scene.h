/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_MODEL_SCENE_H
#define NDPDK_UNIT_MODEL_SCENE_H

#include "unit/trace_scene.h"

/* A trace with a model of the memory. All its frames have the same IPv4 identification. */

#define KEY     0x8001u
#define ADDRESS UINT64_C(0x10000)

static inline void
model_open(struct scene *scene)
{
	memset(scene, 0, sizeof(*scene));
	scene->model = nd_model_open(NULL);
	cr_assert_not_null(scene->model);
	scene->now_ns = 1000000000;
}

static inline void
model_close(struct scene *scene)
{
	nd_model_close(scene->model);
}

static inline const struct nd_model_operation *
operation_of(const struct scene *scene, enum scene_host host, size_t index)
{
	const struct nd_model_operation *operation =
		nd_model_operation(scene->model, 0, host, index);

	cr_assert_not_null(operation, "operation %zu of side %u", index, (unsigned)host);
	return operation;
}

#define SEND_ONLY(scene, psn_) SEND(scene, .opcode = WIRE_RC_SEND_ONLY, .psn = (psn_), .bytes = 100)

#endif
