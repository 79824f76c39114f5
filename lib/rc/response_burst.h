/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_RESPONSE_BURST_H
#define NDPDK_RC_RESPONSE_BURST_H

#include <stdint.h>

#include "rc/packets.h"

struct rc_qp;

/**
 * Send the usual responses that come next. Every packet, the state and the counters are as
 * rc_reads_progress() makes them one by one.
 *
 * @param most packets, <= RC_BURST_MAX
 * @param most_bytes of payload; a packet that begins in front of this limit is sent whole
 * @return packets sent. 0: nothing has changed; what comes next is unusual, has to wait, or may not
 *         be sent, which read_response.c finds out
 */
uint32_t
rc_response_burst_send(struct rc_qp *qp, uint32_t most, uint32_t most_bytes, uint64_t now_ns);

#endif
