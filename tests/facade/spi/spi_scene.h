/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_SPI_SCENE_H
#define NDPDK_SPI_SPI_SCENE_H

#include <stdbool.h>
#include <string.h>

#include <criterion/criterion.h>

#include "spi_pair.h"
#include "support/refusal.h"

/*
 * Common code of the tests of Network Direct statements (docs/rules.md): a pair of adapters. Side 1
 * (the owner) owns the windows and listens. Side 0 (the peer) connects, reads and writes.
 * scene_close() releases all objects that these functions create.
 */

extern struct spi_pair scene;

#define PEER               (&scene.side[0])
#define OWNER              (&scene.side[1])
#define CONTEXT(number)    ((void *)(uintptr_t)(number))
#define READ_WRITE         (ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE)
#define REMOTE(offset)     ((UINT64)(uintptr_t)OWNER->memory + (UINT64)(offset))
#define SCENE_ENTRIES      64
#define SCENE_WINDOW_BYTES 4096

/** Fail unless a call returns this status. Check its log messages with refusal_check(). */
#define ASSERT_HR(call, expected)                                                                  \
	do {                                                                                       \
		const unsigned int refusals_ = refusal_count();                                    \
		HRESULT got_ = (call), wanted_ = (expected);                                       \
                                                                                                   \
		cr_assert_eq(got_, wanted_, "%s gives %#x instead of %#x", #call,                  \
			(unsigned int)got_, (unsigned int)wanted_);                                \
		refusal_check(#call, got_, refusals_);                                             \
	} while (0)

/*
 * Initializers of test suites. scene_open() opens the adapters, scene_connected() also connects,
 * and scene_open_with() opens with the settings of spi_pair_configure_with().
 */
void scene_open(void);
void scene_connected(void);
void scene_open_with(const char *options, unsigned int queues);
void scene_close(void);

/** Let scene_close() release this object, unless the test releases it with scene_release(). */
void scene_keep(void *object);

/** Release an object. Fail unless this was its last reference. */
void scene_release(void *object);

IND2MemoryWindow *scene_window(const struct spi_side *side);
IND2CompletionQueue *scene_cq(const struct spi_side *side, ULONG depth);
IND2QueuePair *scene_queue_pair(
	const struct spi_side *side, IND2CompletionQueue *receive, IND2CompletionQueue *initiator);
/** Create a connector. For side 0, also bind it to the address of the side. */
IND2Connector *scene_connector(struct spi_side *side);
IND2MemoryRegion *scene_region(const struct spi_side *side);
HRESULT scene_register(IND2MemoryRegion *mr, const void *buffer, size_t bytes, ULONG flags);
HRESULT scene_deregister(IND2MemoryRegion *mr);

/** Connect new queue pairs. @param first gets the previous contents of scene.side; may be NULL */
void scene_second(struct spi_side first[2]);

void scene_swap(struct spi_side other[2]);

void scene_join(void);

HRESULT scene_disconnect(const struct spi_side *side);

/*
 * Requests by the owner. Each function returns the status of the call if the call fails, otherwise
 * the status of the result. scene_bind_post() does not wait for the result.
 */
HRESULT scene_bind(IND2MemoryWindow *mw, size_t offset, size_t bytes, ULONG flags);
HRESULT scene_bind_post(IND2MemoryWindow *mw, size_t offset, size_t bytes, ULONG flags);
HRESULT scene_invalidate(IND2MemoryWindow *mw, ULONG flags);
/** Bind the owner's window to the first bytes of its memory. @return token of the window */
UINT32 scene_bound(ULONG flags);

/* Requests by the peer. Each request transfers bytes at the same offset of both sides' memory. */
HRESULT scene_write_post(uintptr_t context, size_t offset, ULONG bytes, UINT32 token, ULONG flags);
HRESULT scene_read_post(uintptr_t context, size_t offset, ULONG bytes, UINT32 token, ULONG flags);
/**
 * Transfer new bytes, and wait for the result. Fail unless the bytes arrive exactly when the status
 * is ND_SUCCESS.
 */
HRESULT scene_write(size_t offset, ULONG bytes, UINT32 token);
HRESULT scene_read(size_t offset, ULONG bytes, UINT32 token);

HRESULT
scene_send_post(struct spi_side *side, uintptr_t context, size_t offset, ULONG bytes, ULONG flags);
void scene_receive(struct spi_side *side, uintptr_t context, size_t offset, ULONG bytes);

/** Send a message in each direction, to check that the connection works. */
void scene_alive(void);

void scene_over(void);

/** Fail if a result arrives at either side within a short time. */
void scene_quiet(void);

/**
 * Until scene_let_go(), only this thread polls the engines, so that a test can stop a side.
 * GetResults polls the engine of the queue's side. A blocking wait polls both engines.
 */
void scene_hold(void);
void scene_let_go(void);

/**
 * Call scene_hold() and let the owner post a Read. The peer is not polled, so the Read stays
 * outstanding.
 */
void scene_hold_a_read(uintptr_t context);

/** Poll the engine of a side this number of times. Fail if there is a result. */
void scene_turn(const struct spi_side *side, unsigned int turns);

/**
 * @return whether a Notify has completed
 * @param wait TRUE to wait for the completion
 */
bool scene_notified(IND2CompletionQueue *cq, OVERLAPPED *overlapped, BOOL wait);

struct sockaddr_in scene_listening(void);

/** Connect the peer's queue pair. The private data is 1, 2, 3, ... @return status of the call */
HRESULT scene_connect_post(IND2Connector *connector, const struct sockaddr_in *to, ULONG inbound,
	ULONG outbound, ULONG bytes, OVERLAPPED *overlapped);

/**
 * Accept with the owner's queue pair. The private data is 9, 8, 7, 0, ... @return status of the
 * call
 */
HRESULT scene_accept_post(ULONG inbound, ULONG outbound, ULONG bytes, OVERLAPPED *overlapped);

/**
 * Connect the peer with these limits, and get the request in the owner's connector. The Connect
 * stays pending.
 */
void scene_request(ULONG inbound, ULONG outbound, ULONG bytes, OVERLAPPED *connect);

void scene_complete(OVERLAPPED *connect, OVERLAPPED *accept);

#endif
