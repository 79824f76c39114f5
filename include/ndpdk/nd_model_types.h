/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_MODEL_TYPES_H
#define NDPDK_ND_MODEL_TYPES_H

/**
 * @file
 * Data of a conversation model (nd_model.h): types only, no functions.
 *
 * Frame numbers count from 1 in capture order; 0 means no frame. Times are capture times in
 * nanoseconds. Sides are numbered as in nd_trace_connection: 0 = active side, or the side seen
 * first. Indices of operations, receives, keys and so on count from 0 for each side of a
 * connection.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @addtogroup nd_model
 * @{
 */

/** Index that means: no operation, receive, key or connection. */
#define ND_MODEL_NONE SIZE_MAX

/** Type of an operation, from the opcode of its request packets. */
enum nd_model_kind {
	ND_MODEL_SEND,
	ND_MODEL_SEND_IMMEDIATE,
	ND_MODEL_SEND_INVALIDATE,
	ND_MODEL_WRITE,
	ND_MODEL_WRITE_IMMEDIATE,
	ND_MODEL_READ,
	ND_MODEL_COMPARE_SWAP,
	ND_MODEL_FETCH_ADD,
	ND_MODEL_OTHER, /**< FLUSH or ATOMIC WRITE, which this library does not support */
};

/** How an operation ended, as seen in the capture. */
enum nd_model_end {
	ND_MODEL_UNANSWERED, /**< the capture has no answer that covers the operation */
	/**
	 * Acknowledged, maybe together with later operations. READ and atomic: the whole response
	 * was captured.
	 */
	ND_MODEL_ACKNOWLEDGED,
	ND_MODEL_REFUSED, /**< fatal NAK, whose code is in the member syndrome */
	/**
	 * READ or atomic of which the response was not captured completely. An answer to a later
	 * operation shows that the READ or atomic was executed.
	 */
	ND_MODEL_IMPLIED,
};

/** Role of a frame in its conversation. */
enum nd_model_part {
	ND_MODEL_FRAME_OTHER,     /**< not RoCEv2 */
	ND_MODEL_FRAME_CUT,       /**< RoCEv2, cut by the capture */
	ND_MODEL_FRAME_HIDDEN,    /**< probably RoCEv2 in a tunnel that is not decoded */
	ND_MODEL_FRAME_MALFORMED, /**< UDP port 4791, but invalid lengths or headers */
	ND_MODEL_FRAME_FOREIGN,   /**< correct ICRC, but a transport other than RC and UD */
	/** Wrong ICRC. Connection and side are taken from the headers, which may be corrupted. */
	ND_MODEL_FRAME_CORRUPTED,
	ND_MODEL_FRAME_CM,       /**< message of the connection manager */
	ND_MODEL_FRAME_DATAGRAM, /**< UD packet that is no CM message */
	ND_MODEL_FRAME_REQUEST,  /**< SEND, WRITE, READ request, atomic request */
	ND_MODEL_FRAME_ACK,      /**< Acknowledge without NAK */
	ND_MODEL_FRAME_NAK,      /**< PSN sequence error or fatal NAK; see syndrome */
	ND_MODEL_FRAME_RNR_NAK,
	ND_MODEL_FRAME_READ_RESPONSE,
	ND_MODEL_FRAME_ATOMIC_ACK,
	ND_MODEL_FRAME_CNP,      /**< congestion notification packet */
	ND_MODEL_FRAME_RESERVED, /**< RC packet with a reserved opcode */
};

/** Faults of the network or of the capture. */
enum nd_model_fault_kind {
	ND_MODEL_FAULT_LOST,      /**< the receiver did not get the packet; see place */
	ND_MODEL_FAULT_REPEATED,  /**< the network delivered the packet twice */
	ND_MODEL_FAULT_REORDERED, /**< the packet arrived after packets that were sent later */
	ND_MODEL_FAULT_CORRUPTED, /**< wrong ICRC */
	/** The receiver answered the packet, but the capture does not contain the packet. */
	ND_MODEL_FAULT_UNCAPTURED,
};

/** Place of a fault, relative to the place of the capture. */
enum nd_model_place {
	/** Several causes are possible, for example a lost request or a lost answer. */
	ND_MODEL_PLACE_UNKNOWN,
	ND_MODEL_PLACE_BEFORE,  /**< between the sender and the place of the capture */
	ND_MODEL_PLACE_BEHIND,  /**< between the place of the capture and the receiver */
	ND_MODEL_PLACE_CAPTURE, /**< in the capture itself; the network made no fault */
};

