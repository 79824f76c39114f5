/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_LACK_H
#define NDPDK_SIM_SIM_LACK_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd_types.h>

/*
 * Set-up calls whose allocations fail. If sim_plan.lack is set, each of these calls is repeated.
 * In the first repetition the first allocation fails, in the second the second allocation, and so
 * on, until no allocation of the call fails. All calls except the last must fail as
 * documented and must not leak memory. The last call must succeed.
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
	uint32_t turn; /**< number of the allocation that fails; 0 = no allocation fails */
};

/** @param expected status that the call must return when one of its allocations fails */
struct sim_lack sim_lack_begin(struct sim_world *world, const char *call, nd_status expected);
/** Check the status of the call. @return true if the call must be repeated */
bool sim_lack_again(struct sim_lack *lack, nd_status status);
/**
 * Exclude allocations of the simulated network, into which an adapter may send frames during a
 * call. After a call with true and until a call with false, allocations do not fail and are not
 * counted.
 */
void sim_lack_exempt(bool is_exempt);

#endif
