/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SUPPORT_STARVE_H
#define NDPDK_SUPPORT_STARVE_H

#include <stdint.h>

#include <ndpdk/nd.h>

/*
 * An adapter whose port takes as many frames as the test says, and whose time goes on when the test
 * says so: what waits for seconds needs none.
 */

/** The port takes everything, as any does. */
#define STARVE_ALL UINT32_MAX

/** From now on the port of an open adapter takes so many frames, and then none. */
void starve_allow(struct nd_adapter *adapter, uint32_t frames);

/** @return calls in which the port has taken less than it was offered */
uint32_t starve_refusals(void);

/** The clocks of the adapter's engines jump; by the owner of the engines. */
void starve_pass(struct nd_adapter *adapter, uint64_t ns);

/** @return packet buffers of the adapter that are in use */
unsigned int starve_buffers(const struct nd_adapter *adapter);

#endif
