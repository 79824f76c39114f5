/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_E2E_SRQ_LINKS_H
#define NDPDK_E2E_SRQ_LINKS_H

#include <ndpdk/nd_srq.h>

#include "support/nd_pair.h"

/*
 * A pair of adapters with several connections. The endpoints of side 1 share one receive queue. The
 * context of an endpoint is its struct srq_link. Anything unexpected fails the test.
 */

#define LINKS   3u
#define ENTRIES 16u
#define SLOT    2048u /* bytes of a buffer; receive n of side 1 uses the buffer at n * SLOT */
#define CLIENT  0
#define SERVER  1

/** One connection. Index 0 of the arrays belongs to side 0. */
struct srq_link {
	struct nd_connector *connectors[2];
	struct nd_endpoint *endpoints[2];
};

extern struct nd_pair pair;
extern struct nd_srq *srq;
extern struct srq_link links[LINKS];
extern struct nd_result received[ENTRIES], sent[ENTRIES];

/**
 * Open the pair and connect all links. The adapters have an RNR retry count of 1.
 * @param low low watermark of the shared queue
 */
void links_setup(size_t low);
void links_teardown(void);

void srq_link_connect(unsigned int number);

/** Create another shared queue, on the same engine as the pair's completion queues. */
nd_status srq_make(size_t entries, size_t low, struct nd_srq **out);

struct nd_sge sge_of(unsigned int side, size_t offset, size_t length);

/** Post one receive with this number, or count receives from a number on. */
nd_status post(unsigned int number);
void post_all(unsigned int from, unsigned int count);

size_t posted(void);

/** Post a SEND on a link. The contents of the message depend on the link and the number. */
void send_start(unsigned int link, unsigned int number, size_t bytes);

/** Wait until the receive with this number completes with a message of this link. */
void expect(unsigned int number, unsigned int link, size_t bytes);

void send_one(unsigned int link, unsigned int number, size_t bytes);

#endif
