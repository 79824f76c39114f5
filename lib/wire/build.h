/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIRE_BUILD_H
#define NDPDK_WIRE_BUILD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_mbuf.h>
#include <rte_udp.h>

#include "base/assert.h"
#include "base/be.h"
#include "wire/gid.h"
#include "wire/header.h"
#include "wire/icrc.h"

/** Offset of the BTH in the most frequent frame: untagged Ethernet, IPv4 without options, UDP. */
#define WIRE_USUAL_BTH_OFFSET 42

/** Position of the DSCP in TOS and traffic class. The two lower bits are the ECN (RFC 3168). */
#define WIRE_DSCP_SHIFT 2
#define WIRE_ECN_MASK   3
#define WIRE_ECN_ECT0   2 /**< the sender reacts to congestion marks */
#define WIRE_ECN_CE     3 /**< a switch on the path was congested */

/** Header values that are constant during the life of a queue pair (RC-011). */
struct wire_path {
	struct rte_ether_addr src_mac;
	struct rte_ether_addr dst_mac;
	struct wire_gid src;
	struct wire_gid dst; /**< destination GID, of the same address family as src */
	uint16_t udp_src_port;
	bool vlan;
	uint16_t vlan_tci; /**< tag control information, valid if vlan is set */
	uint8_t tos;       /**< DSCP<<2 | ECN */
	uint8_t ttl;       /**< TTL or hop limit */
};

/**
 * Prebuilt Ethernet, IP and UDP headers of a path. Lengths, checksum and IP identification are
 * filled in for each packet.
 */
struct wire_template {
	/** IPv4: sum of the 16-bit words of the template's IP header, in wire order. */
	uint16_t ip_sum;
	uint8_t l3_offset;  /**< offset of the IP header: 14 or 18 */
	uint8_t bth_offset; /**< offset of the BTH, which is the length of the template */
	bool v6;
	uint8_t bytes[14 + 4 + 40 + 8];
};

void wire_template_make(struct wire_template *tmpl, const struct wire_path *path);

void wire_template_set_destination(struct wire_template *tmpl, const struct rte_ether_addr *mac);

/** Change the TOS byte of later packets. @param tos DSCP << 2 | ECN */
void wire_template_set_tos(struct wire_template *tmpl, uint8_t tos);

/**
 * Change the DSCP of a complete packet. The ECN bits do not change. The ICRC remains valid, because
 * it does not cover the TOS byte.
 * @param mbuf frame that was built from the template; borrowed
 */
void wire_frame_set_dscp(struct rte_mbuf *mbuf, const struct wire_template *tmpl, uint8_t dscp);

/** Headers of one packet in host byte order. bth.opcode determines the extension headers. */
struct wire_headers {
	struct wire_bth_value bth; /**< BTH; pad_count is ignored and computed */
	struct wire_reth_value reth;
	struct wire_aeth_value aeth;
	struct wire_atomic_value atomic;
	uint64_t atomic_original;
	uint32_t immediate;
	uint32_t invalidate_rkey;
	uint32_t qkey;
	uint32_t src_qp;
};

/*
 * A packet is built in three steps, so that each header is written once and in its place:
 * wire_begin() writes all headers except the extension headers, the caller writes the extension
 * headers, and wire_finish() adds the ICRC. wire_build() does all three steps from a struct.
 */

/**
 * Copy the template into a frame. In the common case, IPv4 without a tag, the length is constant.
 */
static inline void
wire_template_copy(uint8_t *frame, const struct wire_template *tmpl)
{
	if (likely(tmpl->bth_offset == WIRE_USUAL_BTH_OFFSET))
		memcpy(frame, tmpl->bytes, WIRE_USUAL_BTH_OFFSET);
	else
		memcpy(frame, tmpl->bytes, tmpl->bth_offset);
}

/**
 * A series consists of packets of one path with equal payload length, header length and BTH (except
 * the PSN). The members are equal for all packets of the series, and are computed once.
 */
struct wire_series {
	uint32_t front_bytes; /**< length of all headers */
	uint32_t frame_bytes; /**< length of the frame, including the ICRC */
	uint32_t ip_sum;      /**< IPv4: checksum of the template plus total length */
	uint32_t bth_third;   /**< last word of the BTH with PSN 0, in host byte order */
	rte_be32_t bth_start[2];
	rte_be16_t total_bytes; /**< IPv4: total length field, from IP header to ICRC */
	rte_be16_t udp_bytes;   /**< UDP length field, from UDP header to ICRC */
};

