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
 * Control messages between two ndpmd processes. The initiator is the side that measures, the target
 * is its peer:
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
 * The initiator is the client, which opens all connections. With CONTROL_FLAG_BIDIRECTIONAL, the
 * server is the initiator on the second half of the queue pairs, and the client is the target. On
 * these queue pairs the client tells the server when to post:
 *
 *   client, target                   server, initiator
 *     start (rate)          ------>  the operations begin
 *     measure (count, end)  ------>  operations are counted from now on
 *     [start (rate)         ------>  the rate changes
 *     measure (continues)   ------>  operations since the first measure are counted]
 *     stop (end)            ------>  only operations that are due before the end are posted
 *     cut                   ------>  no more operations are posted
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

/** Private data of connect: describes the operations on this connection. */
struct __rte_packed control_hello {
	rte_be32_t magic;
	rte_be16_t version;
	uint8_t op;    /**< enum options_op */
	uint8_t flags; /**< CONTROL_FLAG_* */
	rte_be32_t size_bytes;
	rte_be32_t depth;
	rte_be32_t qp; /**< number of this queue pair, 0 .. qp_count - 1 */
	rte_be32_t qp_count;
	rte_be32_t op_index; /**< index of the operation in the client's --op list */
	rte_be64_t client;   /**< random number, the same for all connections of one run */
	uint8_t weights[8];  /**< mix: weight of each operation; 0 = not in the mix */
};

static_assert(sizeof(struct control_hello) == 44, "56 bytes of private data are available");

enum control_reason {
	CONTROL_REASON_VERSION = 1, /**< unknown version; version = the server's CONTROL_VERSION */
	CONTROL_REASON_PARAMETERS,  /**< the server's adapter does not support these parameters */
	CONTROL_REASON_RESOURCES,
};

/** Private data of reject. */
struct __rte_packed control_refusal {
	rte_be32_t magic;
	rte_be16_t version;
	rte_be16_t reason; /**< enum control_reason */
};

enum control_type {
	CONTROL_READY = 1, /**< descriptor = window over the sender's memory; all 0 = no window */
	CONTROL_CHECK,     /**< write: the target must verify the count messages written so far */
	/** write: the target has verified count messages, and their slots are free */
	CONTROL_CHECKED,
	CONTROL_BOUND,   /**< bind: descriptor = window of message number count, slot = its slot */
	CONTROL_WRITTEN, /**< bind: the target has written the message into the window */
	CONTROL_DONE,    /**< the initiator has completed count operations and posts no more */
	CONTROL_RESULT,  /**< errors = number of messages whose content was wrong */
	CONTROL_START,   /**< slot = messages of a burst, start = the schedule */
	/**
	 * count = operations to post, 0 = post until stop; end_ns = end of the schedule, 0 = none
	 */
	CONTROL_MEASURE,
	CONTROL_STOP, /**< the server posts only operations that are due before end_ns */
	CONTROL_CUT,
};

/** Content of the message start. */
struct __rte_packed control_start {
	rte_be64_t rate; /**< operations per second as an IEEE 754 double; 0 = no schedule */
	rte_be64_t ramp_ns;
};

/** Content of the message done when the server is the initiator. */
struct __rte_packed control_tally {
	rte_be64_t measured; /**< operations since the message measure */
	rte_be64_t missed;   /**< operations that were due but were not posted */
};

/**
 * A control message is a Send of exactly control_length() bytes. Data messages have a different
 * length.
 */
struct __rte_packed control_message {
	rte_be32_t magic;
	uint8_t type; /**< enum control_type */
	/**
	 * In done: 1 = the client ends, 0 = the client will run another operation. In measure: 1 =
	 * count the operations since the previous measure, too; 0 = count only later operations.
	 */
	uint8_t last;
	uint8_t reserved[2];
	rte_be32_t slot;
	rte_be64_t count;
	rte_be64_t errors;
	union __rte_packed {
		struct nd_mw_descriptor descriptor;
		struct control_start start;
		rte_be64_t end_ns; /**< in measure, stop: ns since the message start */
		struct control_tally tally;
	};
};

static_assert(sizeof(struct control_message) == 48, "bytes of a control message");

#define CONTROL_LENGTH_MAX (sizeof(struct control_message) + 1)

/**
 * @return length in bytes of the control messages on a connection that has data messages of
 *         size_bytes. The two lengths always differ.
 */
static inline uint32_t
control_length(uint32_t size_bytes)
{
	const uint32_t length = (uint32_t)sizeof(struct control_message);

	return size_bytes == length ? length + 1 : length;
}

#endif
