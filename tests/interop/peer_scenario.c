/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "peer.h"

#include <rte_common.h>

#include "peer_rxetest.h"

static const struct scenario scenarios[] = {
	{"ladder", PROTOCOL_LADDER, DRIVER_ENDS, ladder_prepare, ladder_play, ladder_play},
	{"refuse", PROTOCOL_REFUSE, CLIENT_ENDS, refuse_prepare, refuse_play, refuse_play},
	{"atomics", PROTOCOL_ATOMICS, DRIVER_ENDS, atomics_prepare, atomics_play, atomics_play},
	{"bulk", PROTOCOL_BULK, DRIVER_ENDS, bulk_prepare, bulk_play, bulk_play},
	{"idle", PROTOCOL_IDLE, CLIENT_ENDS, idle_prepare, idle_play, idle_play},
	{"ucmatose", SCENARIO_UCMATOSE, SERVER_ENDS, ucmatose_prepare, ucmatose_client,
		ucmatose_server},
	{"send", RXETEST_SEND, CLIENT_ENDS, rxetest_prepare, rxetest_client_send,
		rxetest_server_receive},
	{"solicit", RXETEST_SOLICIT, CLIENT_ENDS, rxetest_prepare, rxetest_client_send,
		rxetest_server_receive},
	{"srvdisc", RXETEST_SRVDISC, SERVER_ENDS, rxetest_prepare, rxetest_client_send,
		rxetest_server_receive},
	{"rnr", RXETEST_RNR, CLIENT_ENDS, rxetest_prepare, rxetest_client_send, rxetest_server_rnr},
	{"pingpong", RXETEST_PINGPONG, CLIENT_ENDS, rxetest_prepare, rxetest_client_pingpong,
		rxetest_server_pingpong},
	{"write", RXETEST_WRITE, CLIENT_ENDS, rxetest_prepare, rxetest_client_remote, NULL},
	{"read", RXETEST_READ, CLIENT_ENDS, rxetest_prepare, rxetest_client_remote, NULL},
	{"inline", RXETEST_INLINE, CLIENT_ENDS, rxetest_prepare, rxetest_client_inline, NULL},
	{"mw2", RXETEST_MW2, CLIENT_ENDS, rxetest_prepare, rxetest_client_window,
		rxetest_server_window},
	{"mw2linv", RXETEST_MW2LINV, CLIENT_ENDS, rxetest_prepare, rxetest_client_window,
		rxetest_server_window},
	{"mw1", RXETEST_MW1, CLIENT_ENDS, rxetest_prepare, rxetest_client_window,
		rxetest_server_window},
	{"mwperm", RXETEST_MWPERM, CLIENT_ENDS, rxetest_prepare, rxetest_client_window,
		rxetest_server_window},
	{"mwbound", RXETEST_MWBOUND, CLIENT_ENDS, rxetest_prepare, rxetest_client_window,
		rxetest_server_window},
	{"sinvbad", RXETEST_SINVBAD, CLIENT_ENDS, rxetest_prepare, rxetest_client_sinvbad,
		rxetest_server_idle},
	{"badrkey", RXETEST_BADRKEY, CLIENT_ENDS, rxetest_prepare, rxetest_client_refused, NULL},
	{"oob", RXETEST_OOB, CLIENT_ENDS, rxetest_prepare, rxetest_client_refused, NULL},
	{"noperm", RXETEST_NOPERM, CLIENT_ENDS, rxetest_prepare, rxetest_client_refused, NULL},
	{"qpperm", RXETEST_QPPERM, CLIENT_ENDS, rxetest_prepare, rxetest_client_refused, NULL},
	{"lenerr", RXETEST_LENERR, CLIENT_ENDS, rxetest_prepare, rxetest_client_refused,
		rxetest_server_idle},
	{"deadqp", RXETEST_DEADQP, CLIENT_ENDS, rxetest_prepare, rxetest_client_refused,
		rxetest_server_deadqp},
	{"rej", RXETEST_REJ, CLIENT_ENDS, rxetest_prepare, rxetest_client_send,
		rxetest_server_idle},
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
