/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Loaded into an example with LD_PRELOAD. The server sends one frame that is not RoCE directly
 * before it accepts a connection. A client that itself receives frames from the port must keep this
 * frame.
 */

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <rte_ethdev.h>
#include <rte_ether.h>
#include <rte_mbuf.h>

#include <ndpdk/nd.h>

#define ETHER_TYPE_EXPERIMENTAL 0x88b5

static void
must(bool condition, const char *otherwise)
{
	if (condition)
		return;
	fprintf(stderr, "foreign: %s\n", otherwise);
	_exit(3);
}

/*
 * Send on the port's only queue. This is safe, because the thread that polls the queue makes this
 * call.
 */
static void
send_foreign_frame(void)
{
	struct rte_mempool *pool = rte_pktmbuf_pool_create(
		"foreign", 63, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
	struct rte_mbuf *mbuf = pool != NULL ? rte_pktmbuf_alloc(pool) : NULL;
	struct rte_ether_hdr *ether;

	must(mbuf != NULL, "no buffer for the frame");
	ether = (struct rte_ether_hdr *)rte_pktmbuf_append(mbuf, RTE_ETHER_MIN_LEN);
	memset(ether, 0, RTE_ETHER_MIN_LEN);
	memset(&ether->dst_addr, 0xff, sizeof(ether->dst_addr));
	must(rte_eth_macaddr_get(0, &ether->src_addr) == 0, "the port has no address");
	ether->ether_type = rte_cpu_to_be_16(ETHER_TYPE_EXPERIMENTAL);
	must(rte_eth_tx_burst(0, 0, &mbuf, 1) == 1, "the frame was not sent");
}

nd_status
nd_connector_accept(struct nd_connector *connector, struct nd_endpoint *endpoint, const void *data,
	size_t size, struct nd_overlapped *overlapped)
{
	nd_status (*accept)(struct nd_connector *, struct nd_endpoint *, const void *, size_t,
		struct nd_overlapped *);

	*(void **)&accept = dlsym(RTLD_NEXT, "nd_connector_accept");
	must(accept != NULL, "there is no nd_connector_accept()");
	send_foreign_frame();
	return accept(connector, endpoint, data, size, overlapped);
}
