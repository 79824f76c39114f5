/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_DAMAGES_H
#define NDPDK_TRACE_DAMAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/cm_msg.h"
#include "wire/gid.h"

/*
 * The newest packets with a wrong ICRC: requests of one direction, and the answers to them. Packets
 * with a wrong ICRC are not judged, but explain missing PSNs: a doubt about a missing PSN reports
 * the frame of the damaged packet with this PSN.
 */

/** Maximum number of damaged packets that are stored. */
#define TRACE_DAMAGES 16

struct trace_damages {
	struct {
		uint64_t frame;
		uint32_t psn;
		uint32_t count; /**< number of PSNs that a request uses; 1 for an answer */
		bool answer;
	} newest[TRACE_DAMAGES]; /**< a ring: the oldest entry is overwritten */
	uint32_t added;
};

/** Size of the text that trace_damages_words() writes, with the terminator, in bytes. */
#define TRACE_DAMAGES_WORDS 64

void trace_damages_add(
	struct trace_damages *damages, uint32_t psn, uint32_t count, bool answer, uint64_t frame);

/** @return frame of a damaged request that uses the PSN; 0: there is none */
uint64_t trace_damages_request(const struct trace_damages *damages, uint32_t psn);

/**
 * @param answer true: look for a damaged answer; false: for a damaged request
 * @return text that explains the PSN. For the PSN of a damaged packet: "; frame 12 with a wrong
 *         ICRC has this PSN". For a later PSN of a damaged READ request: "; frame 12 with a wrong
 *         ICRC owns this PSN". Otherwise "".
 */
const char *trace_damages_words(const struct trace_damages *damages, uint32_t psn, bool answer,
	char words[TRACE_DAMAGES_WORDS]);

/** A CM message with a wrong ICRC, or the known fields of a CM message that the capture lacks. */
struct trace_cm_damage {
	uint64_t frame;
	struct wire_gid src;
	struct wire_gid dst;
	enum wire_cm_attribute attribute;
	uint64_t transaction_id;
	uint32_t remote_comm_id;
};

/** The newest CM messages with a wrong ICRC, between any addresses. */
struct trace_cm_damages {
	struct trace_cm_damage
		newest[TRACE_DAMAGES]; /**< a ring: the oldest entry is overwritten */
	uint32_t added;
};

void trace_cm_damages_add(struct trace_cm_damages *damages, const struct trace_cm_damage *damage);

/**
 * Find a damaged CM message with the same addresses, the same attribute, and the same transaction
 * ID or remote communication ID. One matching ID is enough, because a damaged message may have a
 * wrong ID.
 *
 * @return "; frame 12 with a wrong ICRC is a REP" if a damaged message matches, otherwise ""
 */
const char *trace_cm_damages_words(const struct trace_cm_damages *damages,
	const struct trace_cm_damage *sought, char words[TRACE_DAMAGES_WORDS]);

#endif
