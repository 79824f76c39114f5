/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BASE_STATUS_H
#define NDPDK_BASE_STATUS_H

/**
 * Result of a request, a posting call or a control call, in full detail.
 *
 * This is the only result type inside the library. Each API converts it to its own codes in one
 * switch that lists all values. Packets that are dropped without an answer have counters instead
 * (enum wire_drop, struct rc_counters).
 */
enum rc_status {
	RC_OK = 0,

	/* Results of executed requests, reported in their completions. */
	RC_RECEIVE_TOO_SMALL, /**< the peer's message is longer than the posted receive (RC-029) */
	/**
	 * requester: the SGEs are shorter than the message, or the SGE of an atomic has a wrong
	 * size
	 */
	RC_LOCAL_LENGTH,
	RC_LOCAL_PROTECTION, /**< the memory index refuses access to an SGE */
	RC_LOCAL_OPERATION,  /**< the request was found to be malformed when it was executed */
	RC_BIND_FAILED,
	/**
	 * an invalidate names a window or region that is not valid on this queue pair (RC-093,
	 * ND-052)
	 */
	RC_INVALIDATE_FAILED,
	/** the response has the expected PSN, but a wrong opcode or length (RC-073) */
	RC_BAD_RESPONSE,
	RC_REMOTE_INVALID_REQUEST, /**< NAK 0x61 */
	RC_REMOTE_ACCESS,          /**< NAK 0x62 */
	RC_REMOTE_OPERATION,       /**< NAK 0x63 */
	RC_RETRY_EXCEEDED,         /**< transport retries were used up (RC-096) */
	RC_RNR_RETRY_EXCEEDED,     /**< RNR retries were used up (RC-085) */
	RC_PEER_SILENT,            /**< the peer did not answer a keepalive */
	RC_PORT_STUCK, /**< the port has accepted no packets of this queue pair for at least 5 s */
	RC_FLUSHED,    /**< discarded, because the queue pair is in error (RC-123) */
	RC_INTERNAL,   /**< the stack could not continue because of a bug or an exhausted pool */

	/* Errors of posting calls: the request is not queued and will not complete. */
	RC_QUEUE_FULL,   /**< the queue is full */
	RC_TOO_MANY_SGE, /**< the request has more SGEs than the queue pair permits */
	/** the message exceeds LIMIT_MESSAGE_BYTES, or its inline data exceed the limit */
	RC_MESSAGE_TOO_LONG,
	RC_NOT_CONNECTED, /**< the queue pair cannot send in its current state */
	RC_BAD_FLAGS,
	RC_NO_READS, /**< READ with a read limit of 0 (RC-009) */

	/* Results of control calls of the memory index. */
	RC_BAD_REGION, /**< the region does not exist, or belongs to another adapter */
	RC_BAD_WINDOW, /**< the window does not exist, or belongs to another adapter */
	RC_BAD_START,  /**< the range starts outside the region */
	RC_BAD_END,    /**< the range ends outside the region, wraps around, or is empty */
	RC_NO_RIGHTS,
	RC_ALREADY_BOUND,    /**< the window is bound, or its bind is queued */
	RC_BUSY,             /**< the object is in use, e.g. a region with bound windows */
	RC_NO_RESOURCES,     /**< a table is full, or memory is exhausted */
	RC_INVALID_ARGUMENT, /**< another argument is invalid */
};

/** @return name of the status, a static string, never NULL */
const char *rc_status_name(enum rc_status status);

#endif
