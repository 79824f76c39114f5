/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Passes queued packets to the port: at the end of a turn, or earlier for a post or a datagram. */

#include "engine/transmit.h"
#include "rc/out.h"

unsigned int
engine_transmit_some(struct engine *engine)
{
	struct rc_context *rc = &engine->rc;
	uint16_t sent;

	sent = port_io_transmit(engine->io, rc->packets, rc->packet_count);
	rc_out_taken(rc, sent);
	engine->counters.tx_frames += sent;
	return sent;
}
