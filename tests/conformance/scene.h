/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CONFORMANCE_SCENE_H
#define NDPDK_CONFORMANCE_SCENE_H

#include <criterion/criterion.h>

#include "support/nd_pair.h"

/*
 * The setting of the tests of Network Direct statements (docs/rules.md): side 1 owns memory and
 * binds windows to it. Side 0 is the peer that reads and writes through these windows. Anything
 * unexpected fails the test.
 */

#define PEER  0
#define OWNER 1

#define SCENE_BYTES (256u * 1024)
/** MTU in bytes. The MTU is small, so that a large message consists of many packets. */
#define SCENE_MTU   256
#define READ_WRITE  (ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE)

extern struct nd_pair scene;

/** Open both adapters, register memory filled with zeros, and create completion queues. */
void scene_open(void);
/**
 * Like scene_open(), but with this configuration. Members that are 0 get the values that
 * scene_open() uses.
 */
void scene_open_as(struct nd_pair_config config);
void scene_connected(void);
void scene_close(void);

/**
 * Release both endpoints, take all results, and connect new endpoints. The end of the old
 * connection unbinds its windows.
 */
void scene_reconnect(void);

/**
 * Connect a second pair of endpoints between the same adapters, and store this pair in the scene.
 * @param first gets the previous contents of scene.side
 */
void scene_second(struct nd_side first[2]);

void scene_unplug(unsigned int side);

struct nd_adapter_info scene_limits(void);

/** Poll the engine of one side once. The other side is not polled, so it does not answer. */
void scene_poll(unsigned int side);

struct nd_mw *scene_window(unsigned int side, struct nd_result *invalidate_result);

/** Let the owner post a bind of the window to [offset, offset + bytes) of the owner's memory. */
nd_status scene_bind_post(struct nd_result *result, struct nd_mw *mw, size_t offset, size_t bytes,
	uint32_t flags, struct nd_mw_descriptor *descriptor);

/** Like scene_bind_post(), but wait for the bind's result. Fail unless the bind succeeds. */
void scene_bind(struct nd_mw *mw, size_t offset, size_t bytes, uint32_t flags,
	struct nd_mw_descriptor *descriptor);

/** Let the owner post an invalidate, and wait for its result. @return status of the result */
nd_status scene_invalidate(struct nd_mw *mw);

void scene_receive(unsigned int side, struct nd_result *result);

/** Post a send without data, without polling an engine. */
void scene_send(unsigned int side, struct nd_result *result);

/**
 * Poll only one side until the queue has a result. Fail unless it is `result`. @return its status
 */
nd_status scene_alone(unsigned int side, struct nd_cq *cq, struct nd_result *result);

/**
 * Let the peer post a write or a read, without polling. The local bytes are at the start of the
 * peer's memory.
 */
void scene_write_post(const struct nd_mw_descriptor *window, uint64_t offset, size_t bytes,
	struct nd_result *result);
void scene_read_post(const struct nd_mw_descriptor *window, uint64_t offset, size_t bytes,
	struct nd_result *result);

/** Let the peer write or read, and wait for the result. @return status of the result */
nd_status scene_write(const struct nd_mw_descriptor *window, uint64_t offset, size_t bytes);
nd_status scene_read(const struct nd_mw_descriptor *window, uint64_t offset, size_t bytes);

/** Bind a window of the peer to the peer's memory, so that the owner may read this memory. */
void scene_source(struct nd_mw_descriptor *source);

/**
 * Let the owner post a read of 64 bytes at `source`. The read stays outstanding, because the peer
 * does not answer until it is polled.
 */
void scene_hold(const struct nd_mw_descriptor *source, struct nd_result *read);

/** Fail unless the connection has ended, both sides were notified, and neither side can post. */
void scene_expect_over(void);

/** Send a message in each direction, to check that the connection works. */
void scene_expect_alive(void);

/** @return whether these bytes of the owner's memory equal the start of the peer's memory */
bool scene_arrived(size_t offset, size_t bytes);

#endif
