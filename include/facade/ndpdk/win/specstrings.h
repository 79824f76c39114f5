/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPECSTRINGS_H
#define NDPDK_SPECSTRINGS_H

#include <ndpdk/win/sal.h>

#endif
