/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_GUEST_VERBSPEER_H
#define NDPDK_GUEST_VERBSPEER_H

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

#include "peer_protocol.h"

#define SENDS 16u

struct options {
	bool client;
	bool reject_reply; /* server: the client must refuse the server's accept */
	uint16_t port;
	struct sockaddr_storage peer;
	struct protocol_request asked;
	unsigned int rounds;
	unsigned int parallel;
	uint8_t retries;           /* with rxe, 7 means retries without limit */
	uint8_t ack_timeout;       /* 0 means the value that rdma_cm uses */
	unsigned int wait_seconds; /* maximum time to wait for a completion, in seconds */
};

/* Registered memory. */
struct region {
	uint8_t *bytes;
	size_t size;
	struct ibv_mr *mr;
	struct ibv_mr *again; /* second registration of the same bytes */
};

/* One connection, which has its own thread. Member `why` contains the text of the first failure. */
struct conn {
	const struct options *options;
	unsigned int number;
	bool client;
	bool established;
	bool gone; /* the peer has disconnected */
	bool offered;
	struct protocol_request asked;
	struct rdma_event_channel *events;
	struct rdma_cm_id *id;
	struct ibv_pd *pd;
	struct ibv_comp_channel *completions;
	struct ibv_cq *cq;
	struct ibv_mw *mw;
	struct region exposed, local, inbox;
	uint32_t slot_bytes;
	/* Completion flags and statuses of requests, by number, and of receives, by slot. */
	bool sent[SENDS], received[SENDS];
	enum ibv_wc_status send_status[SENDS], receive_status[SENDS];
	uint32_t receive_bytes[SENDS], receive_key[SENDS], receive_immediate[SENDS];
	unsigned int receive_flags[SENDS];
	const char *outcome;
	char private_data[2 * 256 + 1];
	int reject_reason;
	double transfer_seconds;
	char why[200];
};

bool fail(struct conn *conn, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * verbspeer_conn.c: functions for one connection. On failure they store the reason and return
 * false.
 */
bool conn_open(struct conn *conn);
bool conn_connect(struct conn *conn);
bool conn_accept(struct conn *conn, const struct rdma_conn_param *request);
bool conn_wait_event(struct conn *conn, enum rdma_cm_event_type type, int seconds);
void conn_close(struct conn *conn);
bool conn_register(struct conn *conn, struct region *region, size_t size);

struct post {
	enum ibv_wr_opcode opcode;
	unsigned int number;
	struct ibv_sge *sges;
	int sge_count;
	uint64_t address;
	uint32_t key;
	uint32_t immediate;
	unsigned int flags;
	uint64_t add, swap;
};
bool post_send(struct conn *conn, const struct post *post);
bool post_receive(struct conn *conn, unsigned int slot, struct ibv_sge *sges, int sge_count);
/* Wait for the result of a request (wait_sent()) or of a receive (wait_received()). */
bool wait_sent(struct conn *conn, unsigned int number, enum ibv_wc_status *status);
bool wait_received(struct conn *conn, unsigned int slot, enum ibv_wc_status *status);
bool sent(struct conn *conn, unsigned int number, const char *what);
bool received(struct conn *conn, unsigned int slot, uint32_t size);
bool bind_window(struct conn *conn, uint64_t offset, uint64_t size, int rights);
bool invalidate_window(struct conn *conn);
bool send_offer(struct conn *conn, uint64_t offset, uint64_t size, uint32_t key, uint32_t step);
bool wait_offer(struct conn *conn, struct protocol_offer *offer);
bool drives(const struct conn *conn);

/* The scenarios. */
bool ladder_prepare(struct conn *conn);
bool ladder_play(struct conn *conn);
bool refuse_prepare(struct conn *conn);
bool refuse_play(struct conn *conn);
bool atomics_prepare(struct conn *conn);
bool atomics_play(struct conn *conn);
bool bulk_prepare(struct conn *conn);
bool bulk_play(struct conn *conn);
bool idle_play(struct conn *conn);

#endif
