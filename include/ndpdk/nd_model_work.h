/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_MODEL_WORK_H
#define NDPDK_ND_MODEL_WORK_H

/**
 * @file
 * Data of a conversation model (nd_model.h) about the work of one side: operations, receives, keys
 * and memory. Types only, no functions.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_model_types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @addtogroup nd_model
 * @{
 */

/**
 * One operation that a side posted. Operations are in order of posting, which is the order of PSNs.
 */
struct nd_model_operation {
	enum nd_model_kind kind; /**< type of the operation */
	enum nd_model_end end;   /**< how the operation ended */
	uint32_t first_psn;      /**< PSN of the first request packet */
	uint64_t sequence;       /**< first_psn as a 64-bit number that never wraps */
	uint32_t packets;        /**< number of PSNs (of a READ's response); 0 = not known */
	/**
	 * Message length in bytes. If bytes_known is false, the message has at least this length.
	 */
	uint64_t bytes;
	bool bytes_known;        /**< bytes is exact */
	bool whole;              /**< true: every request packet was captured */
	bool solicited;          /**< true: the last packet requests a solicited event */
	bool keepalive;          /**< WRITE of no bytes to address 0 with key 0 */
	uint32_t immediate;      /**< immediate data, if operations of this kind have them */
	uint32_t invalidate_key; /**< R_Key with ND_MODEL_SEND_INVALIDATE */
	/** R_Key of a WRITE, READ or atomic. Valid if target_known is true. */
	uint32_t key;
	/** Address of a WRITE, READ or atomic. Valid if target_known is true. */
	uint64_t address;
	bool target_known;      /**< true: a packet with RETH or AtomicETH was captured */
	uint64_t compare;       /**< compare value of COMPARE_SWAP */
	uint64_t swap_add;      /**< swap value of COMPARE_SWAP; addend of FETCH_ADD */
	uint64_t original;      /**< value before the atomic; valid if original_known is true */
	bool original_known;    /**< original is valid */
	uint64_t first_frame;   /**< frame of the first captured request packet */
	uint64_t first_ns;      /**< time of first_frame */
	uint64_t last_frame;    /**< frame of the newest packet that is no retransmission */
	uint64_t last_ns;       /**< time of last_frame */
	uint32_t repeats;       /**< retransmitted request frames: nd_model_repeat() */
	uint32_t rnr_naks;      /**< number of RNR NAKs for the operation */
	uint32_t sequence_naks; /**< number of PSN sequence error NAKs for its PSNs */
	/** NAK code if the end is ND_MODEL_REFUSED: 0x61, 0x62 or 0x63 */
	uint8_t syndrome;
	uint64_t end_frame; /**< frame of the answer that ended the operation; 0 = none */
	uint64_t end_ns;    /**< time of end_frame */
	/**
	 * Number of operations of the peer, from its first one on, that were complete at the place
	 * of the capture before the first packet of this operation. This operation may depend on
	 * these operations, but not on later operations of the peer.
	 */
	size_t after_messages;
	/**
	 * Number of operations of this side, from its first one on, that were answered before the
	 * first packet of this operation.
	 */
	size_t after_operations;
	/** Index of the peer's receive that the operation took, or ND_MODEL_NONE. */
	size_t receive;
};

/** A receive that one side posted, and that a message of the peer took. */
struct nd_model_receive {
	size_t operation; /**< operation of the peer */
	/**
	 * Required bytes of the receive: the message length of a SEND, 0 for a WRITE with
	 * immediate.
	 */
	uint64_t bytes;
	uint64_t frame;    /**< frame of the packet that completed the message */
	uint64_t time_ns;  /**< time of frame */
	uint32_t rnr_naks; /**< number of RNR NAKs before the message was accepted */
	/** Frame of the newest RNR NAK that shows that no receive was posted. 0 = none. */
	uint64_t absent_frame;
	uint64_t absent_ns; /**< time of absent_frame */
	/**
	 * True if the message was accepted, or is not known to be refused. False if it was refused,
	 * or if no receive was posted until the end of the capture.
	 */
	bool taken;
};

/** Right of a key, as shown by a use of the key. */
enum nd_model_right {
	ND_MODEL_RIGHT_READ = 1,
	ND_MODEL_RIGHT_WRITE = 2,
	ND_MODEL_RIGHT_ATOMIC = 4,
};

/**
 * A key of one side, as its peer used it. If the peer uses the same value again after an
 * invalidation was seen, this is a new key with its own index.
 */
