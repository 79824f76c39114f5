/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_EVENTS_H
#define NDPDK_ND_EVENTS_H

#include "nd/adapter.h"

/** @return callbacks through which the engine reports events */
struct engine_ops events_ops(struct nd_engine *home);

#endif
