/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_MODEL_WORK_H
#define NDPDK_ND_MODEL_WORK_H

/**
 * @file
 * What a conversation model (nd_model.h) tells of the work of one side: operations, receives, keys
 * and memory. Values only, no functions.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_model_types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One posted operation of a side, in posting order, which is that of the PSNs. */
struct nd_model_operation {
	enum nd_model_kind kind; /**< what it does */
	enum nd_model_end end;   /**< how it ended */
	uint32_t first_psn;      /**< PSN of its first request packet */
	uint64_t sequence;       /**< first_psn, unwrapped: comparable within one side */
	uint32_t packets;   /**< PSNs it takes: of a READ those of its response; 0 = not known */
	uint64_t bytes;     /**< of the message; with bytes_known false at least */
	bool bytes_known;   /**< length is certain */
	bool whole;         /**< every request packet was captured */
	bool solicited;     /**< its last packet asks for a solicited event */
	bool keepalive;     /**< WRITE of no bytes to address 0, key 0: is the peer alive? */
	uint32_t immediate; /**< with a kind that has one */
	uint32_t invalidate_key; /**< with ND_MODEL_SEND_INVALIDATE */
	uint32_t key;            /**< WRITE, READ, atomics; valid with target_known */
	uint64_t address;        /**< the same */
	bool target_known;       /**< the packet with the RETH or AtomicETH was captured */
	uint64_t compare;        /**< COMPARE_SWAP */
	uint64_t swap_add;       /**< value to swap in, or to add */
	uint64_t original;       /**< value before an atomic; valid with original_known */
	bool original_known;     /**< original is valid */
	uint64_t first_frame;    /**< its first request packet captured */
	uint64_t first_ns;       /**< time of that frame */
	uint64_t last_frame;     /**< newest of its request packets, repetitions not counted */
	uint64_t last_ns;        /**< time of that frame */
	uint32_t repeats;  /**< request frames that had been captured before: nd_model_repeat() */
	uint32_t rnr_naks; /**< it got */
	uint32_t sequence_naks; /**< NAKs of PSN sequence error that name one of its PSNs */
	uint8_t syndrome;   /**< with ND_MODEL_REFUSED: 0x61 invalid request, 0x62 remote access,
				   0x63 remote operation */
	uint64_t end_frame; /**< the answer that ended it; 0 = none */
	uint64_t end_ns;    /**< time of that frame */
	/**
	 * What was complete at the place of capture before its first packet: requests of so many
	 * operations of the peer, in order from the first, and answers to so many of its own side's
	 * operations. It may have waited for these, and for nothing later.
	 */
	size_t after_messages;
	size_t after_operations; /**< see above */
	size_t receive;          /**< it took at the peer; ND_MODEL_NONE: none */
};

/** A receive of a side: a message of the peer took it. */
struct nd_model_receive {
	size_t operation;      /**< of the peer */
	uint64_t bytes;        /**< it needs: of a SEND its length, of a WRITE with immediate 0 */
	uint64_t frame;        /**< last packet of the message, as the receiver took it */
	uint64_t time_ns;      /**< of that frame */
	uint32_t rnr_naks;     /**< sent for the message before */
	uint64_t absent_frame; /**< newest of these: there was no receive until then; 0 = none */
	uint64_t absent_ns;    /**< its time */
	bool taken;            /**< the message was accepted, or is not known to be refused; false:
				  refused, or there was never a receive in the capture */
};

/** Right that a use of a key showed. */
enum nd_model_right {
	ND_MODEL_RIGHT_READ = 1,
	ND_MODEL_RIGHT_WRITE = 2,
	ND_MODEL_RIGHT_ATOMIC = 4,
};

/**
 * A key of a side, as its peer used it. A key value that is used again after its invalidation was
 * seen is a further key.
 */
