/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_LINK_H
#define NDPDK_ENGINE_LINK_H

#include "engine/engine.h"

/** Look at the port's link at this time and from then on, if the port has one. First engine. */
void engine_link_begin(struct engine *engine, uint64_t now_ns);

/** Look at the link, which is due; if it has come back, tell the network. First engine. */
void engine_link_look(struct engine *engine, uint64_t now_ns);

#endif
