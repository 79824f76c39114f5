/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_TRACE_PACKET_H
#define NDPDK_UNIT_TRACE_PACKET_H

#include <string.h>

#include <criterion/criterion.h>

#include <rte_ip.h>

#include <ndpdk/nd_model.h>
#include <ndpdk/nd_trace.h>

#include "base/be.h"
#include "base/limits.h"
#include "wire/header.h"
#include "wire/icrc.h"
#include "wire/opcode.h"

/*
 * A scene has two hosts, A and B. Each packet is passed directly to a trace, or to a model if the
 * scene has one. Struct packet describes a packet. If a member is 0, the packet gets the value that
 * a correct sender would use. Each packet is sent one microsecond after the previous packet.
 */

#define SCENE_MTU   1024u
#define SCENE_QPN_A 0x11u
#define SCENE_QPN_B 0x22u
/* PSNs of the first request from A and of the first request from B. */
#define SCENE_PSN_A 1000u
#define SCENE_PSN_B 5000u
#define SCENE_PORT  0xC123u
#define SCENE_ID_A  0xAAAA0001u
#define SCENE_ID_B  0xBBBB0001u
#define SCENE_TID   0x0000000200000077u

enum scene_host { A = 0, B = 1 };

struct scene {
	struct nd_trace *trace;
	/* Model that gets the packets instead of the trace; NULL: none. */
	struct nd_model *model;
	uint64_t now_ns;
	uint64_t frames;
	uint8_t bytes[8192]; /* the newest frame */
	size_t count;
};

struct packet {
	enum scene_host from;
	uint8_t opcode;
	uint32_t psn;
	uint32_t qpn; /* destination QPN; 0: the queue pair of the other host */
	bool solicited;
	bool ack_request;
	uint64_t address;
	uint32_t rkey;
	uint32_t length; /* DMA length in the RETH, in bytes */
	uint8_t syndrome;
	uint32_t msn;
	uint64_t value; /* operand of an atomic, or original value in an atomic response */
	uint32_t immediate;
	uint32_t qkey;   /* Q_Key; 0: well-known Q_Key of CM messages */
	uint32_t src_qp; /* source QPN; 0: QPN that sends CM messages */
	const uint8_t *data;
	uint32_t bytes;
	uint8_t fill;    /* value of each payload byte if data is NULL */
	uint16_t port;   /* 0 = SCENE_PORT */
	uint16_t pkey;   /* 0: the default P_Key */
	uint8_t version; /* TVer */
	uint8_t tos;
	uint16_t ip_id;
	int8_t pad_wrong; /* difference from the correct pad count */
};

static inline void
scene_open(struct scene *scene)
{
	memset(scene, 0, sizeof(*scene));
	scene->trace = nd_trace_open(&(struct nd_trace_config){.complete = true});
	cr_assert_not_null(scene->trace);
	scene->now_ns = 1000000000;
}

static inline void
scene_close(struct scene *scene)
{
	nd_trace_close(scene->trace);
}

static inline size_t
scene_extensions(const struct packet *packet, uint8_t *at)
{
	const struct wire_opcode_traits *traits = wire_opcode_traits(packet->opcode);
	const uint8_t *start = at;

	if (traits->has_deth) {
		be_store32(at, packet->qkey != 0 ? packet->qkey : WIRE_QKEY_CM);
		be_store32(at + 4, packet->src_qp != 0 ? packet->src_qp : WIRE_QPN_CM);
		at += 8;
	}
	if (traits->has_reth || traits->has_atomic_eth) {
		be_store64(at, packet->address);
		be_store32(at + 8, packet->rkey);
		at += 12;
	}
	if (traits->has_reth) {
		be_store32(at, packet->length);
		at += 4;
	}
	if (traits->has_atomic_eth) {
		be_store64(at, packet->value);
		be_store64(at + 8, 0);
		at += 16;
	}
	if (traits->has_aeth) {
		be_store32(at, (uint32_t)packet->syndrome << 24 | packet->msn);
		at += 4;
	}
	if (traits->has_atomic_ack_eth) {
		be_store64(at, packet->value);
		at += 8;
	}
	if (traits->has_imm || traits->has_ieth) {
		be_store32(at, packet->immediate);
		at += 4;
	}
	if (traits->has_cnp_reserved) {
		memset(at, 0, 16);
		at += 16;
	}
	return (size_t)(at - start);
}

