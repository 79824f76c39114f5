/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_INTEROP_PEER_RXETEST_H
#define NDPDK_INTEROP_PEER_RXETEST_H

#include "peer_conn.h"

/** Scenarios, with the numbers that rxetest gives them. */
enum rxetest_scenario {
	RXETEST_SEND,
	RXETEST_SENDIMM,
	RXETEST_PINGPONG,
	RXETEST_WRITE,
	RXETEST_WRITEIMM,
	RXETEST_READ,
	RXETEST_FADD,
	RXETEST_CSWAP,
	RXETEST_INLINE,
	RXETEST_MIXED,
	RXETEST_BIDIR,
	RXETEST_SOLICIT,
	RXETEST_MW2,
	RXETEST_MW2LINV,
	RXETEST_MW1,
	RXETEST_MWPERM,
	RXETEST_MWBOUND,
	RXETEST_SINVBAD,
	RXETEST_RNR,
	RXETEST_BADRKEY,
	RXETEST_OOB,
	RXETEST_NOPERM,
	RXETEST_QPPERM,
	RXETEST_LENERR,
	RXETEST_REJ,
	RXETEST_DEADQP,
	RXETEST_SRVDISC,
};

/** Number of the payload that is initially in the memory that rxetest's server exposes. */
#define RXETEST_EXPOSED 200u

bool rxetest_prepare(struct conn *conn);

/**
 * rxetest_message_bytes(): size of a message buffer. rxetest_stride(): distance of two operations
 * in the exposed memory. Both in bytes.
 */
uint32_t rxetest_message_bytes(const struct conn *conn);
uint32_t rxetest_stride(const struct conn *conn);
uint32_t rxetest_exposed_bytes(const struct conn *conn);

/* Clients: peer_rxetest_client.c, peer_rxetest_refused.c. */
bool rxetest_client_send(struct conn *conn);
bool rxetest_client_pingpong(struct conn *conn);
bool rxetest_client_remote(struct conn *conn);
bool rxetest_client_inline(struct conn *conn);
bool rxetest_client_window(struct conn *conn);
bool rxetest_client_sinvbad(struct conn *conn);
bool rxetest_client_refused(struct conn *conn);

/* Servers: peer_rxetest_server.c. */
bool rxetest_server_receive(struct conn *conn);
bool rxetest_server_pingpong(struct conn *conn);
bool rxetest_server_window(struct conn *conn);
bool rxetest_server_rnr(struct conn *conn);
bool rxetest_server_idle(struct conn *conn);
bool rxetest_server_deadqp(struct conn *conn);

/** @return descriptor of the server's memory, read from the server's private data */
struct nd_mw_descriptor rxetest_exposed(const struct conn *conn);

/** Wait for the message in a slot. The message contains the key of a window. */
bool rxetest_wait_key(struct conn *conn, uint32_t slot, struct nd_mw_descriptor *window);

#endif
