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
 * Common code of the tests of numbered statements: a pair of adapters. Side 1, the owner, owns the
 * windows and listens. Side 0, the peer, connects, reads and writes. scene_close() releases all
 * objects that these functions create.
 */

extern struct spi_pair scene;

#define PEER               (&scene.side[0])
#define OWNER              (&scene.side[1])
#define CONTEXT(number)    ((void *)(uintptr_t)(number))
#define READ_WRITE         (ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE)
#define REMOTE(offset)     ((UINT64)(uintptr_t)OWNER->memory + (UINT64)(offset))
/** Maximum number of requests of a queue pair of the scene. */
#define SCENE_ENTRIES      64
/** Bytes of the window of scene_bound(). */
#define SCENE_WINDOW_BYTES 4096

/** Assert the status of a call, and check its log messages with refusal_check(). */
#define ASSERT_HR(call, expected)                                                                  \
	do {                                                                                       \
		const unsigned int refusals_ = refusal_count();                                    \
		HRESULT got_ = (call), wanted_ = (expected);                                       \
                                                                                                   \
		cr_assert_eq(got_, wanted_, "%s gives %#x instead of %#x", #call,                  \
			(unsigned int)got_, (unsigned int)wanted_);                                \
		refusal_check(#call, got_, refusals_);                                             \
	} while (0)

/* Set-up of suites: open adapters; also connect; open with spi_pair_configure_with(). */
void scene_open(void);
void scene_connected(void);
void scene_open_with(const char *options, unsigned int queues);
void scene_close(void);

/** Register an object for release by scene_close(), unless it was released before. */
void scene_keep(void *object);

/** Release the last reference to the object. */
void scene_release(void *object);

IND2MemoryWindow *scene_window(const struct spi_side *side);
IND2CompletionQueue *scene_cq(const struct spi_side *side, ULONG depth);
IND2QueuePair *scene_queue_pair(
	const struct spi_side *side, IND2CompletionQueue *receive, IND2CompletionQueue *initiator);
/** Create a connector. A connector of side 0 is bound to its address. */
IND2Connector *scene_connector(struct spi_side *side);
IND2MemoryRegion *scene_region(const struct spi_side *side);
HRESULT scene_register(IND2MemoryRegion *mr, const void *buffer, size_t bytes, ULONG flags);
HRESULT scene_deregister(IND2MemoryRegion *mr);

/** Connect new queue pairs. @param first receives a copy of the previous sides, or NULL */
void scene_second(struct spi_side first[2]);

/** Exchange the current sides with the sides in other. */
void scene_swap(struct spi_side other[2]);

/** Connect the queue pairs of both sides with new connectors. */
void scene_join(void);

HRESULT scene_disconnect(const struct spi_side *side);

/* Requests of the owner. Each returns the status of the call if it failed, else of the result. */
HRESULT scene_bind(IND2MemoryWindow *mw, size_t offset, size_t bytes, ULONG flags);
HRESULT scene_bind_post(IND2MemoryWindow *mw, size_t offset, size_t bytes, ULONG flags);
HRESULT scene_invalidate(IND2MemoryWindow *mw, ULONG flags);
/** Bind the owner's window to the first bytes of its memory. @return its token */
UINT32 scene_bound(ULONG flags);

/* Requests of the peer, between its memory and the owner's memory, both at offset. */
HRESULT scene_write_post(uintptr_t context, size_t offset, ULONG bytes, UINT32 token, ULONG flags);
HRESULT scene_read_post(uintptr_t context, size_t offset, ULONG bytes, UINT32 token, ULONG flags);
/** Transfer new bytes, and check that they arrived exactly if the status is ND_SUCCESS. */
HRESULT scene_write(size_t offset, ULONG bytes, UINT32 token);
HRESULT scene_read(size_t offset, ULONG bytes, UINT32 token);

HRESULT
scene_send_post(struct spi_side *side, uintptr_t context, size_t offset, ULONG bytes, ULONG flags);
void scene_receive(struct spi_side *side, uintptr_t context, size_t offset, ULONG bytes);

/** Check that the connection transfers a message in both directions. */
void scene_alive(void);

/** Wait until the connection has ended on both sides. */
void scene_over(void);

/** Check that no results arrive at either side for a short time. */
void scene_quiet(void);

/**
 * Run both engines only on this thread until scene_let_go(): GetResults of a queue polls the engine
 * of its side, and a blocking wait polls both engines.
 */
void scene_hold(void);
void scene_let_go(void);

/** scene_hold(), then post a Read of the owner without answer: the peer's engine is not polled. */
void scene_hold_a_read(uintptr_t context);

/** Poll the engine of a side this often. No result may come. */
void scene_turn(const struct spi_side *side, unsigned int turns);

/** @return whether a notification has been reported. @param wait wait for it */
bool scene_notified(IND2CompletionQueue *cq, OVERLAPPED *overlapped, BOOL wait);

struct sockaddr_in scene_listening(void);

/** Connect the peer's queue pair with private data 1, 2, 3, ... @return status of Connect */
HRESULT scene_connect_post(IND2Connector *connector, const struct sockaddr_in *to, ULONG inbound,
	ULONG outbound, ULONG bytes, OVERLAPPED *overlapped);

/** Accept with the owner's queue pair; private data 9, 8, 7, 0, ... @return status of Accept */
HRESULT scene_accept_post(ULONG inbound, ULONG outbound, ULONG bytes, OVERLAPPED *overlapped);

/** Get a request with these limits in the owner's connector; the peer's Connect is pending. */
void scene_request(ULONG inbound, ULONG outbound, ULONG bytes, OVERLAPPED *connect);

/** Complete a connection after Accept. */
void scene_complete(OVERLAPPED *connect, OVERLAPPED *accept);

#endif
