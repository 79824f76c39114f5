/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_INTRIN_H
#define NDPDK_INTRIN_H

#include <ndpdk/win/interlockedapi.h>

#endif
