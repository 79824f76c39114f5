/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/atomic.h"

#include "rc/qp.h"

/*
 * Execution of atomics of the peer. The key is checked as for READ and WRITE, and must grant
 * ALLOW_ATOMIC. The alignment is checked after the key, so that a peer without a valid key cannot
 * learn from the refusal whether an address is aligned (RC-030, RC-031). The atomic instruction is
 * in mem/atomic.c. Each request is executed once: a duplicate is recognised by its PSN and answered
 * with the recorded result (read_response.c).
 */

struct rc_refusal
rc_atomic_execute(struct rc_qp *qp, const struct wire_view *view, uint64_t *original)
{
	const struct wire_atomic_value *atomic = &view->atomic;
	enum mem_refusal refusal;
	struct mem_span span;

	refusal = mem_check_remote(qp->ctx->mem,
		&(struct mem_access){
			.key = atomic->rkey,
			.owner = qp->qpn,
			.address = atomic->address,
			.length_bytes = RC_ATOMIC_BYTES,
			.rights = MEM_REMOTE_ATOMIC,
		},
		&span);
	if (refusal != MEM_ALLOWED) {
		qp->ctx->counters.refused[refusal]++;
		rc_observe(qp->ctx, qp, RC_STEP_REFUSED, refusal);
		return (struct rc_refusal){WIRE_NAK_REMOTE_ACCESS, RC_REMOTE_ACCESS};
	}
	if (atomic->address % RC_ATOMIC_BYTES != 0)
		return (struct rc_refusal){WIRE_NAK_INVALID_REQUEST, RC_REMOTE_INVALID_REQUEST};
	*original = view->bth.opcode == WIRE_RC_FETCH_ADD
		? mem_span_fetch_add(&span, atomic->swap_add)
		: mem_span_compare_swap(&span, atomic->compare, atomic->swap_add);
	qp->ctx->counters.rx_atomics++;
	return (struct rc_refusal){0};
}
