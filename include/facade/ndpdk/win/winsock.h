/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WINSOCK_H
#define NDPDK_WINSOCK_H

#include <ndpdk/win/winsock2.h>

#endif
