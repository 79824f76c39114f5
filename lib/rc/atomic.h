/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_ATOMIC_H
#define NDPDK_RC_ATOMIC_H

#include <stdint.h>

#include "rc/receive.h"
#include "wire/parse.h"

struct rc_qp;

/**
 * Execute the expected FETCH_ADD or COMPARE_SWAP, which passed RC-023..RC-029. The responder calls
 * this once for each: a duplicate is answered from the record of the first.
 * @param original out, unless refused: what was in memory before, in host order
 * @return refusal: its key does not allow it (RC-030), or its address is no multiple of 8 (RC-031);
 *         nothing has happened
 */
struct rc_refusal
rc_atomic_execute(struct rc_qp *qp, const struct wire_view *view, uint64_t *original);

#endif
