/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BASE_STATUS_H
#define NDPDK_BASE_STATUS_H

/**
 * Outcome of a request, a posting call or a control call, in full detail.
 *
 * The only outcome type inside the library. Each API converts it to its own codes by one switch
 * that has all values; nothing else converts. Packets that are dropped without an answer have no
 * status but a counter (enum wire_drop, struct rc_counters).
 */
enum rc_status {
	RC_OK = 0,

	/* Outcomes of executed requests (a work completion carries one of these). */
	RC_RECEIVE_TOO_SMALL, /**< receiver: message longer than its receive (RC-029) */
	/**
	 * requester: SGEs are shorter than the message, or of another size than an atomic's result
	 */
	RC_LOCAL_LENGTH,
	RC_LOCAL_PROTECTION,  /**< an SGE fails its check against the memory index */
	RC_LOCAL_OPERATION,   /**< malformed request found while executing it */
	RC_BIND_FAILED,       /**< bind refused when its turn came */
	RC_INVALIDATE_FAILED, /**< invalidate of a window that is not bound here (RC-093, ND-052) */
	RC_BAD_RESPONSE, /**< response with the expected PSN, wrong opcode or length (RC-073) */
	RC_REMOTE_INVALID_REQUEST, /**< NAK 0x61 */
	RC_REMOTE_ACCESS,          /**< NAK 0x62 */
	RC_REMOTE_OPERATION,       /**< NAK 0x63 */
	RC_RETRY_EXCEEDED,         /**< transport retries used up (RC-096) */
	RC_RNR_RETRY_EXCEEDED,     /**< RNR retries used up (RC-085) */
	RC_PEER_SILENT,            /**< the peer did not answer a keepalive */
	RC_PORT_STUCK,             /**< the port has not taken its packets for 5 s */
	RC_FLUSHED,                /**< discarded because the queue pair went to error (RC-123) */
	RC_INTERNAL,               /**< the stack could not go on: a bug or an exhausted pool */

	/* Refusals of posting calls: nothing was queued, no completion will come. */
	RC_QUEUE_FULL,       /**< as many requests outstanding as the queue holds */
	RC_TOO_MANY_SGE,     /**< more SGEs than the queue pair was made for */
	RC_MESSAGE_TOO_LONG, /**< more than LIMIT_MESSAGE_BYTES, or inline beyond the limit */
	RC_NOT_CONNECTED,    /**< queue pair not ready to send */
	RC_BAD_FLAGS,        /**< flag that is not valid for the request */
	RC_NO_READS,         /**< READ posted where the read limit is 0 (RC-009) */

	/* Answers of the memory index to control calls. */
	RC_BAD_REGION,       /**< region dead, foreign or never made */
	RC_BAD_WINDOW,       /**< window dead or of another adapter */
	RC_BAD_START,        /**< range starts outside the region */
	RC_BAD_END,          /**< range ends outside the region, wraps, or is empty */
	RC_NO_RIGHTS,        /**< rights the region does not have */
	RC_ALREADY_BOUND,    /**< window is bound, or a bind of it is queued */
	RC_BUSY,             /**< region with bound windows */
	RC_NO_RESOURCES,     /**< table full or memory exhausted */
	RC_INVALID_ARGUMENT, /**< any other wrong argument */
};

/** @return name of the status, static text, never NULL. */
const char *rc_status_name(enum rc_status status);

#endif
