/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Statements of chapter B, and the points of NDK_FN_BIND: the bind of the kernel interface. These
 * tests use the layer below the façade (lib/ndk): the memory index and a queue pair with a scripted
 * peer. NdkBind corresponds to mem_bind_prepare() and a post. NdkGetRemoteTokenFromMw corresponds
 * to the key of the prepared bind.
 */

#include <sys/mman.h>

#include <criterion/criterion.h>

#include <ndpdk/nd_types.h>

#include "nd/status_map.h"
#include "support/rc_peer.h"
#include "unit/mem_fixture.h"

#define BASE       UINT64_C(0x5000000)
#define BYTES      8192u
#define READ_WRITE (MEM_REMOTE_READ | MEM_REMOTE_WRITE)

/* Flag values of the kernel interface. */
#define NDK_ALLOW_READ  0x00000008u
#define NDK_ALLOW_WRITE 0x00000030u
#define NDK_INLINE      0x00000040u
#define NDK_DEFER       0x00000200u

static struct rc_peer peer;
static uint8_t memory[BYTES];
static struct mem_region *region;
static uint32_t far_psn;

static void
start(void)
{
	test_eal_init();
	rc_peer_start(&peer, NULL);
	region = rc_peer_region(&peer, memory, BYTES, BASE, MEM_LOCAL_WRITE | MEM_WINDOW_BIND);
	far_psn = RC_PEER_PSN;
}

static void
stop(void)
{
	rc_peer_stop(&peer);
}

TestSuite(nd_ndk, .init = start, .fini = stop);
TestSuite(ndk_bind, .init = start, .fini = stop);

/** @return a bind of a new window to [BASE + offset, + bytes) */
static struct mem_bind
bind_of(uint64_t offset, uint64_t bytes, uint32_t rights)
{
	return (struct mem_bind){
		.region = region,
		.window = fixture_window(peer.mem),
		.address = BASE + offset,
		.length_bytes = bytes,
		.rights = rights,
	};
}

/** Do the same as NdkBind. */
static enum rc_status
ndk_bind(struct mem_bind *bind, void *context, uint32_t flags)
{
	struct rc_send_wr wr = {.opcode = RC_BIND, .context = context, .flags = flags};
	enum rc_status status = mem_bind_prepare(peer.mem, bind, peer.qp->qpn);

	if (status != RC_OK)
		return status;
	wr.bind = *bind;
	status = rc_post_send(peer.qp, &wr);
	if (status != RC_OK)
		mem_bind_cancel(peer.mem, bind);
	return status;
}

static void
invalidate_post(struct mem_window *window, void *context)
{
	struct rc_send_wr wr = {.opcode = RC_INVALIDATE, .context = context, .window = window};

	ASSERT_STATUS(rc_post_send(peer.qp, &wr), RC_OK);
	ASSERT_STATUS(mem_invalidate_prepare(peer.mem, window, peer.qp->qpn), RC_OK);
}

static void
expect_completion(void *context, enum rc_completion_kind kind, enum rc_status status)
{
	struct rc_completion completion = rc_peer_completion(&peer.send_cq);

	cr_assert_eq(completion.context, context);
	cr_assert_eq(completion.kind, kind, "kind %d instead of %d", completion.kind, kind);
	ASSERT_STATUS(completion.status, status);
}

static void
expect_no_completion(void)
{
	struct rc_completion completion;

	cr_assert_eq(rc_cq_poll(&peer.send_cq, &completion, 1), 0);
}

/** Bind, execute the bind, and take the completion. */
static void
bound(struct mem_bind *bind)
{
	ASSERT_STATUS(ndk_bind(bind, bind, 0), RC_OK);
	rc_peer_progress(&peer);
	expect_completion(bind, RC_COMPLETION_BIND, RC_OK);
}

static enum mem_refusal
judge(uint32_t key, uint64_t address, uint64_t bytes, uint32_t rights)
{
	return fixture_check(peer.mem,
		(struct mem_access){.key = key,
			.owner = RC_PEER_QPN,
			.address = address,
			.length_bytes = bytes,
			.rights = rights});
}

/**
 * Write eight bytes from the peer with this key to this address. @return whether the write was
 * accepted
 */
