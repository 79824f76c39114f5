/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "peer_kind.h"

static const struct peer_kind kinds[] = {
	{"clients", true, &run_sessions, &server_sessions},
	{"perftest", false, &perftest_client, &perftest_server},
};

const struct peer_kind *
peer_kind_of(const struct options *options)
{
	return &kinds[options->perftest];
}
