/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_WORKLOAD_H
#define NDPDK_NDPMD_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "control.h"
#include "options.h"

struct request;
struct session;

/*
 * An operation that can be measured. It consists of functions for both sides, which are called
 * between the messages ready and done. The session does all other work. No function blocks. A
 * function that fails calls session_fail().
 */

/** Memory and requests that one side needs. Each slot has room for one message. */
struct workload_plan {
	uint32_t local_slots;   /**< number of slots for the data of this side's requests */
	uint32_t exposed_slots; /**< number of slots that the peer accesses through a window */
	/**
	 * Number of windows. 0 = no window. 1 = one window over all exposed slots, bound by the
	 * session before RUNNING. More = one window for each slot, bound by the operation.
	 */
	uint32_t windows;
	uint32_t window_flags;      /**< ND_OP_FLAG_ALLOW_* of the window, if windows is 1 */
	uint32_t requests_per_slot; /**< data requests of a slot, see session_request() */
	bool fill_exposed;          /**< fill exposed slot i with the pattern of message number i */
	bool polls;                 /**< messages arrive without result, so turn() must poll */
};

struct workload_role {
	void (*plan)(const struct session *session, struct workload_plan *plan);
	/**
	 * Initiator, in PREPARING: prepare the first operation. NULL = no preparation is necessary.
	 * @return true when the preparation is complete
	 */
	bool (*prepare)(struct session *session);
	/** Initiator: post operation number tally.posted, with the requests of slot number slot. */
	void (*post)(struct session *session, uint32_t slot);
	/** A data request of this side has succeeded. NULL = nothing to do. */
	void (*completed)(struct session *session, struct request *request, uint64_t now);
	/**
	 * A data message has arrived in a receive. The bytes of the message are valid during the
	 * call. NULL = data messages are an error.
	 */
	void (*received)(struct session *session, const struct request *receive, uint64_t now);
	/** A control message of the operation has arrived. NULL = these messages are an error. */
	void (*control)(
		struct session *session, const struct control_message *message, uint64_t now);
	/**
	 * Target: verify a message that was written into the window, see laps.h. NULL = nothing to
	 * verify.
	 */
	void (*check)(struct session *session, uint64_t sequence);
	/** Called once per turn of the session; see workload_plan.polls. NULL = nothing to do. */
	void (*turn)(struct session *session);
	/**
	 * Called on both sides when the initiator has completed count operations. NULL = nothing to
	 * do.
	 */
	void (*done)(struct session *session, uint64_t count);
};

struct workload {
	struct workload_role initiator;
	struct workload_role target;
};

extern const struct workload workload_message; /**< send, send-imm, write-imm */
extern const struct workload workload_write;
extern const struct workload workload_fetch; /**< read, fetch-add, compare-swap */
extern const struct workload workload_bind;
extern const struct workload workload_mix;

/** @param op less than OPTIONS_OP_COUNT; the caller checks an op that comes from a hello message */
const struct workload *workload_of(enum options_op op);

#endif
