/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include <criterion/criterion.h>

#include <rte_ip.h>

#include "attack_net.h"
#include "base/be.h"
#include "wire/cm_msg.h"

/* SEC-050: each dropped frame is counted once, under the reason for the drop. */

#define MS           UINT64_C(1000000)
#define COUNTERS_MAX 256

/* Offsets in IPv4 frames without a VLAN tag. */
#define TYPE_AT   12
#define IP_AT     14
#define UDP_AT    (IP_AT + 20)
#define BTH_AT    (UDP_AT + 8)
#define DETH_AT   (BTH_AT + 12)
#define MAD_AT    (DETH_AT + 8)
#define LAST_BYTE UINT16_MAX

enum frame_kind {
	/* READ request of a live connection, with 16 bytes of RETH and without payload. */
	READ,
	DATAGRAM, /* REQ of the connection manager */
};

/*
 * A defect changes one byte of a valid frame. IP checksum and ICRC are then corrected, unless the
 * changed byte is part of them.
 */
static const struct defect {
	const char *counter; /* the only counter that increases */
	enum frame_kind kind;
	uint16_t at;
	uint8_t xor ;
} defects[] = {
	{"drop_foreign", READ, TYPE_AT, 0x10},
	{"drop_truncated", READ, IP_AT + 3, 0x80},
	{"drop_ip_header", READ, IP_AT, 0x20},
	{"drop_ip_header", READ, IP_AT + 11, 0x01},
	{"drop_fragment", READ, IP_AT + 6, 0x20},
	{"drop_length", READ, UDP_AT + 5, 0x04},
	{"drop_udp_checksum", READ, UDP_AT + 7, 0x01},
	{"drop_version", READ, BTH_AT + 1, 0x01},
	{"drop_opcode", READ, BTH_AT, 0x20},
	{"drop_header_length", READ, BTH_AT + 1, 0x10},
	{"drop_payload", READ, BTH_AT, WIRE_RC_READ_REQUEST ^ WIRE_RC_ACKNOWLEDGE},
	{"drop_pkey", READ, BTH_AT + 3, 0x01},
	{"drop_ip_address", READ, IP_AT + 12, 0xC0 ^ 0xE0},
	{"drop_icrc", READ, LAST_BYTE, 0x01},
	{"drop_unknown_qp", READ, BTH_AT + 5, 0x01},
	{"drop_datagram", DATAGRAM, DETH_AT + 3, 0x01},
	{"drop_mad_length", DATAGRAM, BTH_AT + 1, 0x10},
	{"drop_mad_version", DATAGRAM, MAD_AT, 0x02},
	{"drop_mad_class", DATAGRAM, MAD_AT + 1, 0x01},
	{"drop_mad_attribute", DATAGRAM, MAD_AT + 16, 0x40},
};

static struct net *net;
static struct net_frame datagram; /* last REQ of the attacker */
static unsigned int victim_frames;

static bool
victim_count(struct net_frame *frame)
{
	(void)frame;
	victim_frames++;
	return false;
}

static bool
datagram_keep(struct net_frame *frame)
{
	if (net_view(frame).traits->kind == WIRE_KIND_DATAGRAM &&
		be_load16(frame->data + MAD_AT + 16) == WIRE_CM_REQ)
		datagram = *frame;
	return false;
}

static void
setup(void)
{
	net = net_open(&(struct net_limits){0});
	net->nodes[ATTACKER].meddle = datagram_keep;
	net->nodes[VICTIM].meddle = victim_count;
}

static void
teardown(void)
{
	net_close(net);
}

TestSuite(counters, .init = setup, .fini = teardown);

static void
ip_seal(struct net_frame *frame)
{
	uint8_t *ip = frame->data + IP_AT;
	rte_be16_t checksum;

	be_store16(ip + 10, 0);
	checksum = (rte_be16_t)~rte_raw_cksum(ip, 20);
	memcpy(ip + 10, &checksum, sizeof(checksum));
}

static struct net_frame
defective(const struct net_frame *good, const struct defect *defect)
{
	uint16_t at = defect->at == LAST_BYTE ? good->bytes - 1 : defect->at;
	struct net_frame frame = *good;

	frame.data[at] ^= defect->xor ;
	if (at != IP_AT + 11)
		ip_seal(&frame);
	if (defect->at != LAST_BYTE)
		net_seal(&frame);
	return frame;
}

static bool
is_drop(const struct nd_counter *counter)
{
	return strncmp(counter->name, "drop_", 5) == 0 || strstr(counter->name, "_drop_") != NULL;
}

Test(counters, each_reason_of_a_drop_has_its_counter_sec050)
{
	struct nd_counter before[COUNTERS_MAX], after[COUNTERS_MAX];
	struct nd_adapter *victim = net->nodes[VICTIM].adapter;
	struct net_link link = net_connect(net, ATTACKER);
	struct nd_mw_descriptor window;
	struct nd_sge sge = {net->nodes[ATTACKER].memory, 64, net->nodes[ATTACKER].mr};
	struct nd_result read;
	size_t count;

	net_bind(net, &link, 0, 4096, ND_OP_FLAG_ALLOW_READ, &window);
	cr_assert_eq(
		nd_endpoint_read(link.endpoints[0], &read, &sge, 1, &window, 0, 0), ND_SUCCESS);
	cr_assert_eq(net_result(net, link.outbound[0], &read), ND_SUCCESS);
	cr_assert_eq(net_view(&net->request).bth.opcode, WIRE_RC_READ_REQUEST);
	cr_assert_gt(victim_frames, 0, "its answers are not counted");
	for (size_t i = 0; i < RTE_DIM(defects); i++) {
		const struct defect *defect = &defects[i];
		struct net_frame frame =
			defective(defect->kind == READ ? &net->request : &datagram, defect);

		count = nd_adapter_counters(victim, before, COUNTERS_MAX);
		victim_frames = 0;
		net_inject(net, frame.data, frame.bytes);
		net_run(net, MS);
		cr_assert_eq(nd_adapter_counters(victim, after, COUNTERS_MAX), count);
		for (size_t j = 0; j < count; j++)
			cr_assert(!is_drop(&after[j]) ||
					after[j].value - before[j].value ==
						(strcmp(after[j].name, defect->counter) == 0),
				"byte %u ^ 0x%02x: %s counts it %llu times", defect->at,
				defect->xor, after[j].name,
				(unsigned long long)(after[j].value - before[j].value));
		/*
		 * SEC-027: the victim sends no answer, so the sender cannot find out the reason for
		 * the drop.
		 */
		cr_assert_eq(
			victim_frames, 0, "byte %u ^ 0x%02x: answered", defect->at, defect->xor);
	}
	net_disconnect(net, &link);
}
