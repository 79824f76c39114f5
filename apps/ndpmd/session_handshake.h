/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_SESSION_HANDSHAKE_H
#define NDPDK_NDPMD_SESSION_HANDSHAKE_H

#include "session.h"

/* Set-up of a connection (from the connection request to the peer's ready message), and its end. */

/** Advance a session in the states before RUNNING, and in DISCONNECTING. */
void session_handshake_turn(struct session *session);

#endif
