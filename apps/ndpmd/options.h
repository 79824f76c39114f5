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
/* With --perftest each has a completion queue of its own. */
#define OPTIONS_PERFTEST_QPS_MAX 1024
/* Standing windows of all queue pairs: half of what an adapter can have. */
#define OPTIONS_WINDOWS_MAX      (UINT32_C(1) << 22)
#define OPTIONS_SRQ_MAX          UINT32_C(32768)

enum options_mode {
	OPTIONS_MODE_NONE,
	OPTIONS_MODE_LOOPBACK,
	OPTIONS_MODE_SERVER,
	OPTIONS_MODE_CLIENT,
};

/** What is done over a connection. The numbers travel in the hello message. */
enum options_op {
	OPTIONS_OP_SEND,
	OPTIONS_OP_WRITE,
	OPTIONS_OP_READ,
	OPTIONS_OP_BIND,
	OPTIONS_OP_SEND_IMM,
	OPTIONS_OP_WRITE_IMM,
	OPTIONS_OP_FETCH_ADD,
	OPTIONS_OP_COMPARE_SWAP,
	OPTIONS_OP_MIX, /**< of those above, by weights; behind all of them */
	OPTIONS_OP_COUNT,
};

/** @return whether an operation is one of those on 8 bytes, whatever the size is. */
static inline bool
options_op_is_atomic(enum options_op op)
{
	return op == OPTIONS_OP_FETCH_ADD || op == OPTIONS_OP_COMPARE_SWAP;
}

/** @return whether an operation may be in a mix: it has messages of any size, and one request. */
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
	struct sockaddr_storage peer; /**< of a client */
	uint16_t listen_port;
	const char *inject_text; /**< NULL = no faults on purpose */
	struct inject_plan inject;

	enum options_op ops[OPTIONS_OPS_MAX];
	unsigned int op_count;
	/** Of ops[0], when that is OPTIONS_OP_MIX; 0 = not in the mix */
	uint8_t weights[OPTIONS_OP_MIX];
	bool has_weight, lacks_weight; /**< whether some of --op has a weight, or has none */
	uint32_t sizes[OPTIONS_SIZES_MAX];
	unsigned int size_count;
	uint32_t size_bytes; /**< the first one of sizes */
	uint32_t depth;
	uint32_t qps;
	double rate;       /**< messages or bits per second that are posted; 0 = as many as depth */
	bool rate_is_bits; /**< rate is of bits of messages */
	bool rate_is_per_qp;
	uint64_t ramp_ns;     /**< the rate grows so long; 0 = not at all */
	uint32_t burst;       /**< with a rate: messages of a queue pair that are due at once */
	uint64_t interval_ns; /**< 0 = no lines but the last */
	uint32_t windows;     /**< bind: bound per queue pair besides those that are measured */
	uint64_t time_ns;     /**< UINT64_MAX = until the iterations are done */
	uint64_t warmup_ns;
	uint64_t iterations; /**< per QP; 0 = until the time is over */
	uint64_t clients;    /**< that a server serves; 0 = for ever */
	uint32_t srq; /**< receives that the queue pairs of a server share; 0 = each has its own */
	bool latency;
	bool verify;
	bool remote_invalidate;
	bool bidirectional; /**< as many queue pairs again, on which the server posts */
	bool perftest;      /**< the other side is a program of Linux' perftest */

	bool interactive;
	const char *cmdline_file; /**< NULL = none */
	const char *control_path; /**< of a socket; NULL = none */

	bool json;
	const char *json_path; /**< NULL = standard output */
	bool csv;
	const char *csv_path;  /**< likewise */
	const char *plot_path; /**< NULL = no picture; its end is .svg or .png */
	bool counters;
	bool help;
	bool version;

	/* Whether an option was given, when its value does not show it. */
	bool depth_given, size_given, time_given, warmup_given, burst_given;
};

/**
 * @param count, arguments as main() gets them, the program's name first
 * @param why filled with one sentence without line feed when false is returned; >= 256 bytes
 * @return whether the arguments make sense. With help or version set nothing else is checked.
 */
bool
options_parse(struct options *options, int count, char *const arguments[], char *why, size_t size);

/** @return whether commands say what is done and when: --interactive, --cmdline-file, --control. */
static inline bool
options_has_commands(const struct options *options)
{
	return options->interactive || options->cmdline_file != NULL ||
		options->control_path != NULL;
}

/**
 * Change one option after options_parse().
 *
 * @param name of the option, without dashes; one that has a value
 * @param why filled with one sentence when false is returned; >= 256 bytes
 * @return false: the value, or what it makes of all options together, is not valid, and options is
 *         unchanged
 */
bool options_change(
	struct options *options, const char *name, const char *value, char *why, size_t size);

/**
 * After other changes of members: compute what follows from them, and check all together.
 * @param why likewise; options may have changed
 */
bool options_complete(struct options *options, char *why, size_t size);

/** What is measured between two rows of the table: an operation with messages of one size. */
struct options_work {
	enum options_op op;
	uint32_t size_bytes;
};

/** @return how many there are: each operation with each size, atomics once. */
unsigned int options_work_count(const struct options *options);

/** @param index 0 .. options_work_count() - 1 */
struct options_work options_work(const struct options *options, unsigned int index);

/** @return queue pairs of both directions together. */
static inline uint32_t
options_connections(const struct options *options)
{
	return options->bidirectional ? 2 * options->qps : options->qps;
}

/** @return messages per second that a queue pair posts for this work; 0 = as many as depth. */
double options_rate_per_qp(const struct options *options, const struct options_work *work);

/** @return name of an operation as on the command line; static text. */
const char *options_op_name(enum options_op op);

/** Write usage and all options. */
void options_print_help(FILE *stream);

/** Write an address as text, IPv4 or IPv6, without port. @return text */
const char *options_address_text(const struct sockaddr_storage *address, char *text, size_t size);

#endif
