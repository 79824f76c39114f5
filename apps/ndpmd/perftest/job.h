/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PERFTEST_JOB_H
#define NDPDK_PERFTEST_JOB_H

#include <stdbool.h>
#include <sys/socket.h>

#include "ndpmd/options.h"
#include "ndpmd/report.h"
#include "ndpmd/stopwatch.h"

/*
 * --perftest: the other side is ib_send_bw, ib_write_bw, ib_read_bw or one of the _lat programs of
 * Linux' perftest with -R, or an ndpmd --perftest.
 */

struct perftest_job {
	const struct options *options;
	const struct stopwatch *stopwatch;
	struct nd_adapter *client_adapter, *server_adapter; /**< NULL = not this role */
	const struct sockaddr_storage *peer;                /**< of the client */
	struct report *report;
};

/**
 * Run the client, the server or both to the end. @return false: failed, standard error says why.
 */
bool perftest_work(const struct perftest_job *job);

#endif
