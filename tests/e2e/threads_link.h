/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_E2E_THREADS_LINK_H
#define NDPDK_E2E_THREADS_LINK_H

#include <ndpdk/nd.h>

#include "support/nd_pair.h"

/*
 * Functions to make a connection from a thread that owns neither engine and only waits. Anything
 * unexpected fails the test.
 */

struct link {
	struct nd_connector *connector[2];
	struct nd_endpoint *endpoint[2];
};

/** Wait like an application that polls no engine. @return status of the operation */
nd_status link_wait(nd_status status, struct nd_overlapped *overlapped);

/**
 * Connect side 0 to the pair's listener.
 * @param cqs cqs[side] gets all results of a side; if cqs is NULL, the side's own queues get them
 */
void link_connect(struct link *link, struct nd_pair *pair, struct nd_cq *const cqs[2]);

/** Disconnect from side 0 if the connection still exists, and release all objects. */
void link_disconnect(struct link *link);

#endif
