/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CM_REQUEST_H
#define NDPDK_CM_REQUEST_H

#include <stdint.h>

#include "cm/cm.h"

/**
 * Handle a REQ: answer a duplicate from the record, reject, drop, or create a connection in
 * REQ_RECEIVED.
 */
void cm_request_input(
	struct cm *cm, const struct cm_route *from, const struct wire_cm_msg *msg, uint64_t now_ns);

#endif
