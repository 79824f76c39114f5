/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_REQUESTER_RIG_H
#define NDPDK_UNIT_REQUESTER_RIG_H

#include <criterion/criterion.h>

#include "support/rc_peer.h"

/*
 * Common functions of the tests of the requester: a connected queue pair (support/rc_peer.h), a
 * region of local memory, and short functions that post requests, inject responses and check
 * results. Each request has its own number as context.
 */

#define RIG_MEMORY_BYTES (1u << 20)
#define RIG_BASE         0x100000u
#define RIG_REMOTE       UINT64_C(0x7700000000)
#define RIG_RKEY         0xABCD1234u
#define RIG_PSN          RC_PEER_SEND_PSN
#define RIG_ACK          WIRE_SYNDROME_ACK

struct rig {
	struct rc_peer peer;
	struct rc_peer_options options;
	uint8_t memory[RIG_MEMORY_BYTES];
	struct mem_region *region;
	struct rc_peer_packet packet;
};

static inline struct rig *
rig_new(void)
{
	/*
	 * No congestion control limits the window, because these tests do not check how much is
	 * sent at once.
	 */
	static const struct cc_parameters none = {.algorithm = CC_NONE};
	static struct rig rig;

	rc_peer_defaults(&rig.options);
	rig.options.qp.cc = &none;
	rig.options.qp.send_entries = 64;
	rig.options.cq_entries = 4096;
	return &rig;
}

static inline void
rig_start(struct rig *rig)
{
	rc_peer_start(&rig->peer, &rig->options);
	rc_peer_pattern(rig->memory, sizeof(rig->memory), 1);
	rig->region = rc_peer_region(&rig->peer, rig->memory, sizeof(rig->memory), RIG_BASE,
		MEM_LOCAL_WRITE | MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_WINDOW_BIND);
}

static inline void
rig_stop(struct rig *rig)
{
	rc_peer_stop(&rig->peer);
}

static inline struct rc_requester *
rig_requester(struct rig *rig)
{
	return &rig->peer.qp->requester;
}

static inline struct rc_counters *
rig_counters(struct rig *rig)
{
	return &rig->peer.ctx.counters;
}

static inline void *
rig_context(uintptr_t number)
{
	return (void *)number;
}

/* @return a request with list entry *sge. sge may be NULL. *sge must stay valid until the post. */
static inline struct rc_send_wr
rig_request(struct rig *rig, uintptr_t number, enum rc_send_opcode opcode, struct mem_sge *sge)
{
	(void)rig;
	return (struct rc_send_wr){
		.opcode = opcode,
		.context = rig_context(number),
		.sgl = {.sges = sge, .count = sge != NULL && sge->length_bytes > 0},
		.remote_address = RIG_REMOTE,
		.rkey = RIG_RKEY,
	};
}

static inline struct mem_sge
rig_sge(struct rig *rig, uint64_t offset, uint64_t bytes)
{
	return (struct mem_sge){
		.region = rig->region,
		.address = RIG_BASE + offset,
		.length_bytes = bytes,
	};
}

static inline void
rig_post(struct rig *rig, uintptr_t number, enum rc_send_opcode opcode, uint32_t flags,
	uint64_t bytes)
{
	struct mem_sge sge = rig_sge(rig, 0, bytes);
	struct rc_send_wr wr = rig_request(rig, number, opcode, &sge);
	enum rc_status status;

	wr.flags = flags;
	status = rc_post_send(rig->peer.qp, &wr);
	cr_assert_eq(
		status, RC_OK, "request %lu: %s", (unsigned long)number, rc_status_name(status));
}

static inline struct mem_window *
rig_window(struct rig *rig)
{
	struct mem_window *window = NULL;

	cr_assert_eq(mem_window_create(rig->peer.mem, NULL, &window), RC_OK);
	return window;
}

static inline struct rc_send_wr
rig_bind(struct rig *rig, uintptr_t number, struct mem_window *window)
{
	struct rc_send_wr wr = {
		.opcode = RC_BIND,
		.context = rig_context(number),
		.bind =
			{
				.region = rig->region,
				.window = window,
				.address = RIG_BASE,
				.length_bytes = 4096,
				.rights = MEM_REMOTE_READ,
			},
	};

	cr_assert_eq(mem_bind_prepare(rig->peer.mem, &wr.bind, rig->peer.qp->qpn), RC_OK);
	return wr;
}

static inline uint32_t
rig_post_bind(struct rig *rig, uintptr_t number, struct mem_window *window, uint32_t flags)
{
	struct rc_send_wr wr = rig_bind(rig, number, window);

	wr.flags = flags;
	cr_assert_eq(rc_post_send(rig->peer.qp, &wr), RC_OK);
	return wr.bind.key;
}

