/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_REQUEST_H
#define NDPDK_ND_REQUEST_H

#include <stddef.h>

#include <ndpdk/nd_types.h>

#include "nd/refuse.h"
#include "rc/wqe.h"

/* Functions that several files with posting calls share. */

/**
 * Flags that are allowed for requests that complete no receive of the peer, such as READ and WRITE.
 */
#define RDMA_FLAGS (ND_OP_FLAG_SILENT_SUCCESS | ND_OP_FLAG_READ_FENCE)
/** Flags that are allowed for requests that complete a receive of the peer. */
#define SEND_FLAGS (RDMA_FLAGS | ND_OP_FLAG_SEND_AND_SOLICIT_EVENT)

/** Refuse flags: the public function accepts only the flags in `taken`. */
#define REFUSE_FLAGS(function, parameter, flags, taken)                                            \
	REFUSE_IN(function, parameter, "flags 0x%x: expected a subset of 0x%x", flags, taken)

/**
 * @return name of the public function that posts requests with this opcode and a scatter/gather
 * list
 */
const char *request_function(enum rc_send_opcode opcode) __rte_cold __rte_noinline;

/** Log the reason if list_check() has returned ND_INVALID_PARAMETER_2. @return status */
nd_status
list_refused(const char *function, nd_status status, size_t count) __rte_cold __rte_noinline;

/**
 * Queue a request with a scatter/gather list, which is copied. Unless a batch is open, also
 * transmit the request.
 * @param wr the request without its list; modified
 * @return as for all requests (nd_endpoint.h)
 */
nd_status request_post(struct nd_endpoint *endpoint, const struct nd_sge *sgl, size_t sge_count,
	struct rc_send_wr *wr);

/**
 * Queue a local operation after queue_check() has returned ND_SUCCESS. Unless a batch is open, also
 * execute it, if earlier requests allow this.
 * @return ND_SUCCESS
 */
nd_status request_post_local(struct nd_endpoint *endpoint, const struct rc_send_wr *wr);

#endif
