/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_LACK_H
#define NDPDK_SIM_SIM_LACK_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd_types.h>

/*
 * Set-up calls whose allocations fail. If sim_plan.lack is set, each of these calls is repeated: in
 * the first call the first allocation fails, in the second call the second allocation, and so on,
 * until a call makes no more allocations. Each call except the last must fail as documented and
 * must leak nothing. The last call must succeed.
 *
 *   lack = sim_lack_begin(world, "create_connector", ND_NO_MEMORY);
 *   do
 *           status = nd_adapter_create_connector(adapter, &connector);
 *   while (sim_lack_again(&lack, status));
 */

struct sim_world;

struct sim_lack {
	struct sim_world *world;
	const char *call;
	nd_status expected;
	uint32_t turn; /**< number of the allocation that fails; 0: none */
};

/** @param expected status that the call must return if an allocation fails */
struct sim_lack sim_lack_begin(struct sim_world *world, const char *call, nd_status expected);
/** Check the status of the call. @return whether the call must be repeated */
bool sim_lack_again(struct sim_lack *lack, nd_status status);
/**
 * Exclude allocations of the simulated network, into which an adapter sends frames during a call.
 * From true until false, allocations do not fail and are not counted.
 */
void sim_lack_exempt(bool is_exempt);

#endif
