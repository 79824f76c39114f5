/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "unit/trace_suite.h"

/*
 * The clock of the capturing host is set back, so a packet has an earlier time than the packet
 * before it. The trace must not mistake the step for a long wait.
 */

#define P SCENE_PSN_A

TestSuite(trace_clock, .init = connected_open, .fini = just_close);
TestSuite(trace_clock_bare, .init = bare_open, .fini = just_close);

/* The ACK for a later SEND is before the response to an earlier READ. */
CleanTest(trace_clock, set_back_before_overtaken_response_clean)
{
	READ(&scene, P, 100);
	ONLY(&scene, P + 1);
	ACK(&scene, P + 1, 2);
	scene.now_ns -= SECOND / 2;
	SEND(&scene, .from = B, .opcode = WIRE_RC_READ_RESPONSE_ONLY, .psn = P,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 1, .bytes = 100);
}

/* The NAK for a later SEND, which ends the connection, is before the ACK for an earlier SEND. */
CleanTest(trace_clock, set_back_before_overtaken_ack_clean)
{
	ONLY(&scene, P);
	ONLY(&scene, P + 1);
	NAK(&scene, P + 1, 1, WIRE_NAK_REMOTE_OPERATION);
	scene.now_ns -= SECOND / 2;
	ACK(&scene, P, 1);
}

/*
 * The capture begins in the middle of the connection. The first ACK may be for a request before the
 * capture. So no violation is reported, although the PSN of the ACK was not captured.
 */
CleanTest(trace_clock_bare, set_back_before_first_ack_clean)
{
	ONLY(&scene, P);
	scene.now_ns -= SECOND / 2;
	ACK(&scene, P, 1);
	ONLY(&scene, P + 2);
	ACK(&scene, P + 2, 3);
}
