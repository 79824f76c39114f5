/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SUPPORT_STARVE_H
#define NDPDK_SUPPORT_STARVE_H

#include <stdint.h>

#include <ndpdk/nd.h>

/*
 * An adapter with a port that accepts a limited number of frames, and with clocks that the test can
 * advance. With these clocks, tests of long timeouts run fast.
 */

/** Value for starve_allow() that removes the limit. */
#define STARVE_ALL UINT32_MAX

/** After this call, the port of an open adapter accepts this number of frames and no more. */
void starve_allow(struct nd_adapter *adapter, uint32_t frames);

/** @return the number of calls in which the port accepted fewer frames than were offered */
uint32_t starve_refusals(void);

/** Advance the clocks of the adapter's engines. Only the owner of the engines may call this. */
void starve_pass(struct nd_adapter *adapter, uint64_t ns);

/** @return the number of packet buffers of the adapter that are in use */
unsigned int starve_buffers(const struct nd_adapter *adapter);

#endif
