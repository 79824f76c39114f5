/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_MODEL_TYPES_H
#define NDPDK_ND_MODEL_TYPES_H

/**
 * @file
 * What a conversation model tells (nd_model.h): values only, no functions.
 *
 * Frames count from 1 in capture order; frame 0 means none. Times are those of the capture in
 * nanoseconds. Sides are those of nd_trace_connection: 0 = active side, or the one seen first.
 * Indices of operations, receives, keys and so on count from 0 within one side of a connection.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Index of an operation, a receive, a key or a connection that there is none. */
#define ND_MODEL_NONE SIZE_MAX

/** What an operation does; from the opcode of its request packets. */
enum nd_model_kind {
	ND_MODEL_SEND,
	ND_MODEL_SEND_IMMEDIATE,
	ND_MODEL_SEND_INVALIDATE,
	ND_MODEL_WRITE,
	ND_MODEL_WRITE_IMMEDIATE,
	ND_MODEL_READ,
	ND_MODEL_COMPARE_SWAP,
	ND_MODEL_FETCH_ADD,
	ND_MODEL_OTHER, /**< FLUSH, ATOMIC WRITE: known to the specification, not to this library */
};

/** How an operation ended, as far as the capture shows. */
enum nd_model_end {
	ND_MODEL_UNANSWERED,   /**< no answer that covers it is in the capture */
	ND_MODEL_ACKNOWLEDGED, /**< acknowledged, perhaps together with later ones; of READ and
				  atomic: all of its answer was captured */
	ND_MODEL_REFUSED,      /**< a fatal NAK: syndrome tells the code */
	ND_MODEL_IMPLIED,      /**< READ or atomic: its answer was not captured, or not all of it,
				  but a later operation was answered */
};

/** What a frame is in its conversation. */
enum nd_model_part {
	ND_MODEL_FRAME_OTHER,     /**< not RoCEv2 */
	ND_MODEL_FRAME_CUT,       /**< RoCEv2, cut by the capture */
	ND_MODEL_FRAME_HIDDEN,    /**< looks like RoCEv2 in a tunnel that is not decoded */
	ND_MODEL_FRAME_MALFORMED, /**< UDP port 4791, but lengths or headers do not fit */
	ND_MODEL_FRAME_FOREIGN,   /**< right ICRC, but no packet of RC or UD: other transports */
	ND_MODEL_FRAME_CORRUPTED, /**< ICRC wrong; connection and side as its headers say, which
				     may be what is corrupted */
	ND_MODEL_FRAME_CM,        /**< message of the connection manager */
	ND_MODEL_FRAME_DATAGRAM,  /**< another datagram: other management class, UD */
	ND_MODEL_FRAME_REQUEST,   /**< SEND, WRITE, READ request, atomic request */
	ND_MODEL_FRAME_ACK,       /**< Acknowledge that is no NAK */
	ND_MODEL_FRAME_NAK,       /**< NAK, of a PSN out of sequence or fatal; see syndrome */
	ND_MODEL_FRAME_RNR_NAK,
	ND_MODEL_FRAME_READ_RESPONSE,
	ND_MODEL_FRAME_ATOMIC_ACK,
	ND_MODEL_FRAME_CNP,      /**< congestion notification packet */
	ND_MODEL_FRAME_RESERVED, /**< RC packet with a reserved opcode */
};

/** What went wrong on the way of a packet, or while it was captured. */
enum nd_model_fault_kind {
	ND_MODEL_FAULT_LOST,       /**< its receiver did not get it; see place */
	ND_MODEL_FAULT_REPEATED,   /**< the network delivered it twice */
	ND_MODEL_FAULT_REORDERED,  /**< it came behind packets that were sent after it */
	ND_MODEL_FAULT_CORRUPTED,  /**< ICRC wrong */
	ND_MODEL_FAULT_UNCAPTURED, /**< its receiver answered it, but the capture lacks it */
};

/** Where it went wrong, seen from the place where the capture was taken. */
enum nd_model_place {
	ND_MODEL_PLACE_UNKNOWN, /**< several causes explain what was seen, e.g. request or answer
				   lost */
	ND_MODEL_PLACE_BEFORE,  /**< between its sender and the place of capture */
	ND_MODEL_PLACE_BEHIND,  /**< between the place of capture and its receiver */
	ND_MODEL_PLACE_CAPTURE, /**< in the capture itself: no misconduct of anybody */
};

