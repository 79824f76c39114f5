/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_E2E_HOLD_SCENE_H
#define NDPDK_E2E_HOLD_SCENE_H

#include "engines_net.h"
#include "hold.h"

/*
 * Side 1 is an adapter with one engine that is held while it processes one packet, and another
 * engine that continues to work. Each engine of side 1 has a connection to the engine with the same
 * index of side 0. The held engine has a separate thread. The test's thread polls all other engines
 * and owns their endpoints.
 */

#define SCENE_BYTES   1024u /**< payload of the packet in which the engine is held */
#define SCENE_PIECES  4u    /**< number of pages over which the payload is spread */
#define SCENE_PIECE   (SCENE_BYTES / SCENE_PIECES)
#define SCENE_BASE    ((uint8_t *)(uintptr_t)0x100000) /**< address of the payload in the region */
#define SCENE_OLD     0x33 /**< initial value of the bytes of the pieces */
#define SCENE_SENT    0xee /**< bytes of the payload */
#define SCENE_AFTER   0x22 /**< value that the application writes after access has ended */
#define SCENE_PRIVATE 0x11 /**< value of the bytes that no peer may access */

struct scene {
	struct engines_net net;
	struct engines_link links[ENGINES_MAX]; /**< link i connects engine i of both sides */
	unsigned int held;                      /**< index of the engine that is held */
	unsigned int other;                     /**< index of the engine that continues to work */
	struct nd_mr *mr;                       /**< region of the pieces of side 1 */
	uint8_t *base;                          /**< SCENE_BASE, the address of the message in mr */
	uint8_t *pages;            /**< SCENE_PIECES pages, each with a piece at its start */
	uint8_t *private;          /**< 16 pages that scene_private_check() checks */
	struct hold_caller caller; /**< thread for which scene_close() waits */
};

extern struct scene scene;

void scene_open(unsigned int count, unsigned int held, unsigned int other);
void scene_open_as(const struct engines_config *config, unsigned int held, unsigned int other);

void scene_close(void);

/** Register the pieces of side 1 with these rights. Sets scene.mr. */
void scene_register(uint32_t flags);

/** @return descriptor that a peer needs to access the region by its key */
struct nd_mw_descriptor scene_key(void);

/** Fill all pages that contain a piece. No page may be protected by hold_arm(). */
void scene_fill(uint8_t byte);

void scene_check(uint8_t byte);

/** Register private memory without rights, as many times as the adapter allows. */
void scene_private_register(void);

void scene_private_check(void);

/* ---- the thread of the engine that is held ---- */

/** Call fn(arg) once on the thread of the held engine, and wait until the call has returned. */
void scene_on_held(void (*fn)(void *arg), void *arg);

/**
 * Call fn(arg) once on the thread of the held engine, and wait until fn accesses this page. Then
 * the thread is held inside fn.
 */
void scene_hold_inside(void (*fn)(void *arg), void *arg, uint8_t *page);

/** Release the thread that scene_hold_inside() holds, and wait until fn has returned. */
void scene_inside_end(void);

/** Wait for the next result of the held engine's connection. The thread must not be held. */
struct nd_result *scene_take_on_held(void);

/** Ways in which the held engine accesses the pieces. */
enum scene_access {
	SCENE_WRITE,   /**< place a WRITE of the peer */
	SCENE_RECEIVE, /**< place a SEND of the peer in a receive */
	SCENE_READ,    /**< gather the response of a READ of the peer */
	SCENE_GATHER,  /**< gather a local SEND */
};

/**
 * Start this access on the held engine, and hold the engine when it accesses the second page.
 * @param key key for a WRITE or READ; ignored for a SEND
 */
void scene_hold(enum scene_access access, const struct nd_mw_descriptor *key);

/** Wait until the access is complete on both sides. Fail unless it succeeded. */
void scene_access_check(void);

/**
 * Let the endpoint on the engine with this index bind a window to all pieces, with all remote
 * rights.
 */
struct nd_mw *scene_bind(unsigned int index, uint32_t flags, struct nd_mw_descriptor *descriptor);

/* ---- the thread of the test ---- */

/** Poll for 20 ms. Everything that does not depend on the held engine happens in this time. */
void scene_quiet(void);

/** Wait for the next result of a queue that belongs to an engine that the caller polls. */
struct nd_result *scene_take(struct nd_cq *cq);

/** Fail unless the next result of the queue is this result, with this status. */
void scene_expect(struct nd_cq *cq, const struct nd_result *result, nd_status status);

/** Fail if the queue has a result. Polls no engine. */
void scene_expect_none(struct nd_cq *cq, const char *what);

/** Start fn(arg) on the thread scene.caller. Fail if fn returns within 20 ms (scene_quiet()). */
void scene_call_waits(nd_status (*fn)(void *arg), void *arg);

/** Wait until the call of scene_call_waits() has returned. @return its status */
nd_status scene_call_end(void);

#endif
