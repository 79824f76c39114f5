/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CM_MESSAGE_H
#define NDPDK_CM_MESSAGE_H

#include <stdint.h>

#include "cm/id.h"
#include "wire/cm_msg.h"

/*
 * Functions that fill in messages (IBTA vol 1 chapter 12, annex A11). Each function writes the
 * whole message, with zero in all unused fields (CM-001, CM-002, CM-003).
 */

/**
 * Compute the code of an ACK timeout as Linux does: take the larger exponent of path (round trip)
 * and delay (time within which the receiver answers), and add 1 if the two exponents differ by at
 * most 1.
 * @param path, delay exponents 0..31
 * @return exponent 0..31; 0 if path is 0, which means no timer
 */
uint8_t cm_ack_timeout(uint8_t path, uint8_t delay);

/** Message to which an MRA or REJ refers. */
enum cm_about { CM_ABOUT_REQ = 0, CM_ABOUT_REP = 1, CM_ABOUT_OTHER = 2 };

void
cm_message_req(const struct cm_id *id, const struct cm_connect_attr *attr, struct wire_cm_msg *msg);
void
cm_message_rep(const struct cm_id *id, const struct cm_endpoint *endpoint, struct wire_cm_msg *msg);
void cm_message_rtu(const struct cm_id *id, struct wire_cm_msg *msg);
void cm_message_mra(const struct cm_id *id, enum cm_about about, struct wire_cm_msg *msg);
/**
 * Fill in a REJ. For reason 4 (timeout) the additional information is our CA GUID, because a peer
 * that has not received our REQ or REP knows no communication ID of the connection.
 */
void cm_message_rej(
	const struct cm_id *id, enum cm_about about, uint16_t reason, struct wire_cm_msg *msg);
/** Starts a new transaction. */
void cm_message_dreq(const struct cm_id *id, struct wire_cm_msg *msg);
/**
 * Fill in a DREP with the transaction ID and communication IDs of the DREQ. The DREP can be sent
 * without a record of the connection (CM-007).
 */
void cm_message_drep(const struct wire_cm_msg *dreq, struct wire_cm_msg *msg);
/**
 * Fill in the answer to a SIDR_REQ, which is always a refusal, because no service of this adapter
 * has a datagram queue pair.
 */
void cm_message_sidr_rep(const struct wire_cm_msg *sidr_req, struct wire_cm_msg *msg);
/** Fill in a REJ of a message that belongs to no connection. Our communication ID is 0. */
void cm_message_refusal(const struct wire_cm_msg *refused, enum cm_about about, uint16_t reason,
	struct wire_cm_msg *msg);
/** @return path MTU (code 1..5) that a REJ reports as acceptable; 0 if the REJ reports no MTU */
uint8_t cm_message_accepted_mtu(const struct wire_cm_msg *msg);

/**
 * Pass the message to the caller's send function, and count it if it was sent.
 * @return true if the message was sent
 */
bool cm_message_send(struct cm *cm, const struct cm_route *route, const struct wire_cm_msg *msg);

#endif
