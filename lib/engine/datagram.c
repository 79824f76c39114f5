/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Sending and receiving datagrams: MADs of the connection manager on QP 1, and frames of neighbour
 * resolution. A datagram that cannot be sent is dropped and counted. Its sender retransmits the
 * datagram when no answer arrives.
 */

#include "engine/control.h"

#include <string.h>

#include "base/limits.h"
#include "base/psn.h"
#include "engine/transmit.h"
#include "wire/build.h"

void
engine_datagram_input(struct engine *engine, const struct rte_mbuf *mbuf,
	const struct wire_view *view, uint64_t now_ns)
{
	uint8_t mad[LIMIT_MAD_BYTES];
	struct wire_cm_msg msg;
	struct cm_route from;
	enum wire_mad_drop drop;

	engine->wake_ns = 0;
	if (view->bth.dest_qp != WIRE_QPN_CM || view->qkey != WIRE_QKEY_CM ||
		view->src_qp != WIRE_QPN_CM || !wire_gid_equal(&view->dst, &engine->address)) {
		engine->counters.drop_datagram++;
		return;
	}
	if (view->payload_bytes != LIMIT_MAD_BYTES) {
		engine->counters.drop_mad[WIRE_MAD_LENGTH]++;
		return;
	}
	wire_payload_copy(mbuf, view, 0, mad, sizeof(mad));
	drop = wire_cm_decode(mad, sizeof(mad), &msg);
	if (drop != WIRE_MAD_OK) {
		engine->counters.drop_mad[drop]++;
		return;
	}
	neigh_confirm(engine->neigh, &view->src, &view->src_mac, now_ns);
	from = (struct cm_route){
		.local_gid = view->dst,
		.remote_gid = view->src,
		.remote_mac = view->src_mac,
		/*
		 * Answer with the adapter's own VLAN tag and not with the tag of the request, which
		 * may contain a priority, or be a priority tag without a VLAN ID.
		 */
		.vlan = engine->vlan,
		.vlan_tci = engine->vlan_tci,
	};
	cm_input(engine->cm, &from, &msg, now_ns);
}

/*
 * Allocate an mbuf for a datagram. Return NULL if the pool is empty or the port accepts no packets.
 * If the port accepts no packets, a datagram would only wait in the output queue, and its
 * retransmissions would be queued after it.
 */
static struct rte_mbuf *
out_reserve(struct engine *engine, uint16_t bytes)
{
	struct rte_mbuf *mbuf = NULL;

	if (engine->rc.stuck_count == 0 || engine_transmit(engine) > 0)
		mbuf = rc_out_reserve_datagram(&engine->rc, bytes);
	if (mbuf == NULL)
		engine->counters.tx_full++;
	return mbuf;
}

bool
engine_mad_send(void *arg, const struct cm_route *route, const struct wire_cm_msg *msg)
{
	struct engine *engine = arg;
	struct wire_template tmpl;
	struct wire_path path = engine_path(engine, route, engine->cm_src_port);
	struct wire_headers headers = {
		.bth = {.opcode = WIRE_UD_SEND_ONLY,
			.pkey = WIRE_PKEY_DEFAULT,
			.dest_qp = WIRE_QPN_CM,
			.psn = engine->cm_psn},
		.qkey = WIRE_QKEY_CM,
		.src_qp = WIRE_QPN_CM,
	};
	struct rte_mbuf *mbuf = out_reserve(engine, LIMIT_MAD_BYTES);

	if (mbuf == NULL)
		return false;
	engine->cm_psn = psn_add(engine->cm_psn, 1);
	wire_cm_encode(msg, rte_pktmbuf_mtod(mbuf, uint8_t *));
	wire_template_make(&tmpl, &path);
	rc_out_send_datagram(&engine->rc, mbuf, &tmpl, &headers);
	return true;
}

void
engine_frame_send(void *arg, const uint8_t *frame, uint16_t bytes)
{
	struct engine *engine = arg;
	struct rte_mbuf *mbuf = out_reserve(engine, bytes);

	if (mbuf == NULL)
		return;
	memcpy(rte_pktmbuf_mtod(mbuf, void *), frame, bytes);
	engine->rc.packets[engine->rc.packet_count++] = mbuf;
}

static bool
resolve_step(struct engine *engine, struct engine_resolve *resolve, uint64_t now_ns)
{
	struct rte_ether_addr mac = {0};
	enum neigh_result result = neigh_lookup(engine->neigh, &resolve->peer, &mac, now_ns);

	if (result == NEIGH_PENDING)
		return false;
	base_list_remove(&resolve->node);
	resolve->done(resolve, result, &mac);
	return true;
}

void
engine_resolve(struct engine *engine, struct engine_resolve *resolve)
{
	base_list_init(&resolve->node);
	if (!resolve_step(engine, resolve, engine_now_ns(engine)))
		base_list_append(&engine->resolving, &resolve->node);
}

void
engine_resolve_cancel(struct engine_resolve *resolve)
{
	base_list_remove(&resolve->node);
}

void
engine_resolve_tick(struct engine *engine, uint64_t now_ns)
{
	struct base_list *node, *after;

	BASE_LIST_FOREACH_SAFE (node, after, &engine->resolving)
		resolve_step(engine, base_list_entry(node, struct engine_resolve, node), now_ns);
}
