/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "neigh/parts.h"

#include <string.h>

#include <netinet/in.h>

#include <rte_ip.h>

#include "base/be.h"
#include "base/encoded_time.h"

/*
 * Multicast listener reports (RFC 3810, RFC 2710) for the solicited-node group of the adapter's
 * address. The adapter is in no other group except all-nodes, which is never reported. A switch
 * with MLD snooping forwards neighbour solicitations only to ports that have reported the group. So
 * without reports, peers cannot find the adapter over IPv6.
 *
 * Two reports are sent at the start, and one for each query that concerns the group. The report for
 * a query is sent after a fraction of the time that the query allows. The fraction depends on the
 * MAC address, so that the adapters of a network report at different times. A query of version 1 is
 * answered in version 1. A report is sent even if another host has reported the group (RFC 3810 has
 * no suppression). No leave message is sent, because the membership ends with the link.
 *
 * The source address of reports is the adapter's address if it is link-local, otherwise "::" (RFC
 * 3590). Switches accept these reports, and routers need no listener of a solicited-node group.
 */

#define IPV6_BYTES   ((uint32_t)sizeof(struct rte_ipv6_hdr))
/* length of the hop-by-hop header with router alert, which all messages have */
#define OPTION_BYTES 8u
#define HOP_LIMIT    1

#define TYPE_QUERY     130
#define TYPE_REPORT_V1 131
#define TYPE_REPORT_V2 143

#define QUERY_BYTES_V1   24u
#define QUERY_BYTES_V2   28u /* without source addresses */
#define RECORD_IS        2   /* record type MODE_IS_EXCLUDE: reply to a query */
#define RECORD_CHANGE    4   /* CHANGE_TO_EXCLUDE_MODE: a new group */
#define REPEAT_NS        NEIGH_SECOND_NS
#define DELAY_FLOAT_FROM 0x8000u
#define NS_PER_MS        UINT64_C(1000000)

static const uint8_t router_alert[OPTION_BYTES] = {IPPROTO_ICMPV6, 0, 5, 2, 0, 0, 1, 0};
static const struct wire_gid all_routers_v2 = {{0xFF, 0x02, [15] = 0x16}};

struct __rte_packed report_v1 {
	uint8_t type;
	uint8_t code;
	rte_be16_t checksum;
	rte_be32_t reserved;
	uint8_t group[16];
};
static_assert(sizeof(struct report_v1) == 24, "MLDv1 messages have 24 bytes");

/** A version 2 report with one record, which excludes no source. */
struct __rte_packed report_v2 {
	uint8_t type;
	uint8_t code;
	rte_be16_t checksum;
	rte_be16_t reserved;
	rte_be16_t record_count;
	uint8_t record_type;
	uint8_t auxiliary_units;
	rte_be16_t source_count;
	uint8_t group[16];
};
static_assert(sizeof(struct report_v2) == 28, "header of 8 bytes and a record of 20");

/**
 * Send a message after IPv6 and hop-by-hop header. @param bytes length of the message, which must
 * fit
 */
static void
message_send(struct neigh *neigh, const struct wire_gid *dst, const void *message, uint16_t bytes)
{
	struct rte_ether_addr mac = neigh_multicast_mac(dst);
	uint8_t *body = neigh_icmp6_begin(neigh, &mac, dst, HOP_LIMIT);
	uint8_t *l3 = body - IPV6_BYTES;
	struct rte_ipv6_hdr *ip = (struct rte_ipv6_hdr *)l3;
	rte_be16_t checksum;

	if (!wire_gid_is_link_local(&neigh->config.address))
		memset(&ip->src_addr, 0, sizeof(ip->src_addr));
	memcpy(body + OPTION_BYTES, message, bytes);
	/* The hop-by-hop header is not part of the pseudo header (RFC 8200 8.1). */
	ip->payload_len = rte_cpu_to_be_16(bytes);
	checksum = (rte_be16_t)~neigh_icmp6_sum(ip, body + OPTION_BYTES, bytes);
	memcpy(body + OPTION_BYTES + offsetof(struct report_v1, checksum), &checksum,
		sizeof(checksum));
	ip->payload_len = rte_cpu_to_be_16((uint16_t)(OPTION_BYTES + bytes));
	ip->proto = IPPROTO_HOPOPTS;
	memcpy(body, router_alert, sizeof(router_alert));
	neigh->counters.tx_reports++;
	neigh_frame_send(neigh, IPV6_BYTES + OPTION_BYTES + bytes);
}

