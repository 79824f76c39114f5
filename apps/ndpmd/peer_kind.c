/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "peer_kind.h"

static const struct peer_kind kinds[] = {
	{&run_sessions, &server_sessions},
};

const struct peer_kind *
peer_kind_of(const struct options *options)
{
	(void)options;
	return &kinds[0];
}
