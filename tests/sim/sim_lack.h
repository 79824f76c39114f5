/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_LACK_H
#define NDPDK_SIM_SIM_LACK_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd_types.h>

/*
 * Calls that set something up, while there is no memory. In the runs whose plan says so, each of
 * these calls is made again and again: first its first allocation fails, then its second one, until
 * a call needs no more. Each but the last has to fail as documented, and to keep nothing; the last
 * one has to work.
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
	uint32_t turn; /**< this allocation of the call fails; 0: none does */
};

/** @param expected what the call returns without memory */
struct sim_lack sim_lack_begin(struct sim_world *world, const char *call, nd_status expected);
/** The call has returned. @return whether it is to be made again */
bool sim_lack_again(struct sim_lack *lack, nd_status status);
/**
 * Within a call, an adapter gives frames to the network, whose memory is none of the call's: what
 * is allocated from here on does not fail and is not counted, until it is with false.
 */
void sim_lack_exempt(bool is_exempt);

#endif
