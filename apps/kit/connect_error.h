/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_CONNECT_ERROR_H
#define NDPDK_KIT_CONNECT_ERROR_H

#include <ndpdk/nd_status.h>

/** @return why a connect failed, and what may help, for the user of an application. */
const char *connect_error(nd_status status);

#endif
