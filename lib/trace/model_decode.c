/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include "base/sized.h"
#include "trace/model.h"

static void
path_fill(const struct wire_view *view, struct nd_model_headers *headers)
{
	memcpy(headers->source_mac, view->src_mac.addr_bytes, sizeof(headers->source_mac));
	memcpy(headers->destination_mac, view->dst_mac.addr_bytes,
		sizeof(headers->destination_mac));
	memcpy(headers->source_ip, view->src.raw, sizeof(headers->source_ip));
	memcpy(headers->destination_ip, view->dst.raw, sizeof(headers->destination_ip));
	headers->vlan = view->vlan;
	headers->vlan_tci = view->vlan_tci;
	headers->tos = view->tos;
	headers->ttl = view->ttl;
	headers->udp_source_port = view->udp_src_port;
}

static void
extensions_fill(const struct wire_view *view, struct nd_model_headers *headers)
{
	const struct wire_opcode_traits *traits = view->traits;

	if (traits->has_reth) {
		headers->address = view->reth.address;
		headers->key = view->reth.rkey;
		headers->length = view->reth.length_bytes;
	}
	if (traits->has_atomic_eth) {
		headers->address = view->atomic.address;
		headers->key = view->atomic.rkey;
		headers->swap_add = view->atomic.swap_add;
		headers->compare = view->atomic.compare;
	}
	if (traits->has_aeth) {
		headers->syndrome = view->aeth.syndrome;
		headers->msn = view->aeth.msn;
	}
	if (traits->has_atomic_ack_eth)
		headers->original = view->atomic_original;
	if (traits->has_imm)
		headers->immediate = view->immediate;
	if (traits->has_ieth)
		headers->invalidate_key = view->invalidate_rkey;
	if (traits->has_deth) {
		headers->qkey = view->qkey;
		headers->source_qpn = view->src_qp;
	}
}

void
model_headers(const struct wire_view *view, struct nd_model_headers *headers)
{
	memset(headers, 0, sizeof(*headers));
	path_fill(view, headers);
	headers->opcode = view->bth.opcode;
	headers->solicited = view->bth.solicited;
	headers->acknowledge = view->bth.ack_request;
	headers->migration = view->bth.migrated;
	headers->pkey = view->bth.pkey;
	headers->destination_qpn = view->bth.dest_qp;
	headers->psn = view->bth.psn;
	extensions_fill(view, headers);
	headers->payload_offset = view->payload_offset;
	headers->payload_bytes = view->payload_bytes;
}

bool
nd_model_decode_sized(
	const void *frame, size_t bytes, struct nd_model_headers *headers, size_t size)
{
	struct nd_model_headers own;
	uint8_t scratch[TRACE_FRAME_MAX];
	struct trace_frame classified;

	trace_frame_classify(frame, bytes, bytes, scratch, &classified);
	if (!classified.has_view)
		return false;
	model_headers(&classified.view, &own);
	own.payload_offset += (uint32_t)classified.skipped_bytes;
	base_sized_write(headers, size, &own, sizeof(own));
	return true;
}
