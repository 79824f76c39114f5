/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_ATOMIC_H
#define NDPDK_RC_ATOMIC_H

#include <stdint.h>

#include "rc/receive.h"
#include "wire/parse.h"

struct rc_qp;

/**
 * Execute the expected FETCH_ADD or COMPARE_SWAP after it passed RC-023..RC-029. The responder
 * calls this once per request. A duplicate is answered with the recorded result.
 * @param original previous value of the memory, in host byte order; not written after a refusal
 * @return refusal if the key does not allow the access (RC-030), or the address is no multiple of 8
 *         (RC-031). A refusal leaves memory unchanged
 */
struct rc_refusal
rc_atomic_execute(struct rc_qp *qp, const struct wire_view *view, uint64_t *original);

#endif
