/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIN_NDSPI_H
#define NDPDK_WIN_NDSPI_H

#include <ndpdk/ndspi.h>

#endif