static inline void
scene_seal(struct scene *scene)
{
	uint8_t *ip = scene->bytes + 14;
	struct wire_icrc icrc;
	rte_le32_t value;
	uint16_t sum;

	memset(ip + 10, 0, 2);
	sum = (uint16_t)~rte_raw_cksum(ip, 20);
	memcpy(ip + 10, &sum, sizeof(sum));
	wire_icrc_start(&icrc, ip, false);
	wire_icrc_add(&icrc, ip + 40, scene->count - 14 - 40 - 4);
	value = rte_cpu_to_le_32(wire_icrc_value(&icrc));
	memcpy(scene->bytes + scene->count - 4, &value, sizeof(value));
}

static inline void
scene_build(struct scene *scene, const struct packet *packet)
{
	static const uint8_t macs[2][6] = {{2, 0, 0, 0, 0, 1}, {2, 0, 0, 0, 0, 2}};
	uint8_t *ip = scene->bytes + 14, *bth = ip + 28, *at = bth + 12;
	uint32_t pad = -packet->bytes & 3;
	uint32_t qpn = packet->from == A ? SCENE_QPN_B : SCENE_QPN_A;

	memset(scene->bytes, 0, sizeof(scene->bytes));
	memcpy(scene->bytes, macs[!packet->from], 6);
	memcpy(scene->bytes + 6, macs[packet->from], 6);
	be_store16(scene->bytes + 12, 0x0800);
	at += scene_extensions(packet, at);
	if (packet->data != NULL)
		memcpy(at, packet->data, packet->bytes);
	else
		memset(at, packet->fill, packet->bytes);
	at += packet->bytes + pad + 4;
	ip[0] = 0x45;
	ip[1] = packet->tos;
	be_store16(ip + 2, (uint16_t)(at - ip));
	be_store16(ip + 4, packet->ip_id);
	ip[6] = 0x40;
	ip[8] = 64;
	ip[9] = 17;
	be_store32(ip + 12, 0xC0000201u + (packet->from == B));
	be_store32(ip + 16, 0xC0000201u + (packet->from == A));
	be_store16(ip + 20, packet->port != 0 ? packet->port : SCENE_PORT);
	be_store16(ip + 22, WIRE_UDP_PORT);
	be_store16(ip + 24, (uint16_t)(at - ip - 20));
	bth[0] = packet->opcode;
	bth[1] = (uint8_t)(packet->solicited << 7 | (pad + (uint32_t)packet->pad_wrong) << 4 |
		packet->version);
	be_store16(bth + 2, packet->pkey != 0 ? packet->pkey : WIRE_PKEY_DEFAULT);
	be_store32(bth + 4, packet->qpn != 0 ? packet->qpn : qpn);
	be_store32(bth + 8, (packet->psn & 0xFFFFFF) | (uint32_t)packet->ack_request << 31);
	scene->count = (size_t)(at - scene->bytes);
	scene_seal(scene);
}

/* Pass the newest frame to the trace or model. @return number of the frame */
static inline uint64_t
scene_feed(struct scene *scene)
{
	scene->now_ns += 1000;
	if (scene->model != NULL)
		nd_model_frame(
			scene->model, scene->now_ns, scene->bytes, scene->count, scene->count);
	else
		nd_trace_frame(
			scene->trace, scene->now_ns, scene->bytes, scene->count, scene->count);
	return ++scene->frames;
}

static inline uint64_t
scene_send(struct scene *scene, struct packet packet)
{
	scene_build(scene, &packet);
	return scene_feed(scene);
}

#define SEND(scene, ...) scene_send(scene, (struct packet){__VA_ARGS__})

#endif