/** A fault of one packet, or of several packets in a row. */
struct nd_model_fault {
	enum nd_model_fault_kind kind; /**< type of the fault */
	enum nd_model_place place;     /**< place of the fault */
	size_t connection;             /**< ND_MODEL_NONE = not known */
	unsigned side;                 /**< sender of the packet */
	/** Frame that shows the fault: the affected packet, a copy of it, or the answer to it. */
	uint64_t frame;
	uint64_t original; /**< frame of the affected packet; 0 = not captured */
	uint32_t psn;      /**< PSN of the first affected packet */
	uint32_t packets;  /**< number of affected packets with consecutive PSNs, at least 1 */
	bool answer;       /**< true: the packet is an answer; false: a request */
	/**
	 * Index of the packet's operation, which belongs to side. If answer is set, the operation
	 * belongs to the other side.
	 */
	size_t operation;
};

/** Headers of one RoCEv2 packet. Fields that its opcode does not have are 0. */
struct nd_model_headers {
	uint8_t source_mac[6];      /**< of the Ethernet header */
	uint8_t destination_mac[6]; /**< of the Ethernet header */
	uint8_t source_ip[16];      /**< IPv6 address, or IPv4-mapped (RFC 4291) */
	uint8_t destination_ip[16]; /**< IPv6 address, or IPv4-mapped (RFC 4291) */
	uint16_t vlan_tci;          /**< 802.1Q tag; valid if vlan is true */
	bool vlan;                  /**< true: the frame has an 802.1Q tag */
	bool solicited;             /**< BTH: solicited event */
	bool acknowledge;           /**< BTH: acknowledge request (AckReq) */
	bool migration;             /**< BTH: migration request (MigReq) */
	uint8_t tos;                /**< DSCP << 2 | ECN */
	uint8_t ttl;                /**< TTL or hop limit */
	uint8_t opcode;             /**< BTH */
	uint16_t pkey;              /**< BTH: P_Key */
	uint16_t udp_source_port;   /**< UDP source port; the destination port is 4791 */
	uint32_t destination_qpn;   /**< BTH: destination QP */
	uint32_t psn;               /**< BTH */
	uint32_t key;               /**< RETH, AtomicETH: R_Key */
	uint64_t address;           /**< RETH, AtomicETH: virtual address */
	uint32_t length;            /**< number of bytes of the whole message, in the RETH */
	uint8_t syndrome;           /**< AETH: syndrome */
	uint32_t msn;               /**< AETH: MSN */
	uint64_t swap_add;          /**< swap or add data, in the AtomicETH */
	uint64_t compare;           /**< AtomicETH: compare data */
	uint64_t original;          /**< AtomicAckETH: original data */
	uint32_t immediate;         /**< immediate data (ImmDt) in host byte order */
	uint32_t invalidate_key;    /**< IETH: R_Key */
	uint32_t qkey;              /**< DETH: Q_Key */
	uint32_t source_qpn;        /**< DETH: source QP */
	uint32_t payload_offset; /**< offset of the payload from the start of the decoded bytes */
	uint32_t payload_bytes;  /**< length of the payload, without pad */
};

/** One frame of the capture. */
struct nd_model_frame {
	uint64_t time_ns;        /**< capture time */
	uint32_t captured_bytes; /**< captured length */
	uint32_t wire_bytes;     /**< length on the wire */
	enum nd_model_part part; /**< role of the frame */
	unsigned side;           /**< sender of the frame, 0 or 1; valid if connection is known */
	size_t connection;       /**< ND_MODEL_NONE = not known */
	/**
	 * Index of the frame's operation. A request belongs to an operation that side posted, an
	 * answer to an operation that the other side posted. An ACK belongs to the operation with
	 * its PSN. ND_MODEL_NONE = not known.
	 */
	size_t operation;
	uint32_t packet;      /**< PSN minus the first PSN of the operation */
	uint32_t psn;         /**< PSN in the BTH; 0 if not decoded */
	uint64_t sequence;    /**< PSN of a request or answer, extended to 64 bits */
	uint8_t opcode;       /**< BTH */
	uint8_t syndrome;     /**< syndrome in the AETH; 0 = no AETH */
	uint8_t cm_attribute; /**< attribute ID of a ND_MODEL_FRAME_CM, e.g. 0x10 REQ */
	bool repeated;        /**< true: copy of an earlier request, answer or CM message */
};

/** A message of the connection manager. */
struct nd_model_cm_message {
	uint64_t frame;          /**< number of the frame */
	uint64_t time_ns;        /**< capture time */
	unsigned side;           /**< sender of the message */
	uint8_t attribute;       /**< 0x10 REQ, 0x11 MRA, 0x12 REJ, 0x13 REP, 0x14 RTU, 0x15 DREQ,
			      0x16 DREP */
	bool repeated;           /**< true: copy of a message that was captured before */
	uint64_t transaction_id; /**< transaction ID of the MAD */
	uint32_t local_comm_id;  /**< communication ID of the sender */
	uint32_t remote_comm_id; /**< communication ID of the receiver; 0 in a REQ */
	uint16_t reject_reason;  /**< reason in a REJ; 0 in other messages */
	/** Whole private data field, padded with zeros; valid until the model is closed. */
	const uint8_t *private_data;
	/**
	 * Bytes of private_data: REQ 92, MRA 222, REJ 148, REP 196, RTU 224, DREQ 220, DREP 224.
	 */
	size_t private_bytes;
};

