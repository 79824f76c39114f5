/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_STATUS_MAP_H
#define NDPDK_ND_STATUS_MAP_H

#include <ndpdk/nd_status.h>

#include "base/status.h"

/** Convert the status of a finished request to the native API. Handles every value. */
nd_status status_of_result(enum rc_status status);

/** Convert the result of a posting or control call to the native API. Handles every value. */
nd_status status_of_call(enum rc_status status);

#endif
