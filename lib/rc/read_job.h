/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_READ_JOB_H
#define NDPDK_RC_READ_JOB_H

#include "mem/mem.h"
#include "rc/qp.h"
#include "rc/read_response.h"
#include "wire/opcode.h"

/*
 * Functions that the fast path (response_burst.c) and the slow path (read_response.c) share. They
 * check a READ's key and write the headers of a response.
 */

/** @return opcode of the next packet of a job */
static inline uint8_t
rc_read_job_opcode(const struct rc_read_job *job)
{
	if (job->atomic)
		return WIRE_RC_ATOMIC_ACKNOWLEDGE;
	if (job->first)
		return job->packets_left == 1 ? WIRE_RC_READ_RESPONSE_ONLY
					      : WIRE_RC_READ_RESPONSE_FIRST;
	return job->packets_left == 1 ? WIRE_RC_READ_RESPONSE_LAST : WIRE_RC_READ_RESPONSE_MIDDLE;
}

/** Write the extension headers of a job's next packet. @param traits traits of its opcode */
static inline void
rc_read_job_extensions_store(
	const struct rc_read_job *job, const struct wire_opcode_traits *traits, uint8_t *to)
{
	if (traits->has_aeth) {
		const struct wire_aeth_value aeth = {
			.syndrome = WIRE_SYNDROME_ACK, /* RC-049: credits not used */
			.msn = job->msn,
		};

		wire_aeth_store((struct wire_aeth *)to, &aeth);
		to += sizeof(struct wire_aeth);
	}
	if (traits->has_atomic_ack_eth)
		be_store64(to, job->original);
}

/**
 * Check the key of a READ for the remaining bytes. @param bytes remaining bytes of the READ, > 0
 */
static inline enum mem_refusal
rc_read_check(const struct rc_qp *qp, uint32_t rkey, uint64_t address, uint32_t bytes,
	struct mem_span *span)
{
	return mem_check_remote(qp->ctx->mem,
		&(struct mem_access){
			.key = rkey,
			.owner = qp->qpn,
			.address = address,
			.length_bytes = bytes,
			.rights = MEM_REMOTE_READ,
		},
		span);
}

#endif
