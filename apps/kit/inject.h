/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_INJECT_H
#define NDPDK_KIT_INJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * Fault injection: parse the value of --inject, and decide the fault of each frame. This file does
 * not use DPDK. inject_port.h applies the faults to the frames of a port.
 */

enum inject_kind {
	INJECT_DROP,    /**< the frame is dropped */
	INJECT_DUP,     /**< the frame is duplicated */
	INJECT_REORDER, /**< held until up to INJECT_PASSES_MAX later frames have left */
	INJECT_CORRUPT, /**< one bit that the ICRC covers is flipped */
	INJECT_KINDS,
	INJECT_NONE = INJECT_KINDS,
};

/** Highest number of later frames that overtake a frame with fault INJECT_REORDER. */
#define INJECT_PASSES_MAX 8u

/** Longest delay: 1 s. */
#define INJECT_DELAY_NS_MAX UINT64_C(1000000000)

struct inject_plan {
	/** share of the frames with each fault, 0..1; the sum is <= 1 */
	double rates[INJECT_KINDS];
	uint64_t delay_ns; /**< delay of every frame */
	uint64_t seed;     /**< seed of the random numbers; the default is 1 */
};

/** @return the kind's name in the option and in reports; static text. */
const char *inject_kind_name(enum inject_kind kind);

/**
 * Parse a list of items that are separated by commas. Each item may occur once. The items are
 * KIND:RATE[%] with KIND drop, dup, reorder or corrupt; delay:TIME with the unit ns, us, ms or s;
 * and seed:N.
 *
 * @param plan written on success only
 * @param why on failure, filled with one sentence; >= 256 bytes
 */
bool inject_parse(const char *text, struct inject_plan *plan, char *why, size_t size);

/** @return true if both plans have the same rates, delay and seed. */
bool inject_plans_equal(const struct inject_plan *plan, const struct inject_plan *other);

/** Random number generator for one queue and direction. */
struct inject_dice {
	struct drand48_data state;
};

/**
 * Initialise a generator. Each seed, way and queue has its own random sequence.
 *
 * @param way direction: 0 = transmitted frames, 1 = received frames
 * @param queue index of the queue of the port
 */
void inject_dice_init(struct inject_dice *dice, uint64_t seed, unsigned int way, uint32_t queue);

/** @return fault of the next frame; the same plan and the same state of dice give the same fault */
enum inject_kind inject_decide(struct inject_dice *dice, const struct inject_plan *plan);

/**
 * @return random number below count, for the frame of the last inject_decide(). @param count > 0
 */
uint32_t inject_pick(struct inject_dice *dice, uint32_t count);

#endif
