/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_TRANSMIT_H
#define NDPDK_ENGINE_TRANSMIT_H

#include "engine/engine.h"

/** Slow path of engine_transmit(): pass the queued packets to the port. */
unsigned int engine_transmit_some(struct engine *engine);

/** Pass the queued packets to the port. @return number of frames that the port accepted. */
static inline unsigned int
engine_transmit(struct engine *engine)
{
	return engine->rc.packet_count == 0 ? 0 : engine_transmit_some(engine);
}

#endif
