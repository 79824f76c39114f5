/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_MODEL_WALK_H
#define NDPDK_TRACE_MODEL_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/model.h"

/*
 * The requests of one side and the answers to them, in order of capture. The walk itself finds out
 * how operations end; what the network did to the packets is found on the way.
 *
 * How a repetition is explained. A sender that goes back repeats from one packet on: the first of
 * such a run has a cause, the others follow from it. The cause is the newest NAK, where there is
 * one behind the copy before: of a packet that the capture has, so it was lost behind the place of
 * capture; or of one that comes now for the first time, so it was lost before. Without NAK, an
 * answer that the capture has was lost behind, and where there is none, nobody can tell whether
 * request or answer was lost. A PSN that a run leaves out was repeated, and lost before. A copy right behind the other, without any cause, was made by the
 * network.
 */

/** The newest NAK of a kind. */
struct model_nak {
	uint64_t seq;
	uint64_t frame; /**< 0 = none yet */
	bool used;      /**< it explained a loss already */
};

/** Packets that came late, one behind the other, and are not explained yet. */
struct model_late {
	uint64_t seq; /**< of the first */
	uint64_t frame;
	uint64_t packets; /**< 0 = none */
	size_t operation;
	bool copied;  /**< one of them is repeated later */
	bool in_run;  /**< the packet before them belongs to a run */
	bool spoiled; /**< the first was captured before with a wrong ICRC */
};

/** A packet with a wrong ICRC. */
struct model_spoiled {
	uint32_t psn;
	bool used;
};

struct model_walk {
	struct nd_model *model;
	struct model_connection *of;
	struct model_side *side;
	size_t connection;
	unsigned requester;
	uint64_t next_seq; /**< behind the highest PSN of a request so far; 0 = none yet */
	uint64_t newest_seq;
	size_t ended; /**< operations before it are covered by an answer */
	bool run;     /**< the newest request packet belongs to a run */
	uint64_t run_next;
	uint64_t skipped_seq; /**< newest PSN that a run left out, though it had to repeat it */
	struct model_nak sequence_nak, rnr_nak;
	struct model_late late;
	struct model_array spoiled; /**< struct model_spoiled */
	size_t first_fault;         /**< of this walk, in the faults of the model */
	const struct model_packet *newest_ack;
	uint64_t newest_ack_seq;
	uint64_t newest_request_frame;
	uint64_t credit;        /**< repeated requests whose answers repeat as well */
	uint64_t covered_seq;   /**< everything before it is answered */
	uint64_t duplicates_ns; /**< a copy later than this is not the network's */
};

/** A request packet that has a place. */
void model_faults_request(struct model_walk *walk, const struct model_packet *packet);

/** An Acknowledge of any kind, with its PSN unwrapped. */
void
model_faults_acknowledge(struct model_walk *walk, const struct model_packet *packet, uint64_t seq);

/** A packet of the requester with a wrong ICRC. */
void model_faults_spoiled(struct model_walk *walk, const struct model_packet *packet);

/** The walk has ended: explain what is left. */
void model_faults_finish(struct model_walk *walk);

/** Two frames hold the same bytes. */
bool model_same_bytes(
	const struct nd_model *model, const struct model_packet *a, const struct model_packet *b);

#endif
