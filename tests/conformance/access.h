/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CONFORMANCE_ACCESS_H
#define NDPDK_CONFORMANCE_ACCESS_H

#include "scene.h"

/*
 * What the peer can do with a descriptor, judged by the bytes on both sides. `offset` is where the
 * descriptor's range begins in the owner's memory.
 */

/** Write bytes of a new pattern; they arrive. */
void access_expect_write(const struct nd_mw_descriptor *window, size_t offset, size_t bytes);

/** Read bytes of a new pattern; they arrive. */
void access_expect_read(const struct nd_mw_descriptor *window, size_t offset, size_t bytes);

/** A refused Write: ND_REMOTE_ERROR, nothing is written, the connection is over on both sides. */
void access_expect_write_refused(const struct nd_mw_descriptor *window, size_t offset);

/** A refused Read, likewise. */
void access_expect_read_refused(const struct nd_mw_descriptor *window);

#endif
