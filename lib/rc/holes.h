/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_HOLES_H
#define NDPDK_RC_HOLES_H

#include <stdbool.h>
#include <stdint.h>

struct rc_context;

/*
 * Which responses of READs were placed ahead of una_psn (RC-113): a bit for each PSN. Few queue
 * pairs need a map at a time, so the maps belong to the context, and a queue pair has one for as
 * long as a bit is set. Without a map, responses ahead are dropped, and asked for again.
 */

#define RC_HOLE_BITS 1024 /**< PSNs from una_psn on that a map has; a power of two */
#define RC_HOLE_MAPS 64   /**< of a context */

struct rc_holes {
	uint32_t count; /**< bits that are set */
	uint64_t words[RC_HOLE_BITS / 64];
};

/** All maps of a context. A context that is zeroed has them all free. */
struct rc_hole_maps {
	uint64_t taken; /**< bit n: maps[n] */
	struct rc_holes maps[RC_HOLE_MAPS];
};

/** @return a map without bits, or NULL when all are taken */
struct rc_holes *rc_holes_take(struct rc_hole_maps *maps);

/** Give back a map of these maps, whatever is in it. */
void rc_holes_give(struct rc_hole_maps *maps, struct rc_holes *holes);

/** @param psn less than RC_HOLE_BITS from una_psn, as below */
bool rc_holes_has(const struct rc_holes *holes, uint32_t psn);
void rc_holes_set(struct rc_holes *holes, uint32_t psn);

/** una_psn has moved: forget `count` PSNs from this one on. */
void rc_holes_pass(struct rc_holes *holes, uint32_t psn, uint32_t count);

/** @return how many PSNs in a row from this one on, at most `most`, are set as this one is. */
uint32_t rc_holes_run(const struct rc_holes *holes, uint32_t psn, uint32_t most);

#endif
