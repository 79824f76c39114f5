/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_MAD_H
#define NDPDK_PLAYER_MAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Messages of the connection manager (IBTA volume 1, 12.6): their fields, by name. */

enum mad_attribute {
	MAD_REQ = 0x10,
	MAD_MRA = 0x11,
	MAD_REJ = 0x12,
	MAD_REP = 0x13,
	MAD_RTU = 0x14,
	MAD_DREQ = 0x15,
	MAD_DREP = 0x16,
};

/** Fields that a replay reads or writes. Other fields are only compared. */
enum mad_id {
	MAD_OTHER,
	MAD_LOCAL_COMM_ID,
	MAD_REMOTE_COMM_ID,
	MAD_LOCAL_QPN,
	MAD_REMOTE_QPN,
	MAD_STARTING_PSN,
	MAD_SERVICE_ID,
	MAD_PATH_MTU,
	MAD_PRIVATE,
	MAD_RNR_RETRY,
	MAD_ACK_TIMEOUT,
	MAD_REJECTED_MESSAGE,
	MAD_REJECT_REASON,
	MAD_IDS, /**< number of values */
};

/** Reasons of a REJ. */
enum mad_reason {
	MAD_REASON_TIMEOUT = 4,   /**< the active side gives up */
	MAD_REASON_COMM_ID = 6,   /**< a REP for an attempt that has ended */
	MAD_REASON_SERVICE = 8,   /**< no application listens on the service ID */
	MAD_REASON_CONSUMER = 28, /**< the application rejects the connection */
};

/** Which message a REJ rejects. */
enum mad_rejected {
	MAD_REJECTED_REQ = 0,
	MAD_REJECTED_REP = 1,
	MAD_REJECTED_OTHER = 2, /**< no message: the attempt */
};

/** How two values of a field are compared. */
enum mad_match {
	MAD_SAME,    /**< they must be equal */
	MAD_MAPPED,  /**< always different: must be mapped one-to-one */
	MAD_PSN,     /**< always different: each side chooses its PSN */
	MAD_SETTING, /**< each stack chooses; the report explains a difference */
};

struct mad_field {
	const char *name;
	uint16_t byte; /**< offset in the MAD */
	/** most significant bit of the field; 7 = most significant bit of the byte */
	uint8_t bit;
	uint16_t bits;
	enum mad_match match;
	enum mad_id id;
};

/** @param[out] count number of fields. @return NULL: not a message that a replay knows */
const struct mad_field *mad_fields(uint8_t attribute, size_t *count);
/** @return REQ, MRA, ..., static */
const char *mad_name(uint8_t attribute);

uint8_t mad_attribute(const uint8_t *mad);
/** @return whether an application can cause this REJ */
bool mad_can_reject(const uint8_t *rej);
uint64_t mad_transaction(const uint8_t *mad);
void mad_set_transaction(uint8_t *mad, uint64_t id);

/** @param field of at most 64 bits */
uint64_t mad_get(const uint8_t *mad, const struct mad_field *field);

/** @return value of a field of this message; 0: it has none */
uint64_t mad_load(const uint8_t *mad, enum mad_id id);
/** Set a field of this message. @return false: it has none */
bool mad_store(uint8_t *mad, enum mad_id id, uint64_t value);

/** Write the header of a message and zeros. */
void mad_begin(uint8_t *mad, uint8_t attribute, uint64_t transaction);

/** A REQ that a replay creates if the capture has none. */
struct mad_req {
	uint32_t comm_id, qpn, psn;
	uint16_t path_mtu, port;
	uint8_t ack_timeout, retry_count, rnr_retry_count;
	uint8_t responder_resources, initiator_depth;
	uint8_t local_ip[16], remote_ip[16];
};

void mad_make_req(uint8_t *mad, const struct mad_req *req);

#endif
