/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/rtt.h"

#include <rte_common.h>

#include "rc/qp.h"

/*
 * The gains are those of RFC 6298. A peer that answers in 0.2 ms or in 50 ms, as a virtual machine
 * does, has a large variation, and with it a long wait. The two minima are for peers that always
 * answer soon: an engine that is away for some microseconds must not look like a loss.
 */

#define VARIATION_MIN_NS UINT64_C(10000)
#define PROBE_MIN_NS     UINT64_C(50000)
#define PROBE_FIRST_NS   UINT64_C(5000000)

static uint64_t
distance(uint64_t a, uint64_t b)
{
	return a < b ? b - a : a - b;
}

void
rc_rtt_sample(struct rc_rtt *rtt, uint64_t sample_ns)
{
	sample_ns = RTE_MAX(sample_ns, UINT64_C(1));
	if (!rc_rtt_known(rtt)) {
		rtt->smoothed_ns = sample_ns;
		rtt->variation_ns = sample_ns / 2;
		rtt->min_ns = sample_ns;
		return;
	}
	rtt->variation_ns = rtt->variation_ns - rtt->variation_ns / 4 +
		distance(rtt->smoothed_ns, sample_ns) / 4;
	rtt->smoothed_ns =
		RTE_MAX(rtt->smoothed_ns - rtt->smoothed_ns / 8 + sample_ns / 8, UINT64_C(1));
	rtt->min_ns = RTE_MIN(rtt->min_ns, sample_ns);
}

uint64_t
rc_rtt_probe_ns(const struct rc_rtt *rtt)
{
	uint64_t wait_ns = 2 * rtt->smoothed_ns + RTE_MAX(4 * rtt->variation_ns, VARIATION_MIN_NS);

	return rc_rtt_known(rtt) ? RTE_MAX(wait_ns, PROBE_MIN_NS) : PROBE_FIRST_NS;
}

__rte_cold void
rc_rtt_time(struct rc_qp *qp, uint32_t psn, uint64_t now_ns)
{
	const struct rc_rtt *rtt = &qp->recovery.rtt;
	struct rc_requester *r = &qp->requester;

	r->time_skip = rtt->variation_ns >= rtt->smoothed_ns / 8 ? RC_RTT_SPACING_MOVING
								 : RC_RTT_SPACING_STEADY;
	if (!qp->connection.selective)
		r->time_skip = UINT8_MAX;
	if (!qp->connection.selective || (r->watch & RC_WATCH_TIMED) != 0)
		return;
	qp->recovery.rtt.timed_psn = psn;
	qp->recovery.rtt.timed_ns = now_ns;
	r->watch |= RC_WATCH_TIMED;
}
