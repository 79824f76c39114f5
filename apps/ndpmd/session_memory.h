/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_SESSION_MEMORY_H
#define NDPDK_NDPMD_SESSION_MEMORY_H

#include "session.h"

/** Allocate memory, requests and windows, and register. @return false: session has failed */
bool session_memory_open(struct session *session);
void session_memory_close(struct session *session);

#endif
