/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIN_NDSTATUS_H
#define NDPDK_WIN_NDSTATUS_H

#include <ndpdk/ndspi_types.h>

#endif
