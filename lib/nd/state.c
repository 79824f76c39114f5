/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "nd/state.h"

#include "base/assert.h"

#define BIT(name) (1u << CONNECTOR_##name)

/* Short names, so that each state fits on one row. */
#define OK      ND_SUCCESS
#define WAIT    ND_PENDING
#define INVALID ND_CONNECTION_INVALID
#define ACTIVE  ND_CONNECTION_ACTIVE
#define ABORTED ND_CONNECTION_ABORTED
#define USED    ND_INVALID_DEVICE_STATE
#define CANCEL  ND_CANCELED

/* clang-format off */
static const struct {
	uint16_t next;               /* states that may follow */
	/*
	 * Next state if an attempt fails in this state. The same state means that there is no
	 * attempt.
	 */
	enum connector_state failed;
} transitions[] = {
	[CONNECTOR_IDLE]          = {BIT(RESOLVING) | BIT(ASKED),      CONNECTOR_IDLE},
	[CONNECTOR_RESOLVING]     = {BIT(REQUESTING) | BIT(IDLE),      CONNECTOR_IDLE},
	[CONNECTOR_REQUESTING]    = {BIT(ANSWERED) | BIT(IDLE),        CONNECTOR_IDLE},
	[CONNECTOR_ANSWERED]      = {BIT(CONNECTED) | BIT(FAILED),     CONNECTOR_FAILED},
	[CONNECTOR_ASKED]         = {BIT(ACCEPTING) | BIT(FAILED),     CONNECTOR_FAILED},
	[CONNECTOR_ACCEPTING]     = {BIT(CONNECTED) | BIT(FAILED),     CONNECTOR_FAILED},
	[CONNECTOR_CONNECTED]     = {BIT(DISCONNECTING) | BIT(BROKEN), CONNECTOR_CONNECTED},
	[CONNECTOR_DISCONNECTING] = {BIT(DEAD),                        CONNECTOR_DISCONNECTING},
	[CONNECTOR_BROKEN]        = {BIT(DEAD),                        CONNECTOR_BROKEN},
	[CONNECTOR_DEAD]          = {0,                                CONNECTOR_DEAD},
	[CONNECTOR_FAILED]        = {0,                                CONNECTOR_FAILED},
};

/*
 * Columns: create_endpoint, connect, complete_connect, accept, reject, notify_disconnect,
 * disconnect, get_local_address, get_peer_address.
 */
static const struct connector_answers answers[] = {
	[CONNECTOR_IDLE] =
		{OK,      OK,     INVALID, INVALID, INVALID, INVALID, INVALID, INVALID, INVALID},
	[CONNECTOR_RESOLVING] =
		{OK,      ACTIVE, INVALID, INVALID, INVALID, INVALID, INVALID, OK,      INVALID},
	[CONNECTOR_REQUESTING] =
		{OK,      ACTIVE, INVALID, INVALID, INVALID, INVALID, INVALID, OK,      INVALID},
	[CONNECTOR_ANSWERED] =
		{OK,      ACTIVE, OK,      INVALID, OK,      INVALID, INVALID, OK,      OK},
	[CONNECTOR_ASKED] =
		{OK,      ACTIVE, INVALID, OK,      OK,      INVALID, INVALID, OK,      OK},
	[CONNECTOR_ACCEPTING] =
		{OK,      ACTIVE, INVALID, ACTIVE,  INVALID, INVALID, INVALID, OK,      OK},
	[CONNECTOR_CONNECTED] =
		{OK,      ACTIVE, INVALID, ACTIVE,  INVALID, WAIT,    WAIT,    OK,      OK},
	[CONNECTOR_DISCONNECTING] =
		{ABORTED, ACTIVE, INVALID, INVALID, INVALID, INVALID, INVALID, OK,      OK},
	[CONNECTOR_BROKEN] =
		{ABORTED, USED,   INVALID, INVALID, INVALID, OK,      OK,      OK,      OK},
	[CONNECTOR_DEAD] =
		{ABORTED, USED,   ABORTED, ABORTED, ABORTED, CANCEL,  INVALID, OK,      OK},
	[CONNECTOR_FAILED] =
		{ABORTED, USED,   ABORTED, ABORTED, ABORTED, INVALID, INVALID, OK,      OK},
};
/* clang-format on */

const struct connector_answers *
connector_answers(enum connector_state state)
{
	return &answers[state];
}

const char *
connector_state_name(enum connector_state state)
{
	static const char *const names[] = {
		[CONNECTOR_IDLE] = "IDLE",
		[CONNECTOR_RESOLVING] = "RESOLVING",
		[CONNECTOR_REQUESTING] = "REQUESTING",
		[CONNECTOR_ANSWERED] = "ANSWERED",
		[CONNECTOR_ASKED] = "ASKED",
		[CONNECTOR_ACCEPTING] = "ACCEPTING",
		[CONNECTOR_CONNECTED] = "CONNECTED",
		[CONNECTOR_DISCONNECTING] = "DISCONNECTING",
		[CONNECTOR_BROKEN] = "BROKEN",
		[CONNECTOR_DEAD] = "DEAD",
		[CONNECTOR_FAILED] = "FAILED",
	};

	return names[state];
}

enum connector_state
connector_state_failed(enum connector_state state)
{
	return transitions[state].failed;
}

void
connector_enter(enum connector_state *state, enum connector_state next)
{
	BASE_ASSERT((transitions[*state].next & 1u << next) != 0);
	*state = next;
}
