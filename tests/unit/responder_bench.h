/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_RESPONDER_BENCH_H
#define NDPDK_UNIT_RESPONDER_BENCH_H

#include <string.h>

#include <criterion/criterion.h>

#include "support/eal.h"
#include "support/rc_peer.h"

/*
 * A test bench with a queue pair and one region that the peer may read and write. The tests build
 * the requests.
 */

#define PMTU      1024
#define BASE      UINT64_C(0x7000000000)
#define AREA      (16 * PMTU)
#define FIRST_PSN RC_PEER_PSN
#define ALL_RIGHTS                                                                                 \
	(MEM_LOCAL_WRITE | MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC | MEM_WINDOW_BIND)

struct bench {
	struct rc_peer peer;
	struct mem_region *region;
	uint8_t memory[AREA];
	uint8_t data[LIMIT_PMTU_MAX];
};

static struct bench b;

static inline void
start_with(const struct rc_peer_options *options)
{
	memset(&b, 0, sizeof(b));
	rc_peer_pattern(b.data, sizeof(b.data), 7);
	rc_peer_start(&b.peer, options);
	b.region = rc_peer_region(&b.peer, b.memory, sizeof(b.memory), BASE, ALL_RIGHTS);
}

static inline void
start(void)
{
	start_with(NULL);
}

static inline void
stop(void)
{
	rc_peer_stop(&b.peer);
}

static inline void
post_receives(unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		rc_peer_post_receive(&b.peer, NULL, b.region, BASE, AREA);
}

static inline struct wire_reth_value
reth(uint64_t offset, uint32_t length_bytes)
{
	return (struct wire_reth_value){
		.address = BASE + offset,
		.rkey = mem_region_key(b.region),
		.length_bytes = length_bytes,
	};
}

static inline void
write_only(uint32_t psn, uint16_t bytes)
{
	struct wire_reth_value at = reth(0, bytes);

	rc_peer_write(&b.peer, WIRE_RC_WRITE_ONLY, psn, &at, b.data, bytes);
}

static inline void
read_request(uint32_t psn, uint32_t bytes)
{
	struct wire_reth_value at = reth(0, bytes);

	rc_peer_read(&b.peer, psn, &at);
}

static inline void
atomic_request(uint8_t opcode, uint32_t psn, uint64_t offset, uint64_t swap_add, uint64_t compare)
{
	rc_peer_inject(&b.peer,
		&(struct wire_headers){
			.bth = {.opcode = opcode, .psn = psn & PSN_MASK, .ack_request = true},
			.atomic =
				{
					.address = BASE + offset,
					.rkey = mem_region_key(b.region),
					.swap_add = swap_add,
					.compare = compare,
				},
		},
		NULL, 0);
}

static inline void
expect_fatal(uint8_t syndrome, uint32_t psn, const char *what)
{
	struct rc_peer_packet packet;

	rc_peer_progress(&b.peer);
	cr_assert(rc_peer_next(&b.peer, &packet), "%s: no NAK", what);
	cr_assert_eq(packet.view.aeth.syndrome, syndrome, "%s: syndrome 0x%02x, 0x%02x expected",
		what, packet.view.aeth.syndrome, syndrome);
	cr_assert_eq(packet.view.bth.psn, psn & PSN_MASK, "%s: PSN 0x%06x, 0x%06x expected", what,
		packet.view.bth.psn, psn & PSN_MASK);
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(b.peer.qp->state, RC_QP_ERROR, "%s", what);
	cr_assert_eq(b.peer.event_error_count, 1, "%s", what);
	/* SEC-031: an access is reported as refused only if the key was a guess. */
	cr_assert_eq(b.peer.event_refused_count, syndrome == WIRE_NAK_REMOTE_ACCESS, "%s: told %u",
		what, b.peer.event_refused_count);
}

#endif
