/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_ENDPOINT_INTERNAL_H
#define NDPDK_ND_ENDPOINT_INTERNAL_H

#include "nd/connector.h"

/** Flush, destroy and free an endpoint; the connection or attempt of its connector ends. */
void endpoint_close(struct nd_endpoint *endpoint);

#endif