struct nd_model_key {
	uint32_t value;         /**< as it stands in RETH or AtomicETH */
	uint32_t rights;        /**< of accepted uses, bits of enum nd_model_right */
	uint64_t low;           /**< lowest address that an accepted use touched; valid with uses */
	uint64_t end;           /**< behind the highest one; low + 1 .. 2^64, which reads as 0 */
	uint64_t uses;          /**< accepted, of at least one byte */
	uint64_t empty_uses;    /**< accepted, of no bytes: these prove nothing of the key */
	uint64_t refusals;      /**< uses that were refused: nd_model_refusal() */
	uint64_t first_frame;   /**< first packet of the first accepted use; 0 = none */
	uint64_t first_ns;      /**< time of that frame */
	uint64_t last_frame;    /**< answer to the last accepted use, or its request; 0 = none */
	uint64_t last_ns;       /**< time of that frame */
	uint64_t refused_frame; /**< first refusal behind the last accepted use; 0 = none: the key
				   was invalid, or did not allow that, from then on */
	uint64_t invalidated_frame; /**< SEND with invalidate that ended it; 0 = none */
	uint64_t invalidated_ns;    /**< time of that frame */
	size_t invalidated_by;      /**< that operation of the peer; ND_MODEL_NONE */
};

/** An operation that a side refused with a fatal NAK. */
struct nd_model_refusal {
	size_t operation;        /**< of the peer */
	size_t key;              /**< index of the key it used; ND_MODEL_NONE: it used none */
	enum nd_model_kind kind; /**< of that operation */
	uint8_t syndrome;        /**< 0x61, 0x62, 0x63 */
	uint64_t frame;          /**< of the NAK */
	uint64_t address;        /**< with a key */
	uint64_t bytes;          /**< of that operation */
};

/** What made bytes of memory known. */
enum nd_model_source {
	ND_MODEL_SOURCE_READ,   /**< a READ returned them */
	ND_MODEL_SOURCE_WRITE,  /**< a WRITE put them */
	ND_MODEL_SOURCE_FOUND,  /**< an atomic found them */
	ND_MODEL_SOURCE_ATOMIC, /**< an atomic left them behind */
};

/**
 * Bytes of memory of a side that became known. Events of a side are in the order in which its
 * responder executed them.
 */
struct nd_model_memory_event {
	enum nd_model_source source; /**< what made them known */
	size_t operation; /**< of the peer; nd_model_payload() has the bytes of READ and WRITE */
	uint64_t frame;   /**< that carried the last of the bytes */
	uint32_t key;     /**< used */
	uint64_t address; /**< virtual address of the first byte */
	uint64_t bytes;   /**< 8 for atomics */
	uint64_t value;   /**< of atomics: the number found, or left behind */
};

/** What the capture does not tell. */
enum nd_model_limit_kind {
	ND_MODEL_LIMIT_MIDDLE,    /**< a connection had begun before the capture */
	ND_MODEL_LIMIT_OPEN_END,  /**< the capture ends before the connection does */
	ND_MODEL_LIMIT_ONE_WAY,   /**< no packet of one side was captured */
	ND_MODEL_LIMIT_FRAMES,    /**< packets of requests are missing for good */
	ND_MODEL_LIMIT_ANSWERS,   /**< READ responses or answers of atomics are missing */
	ND_MODEL_LIMIT_CUT,       /**< frames are cut */
	ND_MODEL_LIMIT_MALFORMED, /**< frames could not be decoded */
	ND_MODEL_LIMIT_HIDDEN,    /**< frames are in a tunnel that is not decoded */
	ND_MODEL_LIMIT_CORRUPTED, /**< frames have a wrong ICRC, so nothing in them is certain */
	ND_MODEL_LIMIT_STRAY,     /**< packets belong to no connection that is known */
	ND_MODEL_LIMIT_MTU,       /**< path MTU is not known */
	ND_MODEL_LIMIT_QPN,       /**< a queue pair number is not known */
	ND_MODEL_LIMIT_RESTARTED, /**< PSNs jump: a queue pair made anew, or a long gap */
	ND_MODEL_LIMIT_MEMORY,    /**< memory was exhausted: the model is not complete */
};

/** One thing that the capture does not tell, with how often it happened. */
struct nd_model_limit {
	enum nd_model_limit_kind kind; /**< what kind */
	size_t connection;             /**< ND_MODEL_NONE = of the whole capture */
	unsigned side;                 /**< whose packets are concerned; 0 where both are */
	uint64_t frame;                /**< first that shows it; 0 = none */
	uint64_t count;                /**< frames, packets, operations: as text says */
	const char *text;              /**< one sentence without the count; static */
};

#ifdef __cplusplus
}
#endif

#endif
