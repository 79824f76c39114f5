/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_HOLES_H
#define NDPDK_RC_HOLES_H

#include <stdbool.h>
#include <stdint.h>

struct rc_context;

/*
 * Bit maps of the READ responses that arrived after a gap and were placed (RC-113): one bit per PSN
 * from una_psn on. All queue pairs of a context share a few maps, because few queue pairs need a
 * map at the same time. A queue pair holds a map only while the map has bits set. Without a map,
 * responses after a gap are dropped and requested again.
 */

#define RC_HOLE_BITS 1024 /**< number of PSNs of a map, from una_psn on; a power of two */
#define RC_HOLE_MAPS 64   /**< maps of a context */

struct rc_holes {
	uint32_t count; /**< number of bits set */
	uint64_t words[RC_HOLE_BITS / 64];
};

/** All maps of a context. All zero means that all maps are free. */
struct rc_hole_maps {
	uint64_t taken; /**< bit n is set while maps[n] is in use */
	struct rc_holes maps[RC_HOLE_MAPS];
};

/** @return a map with all bits clear; NULL if all maps are in use */
struct rc_holes *rc_holes_take(struct rc_hole_maps *maps);

/** Free a map. Its bits may still be set. */
void rc_holes_give(struct rc_hole_maps *maps, struct rc_holes *holes);

/** @param psn in all functions below, less than RC_HOLE_BITS after una_psn */
bool rc_holes_has(const struct rc_holes *holes, uint32_t psn);
void rc_holes_set(struct rc_holes *holes, uint32_t psn);

/** Clear the bits of `count` PSNs from psn on, because una_psn advances past them. */
void rc_holes_pass(struct rc_holes *holes, uint32_t psn, uint32_t count);

/** @return number of consecutive PSNs from psn on with the same bit value, at most `most` */
uint32_t rc_holes_run(const struct rc_holes *holes, uint32_t psn, uint32_t most);

#endif
