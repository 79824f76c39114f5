/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "session.h"

#include <stdlib.h>
#include <string.h>

#include "pattern.h"

/*
 * The memory of a session is one block with one registration:
 *
 *   | local slots | exposed slots | control messages | receives | standing windows |
 *
 * Slots and receives begin at cache lines.
 */

#define SLOT_ALIGN 64u

/*
 * Highest numbers of receives, depending on the size of the messages. A poll takes at most 32
 * packets of 4 KiB or less. After each poll, used receives are posted again, before the next poll
 * can take packets that the poll's acknowledgements have permitted. Therefore a receive is always
 * free, and no RNR NAK is sent. The same holds if there is a receive for each message that the peer
 * can have in flight.
 */
#define RECEIVES_OF_SHORT 128u
#define RECEIVES_OF_LONG  32u
#define RECEIVES_OF_HUGE  4u
#define LONG_BYTES        (16u << 10)
#define HUGE_BYTES        (128u << 10)

/*
 * Number of control messages in flight that do not belong to a slot: ready, done, result, check,
 * and a client's start, measure, stop and cut. A second message of the same kind is sent only after
 * the first message was answered, or after a message of a different kind.
 */
#define CONTROLS_SPARE 8u

/*
 * Number of slots with --latency. One slot is not enough, because the next message may arrive
 * before the acknowledgement of the answer.
 */
#define SLOTS_OF_LATENCY 8u
/*
 * Lowest number of slots without --latency. One slot is not enough, because a plan with 1 window
 * means one window over all exposed slots, not one window for each slot.
 */
#define SLOTS_MIN        2u

static uint32_t
align_slot(uint32_t bytes)
{
	return (bytes + SLOT_ALIGN - 1) / SLOT_ALIGN * SLOT_ALIGN;
}

/* @return true if messages arrive in receives, so that receives need room for a message */
static bool
is_received(const struct session *session)
{
	return session_executes(session, OPTIONS_OP_SEND) ||
		session_executes(session, OPTIONS_OP_SEND_IMM);
}

static uint32_t
count_receives(const struct session *session)
{
	const uint32_t outstanding = session->memory.slots + session->memory.control_count;
	uint32_t most = RECEIVES_OF_SHORT;

	if (is_received(session) && session->setup.size_bytes > LONG_BYTES)
		most = session->setup.size_bytes <= HUGE_BYTES ? RECEIVES_OF_LONG
							       : RECEIVES_OF_HUGE;
	return RTE_MIN(most, outstanding);
}

static void
compute_sizes(struct session *session)
{
	const uint32_t size = session->setup.size_bytes;

	session->memory.slots = RTE_MAX(
		session->setup.depth, session->setup.latency ? SLOTS_OF_LATENCY : SLOTS_MIN);
	session->memory.slot_bytes = align_slot(size > 0 ? size : 1);
	session->role->plan(session, &session->memory.plan);
	session->memory.control_count = CONTROLS_SPARE;
	if (session->setup.op == OPTIONS_OP_BIND)
		session->memory.control_count += 2 * session->memory.slots;
	session->memory.control_bytes = align_slot(CONTROL_LENGTH_MAX);
	session->memory.receive_bytes = session->memory.control_bytes;
	if (is_received(session))
		session->memory.receive_bytes =
			RTE_MAX(align_slot(size), session->memory.receive_bytes);
	session->memory.receive_count = session->shared != NULL ? 0 : count_receives(session);
	session->memory.bytes =
		((size_t)session->memory.plan.local_slots + session->memory.plan.exposed_slots) *
			session->memory.slot_bytes +
		(size_t)session->memory.control_count * session->memory.control_bytes +
		(size_t)session->memory.receive_count * session->memory.receive_bytes +
		(size_t)session->standing.count * SESSION_STANDING_BYTES;
}

static void *
take_memory(const struct session *session)
{
	void *memory;

	/*
	 * Do not use mmap(), because a process is limited to 65530 mappings. Zeroing allocates the
	 * pages now and not during the measurement.
	 */
	memory = aligned_alloc(SLOT_ALIGN, session->memory.bytes);
	return memory == NULL ? NULL : memset(memory, 0, session->memory.bytes);
}

static bool
map_memory(struct session *session)
{
	void *memory = take_memory(session);

	if (memory == NULL) {
		session_fail(session, "no memory for %zu bytes of messages", session->memory.bytes);
		return false;
	}
	session->memory.block = memory;
	session->memory.local = session->memory.block;
	session->memory.exposed = session->memory.local +
		session->memory.plan.local_slots * session->memory.slot_bytes;
	session->memory.controls = session->memory.exposed +
		session->memory.plan.exposed_slots * session->memory.slot_bytes;
	session->memory.receives = session->memory.controls +
		(size_t)session->memory.control_count * session->memory.control_bytes;
	session->standing.bytes = session->memory.receives +
		(size_t)session->memory.receive_count * session->memory.receive_bytes;
	return true;
}