static void
report(struct neigh *neigh, uint8_t record_type)
{
	struct wire_gid group = neigh_solicited_group(&neigh->config.address);
	struct report_v1 v1 = {.type = TYPE_REPORT_V1};
	struct report_v2 v2 = {
		.type = TYPE_REPORT_V2,
		.record_count = RTE_BE16(1),
		.record_type = record_type,
	};

	memcpy(v1.group, group.raw, sizeof(v1.group));
	memcpy(v2.group, group.raw, sizeof(v2.group));
	if (neigh->mld.v1)
		message_send(neigh, &group, &v1, sizeof(v1));
	else
		message_send(neigh, &all_routers_v2, &v2, sizeof(v2));
}

void
neigh_mld_start(struct neigh *neigh, uint64_t now_ns)
{
	neigh->mld.due_ns = now_ns + REPEAT_NS;
	neigh->mld.record_type = RECORD_CHANGE;
	report(neigh, RECORD_CHANGE);
}

void
neigh_mld_tick(struct neigh *neigh, uint64_t now_ns)
{
	if (now_ns < neigh->mld.due_ns)
		return;
	neigh->mld.due_ns = BASE_TIME_NEVER;
	report(neigh, neigh->mld.record_type);
}

/** @return maximum delay of the reply to a query with this code (RFC 3810 5.1.3, RFC 2710 3.4) */
static uint64_t
delay_max_ns(uint16_t code, bool v1)
{
	uint64_t ms = code;

	if (!v1 && code >= DELAY_FLOAT_FROM)
		ms = (uint64_t)((code & 0x0FFF) | 0x1000) << (((code >> 12) & 7) + 3);
	return ms * NS_PER_MS;
}

static void
query_input(struct neigh *neigh, const uint8_t *query, uint32_t bytes, uint64_t now_ns)
{
	static const struct wire_gid all;
	struct wire_gid own = neigh_solicited_group(&neigh->config.address), group;
	bool v1 = bytes == QUERY_BYTES_V1;
	uint64_t due_ns;

	memcpy(group.raw, query + 8, sizeof(group.raw));
	neigh->counters.rx_queries++;
	if (!wire_gid_equal(&group, &all) && !wire_gid_equal(&group, &own))
		return;
	due_ns = now_ns +
		(delay_max_ns(be_load16(query + 4), v1) >> 8) * neigh->config.mac.addr_bytes[5];
	/* One report answers all pending queries. It is sent at their earliest deadline. */
	if (due_ns < neigh->mld.due_ns)
		neigh->mld.due_ns = due_ns;
	neigh->mld.record_type = RECORD_IS;
	neigh->mld.v1 = v1;
}

/** @return length of the query; 0 if the query violates RFC 3810 5.1.14 or 6.2 */
static uint32_t
query_bytes(const struct neigh_frame *frame)
{
	const uint8_t *l3 = frame->l3, *query = l3 + IPV6_BYTES + OPTION_BYTES;
	uint32_t bytes = be_load16(l3 + 4);
	struct rte_ipv6_hdr ip;
	struct wire_gid src;

	if (bytes > frame->l3_bytes - IPV6_BYTES || bytes < OPTION_BYTES + QUERY_BYTES_V1 ||
		l3[0] >> 4 != 6 || l3[7] != HOP_LIMIT)
		return 0;
	bytes -= OPTION_BYTES;
	memcpy(&ip, l3, sizeof(ip));
	memcpy(src.raw, &ip.src_addr, sizeof(src.raw));
	ip.proto = IPPROTO_ICMPV6;
	ip.payload_len = rte_cpu_to_be_16((uint16_t)bytes);
	if (!wire_gid_is_link_local(&src) || memcmp(l3 + IPV6_BYTES + 2, router_alert + 2, 4) != 0)
		return 0;
	if (bytes != QUERY_BYTES_V1 && bytes < QUERY_BYTES_V2)
		return 0;
	return neigh_icmp6_sum(&ip, query, bytes) == 0xFFFF ? bytes : 0;
}

bool
neigh_mld_input(struct neigh *neigh, const struct neigh_frame *frame, uint64_t now_ns)
{
	const uint8_t *options = frame->l3 + IPV6_BYTES;
	uint32_t bytes;

	/* The packet must have a hop-by-hop header of 8 bytes, followed by a query. */
	if (frame->l3_bytes <= IPV6_BYTES + OPTION_BYTES || frame->l3[6] != IPPROTO_HOPOPTS ||
		options[0] != IPPROTO_ICMPV6 || options[1] != 0 ||
		options[OPTION_BYTES] != TYPE_QUERY)
		return false;
	bytes = query_bytes(frame);
	if (bytes == 0)
		neigh->counters.drop_malformed++;
	else
		query_input(neigh, options + OPTION_BYTES, bytes, now_ns);
	return true;
}
