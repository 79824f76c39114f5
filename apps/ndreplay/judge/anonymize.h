/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_JUDGE_ANONYMIZE_H
#define NDPDK_JUDGE_ANONYMIZE_H

#include <stdint.h>

#include <ndpdk/nd_trace_fields.h>

#include "keyed.h"

/*
 * Replaces the fields of a frame that identify senders and contents. docs/ndreplay.md describes
 * which fields are replaced.
 */

/**
 * Replace the fields of a RoCEv2 frame, and recompute its checksums.
 *
 * @param bytes the frame that layout describes
 * @param layout a wrong checksum stays wrong, but its error (difference from the right one) changes
 */
void anonymize_frame(struct keyed *keyed, uint8_t *bytes, struct nd_trace_layout *layout);

#endif
