/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Input of the venues: market data from a capture, lines of a text file, or generated prices. */

#include <pcap/pcap.h>

#include <rte_ip.h>
#include <rte_udp.h>

#include "ndtick.h"

#define INPUT_MAX 65536u

static struct tick input[INPUT_MAX];
static size_t input_count;

struct tick
input_at(uint64_t n)
{
	if (input_count != 0)
		return input[n % input_count];
	return (struct tick){.kind = TICK_PRICE,
		/* The price varies from tick to tick, but is the same in each run. */
		.price = 1000000 + n * n % 1009,
		.quantity = n % 1000 + 1,
		.instrument = n % 16};
}

static void
read_lines(const char *path)
{
	FILE *file = fopen(path, "r");
	struct tick tick = {.kind = TICK_PRICE};
	int read = EOF;

	if (file == NULL) {
		fprintf(stderr, "%s cannot be read\n", path);
		exit(2);
	}
	while (input_count < INPUT_MAX &&
		(read = fscanf(file, "%" SCNu32 " %" SCNu64 " %" SCNu32, &tick.instrument,
			 &tick.price, &tick.quantity)) == 3)
		input[input_count++] = tick;
	fclose(file);
	if (input_count != 0 && (read == 3 || read == EOF))
		return;
	fprintf(stderr, "%s: expected INSTRUMENT PRICE QUANTITY in line %zu\n", path,
		input_count + 1);
	exit(2);
}

/*
 * Read ticks from a capture, one per UDP datagram. The instrument is the destination port, and the
 * quantity is the number of bytes.
 */
static void
read_capture(pcap_t *pcap)
{
	struct pcap_pkthdr *header;
	const uint8_t *frame;
	uint64_t last_ns = UINT64_MAX;

	while (input_count < INPUT_MAX && pcap_next_ex(pcap, &header, &frame) == 1) {
		/*
		 * The filter "ip and udp" has read this byte, so the captured part of the frame
		 * contains it.
		 */
		const struct rte_ipv4_hdr *ip = (const void *)&frame[RTE_ETHER_HDR_LEN];
		const uint32_t udp_at = RTE_ETHER_HDR_LEN + rte_ipv4_hdr_len(ip);
		const struct rte_udp_hdr *udp = (const void *)&frame[udp_at];
		const uint32_t begin = udp_at + sizeof(*udp);
		const uint64_t ns = (uint64_t)header->ts.tv_sec * UINT64_C(1000000000) +
			(uint64_t)header->ts.tv_usec;
		struct tick *tick = &input[input_count];

		if (header->caplen < begin)
			continue;
		*tick = (struct tick){.kind = TICK_PRICE,
			.pause_ns = ns > last_ns ? ns - last_ns : 0,
			.instrument = ntohs(udp->dst_port),
			.quantity = header->caplen - begin};
		memcpy(tick->message, udp + 1, RTE_MIN(tick->quantity, sizeof(tick->message)));
		last_ns = ns;
		input_count++;
	}
}

bool
input_open(const char *path)
{
	char error[PCAP_ERRBUF_SIZE];
	struct bpf_program filter = {0};
	pcap_t *pcap;

	input_count = 0;
	pcap = pcap_open_offline_with_tstamp_precision(path, PCAP_TSTAMP_PRECISION_NANO, error);
	if (pcap == NULL) {
		read_lines(path);
		return false;
	}
	if (pcap_datalink(pcap) == DLT_EN10MB &&
		pcap_compile(pcap, &filter, "ip and udp", 1, PCAP_NETMASK_UNKNOWN) == 0 &&
		pcap_setfilter(pcap, &filter) == 0)
		read_capture(pcap);
	pcap_freecode(&filter);
	pcap_close(pcap);
	if (input_count != 0)
		return true;
	fprintf(stderr, "%s: the capture has no UDP over IPv4 and Ethernet\n", path);
	exit(2);
}