struct nd_model_key {
	uint32_t value;  /**< value in RETH or AtomicETH */
	uint32_t rights; /**< rights shown by accepted uses: bits of enum nd_model_right */
	uint64_t low;    /**< lowest address of accepted uses; valid if uses is not 0 */
	/** Highest accessed address plus 1, which is low + 1 .. 2^64, stored modulo 2^64. */
	uint64_t end;
	uint64_t uses; /**< number of accepted uses of at least one byte */
	/** Number of accepted uses of no bytes, which do not prove that the key is valid. */
	uint64_t empty_uses;
	uint64_t refusals;    /**< refused uses: nd_model_refusal() */
	uint64_t first_frame; /**< frame of the first packet of the first accepted use; 0 = none */
	uint64_t first_ns;    /**< time of first_frame */
	/** Frame of the answer to the last accepted use, or of the use itself. 0 = none. */
	uint64_t last_frame;
	uint64_t last_ns; /**< time of last_frame */
	/**
	 * Frame of the first refusal after the last accepted use; 0 = none. From this frame on, the
	 * key was invalid, or did not allow the refused use.
	 */
	uint64_t refused_frame;
	uint64_t invalidated_frame; /**< frame of the SEND with invalidate; 0 = none */
	uint64_t invalidated_ns;    /**< time of invalidated_frame */
	/** Index of the peer's SEND that invalidated the key, or ND_MODEL_NONE. */
	size_t invalidated_by;
};

/** An operation of the peer that a side refused with a fatal NAK. */
struct nd_model_refusal {
	size_t operation;        /**< operation of the peer */
	size_t key;              /**< index of the key that was used, or ND_MODEL_NONE */
	enum nd_model_kind kind; /**< type of the operation */
	uint8_t syndrome;        /**< NAK code: 0x61, 0x62 or 0x63 */
	uint64_t frame;          /**< frame of the NAK */
	uint64_t address;        /**< address of the operation; valid if key is known */
	uint64_t bytes;          /**< length of the operation */
};

/** How bytes of memory became known. */
enum nd_model_source {
	ND_MODEL_SOURCE_READ,   /**< a READ returned the bytes */
	ND_MODEL_SOURCE_WRITE,  /**< a WRITE wrote the bytes */
	ND_MODEL_SOURCE_FOUND,  /**< an atomic returned the bytes as the original value */
	ND_MODEL_SOURCE_ATOMIC, /**< an atomic stored the bytes as the new value */
};

/**
 * Bytes of a side's memory whose values an operation shows. Events are in the order in which the
 * responder executed the operations.
 */
struct nd_model_memory_event {
	enum nd_model_source source; /**< how the bytes became known */
	size_t operation;            /**< index of the peer's operation, for nd_model_payload() */
	uint64_t frame;              /**< frame that contains the last of the bytes */
	uint32_t key;                /**< R_Key that was used */
	uint64_t address;            /**< virtual address of the first byte */
	uint64_t bytes;              /**< 8 for atomics */
	uint64_t value;              /**< value of an atomic, found or stored (see source) */
};

/** Kinds of limits: information that the capture lacks. */
enum nd_model_limit_kind {
	ND_MODEL_LIMIT_MIDDLE,    /**< a connection began before the capture */
	ND_MODEL_LIMIT_OPEN_END,  /**< the capture ended before the connection ended */
	ND_MODEL_LIMIT_ONE_WAY,   /**< no packet from one of the sides was captured */
	ND_MODEL_LIMIT_FRAMES,    /**< request packets are missing, and were not retransmitted */
	ND_MODEL_LIMIT_ANSWERS,   /**< READ responses or atomic responses are missing */
	ND_MODEL_LIMIT_CUT,       /**< frames are cut */
	ND_MODEL_LIMIT_MALFORMED, /**< frames could not be decoded */
	ND_MODEL_LIMIT_HIDDEN,    /**< frames are in a tunnel that is not decoded */
	ND_MODEL_LIMIT_CORRUPTED, /**< frames have a wrong ICRC, so their fields are uncertain */
	ND_MODEL_LIMIT_STRAY,     /**< packets belong to no known connection */
	ND_MODEL_LIMIT_MTU,       /**< path MTU is not known */
	ND_MODEL_LIMIT_QPN,       /**< a queue pair number is not known */
	ND_MODEL_LIMIT_RESTARTED, /**< a PSN jumped (new queue pair, or many packets missing) */
	ND_MODEL_LIMIT_MEMORY,    /**< memory was exhausted; the model is incomplete */
};

/** One kind of missing information, with its number of occurrences. */
struct nd_model_limit {
	enum nd_model_limit_kind kind; /**< kind of the limit */
	size_t connection;             /**< index; ND_MODEL_NONE = the whole capture */
	unsigned side;  /**< sender of the affected packets; 0 for packets of both sides */
	uint64_t frame; /**< first frame that shows the limit; 0 = none */
	/** number of frames, packets or operations (text says which) */
	uint64_t count;
	const char *text; /**< description, one sentence without count; static */
};

/** @} */

#ifdef __cplusplus
}
#endif

#endif