static bool
make_requests(struct session *session)
{
	const uint32_t data_count = session->memory.plan.requests_per_slot * session->memory.slots;
	struct request *request;

	session->memory.requests = calloc(
		data_count + session->memory.control_count + session->memory.receive_count + 1,
		sizeof(*request));
	session->memory.control_free =
		calloc(session->memory.control_count, sizeof(*session->memory.control_free));
	if (session->memory.requests == NULL || session->memory.control_free == NULL) {
		session_fail(session, "no memory for the requests");
		return false;
	}
	request = session->memory.requests;
	for (uint32_t i = 0; i < data_count; i++)
		*request++ = (struct request){.session = session,
			.kind = REQUEST_DATA,
			.slot = i % session->memory.slots,
			.purpose = i / session->memory.slots};
	session->memory.control_requests = request;
	for (uint32_t i = 0; i < session->memory.control_count; i++) {
		*request++ =
			(struct request){.session = session, .kind = REQUEST_CONTROL, .slot = i};
		session->memory.control_free[i] = i;
	}
	session->memory.control_free_count = session->memory.control_count;
	session->memory.receive_requests = request;
	for (uint32_t i = 0; i < session->memory.receive_count; i++)
		*request++ =
			(struct request){.session = session, .kind = REQUEST_RECEIVE, .slot = i};
	session->memory.window_request = request;
	*request = (struct request){.session = session, .kind = REQUEST_WINDOW};
	return true;
}

/*
 * Create a window for each slot. If the peer invalidates a window, the event is reported as the
 * result of the slot's request with the last purpose.
 */
static bool
make_windows(struct session *session)
{
	const uint32_t count = session->memory.plan.windows;

	if (count == 0)
		return true;
	session->memory.windows = calloc(count, sizeof(struct nd_mw *));
	if (session->memory.windows == NULL) {
		session_fail(session, "no memory for the windows");
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct request *request = count == 1
			? session->memory.window_request
			: session_request(session, session->memory.plan.requests_per_slot - 1, i);
		const nd_status status = nd_adapter_create_memory_window(
			session->adapter, &request->result, &session->memory.windows[i]);

		if (nd_failed(status)) {
			session_fail(session, "window %u of %u cannot be created: %s", i + 1, count,
				nd_status_name(status));
			return false;
		}
	}
	return true;
}

/* Create the standing windows. The peer does not use them. */
static bool
make_standing_windows(struct session *session)
{
	const uint32_t count = session->standing.count;

	if (count == 0)
		return true;
	session->standing.windows = calloc(count, sizeof(struct nd_mw *));
	if (session->standing.windows == NULL) {
		session_fail(session, "no memory for the windows of --windows");
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		const nd_status status = nd_adapter_create_memory_window(session->adapter,
			&session->memory.window_request->result, &session->standing.windows[i]);

		if (nd_failed(status)) {
			session_fail(session, "window %u of %u of --windows cannot be created: %s",
				i + 1, count, nd_status_name(status));
			return false;
		}
	}
	return true;
}

/*
 * Fill the local slots with a pattern. If the plan has fill_exposed, fill the exposed slots with a
 * pattern, too.
 */
static void
fill_memory(struct session *session)
{
	for (uint32_t i = 0; i < session->memory.plan.local_slots; i++)
		pattern_fill(session_local(session, i), session->setup.size_bytes,
			pattern_seed(session->setup.qp, PATTERN_REQUEST, i));
	if (!session->memory.plan.fill_exposed)
		return;
	for (uint32_t i = 0; i < session->memory.plan.exposed_slots; i++)
		pattern_fill(session_exposed(session, i), session->setup.size_bytes,
			pattern_seed(session->setup.qp, PATTERN_REQUEST, i));
}

bool
session_memory_open(struct session *session)
{
	nd_status status;

	compute_sizes(session);
	if (!map_memory(session) || !make_requests(session))
		return false;
	fill_memory(session);
	status = nd_adapter_register_memory(session->adapter, session->memory.block,
		session->memory.bytes, NULL, &session->memory.mr);
	if (nd_failed(status)) {
		session->memory.mr = NULL;
		session_fail(session, "%zu bytes cannot be registered: %s", session->memory.bytes,
			nd_status_name(status));
		return false;
	}
	return make_windows(session) && make_standing_windows(session);
}

/* Release the windows in the array that were created. */
static void
release_windows(struct session *session, struct nd_mw **windows, uint32_t count)
{
	for (uint32_t i = 0; windows != NULL && i < count && windows[i] != NULL; i++)
		nd_mw_release(session->adapter, windows[i]);
	free(windows);
}

void
session_memory_close(struct session *session)
{
	release_windows(session, session->memory.windows, session->memory.plan.windows);
	release_windows(session, session->standing.windows, session->standing.count);
	session->memory.windows = NULL;
	session->standing.windows = NULL;
	/*
	 * If a window is still bound to the memory, the memory stays registered and must not be
	 * freed.
	 */
	if (session->memory.mr != NULL &&
		nd_adapter_deregister_memory(session->adapter, session->memory.mr, NULL) !=
			ND_SUCCESS)
		session->memory.block = NULL;
	session->memory.mr = NULL;
	free(session->memory.block);
	session->memory.block = NULL;
	free(session->memory.requests);
	free(session->memory.control_free);
	session->memory.requests = NULL;
	session->memory.control_free = NULL;
}
