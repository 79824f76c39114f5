/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/rtt.h"

#include <rte_common.h>

#include "rc/qp.h"

/*
 * The gains are those of RFC 6298. The wait before a probe is that of RFC 8985, section 7.2: two
 * round trips, plus at most a quarter of a round trip for their variation.
 *
 * Noise makes samples longer, never shorter, because a busy or virtual machine sometimes takes some
 * milliseconds. With noise, the mean is longer than most round trips, and four times the variation
 * is many round trips. In addition, the first samples of a connection are often too long.
 * Therefore, if the estimate is more than twice the sample, it moves to the middle between both at
 * once, instead of by an eighth. For the first samples of a connection, this happens if the
 * estimate is more than a third longer.
 *
 * This wait is too short for a peer with strongly varying answer times. Such a peer causes probes
 * that are not needed, or samples that are longer than the wait. After such a long sample, the wait
 * is the timeout of RFC 6298: one round trip plus four times the variation, but at least two and a
 * half round trips. This applies until a number of samples has been taken. During this time each
 * packet is timed, so that one long answer makes the wait long for a few requests only.
 *
 * The two minimum times are for peers that always answer quickly: an engine that is not polled for
 * some microseconds must not look like a loss.
 */

#define VARIATION_MIN_NS UINT64_C(10000)
#define PROBE_MIN_NS     UINT64_C(50000)
#define PROBE_FIRST_NS   UINT64_C(5000000)

#define SAMPLES_FIRST   16 /* number of samples of a connection before packets are skipped */
/*
 * Number of samples after an answer that took longer than the wait, for which each packet is timed.
 */
#define SAMPLES_CAREFUL 16

static uint64_t
distance(uint64_t a, uint64_t b)
{
	return a < b ? b - a : a - b;
}

/*
 * @return true if the estimate is far too long for this sample: more than a third longer for the
 * first samples, more than twice as long for later samples
 */
static bool
falls(const struct rc_rtt *rtt, uint64_t sample_ns)
{
	uint64_t part_ns = rtt->smoothed_ns / 4;

	return sample_ns < (rtt->samples < SAMPLES_FIRST ? 3 * part_ns : 2 * part_ns);
}

static void
smooth(struct rc_rtt *rtt, uint64_t sample_ns)
{
	rtt->variation_ns = rtt->variation_ns - rtt->variation_ns / 4 +
		distance(rtt->smoothed_ns, sample_ns) / 4;
	if (falls(rtt, sample_ns))
		rtt->smoothed_ns = (rtt->smoothed_ns + sample_ns) / 2;
	else
		rtt->smoothed_ns = rtt->smoothed_ns - rtt->smoothed_ns / 8 + sample_ns / 8;
	rtt->smoothed_ns = RTE_MAX(rtt->smoothed_ns, UINT64_C(1));
}

void
rc_rtt_sample(struct rc_rtt *rtt, uint64_t sample_ns)
{
	sample_ns = RTE_MAX(sample_ns, UINT64_C(1));
	if (!rc_rtt_known(rtt)) {
		rtt->smoothed_ns = sample_ns;
		rtt->variation_ns = sample_ns / 2;
		rtt->min_ns = sample_ns;
		rtt->samples = 1;
		return;
	}
	if (sample_ns > rc_rtt_probe_ns(rtt))
		rtt->careful = SAMPLES_CAREFUL;
	smooth(rtt, sample_ns);
	rtt->min_ns = RTE_MIN(rtt->min_ns, sample_ns);
	if (rtt->careful != 0)
		rtt->careful--;
	if (rtt->samples < SAMPLES_FIRST)
		rtt->samples++;
}

uint64_t
rc_rtt_probe_ns(const struct rc_rtt *rtt)
{
	uint64_t more_ns = 4 * rtt->variation_ns;

	if (!rc_rtt_known(rtt))
		return PROBE_FIRST_NS;
	if (rtt->careful == 0)
		more_ns = RTE_MIN(more_ns, rtt->smoothed_ns / 4);
	else /* max(RTT + 4 * variation, 2.5 * RTT), minus the 2 * RTT that are added below */
		more_ns = RTE_MAX(more_ns, rtt->smoothed_ns * 3 / 2) - rtt->smoothed_ns;
	return RTE_MAX(2 * rtt->smoothed_ns + RTE_MAX(more_ns, VARIATION_MIN_NS), PROBE_MIN_NS);
}

uint64_t
rc_rtt_overdue_ns(const struct rc_rtt *rtt)
{
	if (!rc_rtt_known(rtt))
		return PROBE_FIRST_NS / 2;
	return RTE_MAX(rtt->smoothed_ns + RTE_MAX(2 * rtt->variation_ns, VARIATION_MIN_NS / 2),
		PROBE_MIN_NS / 2);
}

static uint8_t
spacing(const struct rc_rtt *rtt)
{
	if (rtt->samples < SAMPLES_FIRST || rtt->careful != 0)
		return 1;
	return rtt->variation_ns >= rtt->smoothed_ns / 8 ? RC_RTT_SPACING_MOVING
							 : RC_RTT_SPACING_STEADY;
}

__rte_cold void
rc_rtt_time(struct rc_qp *qp, uint32_t psn, uint64_t now_ns)
{
	struct rc_requester *r = &qp->requester;

	r->time_skip = spacing(&qp->recovery.rtt);
	if (!qp->connection.selective)
		r->time_skip = UINT8_MAX;
	if (!qp->connection.selective || (r->watch & RC_WATCH_TIMED) != 0)
		return;
	qp->recovery.rtt.timed_psn = psn;
	qp->recovery.rtt.timed_ns = now_ns;
	r->watch |= RC_WATCH_TIMED;
}
