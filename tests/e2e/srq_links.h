/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_E2E_SRQ_LINKS_H
#define NDPDK_E2E_SRQ_LINKS_H

#include "support/nd_pair.h"

/*
 * A pair with several connections, whose endpoints on side 1 take their receives from one queue.
 * The context of an endpoint is its struct srq_link. Anything unexpected fails the test.
 */

#define LINKS   3u
#define ENTRIES 16u
#define SLOT    2048u /* memory of a receive of side 1, at its number */
#define CLIENT  0
#define SERVER  1

/** One connection; index 0 is the end of side 0. */
struct srq_link {
	struct nd_connector *connectors[2];
	struct nd_endpoint *endpoints[2];
};

extern struct nd_pair pair;
extern struct nd_srq *srq;
extern struct srq_link links[LINKS];
extern struct nd_result received[ENTRIES], sent[ENTRIES];

/** Open the pair and connect. The adapters' own RNR retries are 1. @param low watermark */
void links_setup(size_t low);
void links_teardown(void);

/** Connect one of the links, which is not. */
void link_connect(unsigned int number);

/** Make one more queue, on the engine where the pair's completion queues are. */
nd_status srq_make(size_t entries, size_t low, struct nd_srq **out);

struct nd_sge sge_of(unsigned int side, size_t offset, size_t length);

/** Post receives of these numbers. */
nd_status post(unsigned int number);
void post_all(unsigned int from, unsigned int count);

/** @return receives in the queue */
size_t posted(void);

/** Start a message of a link; its bytes are the link's own. */
void send_start(unsigned int link, unsigned int number, size_t bytes);

/** A receive has brought the message of this link. */
void expect(unsigned int number, unsigned int link, size_t bytes);

/** One message, from its post to both results. */
void send_one(unsigned int link, unsigned int number, size_t bytes);

#endif