static bool
far_write(uint32_t key, uint64_t address, const void *bytes)
{
	struct wire_reth_value reth = {.address = address, .rkey = key, .length_bytes = 8};
	struct rc_peer_packet packet;

	rc_peer_write(&peer, WIRE_RC_WRITE_ONLY, far_psn++, &reth, bytes, 8);
	rc_peer_progress(&peer);
	cr_assert(rc_peer_next(&peer, &packet), "no answer");
	if (packet.view.aeth.syndrome == WIRE_SYNDROME_ACK)
		return true;
	cr_assert_eq(packet.view.aeth.syndrome, WIRE_NAK_REMOTE_ACCESS, "syndrome %x",
		packet.view.aeth.syndrome);
	return false;
}

static struct {
	int64_t offset;
	uint64_t bytes;
	enum rc_status status;
} const outside[] = {
	{-1, 1, RC_BAD_START},
	{-(int64_t)BASE, 1, RC_BAD_START},
	{BYTES, 1, RC_BAD_START},
	{BYTES + 4096, 1, RC_BAD_START},
	{BYTES - 1, 2, RC_BAD_END},
	{0, BYTES + 1, RC_BAD_END},
	{0, UINT64_MAX, RC_BAD_END},
};

static void
expect_outside_refused(void)
{
	for (unsigned int i = 0; i < RTE_DIM(outside); i++) {
		struct mem_bind bind =
			bind_of((uint64_t)outside[i].offset, outside[i].bytes, READ_WRITE);
		enum rc_status status = ndk_bind(&bind, &bind, 0);

		cr_assert_eq(status, outside[i].status, "range %u: %s", i, rc_status_name(status));
	}
	rc_peer_progress(&peer);
	expect_no_completion();
	cr_assert_eq(fixture_stats(peer.mem).binds_queued, 0);
}

/* ND-032. An address below the region's base, or at or beyond its end, is refused. */
Test(nd_ndk, nd_032_address_outside_the_region_is_refused)
{
	struct mem_bind first, last;

	expect_outside_refused();
	first = bind_of(0, 1, READ_WRITE);
	last = bind_of(BYTES - 1, 1, READ_WRITE);
	bound(&first);
	bound(&last);
}

/**
 * Register memory under the addresses of an inaccessible mapping. @return base address of the
 * region
 */
