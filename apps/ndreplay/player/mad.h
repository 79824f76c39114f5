/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_MAD_H
#define NDPDK_PLAYER_MAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Messages of the connection manager (IBTA volume 1, 12.6), and access to their fields by name. */

enum mad_attribute {
	MAD_REQ = 0x10,
	MAD_MRA = 0x11,
	MAD_REJ = 0x12,
	MAD_REP = 0x13,
	MAD_RTU = 0x14,
	MAD_DREQ = 0x15,
	MAD_DREP = 0x16,
};

/** Fields that a replay reads or writes. MAD_OTHER stands for the fields that are only compared. */
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

enum mad_reason {
	MAD_REASON_TIMEOUT = 4,   /**< the active side gives up, because it received no answer */
	MAD_REASON_COMM_ID = 6,   /**< the REP belongs to an attempt that has ended */
	MAD_REASON_SERVICE = 8,   /**< no application listens on the service ID */
	MAD_REASON_CONSUMER = 28, /**< the application rejects the connection */
};

/** The message that a REJ rejects. */
enum mad_rejected {
	MAD_REJECTED_REQ = 0,
	MAD_REJECTED_REP = 1,
	MAD_REJECTED_OTHER = 2, /**< the REJ ends the attempt to connect and rejects no message */
};

/** Ways to compare a recorded value with the engine's value. */
enum mad_match {
	MAD_SAME,    /**< they must be equal */
	MAD_MAPPED,  /**< values always differ, but the mapping must be one-to-one */
	MAD_PSN,     /**< first PSN, which each side chooses; compared with psn_told */
	MAD_SETTING, /**< chosen by each stack; a difference is explained */
};

struct mad_field {
	const char *name;
	uint16_t byte; /**< offset in the MAD */
	/**
	 * Most significant bit of the field within its first byte. 7 = the byte's most significant
	 * bit.
	 */
	uint8_t bit;
	uint16_t bits;
	enum mad_match match;
	enum mad_id id;
};

/**
 * @param[out] count number of fields.
 * @return fields of a message; NULL: the message is not supported
 */
const struct mad_field *mad_fields(uint8_t attribute, size_t *count);
/** @return name of a message, e.g. "REQ"; static text */
const char *mad_name(uint8_t attribute);

uint8_t mad_attribute(const uint8_t *mad);
/**
 * @return true if an application can cause this REJ. For other reasons, the library sends the REJ
 *         without a call of the application.
 */
bool mad_can_reject(const uint8_t *rej);
uint64_t mad_transaction(const uint8_t *mad);
void mad_set_transaction(uint8_t *mad, uint64_t id);

/** @param field has at most 64 bits */
uint64_t mad_get(const uint8_t *mad, const struct mad_field *field);

/** @return value of a field of this message; 0: the message has no such field */
uint64_t mad_load(const uint8_t *mad, enum mad_id id);
/** Set a field of this message. @return false: the message has no such field */
bool mad_store(uint8_t *mad, enum mad_id id, uint64_t value);

/** Write the header of a message, and zeros as its content. */
void mad_begin(uint8_t *mad, uint8_t attribute, uint64_t transaction);

/** Values of the REQ that a replay creates if the capture has no REQ. */
struct mad_req {
	uint32_t comm_id, qpn, psn;
	uint16_t path_mtu, port;
	uint8_t ack_timeout, retry_count, rnr_retry_count;
	uint8_t responder_resources, initiator_depth;
	uint8_t local_ip[16], remote_ip[16];
};

void mad_make_req(uint8_t *mad, const struct mad_req *req);

#endif
