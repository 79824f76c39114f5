/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIRE_CM_MSG_H
#define NDPDK_WIRE_CM_MSG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/assert.h"
#include "base/dpdk_compat.h"
#include "base/limits.h"
#include "wire/gid.h"

/*
 * Communication management MADs (IBTA vol 1, chapter 12) and the RDMA IP CM private header (annex
 * A11). cm_fields.h has the tables of fields that encode and decode use.
 */

enum wire_cm_attribute {
	WIRE_CM_REQ = 0x10,
	WIRE_CM_MRA = 0x11,
	WIRE_CM_REJ = 0x12,
	WIRE_CM_REP = 0x13,
	WIRE_CM_RTU = 0x14,
	WIRE_CM_DREQ = 0x15,
	WIRE_CM_DREP = 0x16,
	WIRE_CM_SIDR_REQ = 0x17,
	WIRE_CM_SIDR_REP = 0x18,
	WIRE_CM_LAP = 0x19, /**< recognised, but not decoded */
	WIRE_CM_APR = 0x1A, /**< recognised, but not decoded */
};

/** Reasons of a REJ that this stack sends or interprets. */
enum wire_cm_rej_reason {
	WIRE_REJ_NO_QP = 1,
	WIRE_REJ_NO_RESOURCES = 3,
	WIRE_REJ_TIMEOUT = 4,
	WIRE_REJ_UNSUPPORTED = 5,
	WIRE_REJ_INVALID_COMM_ID = 6,
	WIRE_REJ_INVALID_SERVICE_ID = 8,
	WIRE_REJ_INVALID_TRANSPORT = 9,
	WIRE_REJ_STALE_CONNECTION = 10,
	WIRE_REJ_INVALID_GID = 12,
	WIRE_REJ_INVALID_MTU = 26,
	WIRE_REJ_CONSUMER = 28,
};

#define WIRE_CM_PRIVATE_BYTES 224 /**< maximum private data of a message (RTU, DREP) */

/* Largest values of fields. */
/** limit of 5-bit codes for ACK timeouts, CM timeouts and service times */
#define WIRE_TIMEOUT_CODE_MAX 31
#define WIRE_RETRY_COUNT_MAX  7  /**< limit of the 3-bit counts of transport and RNR retries */
#define WIRE_CM_RETRIES_MAX   15 /**< limit of the 4-bit count of CM retransmissions */

/* Codes of the path MTU: code 1 is 256 bytes, and each next code is twice as large. */
#define WIRE_PMTU_CODE_MIN 1
#define WIRE_PMTU_CODE_MAX 5

static inline bool
wire_pmtu_code_valid(uint8_t code)
{
	return code >= WIRE_PMTU_CODE_MIN && code <= WIRE_PMTU_CODE_MAX;
}

/** @return bytes of payload, 256 .. 4096. @param code WIRE_PMTU_CODE_MIN .. WIRE_PMTU_CODE_MAX */
static inline uint16_t
wire_pmtu_bytes(uint8_t code)
{
	BASE_ASSERT(wire_pmtu_code_valid(code));
	return (uint16_t)(LIMIT_PMTU_MIN << (code - WIRE_PMTU_CODE_MIN));
}

/** @return code of a path MTU. @param pmtu_bytes 256, 512, 1024, 2048 or 4096 */
static inline uint8_t
wire_pmtu_code(uint16_t pmtu_bytes)
{
	return (uint8_t)(rte_bsf32(pmtu_bytes / LIMIT_PMTU_MIN) + WIRE_PMTU_CODE_MIN);
}

/**
 * @return private data capacity of a message in bytes: REQ 92, MRA 222, REJ 148, REP 196, RTU 224,
 *         DREQ 220, DREP 224, SIDR_REQ 216, SIDR_REP 136
 */
uint8_t wire_cm_private_bytes(enum wire_cm_attribute attribute);

/** REQ message. Member names are those of the specification. Members contain encoded values. */
struct wire_cm_req {
	uint64_t service_id;
	uint64_t local_ca_guid;
	uint32_t local_qkey;
	uint32_t local_qpn;
	uint32_t starting_psn;
	uint32_t vendor_id;
	uint8_t responder_resources;
	uint8_t initiator_depth;
	uint8_t remote_cm_timeout;
	uint8_t local_cm_timeout;
	uint8_t transport_service;
	uint8_t extended_transport;
	uint8_t retry_count;
	uint8_t rnr_retry_count;
	uint8_t path_mtu; /**< 1..5 */
	uint8_t max_cm_retries;
	bool flow_control;
	bool srq;
	bool rdc_exists;
	uint16_t pkey;
	uint16_t local_lid;
	uint16_t remote_lid;
	struct wire_gid local_gid;
	struct wire_gid remote_gid;
	uint32_t flow_label;
	uint8_t packet_rate;
	uint8_t traffic_class;
	uint8_t hop_limit;
	uint8_t service_level;
	bool subnet_local;
	uint8_t ack_timeout;
	uint16_t alternate_local_lid; /**< nonzero if the REQ has an ignored alternate path */
};

