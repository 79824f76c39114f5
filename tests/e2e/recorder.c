/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "recorder.h"

#include <sys/time.h>

#include <pcap/pcap.h>

#include <rte_ethdev.h>
#include <rte_ether.h>
#include <rte_mbuf.h>

#define PORTS           2
#define FRAME_BYTES_MAX 9216
#define BTH_OPCODE_V4   (20 + 8)
#define BTH_OPCODE_V6   (40 + 8)

/* Frames with one opcode to drop: `skip` frames pass first, then `count` frames are dropped. */
struct loss {
	uint8_t opcode;
	unsigned int skip;
	unsigned int count;
};

static pcap_t *format;
static pcap_dumper_t *file;
static const struct rte_eth_rxtx_callback *taps[PORTS];
static struct loss losses[PORTS];
static unsigned int recorded;

/* @return offset of the BTH opcode in a RoCE frame of these tests, or 0 for other frames */
static uint32_t
opcode_offset(const uint8_t *frame, uint32_t bytes)
{
	uint32_t offset = 2 * RTE_ETHER_ADDR_LEN;
	bool v4, v6;

	if (frame[offset] == 0x81 && frame[offset + 1] == 0)
		offset += RTE_VLAN_HLEN;
	v4 = frame[offset] == 0x08 && frame[offset + 1] == 0x00;
	v6 = frame[offset] == 0x86 && frame[offset + 1] == 0xDD;
	offset += 2;
	if (v4 && frame[offset + 9] == IPPROTO_UDP)
		offset += BTH_OPCODE_V4;
	else if (v6 && frame[offset + 6] == IPPROTO_UDP)
		offset += BTH_OPCODE_V6;
	else
		return 0;
	return offset < bytes ? offset : 0;
}

static bool
is_lost(struct loss *loss, const uint8_t *frame, uint32_t bytes)
{
	uint32_t offset = opcode_offset(frame, bytes);

	if (loss->count == 0 || offset == 0 || frame[offset] != loss->opcode)
		return false;
	if (loss->skip > 0) {
		loss->skip--;
		return false;
	}
	loss->count--;
	return true;
}

static void
record(const uint8_t *frame, uint32_t bytes)
{
	struct pcap_pkthdr header = {.caplen = bytes, .len = bytes};

	gettimeofday(&header.ts, NULL);
	pcap_dump((u_char *)file, &header, frame);
	recorded++;
}

static uint16_t
on_receive(uint16_t port, uint16_t queue, struct rte_mbuf *mbufs[], uint16_t count, uint16_t max,
	void *arg)
{
	uint16_t kept = 0;

	(void)queue;
	(void)max;
	(void)arg;
	for (uint16_t i = 0; i < count; i++) {
		uint8_t bytes[FRAME_BYTES_MAX];
		uint32_t length = rte_pktmbuf_pkt_len(mbufs[i]);
		const uint8_t *frame = rte_pktmbuf_read(mbufs[i], 0, length, bytes);

		if (is_lost(&losses[port], frame, length)) {
			rte_pktmbuf_free(mbufs[i]);
			continue;
		}
		record(frame, length);
		mbufs[kept++] = mbufs[i];
	}
	return kept;
}

bool
recorder_start(const char *path)
{
	format = pcap_open_dead(DLT_EN10MB, FRAME_BYTES_MAX);
	file = format != NULL ? pcap_dump_open(format, path) : NULL;
	if (file == NULL)
		return false;
	for (uint16_t port = 0; port < PORTS; port++) {
		taps[port] = rte_eth_add_rx_callback(port, 0, on_receive, NULL);
		if (taps[port] == NULL)
			return false;
	}
	return true;
}

void
recorder_lose(uint16_t port, uint8_t opcode, unsigned int skip, unsigned int count)
{
	losses[port] = (struct loss){opcode, skip, count};
}

unsigned int
recorder_stop(void)
{
	/* The records of the removed callbacks are not freed, because the process ends soon. */
	for (uint16_t port = 0; port < PORTS; port++)
		rte_eth_remove_rx_callback(port, 0, taps[port]);
	pcap_dump_close(file);
	pcap_close(format);
	return recorded;
}
