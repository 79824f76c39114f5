/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIN_NDSUPPORT_H
#define NDPDK_WIN_NDSUPPORT_H

#include <ndpdk/ndspi_support.h>

#endif
