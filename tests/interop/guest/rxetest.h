/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * rxetest: a peer on Linux' verbs and rdma_cm. It executes one scenario per connection. The
 * client's private data contain the scenario's number, so one server can serve all scenarios. The
 * server's private data describe its buffer. peer_protocol.h has the layouts.
 *
 * Byte i of the payload of operation k (counted from the client) is (31 k + i + i / 256) mod 256.
 * The server's buffer initially has the payload of k = 200.
 */

#ifndef NDPDK_GUEST_RXETEST_H
#define NDPDK_GUEST_RXETEST_H

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <stdbool.h>
#include <stdint.h>

#define RECEIVES_MAX   48u
#define SOURCE_PATTERN 200u
#define WAIT_MS        60000
#define WAIT_LONG_MS   120000

/* Scenarios. Private data contain these values. */
enum scenario {
	SCENARIO_SEND,
	SCENARIO_SENDIMM,
	SCENARIO_PINGPONG,
	SCENARIO_WRITE,
	SCENARIO_WRITEIMM,
	SCENARIO_READ,
	SCENARIO_FADD,
	SCENARIO_CSWAP,
	SCENARIO_INLINE,
	SCENARIO_SOLICIT = 11,
	SCENARIO_MW2,
	SCENARIO_MW2LINV,
	SCENARIO_MW1,
	SCENARIO_MWPERM,
	SCENARIO_MWBOUND,
	SCENARIO_SINVBAD,
	SCENARIO_RNR,
	SCENARIO_BADRKEY,
	SCENARIO_OOB,
	SCENARIO_NOPERM,
	SCENARIO_QPPERM,
	SCENARIO_LENERR,
	SCENARIO_REJ,
	SCENARIO_DEADQP,
	SCENARIO_SRVDISC,
	SCENARIO_COUNT
};

struct options {
	int port, connections, responder_resources, initiator_depth, retry, rnr_retry;
	int ack_timeout, tos, rnr_timer; /* -1 keeps the value of rdma_cm */
	int gap_us, accept_delay_ms;
	uint32_t depth; /* maximum number of outstanding requests */
	enum scenario scenario;
	uint32_t size, count, arg;
	const char *bind;
};
extern struct options options;

struct conn {
	struct rdma_cm_id *id;
	struct rdma_event_channel *channel;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_mr *mr, *receive_mr, *plain_mr; /* plain_mr: without remote access */
	struct ibv_mw *mw;
	uint8_t *buffer, *receive_buffer;
	uint32_t buffer_bytes, receive_bytes; /* receive_bytes: of each receive */
	enum scenario scenario;
	uint32_t size, count, arg;
	uint64_t remote_address;
	uint32_t remote_key, remote_bytes;
	uint32_t sends_posted, sends_done, receives_posted, receives_done;
	/* values in the last receive completion */
	uint32_t last_bytes, last_immediate, last_invalidated;
	int private_bytes;
	bool failed; /* A completion had an error, so no more completions follow. */
	bool is_server;
};

struct request {
	enum ibv_wr_opcode opcode;
	uint32_t offset, length; /* position in the buffer */
	uint64_t remote_address;
	uint32_t remote_key; /* key of the memory to access or to invalidate */
	uint32_t immediate;
	uint64_t compare_add, swap;
	bool inlined, solicited;
};

/* Execute the connection's scenario. @return false if an error occurred */
bool client_play(struct conn *conn);
bool server_play(struct conn *conn);
/* @return true if the client implements the scenario */
bool client_has(enum scenario scenario);

/* @return NULL if no scenario has this number */
const char *scenario_name(enum scenario scenario);

/* rxetest_report.c: functions that print the line of JSON about a connection */
__attribute__((format(printf, 1, 2))) void report_add(const char *format, ...);
__attribute__((format(printf, 1, 2))) void report_completion(const char *format, ...);
void report_begin(const struct conn *conn);
void report_end(struct conn *conn, bool ok);
/* Print that a call failed, with the reason from errno, and end the program. */
__attribute__((noreturn)) void die(const char *call);

/* rxetest_conn.c */
void conn_setup(struct conn *conn);
void conn_teardown(struct conn *conn);
void conn_set_options(struct rdma_cm_id *id);
struct rdma_cm_event *conn_event(struct conn *conn, int wait_ms);
/* Wait for an event of this type. An event of another type ends the program. */
void conn_expect(struct conn *conn, enum rdma_cm_event_type type);

/* rxetest_post.c */
void post_receive(struct conn *conn);
void post_request(struct conn *conn, struct request request);
void post_word(struct conn *conn, uint32_t word);
/* Bind a window of type 1 or 2 over the first `length` bytes of the buffer. */
bool bind_window(struct conn *conn, int type, uint32_t length, unsigned int access);
/*
 * Wait until this number of requests and receives has completed. @return false after an error or a
 * timeout
 */
bool reap(struct conn *conn, uint32_t sends, uint32_t receives, int wait_ms);
bool reap_all(struct conn *conn);
bool reap_room(struct conn *conn);
const uint8_t *last_message(const struct conn *conn);
/* @return offset of operation k in the buffers of both sides */
uint32_t slot_of(const struct conn *conn, uint32_t k);

#endif