static inline void
rig_post_invalidate(struct rig *rig, uintptr_t number, struct mem_window *window, uint32_t flags)
{
	struct rc_send_wr wr = {
		.opcode = RC_INVALIDATE,
		.context = rig_context(number),
		.flags = flags,
		.window = window,
	};

	cr_assert_eq(mem_invalidate_prepare(rig->peer.mem, window, rig->peer.qp->qpn), RC_OK);
	cr_assert_eq(rc_post_send(rig->peer.qp, &wr), RC_OK);
}

static inline bool
rig_key_live(struct rig *rig, uint32_t key)
{
	struct mem_span span;
	struct mem_access access = {
		.key = key,
		.owner = RC_PEER_QPN,
		.address = RIG_BASE,
		.length_bytes = 1,
		.rights = MEM_REMOTE_READ,
	};

	return mem_check_remote(rig->peer.mem, &access, &span) == MEM_ALLOWED;
}

static inline bool
rig_progress(struct rig *rig)
{
	return rc_peer_progress(&rig->peer);
}

/*
 * Run the requester until it has nothing left to send. Discard the packets. @return number of
 * discarded packets
 */
static inline unsigned
rig_run(struct rig *rig)
{
	unsigned count = 0;
	bool again;

	do {
		again = rig_progress(rig);
		count += rc_peer_drain(&rig->peer);
	} while (again);
	return count;
}

static inline const struct wire_view *
rig_expect(struct rig *rig, uint8_t opcode, uint32_t psn)
{
	const struct wire_view *view = &rig->packet.view;

	cr_assert(rc_peer_next(&rig->peer, &rig->packet), "nothing sent, %s 0x%06x expected",
		wire_opcode_traits(opcode)->name, psn & PSN_MASK);
	cr_assert(view->bth.opcode == opcode && view->bth.psn == (psn & PSN_MASK),
		"%s 0x%06x sent, %s 0x%06x expected", view->traits->name, view->bth.psn,
		wire_opcode_traits(opcode)->name, psn & PSN_MASK);
	cr_assert(view->bth.migrated, "MigReq is 1");
	cr_assert_eq(view->bth.pkey, WIRE_PKEY_DEFAULT);
	/* RC-011: all packets of a connection have the same addresses and source port. */
	cr_assert_eq(view->udp_src_port, rig->options.connect.path.udp_src_port);
	cr_assert(wire_gid_equal(&view->src, &rig->options.connect.path.src));
	cr_assert(wire_gid_equal(&view->dst, &rig->options.connect.path.dst));
	cr_assert_eq(view->tos, rig->options.connect.path.tos);
	return view;
}

static inline void
rig_answer(struct rig *rig, uint32_t psn, uint8_t syndrome)
{
	rc_peer_inject_ack(&rig->peer, psn, syndrome, 0);
}

/*
 * Inject a READ response with MSN 0. The MSN may be wrong, because the requester must ignore the
 * MSN (RC-167, Q11).
 */
static inline void
rig_read_response(
	struct rig *rig, uint8_t opcode, uint32_t psn, const void *payload, uint16_t bytes)
{
	rc_peer_inject(&rig->peer,
		&(struct wire_headers){
			.bth = {.opcode = opcode, .psn = psn & PSN_MASK},
			.aeth = {.syndrome = RIG_ACK},
		},
		payload, bytes);
}

static inline struct rc_completion
rig_completed(struct rig *rig, uintptr_t number, enum rc_status status)
{
	struct rc_completion completion = {0};

	cr_assert_eq(rc_cq_poll(&rig->peer.send_cq, &completion, 1), 1,
		"no completion, request %lu expected", (unsigned long)number);
	cr_assert(completion.context == rig_context(number) && completion.status == status,
		"request %lu: %s completed, request %lu: %s expected",
		(unsigned long)(uintptr_t)completion.context, rc_status_name(completion.status),
		(unsigned long)number, rc_status_name(status));
	cr_assert_eq(completion.owner, RC_PEER_OWNER);
	return completion;
}

static inline void
rig_not_completed(struct rig *rig)
{
	struct rc_completion completion;

	cr_assert_eq(rc_cq_poll(&rig->peer.send_cq, &completion, 1), 0,
		"request %lu completed with %s", (unsigned long)(uintptr_t)completion.context,
		rc_status_name(completion.status));
}

static inline void
rig_in_error(struct rig *rig, enum rc_status why)
{
	cr_assert_eq(rig->peer.qp->state, RC_QP_ERROR, "queue pair still lives");
	cr_assert_eq(rig->peer.qp->error, why, "error is %s, %s expected",
		rc_status_name(rig->peer.qp->error), rc_status_name(why));
	rc_peer_events(&rig->peer);
	cr_assert_eq(rig->peer.event_error_count, 1);
}

#endif
