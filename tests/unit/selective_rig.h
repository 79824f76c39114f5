/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_SELECTIVE_RIG_H
#define NDPDK_UNIT_SELECTIVE_RIG_H

#include "requester_rig.h"

/* A requester with selective recovery. The test sends the responses in the role of the peer. */

#define PMTU        1024u
#define ACK_TIMEOUT 14
#define ENCODED_NS  (UINT64_C(4096) << ACK_TIMEOUT)
#define RTT_NS      UINT64_C(20000)
#define US          UINT64_C(1000)

static inline void
pass(struct rig *rig, uint64_t ns)
{
	rig->peer.now_ns += ns;
}

static inline struct rig *
selective(void)
{
	struct rig *rig = rig_new();

	rig->options.connect.ack_timeout = ACK_TIMEOUT;
	rig->options.connect.selective = true;
	rig->options.connect.retry_count = 7;
	rig_start(rig);
	return rig;
}

/* Send one-packet SENDs. The peer acknowledges each one after a round trip. @return the next PSN */
static inline uint32_t
warm(struct rig *rig, unsigned count)
{
	uint32_t psn = RIG_PSN;

	for (unsigned i = 0; i < count; i++) {
		rig_post(rig, 1, RC_SEND, RC_SILENT, 8);
		cr_assert_eq(rig_run(rig), 1);
		pass(rig, RTT_NS);
		rig_answer(rig, psn, RIG_ACK);
		psn = psn_add(psn, 1);
	}
	return psn;
}

/* Send one-packet SENDs that the peer does not answer. */
static inline void
send_some(struct rig *rig, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		rig_post(rig, 1, RC_SEND, RC_SILENT, 8);
	cr_assert_eq(rig_run(rig), count);
}

static inline void
until_deadline(struct rig *rig)
{
	rig->peer.now_ns = rc_qp_deadline(rig->peer.qp);
	rig_progress(rig);
}

#endif
