/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_LINK_H
#define NDPDK_ENGINE_LINK_H

#include "engine/engine.h"

/** Start to check the port's link periodically, if the port reports its link. First engine only. */
void engine_link_begin(struct engine *engine, uint64_t now_ns);

/**
 * Check the link; called when link_ns has passed. If the link has come up, announce the address to
 * the network. First engine only.
 */
void engine_link_look(struct engine *engine, uint64_t now_ns);

#endif
