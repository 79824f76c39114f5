/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CONFORMANCE_ACCESS_H
#define NDPDK_CONFORMANCE_ACCESS_H

#include "scene.h"

/*
 * Reads and writes by the peer through the window that a descriptor describes. The functions
 * compare the memory of both sides to decide whether an access worked. `offset` is the offset of
 * the window in the owner's memory.
 */

/** Let the peer write a new byte pattern. Fail unless the bytes arrive in the owner's memory. */
void access_expect_write(const struct nd_mw_descriptor *window, size_t offset, size_t bytes);

/** Let the peer read a new byte pattern. Fail unless the bytes arrive in the peer's memory. */
void access_expect_read(const struct nd_mw_descriptor *window, size_t offset, size_t bytes);

/**
 * Let the peer write. Fail unless the Write's result is ND_REMOTE_ERROR, no byte is written, and
 * the connection ends on both sides.
 */
void access_expect_write_refused(const struct nd_mw_descriptor *window, size_t offset);

/**
 * Let the peer read. Fail unless the Read's result is ND_REMOTE_ERROR, no byte is read, and the
 * connection ends on both sides.
 */
void access_expect_read_refused(const struct nd_mw_descriptor *window);

#endif
