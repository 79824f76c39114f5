/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WS2DEF_H
#define NDPDK_WS2DEF_H

#include <ndpdk/win/winsock2.h>

#endif
