/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "peer.h"

#include <rte_common.h>

#include "peer_rxetest.h"

static const struct scenario scenarios[] = {
	{"ladder", PROTOCOL_LADDER, false, ladder_prepare, ladder_play, ladder_play},
	{"refuse", PROTOCOL_REFUSE, false, refuse_prepare, refuse_play, refuse_play},
	{"atomics", PROTOCOL_ATOMICS, false, atomics_prepare, atomics_play, atomics_play},
	{"ucmatose", SCENARIO_UCMATOSE, true, ucmatose_prepare, ucmatose_client, ucmatose_server},
	{"send", RXETEST_SEND, false, rxetest_prepare, rxetest_client_send, rxetest_server_receive},
	{"solicit", RXETEST_SOLICIT, false, rxetest_prepare, rxetest_client_send,
		rxetest_server_receive},
	{"srvdisc", RXETEST_SRVDISC, true, rxetest_prepare, rxetest_client_send,
		rxetest_server_receive},
	{"rnr", RXETEST_RNR, false, rxetest_prepare, rxetest_client_send, rxetest_server_rnr},
	{"pingpong", RXETEST_PINGPONG, false, rxetest_prepare, rxetest_client_pingpong,
		rxetest_server_pingpong},
	{"write", RXETEST_WRITE, false, rxetest_prepare, rxetest_client_remote, NULL},
	{"read", RXETEST_READ, false, rxetest_prepare, rxetest_client_remote, NULL},
	{"inline", RXETEST_INLINE, false, rxetest_prepare, rxetest_client_inline, NULL},
	{"mw2", RXETEST_MW2, false, rxetest_prepare, rxetest_client_window, rxetest_server_window},
	{"mw2linv", RXETEST_MW2LINV, false, rxetest_prepare, rxetest_client_window,
		rxetest_server_window},
	{"mw1", RXETEST_MW1, false, rxetest_prepare, rxetest_client_window, rxetest_server_window},
	{"mwperm", RXETEST_MWPERM, false, rxetest_prepare, rxetest_client_window,
		rxetest_server_window},
	{"mwbound", RXETEST_MWBOUND, false, rxetest_prepare, rxetest_client_window,
		rxetest_server_window},
	{"sinvbad", RXETEST_SINVBAD, false, rxetest_prepare, rxetest_client_sinvbad,
		rxetest_server_idle},
	{"badrkey", RXETEST_BADRKEY, false, rxetest_prepare, rxetest_client_refused, NULL},
	{"oob", RXETEST_OOB, false, rxetest_prepare, rxetest_client_refused, NULL},
	{"noperm", RXETEST_NOPERM, false, rxetest_prepare, rxetest_client_refused, NULL},
	{"qpperm", RXETEST_QPPERM, false, rxetest_prepare, rxetest_client_refused, NULL},
	{"lenerr", RXETEST_LENERR, false, rxetest_prepare, rxetest_client_refused,
		rxetest_server_idle},
	{"deadqp", RXETEST_DEADQP, false, rxetest_prepare, rxetest_client_refused,
		rxetest_server_deadqp},
	{"rej", RXETEST_REJ, false, rxetest_prepare, rxetest_client_send, rxetest_server_idle},
};

const struct scenario *
scenario_by_name(const char *name)
{
	for (size_t i = 0; i < RTE_DIM(scenarios); i++)
		if (strcmp(scenarios[i].name, name) == 0)
			return &scenarios[i];
	return NULL;
}

const struct scenario *
scenario_by_number(uint32_t number)
{
	for (size_t i = 0; i < RTE_DIM(scenarios); i++)
		if (scenarios[i].number == number)
			return &scenarios[i];
	return NULL;
}
