/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_NDK_SCENE_H
#define NDPDK_NDK_NDK_SCENE_H

#include "ndk_pair.h"

/*
 * The setting of the tests of Network Direct statements (docs/rules.md): side 1 owns memory and
 * binds windows to it. Side 0 is the peer that reads and writes through these windows. Anything
 * unexpected fails the test.
 */

#define OWNER (&pair.side[1])
#define PEER  (&pair.side[0])

#define SCENE_READ  NDK_OP_FLAG_ALLOW_REMOTE_READ
#define SCENE_WRITE NDK_OP_FLAG_ALLOW_REMOTE_WRITE
#define READ_WRITE  (SCENE_READ | SCENE_WRITE)

/** Status of an access that the owner's side refuses. */
#define REFUSED STATUS_REMOTE_RESOURCES

uintptr_t scene_at(size_t offset);

/**
 * Let the owner post a bind to [offset, offset + length) of its memory. The context is the window.
 */
NTSTATUS scene_bind_post(NDK_MW *mw, size_t offset, SIZE_T length, ULONG flags);

/**
 * Like scene_bind_post(), but wait for the bind's result. Fail unless the bind succeeds. @return
 * the token
 */
UINT32 scene_bind(NDK_MW *mw, size_t offset, SIZE_T length, ULONG flags);

/** Create a window and bind it. @param[out] mw the window; may be NULL @return the token */
UINT32 scene_window(NDK_MW **mw, size_t offset, SIZE_T length, ULONG flags);

/** Let the owner post an invalidate. The context is the window. */
void scene_invalidate_post(NDK_MW *mw, ULONG flags);

NTSTATUS scene_invalidate(NDK_MW *mw);

/**
 * Let the peer post a write or a read at this offset of the owner's memory. The local bytes are at
 * the start of the peer's memory.
 */
void scene_write_post(UINT32 token, size_t offset, ULONG length, PVOID context);
void scene_read_post(UINT32 token, size_t offset, ULONG length, PVOID context);

/**
 * Like scene_write_post() and scene_read_post(), but wait for the result. @return status of the
 * result
 */
NTSTATUS scene_write(UINT32 token, size_t offset, ULONG length);
NTSTATUS scene_read(UINT32 token, size_t offset, ULONG length);

/** @return whether these bytes of the owner's memory equal the start of the peer's memory */
bool scene_arrived(size_t offset, size_t length);

/**
 * Let the owner post a read of 64 bytes of the peer's memory, into offset 0 of the owner's memory.
 * The read stays outstanding, because the peer does not answer until it is polled.
 */
void scene_hold(PVOID context);

/** Connect new queue pairs of both sides. The old queue pairs stay open. */
void scene_reconnect(void);

#endif
