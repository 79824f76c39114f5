/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_ANONYMIZE_H
#define NDPDK_NDREPLAY_ANONYMIZE_H

#include <stdint.h>

#include <ndpdk/nd_trace_fields.h>

#include "keyed.h"

/*
 * A frame without what tells who sent what: see docs/ndreplay.md for what is replaced by what, and
 * for what stays.
 */

/**
 * Replace the fields of a RoCEv2 frame, and make its checksums fit.
 *
 * @param bytes the frame of which the layout is
 * @param layout changed: a checksum that is wrong is wrong in another way afterwards
 */
void anonymize_frame(struct keyed *keyed, uint8_t *bytes, struct nd_trace_layout *layout);

#endif
