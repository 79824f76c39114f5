/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CONFORMANCE_DIAL_H
#define NDPDK_CONFORMANCE_DIAL_H

#include "scene.h"

/*
 * Each function executes one step of a connection from the peer to the owner. dial_tap() lets a
 * test look at all frames that the adapters of the scene send.
 */

/**
 * Let the peer start a connect with this private data. The peer must already have its endpoint, and
 * the owner must have its listener.
 */
nd_status dial_start(const void *data, size_t bytes, struct nd_overlapped *connect);

/** Create a connector of the owner for the next connection request, and store it in the scene. */
void dial_take(void);

/**
 * Create the listener and the peer's endpoint if they are missing, start a connect, and wait until
 * the owner has the connection request.
 */
void dial_request(const void *data, size_t bytes, struct nd_overlapped *connect);

/** Create the owner's endpoint, and accept the request with it. @return status of the accept */
nd_status dial_accept(const void *data, size_t bytes, struct nd_overlapped *accept);

/** Call dial_request() and dial_accept(), and wait until the peer has received the reply. */
void dial_answer(struct nd_overlapped *accept);

void dial_complete(void);

/** Accept the request that dial_request() has sent, and complete the connection. */
void dial_finish(struct nd_overlapped *connect);

/** Create an endpoint of a side with these read limits. Create the side's connector if missing. */
void dial_endpoint(unsigned int side, size_t inbound_reads, size_t outbound_reads);

/** A RoCEv2 frame over IPv4 that an adapter of the scene sends. */
struct dial_frame {
	unsigned int side;
	uint8_t opcode;
	/** Destination queue pair number. 1 means a message of the connection manager (CM). */
	uint32_t qp;
	/**
	 * Attribute ID of a CM message in host byte order, from 0x10 (REQ) to 0x16 (DREP), or 0 for
	 * other frames.
	 */
	uint16_t attribute;
	uint32_t psn;
};

/**
 * A function for nd_pair_config.adapt that calls dial_look() for each frame that the adapters send.
 */
void dial_tap(unsigned int side, struct nd_adapter_config *config);

/** Called for each frame that an adapter sends. Returns true to drop the frame. May be NULL. */
extern bool (*dial_look)(const struct dial_frame *frame);

#endif