/** One thing that went wrong with one packet. */
struct nd_model_fault {
	enum nd_model_fault_kind kind; /**< what happened */
	enum nd_model_place place;     /**< where */
	size_t connection;             /**< ND_MODEL_NONE = not known */
	unsigned side;                 /**< who sent the packet */
	uint64_t frame;    /**< that shows it: the packet itself, or what repeats or answers it */
	uint64_t original; /**< frame of the packet concerned, where the capture has it; else 0 */
	uint32_t psn;      /**< of the packet */
	uint32_t packets;  /**< so many in a row, from this PSN on; at least 1 */
	bool answer;       /**< the packet is an answer */
	size_t operation;  /**< it belongs to: of side, or with answer of the other side */
};

/** Headers of one RoCEv2 packet. Fields that its opcode does not have are 0. */
struct nd_model_headers {
	uint8_t source_mac[6];      /**< of the Ethernet header */
	uint8_t destination_mac[6]; /**< of the Ethernet header */
	uint8_t source_ip[16];      /**< IPv6, or IPv4-mapped (RFC 4291) */
	uint8_t destination_ip[16]; /**< the same */
	uint16_t vlan_tci;          /**< with vlan */
	bool vlan;                  /**< one 802.1Q tag */
	bool solicited;             /**< BTH: solicited event */
	bool acknowledge;           /**< AckReq */
	bool migration;             /**< MigReq */
	uint8_t tos;                /**< DSCP << 2 | ECN */
	uint8_t ttl;                /**< or hop limit */
	uint8_t opcode;             /**< BTH */
	uint16_t pkey;              /**< BTH: partition key */
	uint16_t udp_source_port;   /**< UDP source port; the destination port is 4791 */
	uint32_t destination_qpn;   /**< BTH */
	uint32_t psn;               /**< BTH */
	uint32_t key;               /**< RETH, AtomicETH */
	uint64_t address;           /**< RETH, AtomicETH: virtual address */
	uint32_t length;            /**< RETH: bytes of the whole message */
	uint8_t syndrome;           /**< AETH */
	uint32_t msn;               /**< AETH */
	uint64_t swap_add;          /**< AtomicETH */
	uint64_t compare;           /**< AtomicETH */
	uint64_t original;          /**< AtomicAckETH */
	uint32_t immediate;         /**< ImmDt, as a number in host order */
	uint32_t invalidate_key;    /**< IETH */
	uint32_t qkey;              /**< DETH */
	uint32_t source_qpn;        /**< DETH */
	uint32_t payload_offset;    /**< of the payload in the bytes that were decoded */
	uint32_t payload_bytes;     /**< without pad */
};

/** One frame of the capture. */
struct nd_model_frame {
	uint64_t time_ns;        /**< capture time */
	uint32_t captured_bytes; /**< bytes that were fed */
	uint32_t wire_bytes;     /**< bytes that it had on the wire */
	enum nd_model_part part; /**< what it is */
	unsigned side;           /**< who sent it; valid with a connection */
	size_t connection;       /**< ND_MODEL_NONE = none is known */
	/**
	 * Operation it belongs to: of side for a request, of the other side for an answer. An ACK
	 * names the operation whose PSN it has. ND_MODEL_NONE = none is known.
	 */
	size_t operation;
	uint32_t packet;      /**< PSN of the packet, counted from the operation's first PSN */
	uint32_t psn;         /**< BTH; 0 where no header could be decoded */
	uint64_t sequence;    /**< PSN of a request or answer, unwrapped; the low 24 bits are psn */
	uint8_t opcode;       /**< BTH */
	uint8_t syndrome;     /**< AETH, 0 without */
	uint8_t cm_attribute; /**< with ND_MODEL_FRAME_CM: attribute ID of the MAD, e.g. 0x10 REQ */
	bool repeated;        /**< a request, answer or CM message that was captured before */
};