static uint64_t
untouchable_region(void)
{
	void *hole = mmap(NULL, BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	cr_assert_neq(hole, MAP_FAILED);
	region = rc_peer_region(
		&peer, memory, BYTES, (uintptr_t)hole, MEM_LOCAL_WRITE | MEM_WINDOW_BIND);
	return (uintptr_t)hole;
}

/* The address is only an index into the region: no access uses it as a pointer. */
Test(nd_ndk, nd_033_address_is_an_index_and_nothing_else)
{
	uint64_t hole = untouchable_region();
	struct mem_bind bind = bind_of(0, 64, READ_WRITE);
	struct rc_peer_packet packet;

	bind.address = hole + 4000;
	bound(&bind);
	cr_assert(far_write(bind.key, hole + 4008, "indexed!"));
	cr_assert_arr_eq(memory + 4008, "indexed!", 8);
	rc_peer_read(&peer, far_psn++,
		&(struct wire_reth_value){
			.address = hole + 4008, .rkey = bind.key, .length_bytes = 8});
	rc_peer_progress(&peer);
	cr_assert(rc_peer_next(&peer, &packet));
	cr_assert_eq(packet.view.bth.opcode, WIRE_RC_READ_RESPONSE_ONLY);
	cr_assert_arr_eq(packet.payload, "indexed!", 8);
}

static void
expect_not_zero_based(void)
{
	struct mem_bind bind = bind_of(4096, 64, READ_WRITE);

	bound(&bind);
	cr_assert_eq(judge(bind.key, BASE + 4096, 8, MEM_REMOTE_WRITE), MEM_ALLOWED);
	cr_assert_eq(judge(bind.key, 0, 8, MEM_REMOTE_WRITE), MEM_REFUSED_RANGE);
	cr_assert_eq(judge(bind.key, 56, 8, MEM_REMOTE_READ), MEM_REFUSED_RANGE);
	cr_assert_eq(judge(bind.key, 4096, 8, MEM_REMOTE_READ), MEM_REFUSED_RANGE);
	cr_assert(far_write(bind.key, BASE + 4096, "virtual!"));
	cr_assert_arr_eq(memory + 4096, "virtual!", 8);
	cr_assert_not(far_write(bind.key, 0, "zerobase"));
}

/* Addresses of windows are not counted from zero. */
Test(nd_ndk, nd_034_windows_are_not_zero_based)
{
	expect_not_zero_based();
}

/*
 * Rights that the region lacks: ACCESS_VIOLATION from the call. Remote write requires local write.
 */
Test(nd_ndk, nd_035_rights_the_region_lacks_are_an_access_violation)
{
	struct mem_bind bind;

	region = rc_peer_region(&peer, memory, BYTES, BASE, MEM_WINDOW_BIND | MEM_REMOTE_READ);
	bind = bind_of(0, 64, READ_WRITE);
	ASSERT_STATUS(ndk_bind(&bind, &bind, 0), RC_NO_RIGHTS);
	bind.rights = MEM_REMOTE_WRITE;
	ASSERT_STATUS(ndk_bind(&bind, &bind, 0), RC_NO_RIGHTS);
	cr_assert_eq(status_of_call(RC_NO_RIGHTS), ND_ACCESS_VIOLATION);
	rc_peer_progress(&peer);
	expect_no_completion();
	bind.rights = MEM_REMOTE_READ;
	bound(&bind);
}

/** Start a queue pair that is not connected. */
static void
start_unconnected(void)
{
	struct rc_peer_options options;

	test_eal_init();
	rc_peer_defaults(&options);
	options.stay_init = true;
	rc_peer_start(&peer, &options);
	region = rc_peer_region(&peer, memory, BYTES, BASE, MEM_LOCAL_WRITE | MEM_WINDOW_BIND);
}

TestSuite(nd_ndk_early, .init = start_unconnected, .fini = stop);

/* Bind on a queue pair that is not connected is refused, and the window remains unbound. */
Test(nd_ndk_early, nd_036_unconnected_queue_pair_does_not_bind)
{
	struct mem_bind bind = bind_of(0, 64, READ_WRITE);

	for (unsigned int i = 0; i < 3; i++)
		ASSERT_STATUS(ndk_bind(&bind, &bind, 0), RC_NOT_CONNECTED);
	cr_assert_eq(status_of_call(RC_NOT_CONNECTED), ND_CONNECTION_INVALID);
	rc_peer_progress(&peer);
	expect_no_completion();
	ASSERT_STATUS(rc_qp_connect(peer.qp, &peer.connect), RC_OK);
	bound(&bind);
}

/* The token is final when the call returns. */
Test(nd_ndk, nd_037_token_after_the_call_is_final)
{
	struct mem_bind bind = bind_of(0, 64, READ_WRITE);
	uint32_t token;

	ASSERT_STATUS(ndk_bind(&bind, &bind, 0), RC_OK);
	token = bind.key;
	cr_assert_eq(
		judge(token, BASE, 8, MEM_REMOTE_WRITE), MEM_REFUSED_KEY, "it is not executed yet");
	rc_peer_progress(&peer);
	cr_assert_eq(judge(token, BASE, 8, MEM_REMOTE_WRITE), MEM_ALLOWED);
	cr_assert(far_write(token, BASE, "finally!"));
	cr_assert_arr_eq(memory, "finally!", 8);
}

/* The completion contains the context of the request. */
Test(nd_ndk, nd_038_context_comes_back)
{
	struct mem_bind first = bind_of(0, 64, READ_WRITE), second = bind_of(64, 64, READ_WRITE);
	int contexts[2];

	ASSERT_STATUS(ndk_bind(&first, &contexts[0], 0), RC_OK);
	ASSERT_STATUS(ndk_bind(&second, &contexts[1], 0), RC_OK);
	rc_peer_progress(&peer);
	expect_completion(&contexts[0], RC_COMPLETION_BIND, RC_OK);
	expect_completion(&contexts[1], RC_COMPLETION_BIND, RC_OK);
	expect_no_completion();
}

/**
 * Bind, invalidate, bind again, and bind another window. The requests are executed one by one or
 * together.
 */
static void
chain(bool deferred, struct rc_completion completions[4])
{
	struct mem_bind bind = bind_of(0, 64, READ_WRITE), again = bind;
	struct mem_bind other = bind_of(64, 64, MEM_REMOTE_READ);

	ASSERT_STATUS(ndk_bind(&bind, (void *)(uintptr_t)1, 0), RC_OK);
	if (!deferred)
		rc_peer_progress(&peer);
	invalidate_post(bind.window, (void *)(uintptr_t)2);
	if (!deferred)
		rc_peer_progress(&peer);
	ASSERT_STATUS(ndk_bind(&again, (void *)(uintptr_t)3, 0), RC_OK);
	if (!deferred)
		rc_peer_progress(&peer);
	ASSERT_STATUS(ndk_bind(&other, (void *)(uintptr_t)4, 0), RC_OK);
	if (deferred)
		expect_no_completion();
	rc_peer_progress(&peer);
	cr_assert_eq(rc_cq_poll(&peer.send_cq, completions, 4), 4);
	cr_assert_eq(judge(bind.key, BASE, 8, MEM_REMOTE_WRITE), MEM_REFUSED_KEY);
	cr_assert_eq(judge(again.key, BASE, 8, MEM_REMOTE_WRITE), MEM_ALLOWED);
	cr_assert_eq(judge(other.key, BASE + 64, 8, MEM_REMOTE_READ), MEM_ALLOWED);
}

/*
 * DEFER changes when requests are executed, never their results. In the engine, this corresponds to
 * posting without progress.
 */
Test(nd_ndk, nd_039_deferring_changes_no_result)
{
	struct rc_completion one_by_one[4], together[4];

	chain(false, one_by_one);
	chain(true, together);
	for (unsigned int i = 0; i < 4; i++) {
		cr_assert_eq(one_by_one[i].context, (void *)(uintptr_t)(i + 1));
		cr_assert_eq(together[i].context, one_by_one[i].context);
		cr_assert_eq(together[i].kind, one_by_one[i].kind);
		ASSERT_STATUS(together[i].status, one_by_one[i].status);
		cr_assert_eq(together[i].bytes, one_by_one[i].bytes);
	}
}

/* SILENT_SUCCESS suppresses only successful completions. */
Test(nd_ndk, nd_040_silent_keeps_back_successes_only)
{
	struct mem_bind good = bind_of(0, 64, READ_WRITE), bad = bind_of(0, 64, READ_WRITE);

	ASSERT_STATUS(ndk_bind(&good, &good, RC_SILENT), RC_OK);
	rc_peer_progress(&peer);
	expect_no_completion();
	cr_assert_eq(judge(good.key, BASE, 8, MEM_REMOTE_WRITE), MEM_ALLOWED);
	/*
	 * The announced invalidate is not posted, so the window is still bound when the bind is
	 * executed.
	 */
	ASSERT_STATUS(mem_invalidate_prepare(peer.mem, good.window, peer.qp->qpn), RC_OK);
	bad.window = good.window;
	ASSERT_STATUS(ndk_bind(&bad, &bad, RC_SILENT), RC_OK);
	rc_peer_progress(&peer);
	expect_completion(&bad, RC_COMPLETION_BIND, RC_BIND_FAILED);
}

/* A peer can use the rights of a window only with a valid token. */
Test(nd_ndk, nd_041_rights_need_a_valid_token)
{
	struct mem_bind bind = bind_of(0, 64, READ_WRITE);
	uint8_t before[8];

	bound(&bind);
	for (unsigned int bit = 0; bit < 32; bit++)
		cr_assert_eq(judge(bind.key ^ 1u << bit, BASE, 8, MEM_REMOTE_READ), MEM_REFUSED_KEY,
			"bit %u", bit);
	cr_assert(far_write(bind.key, BASE, "rightful"));
	memcpy(before, memory, sizeof(before));
	cr_assert_not(far_write(bind.key ^ 0x01, BASE, "wrongful"));
	cr_assert_arr_eq(memory, before, sizeof(before));
}

/*
 * Flag values differ between the user-mode interface and the kernel interface, so shared code must
 * translate them by meaning. The public flags have the user-mode values (no value for inline: hMr
 * NULL), the engine's rights have separate values, and a value of the kernel interface is not
 * accepted in their place.
 */
Test(nd_ndk, nd_042_flags_are_translated_by_meaning)
{
	struct mem_bind bind = bind_of(0, 64, READ_WRITE);

	cr_assert_eq(ND_OP_FLAG_ALLOW_READ, 0x8);
	cr_assert_eq(ND_OP_FLAG_ALLOW_WRITE, 0x10);
	cr_assert_neq(ND_OP_FLAG_ALLOW_WRITE, NDK_ALLOW_WRITE);
	cr_assert_neq(MEM_REMOTE_WRITE, ND_OP_FLAG_ALLOW_WRITE);
	cr_assert_neq(MEM_REMOTE_READ, ND_OP_FLAG_ALLOW_READ);
	cr_assert_neq(RC_INLINE, NDK_INLINE);
	ASSERT_STATUS(ndk_bind(&bind, &bind, ND_OP_FLAG_ALLOW_WRITE), RC_BAD_FLAGS);
	ASSERT_STATUS(ndk_bind(&bind, &bind, NDK_ALLOW_WRITE), RC_BAD_FLAGS);
	/*
	 * Two flags are passed through unchanged, because their values are equal in all interfaces.
	 */
	cr_assert_eq(RC_SILENT, ND_OP_FLAG_SILENT_SUCCESS);
	cr_assert_eq(RC_FENCE, ND_OP_FLAG_READ_FENCE);
}

/* A window is bound to a part of a region by a request of the queue pair, in posting order. */
Test(ndk_bind, ndk_bind_01_part_of_a_region_in_the_queue_pairs_turn)
{
	struct rc_send_wr send = {.opcode = RC_SEND, .context = &send};
	struct mem_bind bind = bind_of(512, 1024, READ_WRITE);
	struct rc_peer_packet packet;

	ASSERT_STATUS(rc_post_send(peer.qp, &send), RC_OK);
	ASSERT_STATUS(ndk_bind(&bind, &bind, 0), RC_OK);
	rc_peer_progress(&peer);
	cr_assert(rc_peer_next(&peer, &packet));
	cr_assert_eq(packet.view.bth.opcode, WIRE_RC_SEND_ONLY);
	expect_no_completion(); /* results are returned in posting order */
	rc_peer_inject_ack(&peer, RC_PEER_SEND_PSN, WIRE_SYNDROME_ACK, 1);
	expect_completion(&send, RC_COMPLETION_SEND, RC_OK);
	expect_completion(&bind, RC_COMPLETION_BIND, RC_OK);
	cr_assert_eq(judge(bind.key, BASE + 512, 1024, MEM_REMOTE_READ), MEM_ALLOWED);
	cr_assert_eq(judge(bind.key, BASE + 511, 1, MEM_REMOTE_READ), MEM_REFUSED_RANGE);
	cr_assert_eq(judge(bind.key, BASE + 1536, 1, MEM_REMOTE_READ), MEM_REFUSED_RANGE);
}

/* The start is from base to base + length, exclusive, and the range must end within the region. */
Test(ndk_bind, ndk_bind_02_address_bounds_are_those_of_the_region)
{
	struct mem_bind whole;
	static uint8_t tail[512];
	struct mem_buffer chained[] = {{memory, 4096}, {tail, sizeof(tail)}, {memory + 4096, 100}};
	struct mem_region_attr attr = {.base = BASE,
		.buffers = chained,
		.buffer_count = 3,
		.rights = MEM_LOCAL_WRITE | MEM_WINDOW_BIND};

	expect_outside_refused();
	whole = bind_of(0, BYTES, READ_WRITE);
	bound(&whole);
	/* The length of a chain is the sum of its buffers. */
	ASSERT_STATUS(mem_region_register(peer.mem, &attr, &region), RC_OK);
	whole = bind_of(4096 + 512 + 99, 1, READ_WRITE);
	bound(&whole);
	whole = bind_of(4096 + 512 + 99, 2, READ_WRITE);
	ASSERT_STATUS(ndk_bind(&whole, &whole, 0), RC_BAD_END);
	whole.address++;
	ASSERT_STATUS(ndk_bind(&whole, &whole, 0), RC_BAD_START);
}

/* The length is exactly the number of accessible bytes. */
Test(ndk_bind, ndk_bind_03_length_is_what_is_exposed)
{
	static const uint64_t lengths[] = {1, 7, 64, 4095, 4096, 4097, BYTES - 100};

	for (unsigned int i = 0; i < RTE_DIM(lengths); i++) {
		struct mem_bind bind = bind_of(100, lengths[i], READ_WRITE);

		bound(&bind);
		cr_assert_eq(judge(bind.key, BASE + 100, lengths[i], MEM_REMOTE_READ), MEM_ALLOWED);
		cr_assert_eq(judge(bind.key, BASE + 100 + lengths[i] - 1, 1, MEM_REMOTE_WRITE),
			MEM_ALLOWED);
		cr_assert_eq(judge(bind.key, BASE + 100, lengths[i] + 1, MEM_REMOTE_READ),
			MEM_REFUSED_RANGE);
		cr_assert_eq(judge(bind.key, BASE + 100 + lengths[i], 1, MEM_REMOTE_WRITE),
			MEM_REFUSED_RANGE);
	}
}

/* The address is never dereferenced, so it need not be mapped or even be a valid pointer. */
Test(ndk_bind, ndk_bind_04_address_is_never_dereferenced)
{
	const uint64_t bases[] = {
		untouchable_region(), UINT64_C(0xFFFF800000000000), UINT64_C(0x7000000000000001)};

	for (unsigned int i = 0; i < RTE_DIM(bases); i++) {
		struct mem_bind bind = bind_of(0, 0, READ_WRITE);

		bind.region = rc_peer_region(
			&peer, memory, BYTES, bases[i], MEM_LOCAL_WRITE | MEM_WINDOW_BIND);
		bind.address = bases[i];
		bind.length_bytes = BYTES;
		bound(&bind);
		memset(memory, 0, 8);
		cr_assert(far_write(bind.key, bases[i], "no deref"), "base %u", i);
		cr_assert_arr_eq(memory, "no deref", 8);
		ASSERT_STATUS(
			mem_window_destroy(peer.mem, bind.window, &(struct mem_grace){0}), RC_OK);
	}
}

/* Zero-based virtual addresses are not supported. */
Test(ndk_bind, ndk_bind_05_addresses_do_not_begin_at_zero)
{
	struct mem_bind bind = bind_of(0, 64, READ_WRITE);

	bind.address = 0;
	ASSERT_STATUS(ndk_bind(&bind, &bind, 0), RC_BAD_START);
	expect_not_zero_based();
}

/*
 * Flags SILENT_SUCCESS, READ_FENCE, ALLOW_REMOTE_READ, ALLOW_REMOTE_WRITE, DEFER. A façade passes
 * the first two unchanged. The rights are members of the bind, and there is no flag for deferring,
 * so the other values are refused.
 */
Test(ndk_bind, ndk_bind_06_flags)
{
	static const uint32_t refused[] = {
		NDK_ALLOW_READ, NDK_ALLOW_WRITE, NDK_DEFER, RC_SOLICITED};
	struct mem_bind bind = bind_of(0, 64, READ_WRITE),
			reading = bind_of(0, 64, MEM_REMOTE_READ);
	struct mem_bind writing = bind_of(0, 64, MEM_REMOTE_WRITE);

	for (unsigned int i = 0; i < RTE_DIM(refused); i++)
		ASSERT_STATUS(ndk_bind(&bind, &bind, refused[i]), RC_BAD_FLAGS);
	ASSERT_STATUS(ndk_bind(&bind, &bind, 0x1 | 0x2), RC_OK);
	rc_peer_progress(&peer);
	expect_no_completion();
	bound(&reading);
	bound(&writing);
	cr_assert_eq(judge(bind.key, BASE, 8, MEM_REMOTE_WRITE), MEM_ALLOWED);
	cr_assert_eq(judge(bind.key, BASE, 8, MEM_REMOTE_READ), MEM_ALLOWED);
	cr_assert_eq(judge(reading.key, BASE, 8, MEM_REMOTE_READ), MEM_ALLOWED);
	cr_assert_eq(judge(reading.key, BASE, 8, MEM_REMOTE_WRITE), MEM_REFUSED_RIGHTS);
	cr_assert_eq(judge(writing.key, BASE, 8, MEM_REMOTE_WRITE), MEM_ALLOWED);
	cr_assert_eq(judge(writing.key, BASE, 8, MEM_REMOTE_READ), MEM_REFUSED_RIGHTS);
}

/*
 * A connected peer that has the token has the rights. The wording of the statement covers all peers
 * of the protection domain. By design windows are of type 2B: only the peer of the binding queue
 * pair has access.
 */
Test(ndk_bind, ndk_bind_07_rights_go_to_the_peer_of_this_queue_pair)
{
	struct mem_bind bind = bind_of(0, 64, READ_WRITE);
	struct mem_access access = {.address = BASE,
		.length_bytes = 8,
		.rights = MEM_REMOTE_READ,
		.owner = RC_PEER_QPN};

	bound(&bind);
	access.key = bind.key;
	cr_assert_eq(fixture_check(peer.mem, access), MEM_ALLOWED);
	for (unsigned int bit = 0; bit < 24; bit++) {
		access.owner = RC_PEER_QPN ^ 1u << bit;
		cr_assert_eq(fixture_check(peer.mem, access), MEM_REFUSED_OWNER, "bit %u", bit);
	}
	/* After the end of the connection, no peer has the right. */
	rc_qp_error(peer.qp, RC_FLUSHED);
	cr_assert_eq(judge(bind.key, BASE, 8, MEM_REMOTE_READ), MEM_REFUSED_KEY);
}

/*
 * The call returns success, and a completion follows; or connection invalid; or access violation if
 * the bind has remote write and the region lacks local write. The region needs no remote rights.
 */
Test(ndk_bind_early, ndk_bind_08_what_the_call_returns, .init = start_unconnected, .fini = stop)
{
	struct mem_bind bind = bind_of(0, 64, READ_WRITE);

	cr_assert_eq(status_of_call(ndk_bind(&bind, &bind, 0)), ND_CONNECTION_INVALID);
	ASSERT_STATUS(rc_qp_connect(peer.qp, &peer.connect), RC_OK);
	cr_assert_eq(mem_region_rights(region) & READ_WRITE, 0);
	cr_assert_eq(status_of_call(ndk_bind(&bind, &bind, 0)), ND_SUCCESS);
	rc_peer_progress(&peer);
	expect_completion(&bind, RC_COMPLETION_BIND, RC_OK);
	expect_no_completion();
	bind.window = fixture_window(peer.mem);
	bind.region = rc_peer_region(&peer, memory, BYTES, BASE, MEM_REMOTE_READ | MEM_WINDOW_BIND);
	cr_assert_eq(status_of_call(ndk_bind(&bind, &bind, 0)), ND_ACCESS_VIOLATION);
	rc_peer_progress(&peer);
	expect_no_completion();
}

/* The token is valid when the call returns. Each bind has a new token. */
Test(ndk_bind, ndk_bind_09_token_is_there_when_the_call_returns)
{
	struct mem_bind bind = bind_of(0, 64, READ_WRITE);
	uint32_t before = 0;

	for (unsigned int i = 0; i < 100; i++) {
		bind.key = 0;
		ASSERT_STATUS(ndk_bind(&bind, &bind, RC_SILENT), RC_OK);
		cr_assert(bind.key != 0 && bind.key != before);
		rc_peer_progress(&peer);
		cr_assert_eq(judge(bind.key, BASE, 8, MEM_REMOTE_READ), MEM_ALLOWED);
		cr_assert_eq(judge(before, BASE, 8, MEM_REMOTE_READ), MEM_REFUSED_KEY);
		before = bind.key;
		invalidate_post(bind.window, NULL);
		rc_peer_progress(&peer);
		expect_completion(NULL, RC_COMPLETION_INVALIDATE, RC_OK);
	}
}

/* The completion contains the context of the request and the type "bind". */
Test(ndk_bind, ndk_bind_10_result_has_context_and_type)
{
	struct mem_bind bind = bind_of(0, 64, READ_WRITE);
	struct rc_completion completion;
	int context;

	ASSERT_STATUS(ndk_bind(&bind, &context, 0), RC_OK);
	rc_peer_progress(&peer);
	completion = rc_peer_completion(&peer.send_cq);
	cr_assert_eq(completion.context, &context);
	cr_assert_eq(completion.kind, RC_COMPLETION_BIND);
	cr_assert_eq(completion.owner, RC_PEER_OWNER);
	cr_assert_eq(completion.bytes, 0);
	cr_assert_not(completion.solicited);
}

/*
 * A region cannot be deregistered while a window is bound to it or a bind is queued. The user-mode
 * status is ND_DEVICE_BUSY.
 */
Test(ndk_bind, ndk_bind_11_region_stays_while_a_window_needs_it)
{
	struct mem_bind bind = bind_of(0, 64, READ_WRITE);
	uint64_t release;

	ASSERT_STATUS(ndk_bind(&bind, &bind, 0), RC_OK);
	ASSERT_STATUS(mem_region_deregister(peer.mem, region, &release), RC_BUSY);
	rc_peer_progress(&peer);
	ASSERT_STATUS(mem_region_deregister(peer.mem, region, &release), RC_BUSY);
	cr_assert_eq(status_of_call(RC_BUSY), ND_DEVICE_BUSY);
	ASSERT_STATUS(mem_window_destroy(peer.mem, bind.window, &(struct mem_grace){0}), RC_OK);
	ASSERT_STATUS(mem_region_deregister(peer.mem, region, &release), RC_OK);
	cr_assert_not(mem_region_alive(peer.mem, region));
	bind = bind_of(0, 64, READ_WRITE);
	ASSERT_STATUS(ndk_bind(&bind, &bind, 0), RC_BAD_REGION);
}

/* READ_FENCE: earlier Reads complete before this request starts. */
Test(ndk_bind, ndk_bind_12_fence_waits_for_earlier_reads)
{
	struct mem_sge sge = {.region = region, .address = BASE, .length_bytes = 8};
	struct rc_send_wr read = {.opcode = RC_READ,
		.context = &read,
		.sgl = {.sges = &sge, .count = 1},
		.remote_address = 0x1000,
		.rkey = 0x77};
	struct mem_bind fenced = bind_of(0, 64, READ_WRITE), behind = bind_of(0, 64, READ_WRITE);
	struct rc_peer_packet packet;

	ASSERT_STATUS(rc_post_send(peer.qp, &read), RC_OK);
	ASSERT_STATUS(ndk_bind(&fenced, &fenced, RC_FENCE), RC_OK);
	ASSERT_STATUS(ndk_bind(&behind, &behind, 0), RC_OK);
	rc_peer_progress(&peer);
	cr_assert(rc_peer_next(&peer, &packet));
	cr_assert_eq(packet.view.bth.opcode, WIRE_RC_READ_REQUEST);
	for (unsigned int i = 0; i < 10; i++)
		rc_peer_progress(&peer);
	cr_assert_eq(judge(fenced.key, BASE, 8, MEM_REMOTE_READ), MEM_REFUSED_KEY);
	cr_assert_eq(judge(behind.key, BASE, 8, MEM_REMOTE_READ), MEM_REFUSED_KEY);
	rc_peer_inject(&peer,
		&(struct wire_headers){
			.bth = {.opcode = WIRE_RC_READ_RESPONSE_ONLY, .psn = RC_PEER_SEND_PSN},
			.aeth = {.syndrome = WIRE_SYNDROME_ACK, .msn = 1}},
		"the data", 8);
	rc_peer_progress(&peer);
	cr_assert_arr_eq(memory, "the data", 8);
	expect_completion(&read, RC_COMPLETION_READ, RC_OK);
	expect_completion(&fenced, RC_COMPLETION_BIND, RC_OK);
	expect_completion(&behind, RC_COMPLETION_BIND, RC_OK);
	cr_assert_eq(judge(fenced.key, BASE, 8, MEM_REMOTE_READ), MEM_ALLOWED);
}
