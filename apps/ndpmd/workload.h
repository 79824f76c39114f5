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
 * An operation that can be measured: what its two sides do between ready and done. Everything else
 * is done by the session. No function here blocks; on failure they call session_fail().
 */

/** Memory and requests one side needs; slots have room for one message each. */
struct workload_plan {
	uint32_t local_slots;   /**< source or destination of own requests */
	uint32_t exposed_slots; /**< reached by the peer through a window */
	/** 0; 1: over all exposed slots, bound at once; else one per slot, bound by the op */
	uint32_t windows;
	uint32_t window_flags;      /**< ND_OP_FLAG_ALLOW_* of the one window */
	uint32_t requests_per_slot; /**< data requests, see session_request() */
	bool fill_exposed;          /**< with the pattern of message number = slot */
	bool polls; /**< turn() looks for messages that bring no result: each turn, RUNNING */
};

struct workload_role {
	void (*plan)(const struct session *session, struct workload_plan *plan);
	/**
	 * Initiator, PREPARING: continue what is needed before the first operation. @return whether
	 * it is complete. NULL: nothing is needed.
	 */
	bool (*prepare)(struct session *session);
	/** Initiator: post operation number tally.posted with the requests of this slot. */
	void (*post)(struct session *session, uint32_t slot);
	/** A data request has succeeded. NULL: nothing to do. */
	void (*completed)(struct session *session, struct request *request, uint64_t now);
	/**
	 * A data message has arrived in this receive; its bytes are valid during the call. NULL:
	 * unexpected.
	 */
	void (*received)(struct session *session, const struct request *receive, uint64_t now);
	/** A control message of the operation has arrived. NULL: unexpected. */
	void (*control)(
		struct session *session, const struct control_message *message, uint64_t now);
	/** Target: verify the message of a write in the window, see laps.h. NULL: there is none. */
	void (*check)(struct session *session, uint64_t sequence);
	/** Once per turn of the session, see workload_plan.polls. NULL: nothing to do. */
	void (*turn)(struct session *session);
	/** The initiator has done count operations; called at both sides. NULL: nothing to do. */
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

/** @param op below OPTIONS_OP_COUNT: the hello message is checked for it */
const struct workload *workload_of(enum options_op op);

#endif
