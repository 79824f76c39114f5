/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CONFORMANCE_ACCESS_H
#define NDPDK_CONFORMANCE_ACCESS_H

#include "scene.h"

/*
 * Accesses of the peer through a descriptor. The bytes on both sides decide whether the access
 * worked. `offset` is the offset of the descriptor's range in the owner's memory.
 */

/** Write bytes of a new pattern. Fail unless they arrive. */
void access_expect_write(const struct nd_mw_descriptor *window, size_t offset, size_t bytes);

/** Read bytes of a new pattern. Fail unless they arrive. */
void access_expect_read(const struct nd_mw_descriptor *window, size_t offset, size_t bytes);

/**
 * Write. Fail unless the result is ND_REMOTE_ERROR, no byte is written, and the connection ends on
 * both sides.
 */
void access_expect_write_refused(const struct nd_mw_descriptor *window, size_t offset);

/**
 * Read. Fail unless the result is ND_REMOTE_ERROR, no byte is read, and the connection ends on both
 * sides.
 */
void access_expect_read_refused(const struct nd_mw_descriptor *window);

#endif