/**
 * Compute the values of a series.
 * @param bth pad_count and PSN are ignored
 * @param header_bytes length of BTH and extension headers, from the opcode's traits
 */
static inline struct wire_series
wire_series_make(const struct wire_template *tmpl, struct wire_bth_value bth, uint32_t header_bytes,
	uint32_t payload_bytes)
{
	uint32_t pad_count = (0u - payload_bytes) & 3;
	uint32_t front_bytes = tmpl->bth_offset + header_bytes;
	uint32_t frame_bytes = front_bytes + payload_bytes + pad_count + WIRE_ICRC_BYTES;
	uint32_t udp_bytes = frame_bytes - tmpl->bth_offset + (uint32_t)sizeof(struct rte_udp_hdr);
	rte_be16_t total_bytes =
		rte_cpu_to_be_16((uint16_t)(udp_bytes + sizeof(struct rte_ipv4_hdr)));

	BASE_ASSERT(udp_bytes <= UINT16_MAX - sizeof(struct rte_ipv4_hdr));
	bth.pad_count = (uint8_t)pad_count;
	return (struct wire_series){
		.front_bytes = front_bytes,
		.frame_bytes = frame_bytes,
		.ip_sum = (uint32_t)tmpl->ip_sum + total_bytes,
		.bth_third = wire_bth_third(bth.ack_request, 0),
		.bth_start = {rte_cpu_to_be_32(wire_bth_first(&bth)),
			rte_cpu_to_be_32(wire_bth_second(&bth))},
		.total_bytes = total_bytes,
		.udp_bytes = rte_cpu_to_be_16((uint16_t)udp_bytes),
	};
}

/**
 * Write the fields of the IP and UDP headers that differ from the template. The UDP checksum is 0
 * (none), as in the packets of all RoCEv2 senders.
 */
static inline void
wire_lengths_store(uint8_t *frame, const struct wire_template *tmpl,
	const struct wire_series *series, uint16_t ip_id)
{
	uint8_t *ip = frame + tmpl->l3_offset;
	rte_be16_t id = rte_cpu_to_be_16(ip_id);
	uint16_t checksum;
	uint32_t sum;

	memcpy(frame + tmpl->bth_offset - 4, &series->udp_bytes, sizeof(series->udp_bytes));
	if (unlikely(tmpl->v6)) {
		memcpy(ip + 4, &series->udp_bytes, sizeof(series->udp_bytes));
		return;
	}
	/* The words stay in wire order, because a one's complement sum works in any byte order. */
	sum = series->ip_sum + id;
	sum = (sum & UINT16_MAX) + (sum >> 16);
	checksum = (uint16_t) ~(sum + (sum >> 16));
	memcpy(ip + 2, &series->total_bytes, sizeof(series->total_bytes));
	memcpy(ip + 4, &id, sizeof(id));
	memcpy(ip + 10, &checksum, sizeof(checksum));
}

/**
 * Begin a packet of a series: write all headers except the extension headers, and the pad after the
 * payload.
 *
 * @param mbuf one segment that contains exactly the payload (0..PMTU bytes), with
 *         LIMIT_HEADER_BYTES of headroom and LIMIT_TRAILER_BYTES of tailroom; borrowed
 * @param tmpl template of the series
 * @param ip_id value of the IPv4 identification field (covered by the ICRC)
 * @return start of the extension headers, where the caller must write all header_bytes - 12 bytes
 */
static inline uint8_t *
wire_series_begin(struct rte_mbuf *mbuf, const struct wire_template *tmpl,
	const struct wire_series *series, uint32_t psn, uint16_t ip_id)
{
	uint32_t payload_bytes = rte_pktmbuf_data_len(mbuf);
	uint8_t *frame, *bth;

	BASE_ASSERT(mbuf->nb_segs == 1 && rte_pktmbuf_pkt_len(mbuf) == payload_bytes);
	BASE_ASSERT(series->front_bytes <= rte_pktmbuf_headroom(mbuf));
	BASE_ASSERT(series->frame_bytes - series->front_bytes - payload_bytes <=
		rte_pktmbuf_tailroom(mbuf));
	mbuf->data_off = (uint16_t)(mbuf->data_off - series->front_bytes);
	mbuf->data_len = (uint16_t)series->frame_bytes;
	mbuf->pkt_len = series->frame_bytes;
	frame = rte_pktmbuf_mtod(mbuf, uint8_t *);
	/* Zero the pad, together with bytes that the ICRC overwrites later. */
	memset(frame + series->front_bytes + payload_bytes, 0, WIRE_ICRC_BYTES);
	wire_template_copy(frame, tmpl);
	wire_lengths_store(frame, tmpl, series, ip_id);
	bth = frame + tmpl->bth_offset;
	memcpy(bth, &series->bth_start[0], 4);
	memcpy(bth + 4, &series->bth_start[1], 4);
	be_store32(bth + 8, series->bth_third | (psn & 0xFFFFFF));
	return bth + sizeof(struct wire_bth);
}

