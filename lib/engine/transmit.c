/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Handing packets to the port: the end of a turn, and what a post or a datagram asks for before. */

#include "engine/engine.h"
#include "rc/out.h"

unsigned int
engine_transmit(struct engine *engine)
{
	struct rc_context *rc = &engine->rc;
	uint16_t sent;

	if (rc->packet_count == 0)
		return 0;
	sent = engine->io->transmit(engine->io->arg, rc->packets, rc->packet_count);
	rc_out_taken(rc, sent);
	engine->counters.tx_frames += sent;
	return sent;
}
