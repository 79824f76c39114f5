/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_NDK_SCENE_H
#define NDPDK_NDK_NDK_SCENE_H

#include "ndk_pair.h"

/*
 * The scene of the ND statements: side 1 owns memory and opens windows of it, side 0 is the peer
 * that reads and writes through them. Everything unexpected fails the test.
 */

#define OWNER (&pair.side[1])
#define PEER  (&pair.side[0])

#define SCENE_READ  NDK_OP_FLAG_ALLOW_REMOTE_READ
#define SCENE_WRITE NDK_OP_FLAG_ALLOW_REMOTE_WRITE
#define READ_WRITE  (SCENE_READ | SCENE_WRITE)

/** What an access gets that the owner refuses. */
#define REFUSED STATUS_REMOTE_RESOURCES

/** Address of a byte of the owner's memory. */
uintptr_t scene_at(size_t offset);

/** Post a bind of [offset, offset + length) of the owner's memory; its context is the window. */
NTSTATUS scene_bind_post(NDK_MW *mw, size_t offset, SIZE_T length, ULONG flags);

/** The same; it has to succeed, and its result is taken. @return the token */
UINT32 scene_bind(NDK_MW *mw, size_t offset, SIZE_T length, ULONG flags);

/** A new window that is bound so. @param[out] mw may be NULL */
UINT32 scene_window(NDK_MW **mw, size_t offset, SIZE_T length, ULONG flags);

/** Post an invalidate of the owner, whose context is the window. */
void scene_invalidate_post(NDK_MW *mw, ULONG flags);

/** The same. @return status of its result */
NTSTATUS scene_invalidate(NDK_MW *mw);

/** Post a write of the peer's first bytes to the owner's offset, or a read to there. */
void scene_write_post(UINT32 token, size_t offset, ULONG length, PVOID context);
void scene_read_post(UINT32 token, size_t offset, ULONG length, PVOID context);

/** The same. @return status of the result */
NTSTATUS scene_write(UINT32 token, size_t offset, ULONG length);
NTSTATUS scene_read(UINT32 token, size_t offset, ULONG length);

/** Bytes of the owner's memory are those of the peer's memory from its beginning. */
bool scene_arrived(size_t offset, size_t length);

/** Post a read of 64 bytes by the owner to its offset 0; held up until the peer is polled. */
void scene_hold(PVOID context);

/** Connect new queue pairs of both sides; the old ones stay as they are. */
void scene_reconnect(void);

#endif
