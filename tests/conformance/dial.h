/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CONFORMANCE_DIAL_H
#define NDPDK_CONFORMANCE_DIAL_H

#include "scene.h"

/*
 * Steps of a connection from the peer to the owner, one function each, and a tap for the frames
 * that the adapters of the scene send.
 */

/**
 * Start a connect with private data. The peer must have its endpoint, and the owner its listener.
 */
nd_status dial_start(const void *data, size_t bytes, struct nd_overlapped *connect);

/** Pass the next request to a new connector of the owner, and store the connector in the scene. */
void dial_take(void);

/**
 * Create listener and peer's endpoint if missing, start a connect, and wait for the owner to get
 * the request.
 */
void dial_request(const void *data, size_t bytes, struct nd_overlapped *connect);

/** Create the owner's endpoint and accept. @return status of the accept */
nd_status dial_accept(const void *data, size_t bytes, struct nd_overlapped *accept);

/** Call dial_request() and dial_accept(), and wait until the peer has the answer. */
void dial_answer(struct nd_overlapped *accept);

/** Complete the connect of the peer. */
void dial_complete(void);

/** Accept the request of dial_request() and complete the connection. */
void dial_finish(struct nd_overlapped *connect);

/** Create an endpoint of a side with these read limits. Creates the connector if there is none. */
void dial_endpoint(unsigned int side, size_t inbound_reads, size_t outbound_reads);

/** A RoCEv2 frame over IPv4 that an adapter sends. */
struct dial_frame {
	unsigned int side; /**< sending side */
	uint8_t opcode;    /**< opcode in the BTH */
	/** destination queue pair; 1: a message of the connection manager */
	uint32_t qp;
	/** CM messages only: attribute ID, host byte order: 0x10 REQ .. 0x16 DREP */
	uint16_t attribute;
	uint32_t psn; /**< PSN in the BTH */
};

/** For nd_pair_config.adapt: calls dial_look for each frame that the adapters send. */
void dial_tap(unsigned int side, struct nd_adapter_config *config);

/** Called for each sent frame. Returns true to drop the frame. NULL: drop none. */
extern bool (*dial_look)(const struct dial_frame *frame);

#endif