/** One side of a connection. */
struct nd_model_side {
	uint8_t mac[6];    /**< MAC address */
	uint8_t ip[16];    /**< IPv6 address, or IPv4-mapped (RFC 4291) */
	uint16_t vlan_tci; /**< 802.1Q tag of the side's frames; valid if vlan is true */
	bool vlan;         /**< true: the side's frames have an 802.1Q tag */
	/**
	 * True if the side sent an RC packet. mac, ip, vlan_tci, vlan, ttl and udp_source_port are
	 * from its first RC packet.
	 */
	bool data_seen;
	/**
	 * DSCP << 2 | ECN of the side's first RC packet that is not an Acknowledge. If only_acks is
	 * true, the value is from the first Acknowledge.
	 */
	uint8_t tos;
	bool only_acks;           /**< true: all RC packets of the side are Acknowledges */
	bool ack_seen;            /**< true: the side sent an Acknowledge, so ack_tos is valid */
	uint8_t ack_tos;          /**< DSCP << 2 | ECN of the first Acknowledge */
	uint8_t ttl;              /**< TTL or hop limit */
	uint16_t udp_source_port; /**< UDP source port of the side's RC packets */
	uint32_t qpn;             /**< queue pair number; 0 = not known */
	/** First PSN of the side's requests. Valid if first_psn_known is true. */
	uint32_t first_psn;
	bool first_psn_known;        /**< first_psn is valid */
	bool first_psn_told;         /**< true: first_psn is from a CM message */
	uint32_t comm_id;            /**< communication ID; 0 = not known */
	uint8_t initiator_depth;     /**< initiator depth in the side's REQ or REP */
	uint8_t responder_resources; /**< responder resources in the side's REQ or REP */
	/** RNR retry count that the side's REQ or REP tells the peer to use, 0..7 */
	uint8_t rnr_retry_count;
	size_t operations; /**< number of operations that the side posted */
	size_t receives;   /**< number of the side's receives that messages of the peer took */
	size_t keys;       /**< number of the side's keys that the peer used */
	size_t refusals;   /**< number of refused operations of the peer */
};

/** How a connection ended. */
enum nd_model_close {
	ND_MODEL_OPEN,         /**< the capture ended before the connection ended */
	ND_MODEL_REJECTED,     /**< ended by a REJ, which closed_by sent */
	ND_MODEL_DISCONNECTED, /**< a DREQ ended the connection; closed_by sent the first DREQ */
	ND_MODEL_FAILED,       /**< fatal NAK without a DREQ; closed_by is the sender of the NAK */
};

/** A connection. The connection has the same index in nd_trace_connection(). */
struct nd_model_connection {
	/** Counts of the connection's packets. Valid until the model is closed. */
	const struct nd_trace_connection *report;
	struct nd_model_side side[2]; /**< [0] = active side, or the side seen first */
	enum nd_trace_cm cm;          /**< how far the CM exchange came */
	uint16_t path_mtu_bytes;      /**< 0 = not known */
	bool path_mtu_told;           /**< true: path_mtu_bytes is from a REQ, not from packets */
	bool req_seen;                /**< a REQ was captured, so the next six members are valid */
	uint64_t service_id;          /**< service ID in the REQ */
	uint16_t service_port;        /**< port in an RDMA IP CM service ID; 0 = none */
	uint8_t ack_timeout;          /**< ACK timeout in the REQ: 4.096 us << code */
	uint8_t retry_count;          /**< retry count in the REQ, 0..7 */
	uint8_t max_cm_retries;       /**< maximum CM retries in the REQ, 0..15 */
	uint8_t remote_cm_timeout; /**< remote CM response timeout in the REQ: 4.096 us << code */
	uint16_t reject_reason;    /**< reason in the REJ, if the end is ND_MODEL_REJECTED */
	enum nd_model_close close; /**< how the connection ended */
	/** Side that ended the connection. Not valid with ND_MODEL_OPEN. */
	unsigned closed_by;
	uint64_t closed_frame; /**< frame of the REJ, first DREQ, or fatal NAK */
	uint64_t closed_ns;    /**< time of closed_frame */
	uint64_t first_frame;  /**< number of the connection's first frame */
	uint64_t last_frame;   /**< number of the connection's newest frame */
	size_t cm_messages;    /**< number of CM messages for nd_model_cm() */
};

/** @} */

#ifdef __cplusplus
}
#endif

#endif
