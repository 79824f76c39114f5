/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_OPTIONS_H
#define NDPDK_NDPMD_OPTIONS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>

#include <ndpdk/nd_adapter.h>

#include "kit/inject.h"
#include "kit/network.h"
#include "kit/value.h"
#include "kit/transport.h"

/*
 * The application's arguments, as text and as values. Uses no EAL, and prints nothing except in
 * options_print_help().
 */

#define OPTIONS_OPS_MAX          16
#define OPTIONS_LCORES_MAX       16
#define OPTIONS_SIZES_MAX        64
#define OPTIONS_SIZE_MAX         (UINT32_C(1) << 30)
#define OPTIONS_DEPTH_MAX        16384
#define OPTIONS_WEIGHT_MAX       100
#define OPTIONS_BURST_MAX        (UINT32_C(1) << 20)
#define OPTIONS_QPS_MAX          (UINT32_C(100) << 10)
/* With --perftest each queue pair has its own completion queue. */
#define OPTIONS_PERFTEST_QPS_MAX 1024
/* Highest number of standing windows of all queue pairs: half of an adapter's windows. */
#define OPTIONS_WINDOWS_MAX      (UINT32_C(1) << 22)
#define OPTIONS_SRQ_MAX          UINT32_C(32768)

enum options_mode {
	OPTIONS_MODE_NONE,
	OPTIONS_MODE_LOOPBACK,
	OPTIONS_MODE_SERVER,
	OPTIONS_MODE_CLIENT,
};

/** Operation of a connection. Hello messages contain these numbers. */
enum options_op {
	OPTIONS_OP_SEND,
	OPTIONS_OP_WRITE,
	OPTIONS_OP_READ,
	OPTIONS_OP_BIND,
	OPTIONS_OP_SEND_IMM,
	OPTIONS_OP_WRITE_IMM,
	OPTIONS_OP_FETCH_ADD,
	OPTIONS_OP_COMPARE_SWAP,
	OPTIONS_OP_MIX, /**< a mix of the operations above, by weights; must follow all of them */
	OPTIONS_OP_COUNT,
};

/** @return whether an operation is an atomic, which always has 8 bytes. */
static inline bool
options_op_is_atomic(enum options_op op)
{
	return op == OPTIONS_OP_FETCH_ADD || op == OPTIONS_OP_COMPARE_SWAP;
}

/** @return whether an operation may be in a mix: messages of any size, with a single request. */
static inline bool
options_op_mixes(enum options_op op)
{
	return op < OPTIONS_OP_MIX && op != OPTIONS_OP_BIND && !options_op_is_atomic(op);
}

/** @return bytes of a message of an operation. */
static inline uint32_t
options_op_bytes(enum options_op op, uint32_t size_bytes)
{
	return options_op_is_atomic(op) ? 8 : size_bytes;
}

struct options {
	enum options_mode mode;
	struct value_port ports[2];
	unsigned int port_count; /**< 0 = not given */

	uint16_t lcores[OPTIONS_LCORES_MAX]; /**< the first one is the main lcore */
	unsigned int lcore_count;            /**< 0 = not given */

	struct network network;
	struct transport transport;
	struct sockaddr_storage peer; /**< client: address of the server */
	uint16_t listen_port;
	const char *inject_text; /**< value of --inject; NULL = no fault injection */
	struct inject_plan inject;

	enum options_op ops[OPTIONS_OPS_MAX];
	unsigned int op_count;
	/** If ops[0] is OPTIONS_OP_MIX: weight of each operation; 0 = not in the mix */
	uint8_t weights[OPTIONS_OP_MIX];
	bool has_weight, lacks_weight; /**< some operation of --op has a weight; has no weight */
	uint32_t sizes[OPTIONS_SIZES_MAX];
	unsigned int size_count;
	uint32_t size_bytes; /**< the first one of sizes */
	uint32_t depth;
	uint32_t qps;
	double rate;       /**< messages or bits per second; 0 = limited only by depth */
	bool rate_is_bits; /**< rate is in bits of payload per second */
	bool rate_is_per_qp;
	uint64_t ramp_ns;     /**< time in which the rate grows from 0; 0 = no ramp */
	uint32_t burst;       /**< with a rate: messages of a queue pair that are due together */
	uint64_t interval_ns; /**< 0 = no lines for intervals */
	uint32_t windows;     /**< bind: standing windows of each queue pair */
	uint64_t time_ns;     /**< UINT64_MAX = until the iterations are done */
	uint64_t warmup_ns;
	uint64_t iterations; /**< operations per queue pair; 0 = until the time is over */
	uint64_t clients;    /**< number of clients until a server ends; 0 = unlimited */
	uint32_t srq; /**< entries of the shared receive queue of a server; 0 = no shared queue */
	bool latency;
	bool verify;
	bool remote_invalidate;
	bool bidirectional; /**< the server posts on as many additional queue pairs */
	bool perftest;      /**< the peer is a program of Linux' perftest */

	bool interactive;
	const char *cmdline_file; /**< NULL = none */
	const char *control_path; /**< path of the control socket; NULL = none */

	bool json;
	const char *json_path; /**< NULL = standard output */
	bool csv;
	const char *csv_path;  /**< NULL = standard output */
	const char *plot_path; /**< name with .svg or .png; NULL = no picture */
	bool counters;
	bool help;
	bool version;

	/* Whether an option was given, for options whose value does not show it. */
	bool depth_given, size_given, time_given, warmup_given, burst_given;
};

/**
 * @param count, arguments as main() gets them, the program's name first
 * @param why filled with one sentence without line feed when false is returned; >= 256 bytes
 * @return whether the arguments are valid. If help or version is set, nothing else is checked.
 */
bool
options_parse(struct options *options, int count, char *const arguments[], char *why, size_t size);

/** @return whether commands control the runs: --interactive, --cmdline-file or --control. */
static inline bool
options_has_commands(const struct options *options)
{
	return options->interactive || options->cmdline_file != NULL ||
		options->control_path != NULL;
}

/**
 * Change one option after options_parse().
 *
 * @param name name without dashes of an option that has a value
 * @param why filled with one sentence when false is returned; >= 256 bytes
 * @return false: the value, or its combination with the other options, is not valid, and options
 *         is unchanged
 */
bool options_change(
	struct options *options, const char *name, const char *value, char *why, size_t size);

/**
 * Compute the members that depend on other members, and check the combination of all options. Call
 * this function after direct changes of members.
 * @param why filled with one sentence when false is returned, and options may have changed; >= 256
 *        bytes
 */
bool options_complete(struct options *options, char *why, size_t size);

/** The work for one row of the table: an operation with messages of one size. */
struct options_work {
	enum options_op op;
	uint32_t size_bytes;
};

/** @return number of rows: each operation with each size, but atomics only once. */
unsigned int options_work_count(const struct options *options);

/** @param index 0 .. options_work_count() - 1 */
struct options_work options_work(const struct options *options, unsigned int index);

/** @return queue pairs of both directions together. */
static inline uint32_t
options_connections(const struct options *options)
{
	return options->bidirectional ? 2 * options->qps : options->qps;
}

/** @return messages per second that a queue pair posts for this work; 0 = limited by depth. */
double options_rate_per_qp(const struct options *options, const struct options_work *work);

/** @return name of an operation as on the command line; static text. */
const char *options_op_name(enum options_op op);

/** Write usage and all options. */
void options_print_help(FILE *stream);

/** Write an IPv4 or IPv6 address as text, without port. @return text */
const char *options_address_text(const struct sockaddr_storage *address, char *text, size_t size);

#endif
