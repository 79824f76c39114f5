/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Market data that was recorded: each UDP datagram over IPv4 of a capture becomes a tick. */

#include <pcap/pcap.h>

#include <rte_ip.h>
#include <rte_udp.h>

#include "ndtick.h"

/** @return its payload, bytes of it that were captured in *bytes; NULL: it is another frame */
static const uint8_t *
datagram(const struct pcap_pkthdr *header, const uint8_t *frame, uint16_t *port, uint32_t *bytes)
{
	const struct rte_ether_hdr *ether = (const struct rte_ether_hdr *)frame;
	const struct rte_ipv4_hdr *ip = (const struct rte_ipv4_hdr *)(ether + 1);
	const struct rte_udp_hdr *udp;
	uint32_t offset = sizeof(*ether) + sizeof(*ip);

	if (header->caplen < offset + sizeof(*udp) ||
		ether->ether_type != htons(RTE_ETHER_TYPE_IPV4) || ip->next_proto_id != IPPROTO_UDP)
		return NULL;
	offset = sizeof(*ether) + rte_ipv4_hdr_len(ip);
	if (header->caplen < offset + sizeof(*udp))
		return NULL;
	udp = (const struct rte_udp_hdr *)(frame + offset);
	offset += sizeof(*udp);
	*port = ntohs(udp->dst_port);
	*bytes = header->caplen - offset;
	return frame + offset;
}

bool
capture_read(const char *path, struct tick *ticks, size_t most, size_t *count)
{
	char error[PCAP_ERRBUF_SIZE];
	pcap_t *pcap =
		pcap_open_offline_with_tstamp_precision(path, PCAP_TSTAMP_PRECISION_NANO, error);
	struct pcap_pkthdr *header;
	const uint8_t *frame, *payload;
	uint64_t ns, last_ns = UINT64_MAX;
	uint32_t bytes;
	uint16_t port;

	if (pcap == NULL)
		return false;
	*count = 0;
	while (pcap_datalink(pcap) == DLT_EN10MB && *count < most &&
		pcap_next_ex(pcap, &header, &frame) == 1) {
		payload = datagram(header, frame, &port, &bytes);
		if (payload == NULL)
			continue;
		ns = (uint64_t)header->ts.tv_sec * 1000000000u + (uint64_t)header->ts.tv_usec;
		ticks[*count] = (struct tick){.kind = TICK_PRICE,
			.pause_ns = ns > last_ns ? ns - last_ns : 0,
			.instrument = port,
			.quantity = bytes};
		memcpy(ticks[*count].message, payload, RTE_MIN(bytes, sizeof(ticks->message)));
		last_ns = ns;
		(*count)++;
	}
	pcap_close(pcap);
	return true;
}
