/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_INJECT_H
#define NDPDK_KIT_INJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * What is done to frames on purpose: the option's text, and the decision for each frame. Uses no
 * DPDK; inject_port.h does to the frames of a port what is decided here.
 */

enum inject_kind {
	INJECT_DROP,    /**< the frame is lost */
	INJECT_DUP,     /**< it comes twice */
	INJECT_REORDER, /**< up to INJECT_PASSES_MAX later frames overtake it */
	INJECT_CORRUPT, /**< one bit that the ICRC covers is flipped */
	INJECT_KINDS,
	INJECT_NONE = INJECT_KINDS,
};

/** Frames that overtake one that is held back, at most. */
#define INJECT_PASSES_MAX 8u

/** Longest delay: 1 s. */
#define INJECT_DELAY_NS_MAX UINT64_C(1000000000)

struct inject_plan {
	double rates[INJECT_KINDS]; /**< part of the frames, 0..1; all together 1 at most */
	uint64_t delay_ns;          /**< of every frame */
	uint64_t seed;              /**< [1] */
};

/** @return the kind's name in the option and in reports; static text. */
const char *inject_kind_name(enum inject_kind kind);

/**
 * Read KIND:RATE[%] with KIND drop, dup, reorder or corrupt, delay:TIME with the unit ns, us, ms or
 * s, and seed:N; several with commas, each once.
 *
 * @param plan written on success only
 * @param why on failure, filled with one sentence; >= 256 bytes
 */
bool inject_parse(const char *text, struct inject_plan *plan, char *why, size_t size);

/** @return true if the rates, the delay and the seed are the same. */
bool inject_plans_equal(const struct inject_plan *plan, const struct inject_plan *other);

/** Random numbers of the frames of one way through one queue. */
struct inject_dice {
	struct drand48_data state;
};

/**
 * @param way 0 = frames that leave, 1 = frames that come
 * @param queue of the port. Each seed, way and queue has a sequence of its own.
 */
void inject_dice_init(struct inject_dice *dice, uint64_t seed, unsigned int way, uint32_t queue);

/** @return what happens to the next frame. The same dice give the same answers. */
enum inject_kind inject_decide(struct inject_dice *dice, const struct inject_plan *plan);

/** @return a number, 0..count - 1, for the frame that has just been decided on. count > 0 */
uint32_t inject_pick(struct inject_dice *dice, uint32_t count);

#endif
