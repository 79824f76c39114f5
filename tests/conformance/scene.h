/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CONFORMANCE_SCENE_H
#define NDPDK_CONFORMANCE_SCENE_H

#include <criterion/criterion.h>

#include "support/nd_pair.h"

/*
 * The setting of the tests of ND statements: side 1 owns memory and binds windows to it. Side 0 is
 * the peer that reads and writes through these windows. Anything unexpected fails the test.
 */

#define PEER  0
#define OWNER 1

#define SCENE_BYTES (256u * 1024)
/** Small, so that a large message consists of many packets. */
#define SCENE_MTU   256
#define READ_WRITE  (ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE)

extern struct nd_pair scene;

/** Open adapters, memory filled with zeros, and completion queues, but no connection. */
void scene_open(void);
/**
 * Like scene_open(), with this configuration. Members that are 0 get the values of scene_open().
 */
void scene_open_as(struct nd_pair_config config);
/** Like scene_open(), and connect. */
void scene_connected(void);
void scene_close(void);

/** Release both endpoints and connect new ones. Windows remain, but unbound. Empties all queues. */
void scene_reconnect(void);

/**
 * Connect a second pair of endpoints between the same adapters, and store it in the scene.
 * @param first gets the previous contents of scene.side
 */
void scene_second(struct nd_side first[2]);

/** Remove the device of a side's adapter. */
void scene_unplug(unsigned int side);

/** @return the limits of the adapters */
struct nd_adapter_info scene_limits(void);

/** Give one side a turn. The other side does not answer meanwhile. */
void scene_poll(unsigned int side);

/** Create an unbound window. */
struct nd_mw *scene_window(unsigned int side, struct nd_result *invalidate_result);

/** Post a bind of the owner for [offset, offset + bytes) of its memory. */
nd_status scene_bind_post(struct nd_result *result, struct nd_mw *mw, size_t offset, size_t bytes,
	uint32_t flags, struct nd_mw_descriptor *descriptor);

/** Like scene_bind_post(), and wait for the result, which must be a success. */
void scene_bind(struct nd_mw *mw, size_t offset, size_t bytes, uint32_t flags,
	struct nd_mw_descriptor *descriptor);

/** Post an invalidate of the owner and wait. @return status of the result */
nd_status scene_invalidate(struct nd_mw *mw);

/** Post an empty receive. */
void scene_receive(unsigned int side, struct nd_result *result);

/** Post an empty send, without polling. */
void scene_send(unsigned int side, struct nd_result *result);

/**
 * Poll one side only until the queue has a result, which must be this one. @return status of the
 * result
 */
nd_status scene_alone(unsigned int side, struct nd_cq *cq, struct nd_result *result);

/** Post a write from, or a read to, the start of the peer's memory, without polling. */
void scene_write_post(const struct nd_mw_descriptor *window, uint64_t offset, size_t bytes,
	struct nd_result *result);
void scene_read_post(const struct nd_mw_descriptor *window, uint64_t offset, size_t bytes,
	struct nd_result *result);

/** Write or read, and wait. @return status of the result */
nd_status scene_write(const struct nd_mw_descriptor *window, uint64_t offset, size_t bytes);
nd_status scene_read(const struct nd_mw_descriptor *window, uint64_t offset, size_t bytes);

/** Bind a window to the peer's memory that the owner may read. */
void scene_source(struct nd_mw_descriptor *source);

/**
 * Post a read by the owner of 64 bytes at `source`. The peer does not answer until it is polled.
 */
void scene_hold(const struct nd_mw_descriptor *source, struct nd_result *read);

/** Fail unless the connection has ended on both sides, both were notified, and neither can post. */
void scene_expect_over(void);

/** Send a message in each direction. */
void scene_expect_alive(void);

/** @return whether these bytes of the owner's memory equal the start of the peer's memory */
bool scene_arrived(size_t offset, size_t bytes);

#endif
