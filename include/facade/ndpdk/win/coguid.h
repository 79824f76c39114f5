/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_COGUID_H
#define NDPDK_COGUID_H

#include <ndpdk/win/guiddef.h>

#endif