struct wire_cm_mra {
	uint8_t message; /**< message that the MRA answers: 0 REQ, 1 REP, 2 LAP */
	uint8_t service_timeout;
};

struct wire_cm_rej {
	uint8_t message; /**< rejected message: 0 REQ, 1 REP, 2 other */
	uint8_t info_bytes;
	uint16_t reason;
	uint8_t info[72];
};

struct wire_cm_rep {
	uint64_t local_ca_guid;
	uint32_t local_qkey;
	uint32_t local_qpn;
	uint32_t starting_psn;
	uint8_t responder_resources;
	uint8_t initiator_depth;
	uint8_t target_ack_delay;
	uint8_t failover;
	uint8_t rnr_retry_count;
	bool flow_control;
	bool srq;
};

struct wire_cm_dreq {
	uint32_t remote_qpn; /**< QPN of the side that receives the DREQ */
};

/** SIDR_REQ: request for the datagram queue pair of a service. local_comm_id is the request ID. */
struct wire_cm_sidr_req {
	uint64_t service_id;
	uint16_t pkey;
};

/** Status of a SIDR_REP that this stack sends. */
enum wire_cm_sidr_status {
	WIRE_SIDR_UNSUPPORTED = 1, /**< service ID not supported */
};

/** SIDR_REP: answer to a SIDR_REQ. local_comm_id is the request ID of the SIDR_REQ. */
struct wire_cm_sidr_rep {
	uint64_t service_id;
	uint32_t qpn;
	uint32_t qkey;
	uint8_t status; /**< status; qpn and qkey are valid only if it is 0 (success) */
	uint8_t info_bytes;
	uint8_t info[72];
};

/** One CM message. attribute selects the member of the union. RTU and DREP have no member. */
struct wire_cm_msg {
	enum wire_cm_attribute attribute;
	uint64_t transaction_id;
	uint32_t local_comm_id;
	/**
	 * Communication ID of the receiver. 0 in REQ, SIDR_REQ and SIDR_REP, which have no such
	 * field.
	 */
	uint32_t remote_comm_id;
	union {
		struct wire_cm_req req;
		struct wire_cm_mra mra;
		struct wire_cm_rej rej;
		struct wire_cm_rep rep;
		struct wire_cm_dreq dreq;
		struct wire_cm_sidr_req sidr_req;
		struct wire_cm_sidr_rep sidr_rep;
	};
	/** private data; all bytes after the message's capacity are 0 */
	uint8_t private_data[WIRE_CM_PRIVATE_BYTES];
};

/** Reason why a MAD is not accepted as a CM message. */
enum wire_mad_drop {
	WIRE_MAD_OK = 0,
	WIRE_MAD_LENGTH,    /**< not 256 bytes */
	WIRE_MAD_VERSION,   /**< the base version is not 1, or the class version is not 2 */
	WIRE_MAD_CLASS,     /**< the class is not CM, or the method is not Send */
	WIRE_MAD_ATTRIBUTE, /**< attribute not decoded here */
	WIRE_MAD_COUNT,
};

/** Decode a MAD of LIMIT_MAD_BYTES. @param bytes actual length of the received payload */
enum wire_mad_drop wire_cm_decode(const uint8_t *mad, size_t bytes, struct wire_cm_msg *msg);

/** Encode a MAD. All LIMIT_MAD_BYTES bytes are written (CM-002, SEC-034). */
void wire_cm_encode(const struct wire_cm_msg *msg, uint8_t mad[LIMIT_MAD_BYTES]);

#define WIRE_IP_CM_BYTES    36
/** Prefix that all service IDs of the RDMA IP CM have. */
#define WIRE_SERVICE_PREFIX UINT64_C(0x0000000001000000)

/** @return the service ID of a port (host byte order) of an IP protocol (annex A11) */
static inline uint64_t
wire_service_id(uint8_t protocol, uint16_t port)
{
	return WIRE_SERVICE_PREFIX | (uint64_t)protocol << 16 | port;
}

/** RDMA IP CM header: the first 36 bytes of the private data in a REQ. */
struct wire_ip_cm {
	uint8_t version;    /**< major:4 minor:4, 0 */
	uint8_t ip_version; /**< 4 or 6 */
	uint16_t src_port;  /**< host order */
	struct wire_gid src;
	struct wire_gid dst;
};

/**
 * Read an RDMA IP CM header. Addresses are converted to GIDs (IPv4-mapped for version 4). The
 * function accepts any bytes.
 */
void wire_ip_cm_load(const uint8_t bytes[WIRE_IP_CM_BYTES], struct wire_ip_cm *header);
void wire_ip_cm_store(uint8_t bytes[WIRE_IP_CM_BYTES], const struct wire_ip_cm *header);

/** @return name such as "REQ"; "CM?" for an unknown attribute */
const char *wire_cm_attribute_name(enum wire_cm_attribute attribute);

#endif
