/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CC_SWIFT_H
#define NDPDK_CC_SWIFT_H

#include "cc/cc.h"
#include "cc/rtt.h"

/** Row of CC_SWIFT, for a flow with a window of at least one packet. */
extern const struct cc_events cc_swift;

/** State of CC_SWIFT. */
struct cc_swift_state {
	struct cc_rtt rtt;
	uint32_t cwnd;      /**< the window, 1/65536 packet */
	uint32_t target_ns; /**< delay up to which the window grows */
	uint32_t timeouts;  /**< in a row */
	bool reduced;       /**< it has been: it does not double any more */
	uint64_t cut_ns;    /**< when it was reduced last */
};

#endif
