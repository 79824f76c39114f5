/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CC_PEER_H
#define NDPDK_CC_PEER_H

#include <stdbool.h>

struct cc_flow;

/**
 * Report whether the peer discards all packets after a gap. The transport calls this as soon as it
 * knows the answer. The initial value is false. Algorithms that do not react to losses ignore it.
 *
 * @param goes_back true if each loss causes the retransmission of all packets in flight
 */
void cc_peer_goes_back(struct cc_flow *flow, bool goes_back);

#endif