/** A message of the connection manager. */
struct nd_model_cm_message {
	uint64_t frame;          /**< number of the frame */
	uint64_t time_ns;        /**< capture time */
	unsigned side;           /**< who sent it */
	uint8_t attribute;       /**< 0x10 REQ, 0x11 MRA, 0x12 REJ, 0x13 REP, 0x14 RTU, 0x15 DREQ,
			      0x16 DREP */
	bool repeated;           /**< a copy of one that was captured before */
	uint64_t transaction_id; /**< of the MAD */
	uint32_t local_comm_id;  /**< of its sender */
	uint32_t remote_comm_id; /**< of its receiver; 0 in a REQ */
	uint16_t reject_reason;  /**< REJ */
	/** Whole private data field, zeros behind the data; valid until the model is closed. */
	const uint8_t *private_data;
	size_t private_bytes; /**< REQ 92, MRA 222, REJ 148, REP 196, RTU 224, DREQ 220, DREP 224 */
};

/** One side of a connection. */
struct nd_model_side {
	uint8_t mac[6];    /**< its Ethernet address */
	uint8_t ip[16];    /**< IPv6, or IPv4-mapped (RFC 4291) */
	uint16_t vlan_tci; /**< of the frames it sends, with vlan */
	bool vlan;         /**< its frames have an 802.1Q tag */
	bool data_seen;    /**< it sent an RC packet; fields up to ttl are those of the first */
	/**
	 * DSCP << 2 | ECN of the first RC packet that is not an Acknowledge. With only_acks: of the
	 * first Acknowledge.
	 */
	uint8_t tos;
	bool only_acks;              /**< the side sent no RC packets but Acknowledges */
	bool ack_seen;               /**< the side sent an Acknowledge; ack_tos is valid */
	uint8_t ack_tos;             /**< DSCP << 2 | ECN of the first Acknowledge */
	uint8_t ttl;                 /**< or hop limit */
	uint16_t udp_source_port;    /**< of RC packets */
	uint32_t qpn;                /**< 0 = not known */
	uint32_t first_psn;          /**< of its requests; valid with first_psn_known */
	bool first_psn_known;        /**< first_psn is valid */
	bool first_psn_told;         /**< by the CM, not by the first packet seen */
	uint32_t comm_id;            /**< 0 = no CM message told it */
	uint8_t initiator_depth;     /**< as its REQ or REP says */
	uint8_t responder_resources; /**< the same */
	uint8_t rnr_retry_count;     /**< granted to its peer in its REQ or REP, 0..7 */
	size_t operations;           /**< it posted */
	size_t receives;             /**< of it, that messages of the peer took */
	size_t keys;                 /**< of it, that the peer used */
	size_t refusals;             /**< of its peer's operations, by it */
};

/** How a connection ended. */
enum nd_model_close {
	ND_MODEL_OPEN,         /**< the capture ends before */
	ND_MODEL_REJECTED,     /**< REJ; closed_by sent it */
	ND_MODEL_DISCONNECTED, /**< DREQ; closed_by sent the first */
	ND_MODEL_FAILED,       /**< fatal NAK, and no DREQ seen; closed_by sent it */
};

/** A connection. Its index is that of nd_trace_connection(). */
struct nd_model_connection {
	const struct nd_trace_connection *report; /**< counts; valid until the model is closed */
	struct nd_model_side side[2];             /**< [0] = active side, or the one seen first */
	enum nd_trace_cm cm;                      /**< how far the CM exchange came */
	uint16_t path_mtu_bytes;                  /**< 0 = not known */
	bool path_mtu_told;                       /**< by a REQ, not by the packets */
	bool req_seen;                            /**< the next six are valid */
	uint64_t service_id;                      /**< of the REQ */
	uint16_t service_port;                    /**< of an RDMA IP CM service ID; else 0 */
	uint8_t ack_timeout;                      /**< code: 4.096 us << code */
	uint8_t retry_count;                      /**< 0..7 */
	uint8_t max_cm_retries;                   /**< of the REQ: repeats of a CM message, 0..15 */
	uint8_t remote_cm_timeout;                /**< code */
	uint16_t reject_reason;                   /**< with ND_MODEL_REJECTED */
	enum nd_model_close close;                /**< how it ended */
	unsigned closed_by;                       /**< side; valid unless ND_MODEL_OPEN */
	uint64_t closed_frame;                    /**< REJ, first DREQ, or fatal NAK */
	uint64_t closed_ns;                       /**< time of that frame */
	uint64_t first_frame;                     /**< its first frame */
	uint64_t last_frame;                      /**< its newest frame */
	size_t cm_messages;                       /**< nd_model_cm() has so many */
};

#ifdef __cplusplus
}
#endif

#endif