/** Like wire_series_begin(), for one packet. bth and header_bytes as for wire_series_make(). */
static inline uint8_t *
wire_begin(struct rte_mbuf *mbuf, const struct wire_template *tmpl, struct wire_bth_value bth,
	uint32_t header_bytes, uint16_t ip_id)
{
	const struct wire_series series =
		wire_series_make(tmpl, bth, header_bytes, rte_pktmbuf_data_len(mbuf));

	return wire_series_begin(mbuf, tmpl, &series, bth.psn, ip_id);
}

static inline void
wire_icrc_store(uint8_t *to, uint32_t value)
{
	rte_le32_t icrc = rte_cpu_to_le_32(value);

	memcpy(to, &icrc, sizeof(icrc));
}

/** Complete a packet that wire_begin() has begun: store the ICRC. Borrows the mbuf. */
static inline void
wire_finish(struct rte_mbuf *mbuf, const struct wire_template *tmpl)
{
	uint32_t end_offset = rte_pktmbuf_data_len(mbuf) - WIRE_ICRC_BYTES;
	uint8_t *frame = rte_pktmbuf_mtod(mbuf, uint8_t *);

	BASE_ASSERT(tmpl->bth_offset + sizeof(struct wire_bth) <= end_offset);
	wire_icrc_store(frame + end_offset,
		wire_icrc_whole(frame + tmpl->l3_offset, end_offset - tmpl->l3_offset, tmpl->v6));
}

/**
 * Minimum payload size for copy and ICRC in one pass. For a smaller payload, two passes are faster,
 * because the headers have left the store buffer before the ICRC reads them.
 */
#define WIRE_FUSED_BYTES_MIN 1024

/** @return true if wire_finish_copy() supports this payload size: large and without a pad */
static inline bool
wire_payload_fuses(uint32_t payload_bytes)
{
	return payload_bytes >= WIRE_FUSED_BYTES_MIN && payload_bytes % 4 == 0;
}

/**
 * Complete a packet that wire_begin() has begun, if the payload is not yet in the mbuf: copy the
 * payload and compute the ICRC in one pass. Borrows the mbuf.
 * @param payload the payload, as long as the mbuf at wire_begin(), with wire_payload_fuses() true.
 *         If a different thread writes these bytes during the call, the ICRC is correct for the
 *         copied bytes
 */
static inline void
wire_finish_copy(struct rte_mbuf *mbuf, const struct wire_template *tmpl, const void *payload,
	uint32_t payload_bytes)
{
	uint32_t end_offset = rte_pktmbuf_data_len(mbuf) - WIRE_ICRC_BYTES;
	uint8_t *frame = rte_pktmbuf_mtod(mbuf, uint8_t *);

	BASE_ASSERT(wire_payload_fuses(payload_bytes));
	wire_icrc_store(frame + end_offset,
		wire_icrc_copy(frame + tmpl->l3_offset, end_offset - tmpl->l3_offset, tmpl->v6,
			payload, payload_bytes));
}

/**
 * Build a frame around a payload: headers before it, pad and ICRC after it.
 *
 * @param mbuf as for wire_begin()
 * @param ip_id value of the IPv4 identification field (covered by the ICRC)
 *
 * The UDP checksum is 0, DF is set, and the IPv4 header checksum is computed. Frames are not padded
 * to 60 bytes, because the port does that.
 */
void wire_build(struct rte_mbuf *mbuf, const struct wire_template *tmpl,
	const struct wire_headers *headers, uint16_t ip_id);

/**
 * Compute the UDP source port of a connection. The result is the same in both directions, and the
 * same as on Linux.
 *
 * @param flow_label 20 bits from the CM path; 0 if the port is derived from the two QPNs
 * @return WIRE_UDP_SRC_PORT_FIRST .. 0xFFFF
 */
uint16_t wire_udp_src_port(uint32_t flow_label, uint32_t local_qpn, uint32_t remote_qpn);

#endif
