/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_CONTROL_H
#define NDPDK_NDPMD_CONTROL_H

#include <assert.h>
#include <stdint.h>

#include <rte_byteorder.h>
#include <rte_common.h>

#include <ndpdk/nd_types.h>

/*
 * Messages between two ndpmd besides the measured traffic. The initiator is the side that measures,
 * the target is its peer:
 *
 *   initiator                        target
 *     connect, hello        ------>
 *                           <------  accept, or reject with a refusal
 *     ready (window)        <----->  ready (window)
 *     ... the operations, with check/checked or bound/written ...
 *     done (count)          ------>
 *                           <------  result (errors)
 *     disconnect            ------>
 *
 * The initiator is the client, which opens all connections. With CONTROL_FLAG_BIDIRECTIONAL it is
 * the target of the second half of its queue pairs, on which the server is the initiator. The
 * server does not know when to post, so there the client says so:
 *
 *   client, target                   server, initiator
 *     start (rate)          ------>  the operations begin
 *     measure (count, end)  ------>  they count from now on
 *     [start (rate)         ------>  at another rate from now on
 *     measure (goes on)     ------>  those since the first measure count]
 *     stop (end)            ------>  no more than those that are due then
 *     cut                   ------>  no more
 *                           <------  done (count, tally)
 *     result (errors)       ------>
 *     disconnect            ------>
 */

#define CONTROL_MAGIC   0x4e44504du /* "NDPM" */
#define CONTROL_VERSION 3

#define CONTROL_FLAG_VERIFY            0x01u
#define CONTROL_FLAG_LATENCY           0x02u
#define CONTROL_FLAG_REMOTE_INVALIDATE 0x04u
#define CONTROL_FLAG_BIDIRECTIONAL     0x08u

/** Private data of connect: what will be done over this connection. */
struct __rte_packed control_hello {
	rte_be32_t magic;
	rte_be16_t version;
	uint8_t op;    /**< enum options_op */
	uint8_t flags; /**< CONTROL_FLAG_* */
	rte_be32_t size_bytes;
	rte_be32_t depth;
	rte_be32_t qp; /**< 0 .. qp_count - 1 */
	rte_be32_t qp_count;
	rte_be32_t op_index; /**< of the client's list of operations */
	rte_be64_t client;   /**< same number for all connections of one run, else random */
	uint8_t weights[8];  /**< of a mix: of the operations below it; 0 = not in it */
};

static_assert(sizeof(struct control_hello) == 44, "56 bytes of private data are available");

enum control_reason {
	CONTROL_REASON_VERSION = 1, /**< version is the server's CONTROL_VERSION */
	CONTROL_REASON_PARAMETERS,  /**< more than the server's adapter supports */
	CONTROL_REASON_RESOURCES,
};

/** Private data of reject. */
struct __rte_packed control_refusal {
	rte_be32_t magic;
	rte_be16_t version;
	rte_be16_t reason; /**< enum control_reason */
};

enum control_type {
	CONTROL_READY = 1, /**< descriptor = window over this side's memory, or zero */
	CONTROL_CHECK,     /**< write: count messages are written, to be verified */
	CONTROL_CHECKED,   /**< write: count messages are verified, their memory is free */
	CONTROL_BOUND,     /**< bind: message count goes through this window, slot is its number */
	CONTROL_WRITTEN,   /**< bind: the message has been written into the window */
	CONTROL_DONE,      /**< count operations were done, no more come */
	CONTROL_RESULT,    /**< errors = messages with wrong content */
	CONTROL_START,     /**< slot = burst, start = the schedule */
	/** count = operations to do, end_ns = until then those of the schedule; 0 = until stop */
	CONTROL_MEASURE,
	CONTROL_STOP, /**< end_ns: what is due later is not posted */
	CONTROL_CUT,
};

/** Of start. */
struct __rte_packed control_start {
	rte_be64_t rate; /**< a double, as IEEE 754 has it: operations a second, 0 = no schedule */
	rte_be64_t ramp_ns;
};

/** Of done, from a server. */
struct __rte_packed control_tally {
	rte_be64_t measured; /**< operations since measure */
	rte_be64_t missed;   /**< due, and cut */
};

/** A Send of exactly control_length() bytes; data messages always have another length. */
struct __rte_packed control_message {
	rte_be32_t magic;
	uint8_t type; /**< enum control_type */
	/**
	 * done: 1 = the client ends, 0 = its next operation follows
	 * measure: 1 = those since the measure before count, too; 0 = from now on
	 */
	uint8_t last;
	uint8_t reserved[2];
	rte_be32_t slot;
	rte_be64_t count;
	rte_be64_t errors;
	union __rte_packed {
		struct nd_mw_descriptor descriptor;
		struct control_start start;
		rte_be64_t end_ns; /**< of measure and stop: time since start */
		struct control_tally tally;
	};
};

static_assert(sizeof(struct control_message) == 48, "bytes of a control message");

#define CONTROL_LENGTH_MAX (sizeof(struct control_message) + 1)

/**
 * @return bytes of control messages on a connection whose data messages have size_bytes: another
 * length than that of any data message.
 */
static inline uint32_t
control_length(uint32_t size_bytes)
{
	const uint32_t length = (uint32_t)sizeof(struct control_message);

	return size_bytes == length ? length + 1 : length;
}

#endif
