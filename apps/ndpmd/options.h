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
 * The application's command line as text and as values. This file does not use EAL. Only
 * options_print_help() prints.
 */

#define OPTIONS_OPS_MAX          16
#define OPTIONS_LCORES_MAX       16
#define OPTIONS_SIZES_MAX        64
#define OPTIONS_SIZE_MAX         (UINT32_C(1) << 30)
#define OPTIONS_DEPTH_MAX        16384
#define OPTIONS_WEIGHT_MAX       100
#define OPTIONS_BURST_MAX        (UINT32_C(1) << 20)
#define OPTIONS_QPS_MAX          (UINT32_C(100) << 10)
/* Limit of --qps with --perftest, where each queue pair has its own completion queue. */
#define OPTIONS_PERFTEST_QPS_MAX 1024
/* Highest number of standing windows of all queue pairs together: half of an adapter's windows. */
#define OPTIONS_WINDOWS_MAX      (UINT32_C(1) << 22)
#define OPTIONS_SRQ_MAX          UINT32_C(32768)

enum options_mode {
	OPTIONS_MODE_NONE,
	OPTIONS_MODE_LOOPBACK,
	OPTIONS_MODE_SERVER,
	OPTIONS_MODE_CLIENT,
};

/** Operation of a connection. The values are part of hello messages, so they must not change. */
enum options_op {
	OPTIONS_OP_SEND,
	OPTIONS_OP_WRITE,
	OPTIONS_OP_READ,
	OPTIONS_OP_BIND,
	OPTIONS_OP_SEND_IMM,
	OPTIONS_OP_WRITE_IMM,
	OPTIONS_OP_FETCH_ADD,
	OPTIONS_OP_COMPARE_SWAP,
	OPTIONS_OP_MIX, /**< a mix of the preceding operations by weight; must be last */
	OPTIONS_OP_COUNT,
};

/** @return true if an operation is an atomic. An atomic always has 8 bytes. */
static inline bool
options_op_is_atomic(enum options_op op)
{
	return op == OPTIONS_OP_FETCH_ADD || op == OPTIONS_OP_COMPARE_SWAP;
}

/**
 * @return true if an operation can be part of a mix: its messages may have any size, and it posts
 *         one request.
 */
static inline bool
options_op_mixes(enum options_op op)
{
	return op < OPTIONS_OP_MIX && op != OPTIONS_OP_BIND && !options_op_is_atomic(op);
}

/** @return length in bytes of the messages of an operation. */
static inline uint32_t
options_op_bytes(enum options_op op, uint32_t size_bytes)
{
	return options_op_is_atomic(op) ? 8 : size_bytes;
}

struct options {
	enum options_mode mode;
	struct value_port ports[2];
	unsigned int port_count; /**< 0 = not given */

	uint16_t lcores[OPTIONS_LCORES_MAX]; /**< lcores[0] is the main lcore */
	unsigned int lcore_count;            /**< 0 = not given */

	struct network network;
	struct transport transport;
	struct sockaddr_storage peer; /**< client: address of the server */
	uint16_t listen_port;
	const char *inject_text; /**< value of --inject; NULL = no fault injection */
	struct inject_plan inject;

	enum options_op ops[OPTIONS_OPS_MAX];
	unsigned int op_count;
	/** Valid if ops[0] is OPTIONS_OP_MIX: weight of each operation; 0 = not in the mix. */
	uint8_t weights[OPTIONS_OP_MIX];
	bool has_weight, lacks_weight; /**< --op has operations with a weight, without a weight */
	uint32_t sizes[OPTIONS_SIZES_MAX];
	unsigned int size_count;
	uint32_t size_bytes; /**< the first size, sizes[0], in bytes of a message */
	uint32_t depth;
	uint32_t qps;
	double rate;       /**< messages or bits per second; 0 = limited only by depth */
	bool rate_is_bits; /**< true: rate counts bits of payload; false: messages */
	bool rate_is_per_qp;
	uint64_t ramp_ns; /**< time in which the rate rises from 0 to its value; 0 = no ramp */
	uint32_t burst;   /**< with a rate: number of messages that a queue pair posts at once */
	uint64_t interval_ns; /**< interval of --interval; 0 = print no lines for intervals */
	uint32_t windows;     /**< bind: number of standing windows of each queue pair */
	uint64_t time_ns; /**< length of the measurement; UINT64_MAX = until iterations are done */
	uint64_t warmup_ns;
	uint64_t iterations; /**< operations per queue pair; 0 = until the time is over */
	uint64_t clients;    /**< the server ends after this number of clients; 0 = unlimited */
	uint32_t srq;        /**< entries of a server's shared receive queue; 0 = no such queue */
	bool latency;
	bool verify;
	bool remote_invalidate;
	bool bidirectional; /**< the server posts too, on an equal number of queue pairs */
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

	/* Each member is true if its option was given. The value alone does not show this. */
	bool depth_given, size_given, time_given, warmup_given, burst_given;
};

/**
 * Parse the application's command line.
 *
 * @param count, arguments arguments of main(), beginning with the program's name
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
 * this function after members were changed directly.
 * @param why filled with one sentence when false is returned; >= 256 bytes
 * @return false: the combination is not valid, and some members may have changed
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

/** @return number of queue pairs; with --bidirectional, the sum over both directions. */
static inline uint32_t
options_connections(const struct options *options)
{
	return options->bidirectional ? 2 * options->qps : options->qps;
}

/** @return messages per second and queue pair for this work; 0 = no schedule, limited by depth. */
double options_rate_per_qp(const struct options *options, const struct options_work *work);

/** @return name of an operation as on the command line; static text. */
const char *options_op_name(enum options_op op);

void options_print_help(FILE *stream);

/** Write an IPv4 or IPv6 address as text, without port. @return text */
const char *options_address_text(const struct sockaddr_storage *address, char *text, size_t size);

#endif
