/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CONFORMANCE_SCENE_H
#define NDPDK_CONFORMANCE_SCENE_H

#include <criterion/criterion.h>

#include "support/nd_pair.h"

/*
 * The scene of the ND statements: side 1 owns memory and opens windows of it, side 0 is the peer
 * that reads and writes through them. Everything unexpected fails the test.
 */

#define PEER  0
#define OWNER 1

#define SCENE_BYTES (256u * 1024)
/** Small, so that a large message is many packets. */
#define SCENE_MTU   256
#define READ_WRITE  (ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE)

extern struct nd_pair scene;

/** Adapters, memory and completion queues, all bytes 0; no connection. */
void scene_open(void);
/** The same, of another configuration; a member that is 0 is as there. */
void scene_open_as(struct nd_pair_config config);
/** The same, connected. */
void scene_connected(void);
void scene_close(void);

/** Release both endpoints and connect new ones. Windows stay, unbound. Empties all queues. */
void scene_reconnect(void);

/**
 * Connect a second pair of endpoints between the same adapters; they become those of the scene.
 * @param first gets the sides as they were
 */
void scene_second(struct nd_side first[2]);

/** Take the device from under a side's adapter. */
void scene_unplug(unsigned int side);

/** The limits of the adapters. */
struct nd_adapter_info scene_limits(void);

/** One turn of one side only: what the other would answer is held up. */
void scene_poll(unsigned int side);

/** Make an unbound window. */
struct nd_mw *scene_window(unsigned int side, struct nd_result *invalidate_result);

/** Post a bind by the owner of [offset, offset + bytes) of its memory. */
nd_status scene_bind_post(struct nd_result *result, struct nd_mw *mw, size_t offset, size_t bytes,
	uint32_t flags, struct nd_mw_descriptor *descriptor);

/** The same; it has to succeed, and its result is taken. */
void scene_bind(struct nd_mw *mw, size_t offset, size_t bytes, uint32_t flags,
	struct nd_mw_descriptor *descriptor);

/** Post an invalidate by the owner and take its result. @return the result's status. */
nd_status scene_invalidate(struct nd_mw *mw);

/** Post a receive of no bytes. */
void scene_receive(unsigned int side, struct nd_result *result);

/** Post a send of no bytes; nobody is polled. */
void scene_send(unsigned int side, struct nd_result *result);

/** Poll one side only until this result, the next of the queue, is there. @return its status. */
nd_status scene_alone(unsigned int side, struct nd_cq *cq, struct nd_result *result);

/** Post a write of the peer's first bytes, or a read to there; nobody is polled. */
void scene_write_post(const struct nd_mw_descriptor *window, uint64_t offset, size_t bytes,
	struct nd_result *result);
void scene_read_post(const struct nd_mw_descriptor *window, uint64_t offset, size_t bytes,
	struct nd_result *result);

/** Write, or read, and wait. @return the result's status. */
nd_status scene_write(const struct nd_mw_descriptor *window, uint64_t offset, size_t bytes);
nd_status scene_read(const struct nd_mw_descriptor *window, uint64_t offset, size_t bytes);

/** Open a window of the peer's memory that the owner may read. */
void scene_source(struct nd_mw_descriptor *source);

/** Post a read by the owner of 64 bytes at `source`; held up until the peer is polled. */
void scene_hold(const struct nd_mw_descriptor *source, struct nd_result *read);

/** The connection is over on both sides: both were told, and nothing can be posted. */
void scene_expect_over(void);

/** Both directions carry a message. */
void scene_expect_alive(void);

/** Bytes of the owner's memory are those of the peer's memory from its beginning. */
bool scene_arrived(size_t offset, size_t bytes);

#endif
