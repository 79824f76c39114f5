/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/post.h"

/*
 * Ownership of a bind: the caller has prepared the bind with mem_bind_prepare(). If posting returns
 * RC_OK, the send queue owns the bind, and executes or cancels it. After any other result the
 * caller still owns the bind, and cancels it.
 */

void
rc_post_copy_inline(uint8_t *to, const struct mem_sge *sges, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (sges[i].length_bytes == 0)
			continue;
		memcpy(to, (const void *)(uintptr_t)sges[i].address, sges[i].length_bytes);
		to += sges[i].length_bytes;
	}
}

enum rc_status
rc_post_send(struct rc_qp *qp, const struct rc_send_wr *wr)
{
	if (qp->state == RC_QP_INIT)
		return RC_NOT_CONNECTED; /* the result in INIT, even if the opcode is invalid */
	if ((unsigned int)wr->opcode >= RC_OPERATIONS)
		return RC_INVALID_ARGUMENT;
	return rc_post_send_inline(qp, wr, rc_opcode_kind(wr->opcode));
}
