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
 * What the tests of the numbered statements have in common: a pair whose side 1 owns the windows
 * and listens, and whose side 0 is the peer, which connects, reads and writes. Objects that are
 * made here are released by scene_close().
 */

extern struct spi_pair scene;

#define PEER               (&scene.side[0])
#define OWNER              (&scene.side[1])
#define CONTEXT(number)    ((void *)(uintptr_t)(number))
#define READ_WRITE         (ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE)
#define REMOTE(offset)     ((UINT64)(uintptr_t)OWNER->memory + (UINT64)(offset))
/** Requests of a queue pair of the scene. */
#define SCENE_ENTRIES      64
/** Bytes of the window of scene_bound(). */
#define SCENE_WINDOW_BYTES 4096

/** Assert a status, which is printed in hexadecimal, and that the log fits: refusal_check(). */
#define ASSERT_HR(call, expected)                                                                  \
	do {                                                                                       \
		const unsigned int refusals_ = refusal_count();                                    \
		HRESULT got_ = (call), wanted_ = (expected);                                       \
                                                                                                   \
		cr_assert_eq(got_, wanted_, "%s gives %#x instead of %#x", #call,                  \
			(unsigned int)got_, (unsigned int)wanted_);                                \
		refusal_check(#call, got_, refusals_);                                             \
	} while (0)

/* Set-ups of suites: adapters open; also connected; with settings for spi_pair_configure_with(). */
void scene_open(void);
void scene_connected(void);
void scene_open_with(const char *options, unsigned int queues);
void scene_close(void);

/** Have the object released by scene_close(), if it is not yet. */
void scene_keep(void *object);

/** Release the object; it has no other reference. */
void scene_release(void *object);

IND2MemoryWindow *scene_window(const struct spi_side *side);
IND2CompletionQueue *scene_cq(const struct spi_side *side, ULONG depth);
IND2QueuePair *scene_queue_pair(
	const struct spi_side *side, IND2CompletionQueue *receive, IND2CompletionQueue *initiator);
/** A connector; of side 0 it is bound. */
IND2Connector *scene_connector(struct spi_side *side);
IND2MemoryRegion *scene_region(const struct spi_side *side);
HRESULT scene_register(IND2MemoryRegion *mr, const void *buffer, size_t bytes, ULONG flags);
HRESULT scene_deregister(IND2MemoryRegion *mr);

/** Connect new queue pairs. first: both sides as they were before, unless it is NULL. */
void scene_second(struct spi_side first[2]);

/** Go back to the sides that scene_second() has stored, and store those of now. */
void scene_swap(struct spi_side other[2]);

/** Connect the queue pairs of both sides by new connectors. */
void scene_join(void);

HRESULT scene_disconnect(const struct spi_side *side);

/* Requests of the owner, and their results: the status of either the call or the result. */
HRESULT scene_bind(IND2MemoryWindow *mw, size_t offset, size_t bytes, ULONG flags);
HRESULT scene_bind_post(IND2MemoryWindow *mw, size_t offset, size_t bytes, ULONG flags);
HRESULT scene_invalidate(IND2MemoryWindow *mw, ULONG flags);
/** Bind the owner's window to the first bytes of its memory. @return its token */
UINT32 scene_bound(ULONG flags);

/* Requests of the peer, with its memory from offset on, to the owner's memory from there on. */
HRESULT scene_write_post(uintptr_t context, size_t offset, ULONG bytes, UINT32 token, ULONG flags);
HRESULT scene_read_post(uintptr_t context, size_t offset, ULONG bytes, UINT32 token, ULONG flags);
/** The bytes are new; they have arrived if the status is ND_SUCCESS, and not if it is not. */
HRESULT scene_write(size_t offset, ULONG bytes, UINT32 token);
HRESULT scene_read(size_t offset, ULONG bytes, UINT32 token);

HRESULT
scene_send_post(struct spi_side *side, uintptr_t context, size_t offset, ULONG bytes, ULONG flags);
void scene_receive(struct spi_side *side, uintptr_t context, size_t offset, ULONG bytes);

/** A message goes through in both directions. */
void scene_alive(void);

/** The connection is over on both sides, soon. */
void scene_over(void);

/** No results come from either side. */
void scene_quiet(void);

/**
 * From now on both engines do what this thread makes them do, and nothing else: GetResults of a
 * queue is a turn of its side's engine, a blocking wait is turns of both.
 */
void scene_hold(void);
void scene_let_go(void);

/** scene_hold(), and a Read of the owner that has no answer, as the peer's engine stands still. */
void scene_hold_a_read(uintptr_t context);

/** Turns of the engine of a side, without results. */
void scene_turn(const struct spi_side *side, unsigned int turns);

/** @return whether a notification is reported by now; wait: it is waited for */
bool scene_notified(IND2CompletionQueue *cq, OVERLAPPED *overlapped, BOOL wait);

struct sockaddr_in scene_listening(void);

/** Connect the peer's queue pair, with bytes of data 1, 2, 3 and on. @return as Connect */
HRESULT scene_connect_post(IND2Connector *connector, const struct sockaddr_in *to, ULONG inbound,
	ULONG outbound, ULONG bytes, OVERLAPPED *overlapped);

/** Accept with the owner's queue pair and bytes of data 9, 8, 7, 0 and on. @return as Accept */
HRESULT scene_accept_post(ULONG inbound, ULONG outbound, ULONG bytes, OVERLAPPED *overlapped);

/** A request with these limits comes to the owner's connector; the peer's Connect is pending. */
void scene_request(ULONG inbound, ULONG outbound, ULONG bytes, OVERLAPPED *connect);

/** The rest of a connection whose request was accepted. */
void scene_complete(OVERLAPPED *connect, OVERLAPPED *accept);

#endif
