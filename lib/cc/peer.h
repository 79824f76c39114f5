/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CC_PEER_H
#define NDPDK_CC_PEER_H

#include <stdbool.h>

struct cc_flow;

/**
 * What a loss costs, as far as the transport has learned it. Algorithms that do not judge losses
 * ignore it. Taken as false at the start of a flow.
 *
 * @param goes_back with each loss, all that is in flight is sent again
 */
void cc_peer_goes_back(struct cc_flow *flow, bool goes_back);

#endif
