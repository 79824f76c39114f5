/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
/*
 * Writes a long capture (pcap) to standard output, to measure programs that read captures. The
 * connections have no CM messages. They take turns to WRITE 64 bytes, and each WRITE is
 * acknowledged.
 *
 * usage: capture_make FRAMES CONNECTIONS
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#define ETHERNET_BYTES  14u
#define IP_BYTES        20u
#define UDP_BYTES       8u
#define BTH_BYTES       12u
#define RETH_BYTES      16u
#define PAYLOAD_BYTES   64u
#define ICRC_BYTES      4u
#define FRAME_BYTES_MAX 256u
#define CONNECTIONS_MAX 65536u

#define UDP_PORT    4791
#define WRITE_ONLY  0x0A
#define ACKNOWLEDGE 0x11
#define ACK_REQUEST 0x80
#define QPN_FIRST   0x100u
#define TURN_NS     1000u

static void
store16(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

static void
store24(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)(value >> 16);
	store16(at + 1, value);
}

static void
store32(uint8_t *at, uint32_t value)
{
	store16(at, value >> 16);
	store16(at + 2, value);
}

/*
 * The CRC covers 8 bytes of ones first. Fields that routers change count as ones (RoCEv2, annex
 * A17).
 */
static uint32_t
icrc(const uint8_t *ip, size_t bytes)
{
	static const uint8_t ones[8] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
	static const uint8_t masked[] = {1, 8, 10, 11, 26, 27, 32};
	uint8_t head[IP_BYTES + UDP_BYTES + BTH_BYTES];
	unsigned long crc = crc32(0, ones, sizeof(ones));

	memcpy(head, ip, sizeof(head));
	for (size_t i = 0; i < sizeof(masked); i++)
		head[masked[i]] = 0xFF;
	crc = crc32(crc, head, sizeof(head));
	return (uint32_t)crc32(crc, ip + sizeof(head), (unsigned int)(bytes - sizeof(head)));
}

static void
ip_put(uint8_t *ip, uint32_t bytes, bool back)
{
	uint32_t sum = 0;

	memset(ip, 0, IP_BYTES);
	ip[0] = 0x45;
	store16(ip + 2, bytes);
	ip[6] = 0x40;
	ip[8] = 64;
	ip[9] = 17;
	store32(ip + 12, 0xC6336401u + back); /* 198.51.100.1 and .2 */
	store32(ip + 16, 0xC6336401u + !back);
	for (unsigned int i = 0; i < IP_BYTES; i += 2)
		sum += (uint32_t)ip[i] << 8 | ip[i + 1];
	sum = (sum & 0xFFFF) + (sum >> 16);
	store16(ip + 10, ~((sum & 0xFFFF) + (sum >> 16)));
}

/* Write a frame: a WRITE, or the ACK of this WRITE if `back` is set. @return length of the frame */
static uint32_t
frame_put(uint8_t *frame, uint32_t connection, uint32_t psn, bool back)
{
	const uint32_t behind = back ? 4 : RETH_BYTES + PAYLOAD_BYTES;
	const uint32_t bytes = IP_BYTES + UDP_BYTES + BTH_BYTES + behind + ICRC_BYTES;
	uint8_t *ip = frame + ETHERNET_BYTES, *udp = ip + IP_BYTES, *bth = udp + UDP_BYTES;
	uint8_t *rest = bth + BTH_BYTES;
	uint32_t crc;

	memset(frame, 0, FRAME_BYTES_MAX);
	frame[0] = frame[6] = 0x02;
	frame[5] = back ? 1 : 2;
	frame[11] = back ? 2 : 1;
	frame[12] = 0x08;
	ip_put(ip, bytes, back);
	store16(udp, 0xC000 + connection % 0x4000);
	store16(udp + 2, UDP_PORT);
	store16(udp + 4, bytes - IP_BYTES);
	bth[0] = back ? ACKNOWLEDGE : WRITE_ONLY;
	store16(bth + 2, 0xFFFF);
	store24(bth + 5, (back ? 2 * CONNECTIONS_MAX : 0) + QPN_FIRST + connection);
	bth[8] = back ? 0 : ACK_REQUEST;
	store24(bth + 9, psn);
	if (back) {
		rest[0] = 0x1F;
		store24(rest + 1, psn + 1);
	} else {
		store32(rest + 4, 0x10000000u + psn % 1024 * PAYLOAD_BYTES);
		store32(rest + 8, 0x1000u + connection);
		store32(rest + 12, PAYLOAD_BYTES);
		store32(rest + RETH_BYTES, psn);
	}
	crc = icrc(ip, bytes - ICRC_BYTES);
	for (unsigned int i = 0; i < ICRC_BYTES; i++)
		rest[behind + i] = (uint8_t)(crc >> 8 * i);
	return ETHERNET_BYTES + bytes;
}

static void
record_put(uint64_t number, const uint8_t *frame, uint32_t bytes)
{
	const uint64_t time_ns = number * TURN_NS;
	const uint32_t head[4] = {
		(uint32_t)(time_ns / 1000000000), (uint32_t)(time_ns % 1000000000), bytes, bytes};

	fwrite(head, sizeof(head), 1, stdout);
	fwrite(frame, bytes, 1, stdout);
}

int
main(int count, char *arguments[])
{
	/* Version 2.4, nanoseconds, Ethernet. */
	static const uint32_t header[6] = {0xA1B23C4D, 2 | 4u << 16, 0, 0, 262144, 1};
	const uint64_t frames = count == 3 ? strtoull(arguments[1], NULL, 10) : 0;
	const uint64_t connections = count == 3 ? strtoull(arguments[2], NULL, 10) : 0;
	uint8_t frame[FRAME_BYTES_MAX];

	if (frames == 0 || connections == 0 || connections > CONNECTIONS_MAX) {
		fprintf(stderr, "usage: capture_make FRAMES CONNECTIONS (1 to %u)\n",
			CONNECTIONS_MAX);
		return 2;
	}
	fwrite(header, sizeof(header), 1, stdout);
	for (uint64_t i = 0; i < frames && ferror(stdout) == 0; i++) {
		const uint64_t turn = i / 2;

		record_put(i, frame,
			frame_put(frame, (uint32_t)(turn % connections),
				(uint32_t)(turn / connections & 0xFFFFFF), i % 2 == 1));
	}
	if (fflush(stdout) != 0 || ferror(stdout) != 0) {
		perror("capture_make: standard output");
		return 1;
	}
	return 0;
}
