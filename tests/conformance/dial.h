/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CONFORMANCE_DIAL_H
#define NDPDK_CONFORMANCE_DIAL_H

#include "scene.h"

/*
 * The steps of a connection from the peer to the owner, one call each, and what the adapters of the
 * scene send.
 */

/** The peer has its endpoint and the owner a listener; start a connect with private data. */
nd_status dial_start(const void *data, size_t bytes, struct nd_overlapped *connect);

/** Give the next request to a new connector of the owner, which becomes that of the scene. */
void dial_take(void);

/** Listener, the peer's endpoint, connect, and the request at the owner's connector. */
void dial_request(const void *data, size_t bytes, struct nd_overlapped *connect);

/** The owner makes its endpoint and accepts. @return ND_PENDING unless it is refused */
nd_status dial_accept(const void *data, size_t bytes, struct nd_overlapped *accept);

/** dial_request(), dial_accept(), and wait until the peer has the answer. */
void dial_answer(struct nd_overlapped *accept);

/** The peer completes. */
void dial_complete(void);

/** The usual end of what dial_request() has begun. */
void dial_finish(struct nd_overlapped *connect);

/** Make an endpoint of a side with these read limits, on a new connector of the scene. */
void dial_endpoint(unsigned int side, size_t inbound_reads, size_t outbound_reads);

/** A frame that an adapter sends: RoCEv2 over IPv4. */
struct dial_frame {
	unsigned int side;  /**< that sends it */
	uint8_t opcode;     /**< of its BTH */
	uint32_t qp;        /**< destination; 1: a message of the connection manager */
	uint16_t attribute; /**< of such a message, host byte order: 0x10 REQ .. 0x16 DREP */
	uint32_t psn;       /**< of its BTH */
};

/** nd_pair_config.adapt: all frames of the adapters are shown to dial_look. */
void dial_tap(unsigned int side, struct nd_adapter_config *config);

/** @return whether the frame is lost on its way. NULL: no frame is. */
extern bool (*dial_look)(const struct dial_frame *frame);

#endif
