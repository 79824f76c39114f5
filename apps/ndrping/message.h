/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDRPING_MESSAGE_H
#define NDPDK_NDRPING_MESSAGE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_byteorder.h>
#include <rte_common.h>

#include <ndpdk/nd_types.h>

/*
 * Messages between the two sides of rping, the same as in librdmacm's rping. All messages of one
 * round are on one connection:
 *
 *   client                               server
 *     SEND  "source is here"    ------>
 *                               <------  READ   the source
 *                               <------  SEND   "go ahead"
 *     SEND  "sink is here"      ------>
 *                               <------  WRITE  the text into the sink
 *                               <------  SEND   "go ahead"
 *     source and sink must be equal now
 *
 * Every SEND has the same 16 bytes. The client ignores the contents of the server's messages.
 */

struct __rte_packed message {
	rte_be64_t address;
	rte_be32_t rkey;
	rte_be32_t size_bytes;
};

static_assert(sizeof(struct message) == 16, "rping accepts no other message length");

#define MESSAGE_PORT 7174u

/* Size of a ping with its terminating zero, at least the longest "rdma-ping-N: ", as in rping. */
#define MESSAGE_SIZE_MIN     23u
#define MESSAGE_SIZE_MAX     65535u
#define MESSAGE_SIZE_DEFAULT 64u

/** @return message that tells the peer the address, key and length of a bound window. */
struct message message_from_window(const struct nd_mw_descriptor *window);

/** @return descriptor of the window that the peer's message describes. */
struct nd_mw_descriptor message_to_window(const struct message *message);

/**
 * Write the text of a round: its number, letters, and a zero. In each round, the letters start one
 * letter later.
 */
void message_fill(char *text, size_t size_bytes, uint32_t round);

/** @return true if text equals the text that message_fill() writes for this round. */
bool message_check(const char *text, size_t size_bytes, uint32_t round);

#endif
