/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include <criterion/criterion.h>

#include "attack_net.h"
#include "base/be.h"
#include "engine/engine.h"
#include "nd/connector.h"
#include "wire/cm_msg.h"

/*
 * Test datagrams that an adapter receives: which of them reach the connection manager (CM-014), and
 * which of their fields must be unpredictable.
 */

#define SECOND_NS UINT64_C(1000000000)

/* Offsets in IPv4 frames without a VLAN tag. */
#define IP_AT      14
#define BTH_AT     (IP_AT + 20 + 8)
#define DETH_AT    (BTH_AT + 12)
#define MAD_AT     (DETH_AT + 8)
#define MESSAGE_AT (MAD_AT + 24)

static struct net *net;
static struct net_frame request;  /* last REQ of the attacker */
static struct net_frame response; /* last REP of the victim */

static bool
is_cm(const struct net_frame *frame, enum wire_cm_attribute attribute)
{
	return frame->bytes == MAD_AT + 256 + 4 &&
		be_load16(frame->data + MAD_AT + 16) == attribute;
}

static bool
request_keep(struct net_frame *frame)
{
	if (is_cm(frame, WIRE_CM_REQ))
		request = *frame;
	return false;
}

static bool
response_keep(struct net_frame *frame)
{
	if (is_cm(frame, WIRE_CM_REP))
		response = *frame;
	return false;
}

static void
setup(void)
{
	net = net_open(&(struct net_limits){0});
	net->nodes[ATTACKER].meddle = request_keep;
	net->nodes[VICTIM].meddle = response_keep;
}

static void
teardown(void)
{
	net_close(net);
}

TestSuite(datagram, .init = setup, .fini = teardown);

static void
ip_checksum(uint8_t *ip)
{
	uint32_t sum = 0;

	be_store16(ip + 10, 0);
	for (unsigned int i = 0; i < 20; i += 2)
		sum += be_load16(ip + i);
	sum = (sum & 0xFFFF) + (sum >> 16);
	be_store16(ip + 10, (uint16_t) ~(sum + (sum >> 16)));
}

/*
 * @return a REQ for a service without a listener. If the victim's checks accept the REQ, the victim
 * sends a REJ.
 */
static struct net_frame
provocation(void)
{
	struct net_link link = net_connect(net, ATTACKER);
	struct net_frame frame = request;

	net_disconnect(net, &link);
	net_run(net, 3 * SECOND_NS);
	frame.data[MESSAGE_AT + 14] ^= 0x55; /* change the port in the service ID */
	frame.data[MESSAGE_AT] ^= 0x55;      /* use another communication ID */
	return frame;
}

/* Inject a frame. @return number of frames that the victim sends in response */
static uint32_t
answers(struct net_frame *frame)
{
	uint32_t before = net->log_count;

	net_seal(frame);
	net_replay(net, frame);
	net_run(net, SECOND_NS / 1000);
	return net->log_count - before;
}

Test(datagram, only_those_of_queue_pair_1_for_us_reach_the_connection_manager)
{
	struct net_frame good = provocation(), bad;
	uint64_t dropped = net_counter(net, "drop_datagram");
	uint64_t requests = net_counter(net, "cm_rx_req");

	bad = good;
	be_store32(bad.data + DETH_AT, 0x80010001); /* wrong Q_Key */
	cr_assert_eq(answers(&bad), 0, "wrong Q_Key");
	be_store32(bad.data + DETH_AT, 0x01234567); /* Q_Key of unprivileged queue pairs */
	cr_assert_eq(answers(&bad), 0, "wrong Q_Key");
	bad = good;
	bad.data[DETH_AT + 7] = 2; /* wrong source queue pair */
	cr_assert_eq(answers(&bad), 0, "from another queue pair");
	bad = good;
	bad.data[BTH_AT + 7] = 0; /* wrong destination queue pair */
	cr_assert_eq(answers(&bad), 0, "to another queue pair");
	bad = good;
	/* another destination IP address, but the victim's MAC address */
	bad.data[IP_AT + 19] ^= 0x40;
	ip_checksum(bad.data + IP_AT);
	cr_assert_eq(answers(&bad), 0, "to another address");
	cr_assert_eq(net_counter(net, "drop_datagram") - dropped, 5);
	cr_assert_eq(net_counter(net, "cm_rx_req"), requests);
	cr_assert_eq(answers(&good), 1);
	cr_assert_eq(net_counter(net, "cm_tx_rej"), 1);
}

/* ---- unpredictable values ---- */

#define CONNECTIONS 16

/*
 * Fail unless all values differ. The differences between consecutive values must also differ, with
 * at most one exception.
 */
static void
check_unforeseeable(const char *what, const uint64_t values[CONNECTIONS])
{
	unsigned int steps = 0;

	for (unsigned int i = 1; i < CONNECTIONS; i++)
		for (unsigned int k = 0; k < i; k++)
			cr_assert_neq(values[i], values[k], "%s %#lx comes twice", what, values[i]);
	for (unsigned int i = 2; i < CONNECTIONS; i++)
		steps += values[i] - values[i - 1] == values[i - 1] - values[i - 2];
	cr_assert_leq(steps, 1, "%s: %u steps like the last one", what, steps);
}

static uint64_t
load24(const struct net_frame *frame, unsigned int at)
{
	return be_load32(frame->data + MESSAGE_AT + at) >> 8;
}

/*
 * SEC-004, SEC-005, SEC-006: on both sides, the numbers of each connection are random and
 * independent.
 */
Test(datagram, numbers_of_a_connection_do_not_follow_from_the_last_sec005)
{
	uint64_t qpn[2][CONNECTIONS], psn[2][CONNECTIONS], id[2][CONNECTIONS], tid[CONNECTIONS];

	for (unsigned int i = 0; i < CONNECTIONS; i++) {
		struct net_link link = net_connect(net, ATTACKER);

		qpn[0][i] = load24(&request, 32);
		qpn[1][i] = load24(&response, 12);
		psn[0][i] = load24(&request, 44);
		psn[1][i] = load24(&response, 20);
		id[0][i] = be_load32(request.data + MESSAGE_AT);
		id[1][i] = be_load32(response.data + MESSAGE_AT);
		tid[i] = be_load64(request.data + MAD_AT + 8);
		cr_assert_neq(psn[0][i], psn[1][i], "both directions begin alike");
		net_disconnect(net, &link);
		net_run(net, 3 * SECOND_NS);
	}
	for (unsigned int side = 0; side < 2; side++) {
		check_unforeseeable("QPN", qpn[side]);
		check_unforeseeable("PSN", psn[side]);
		check_unforeseeable("communication ID", id[side]);
	}
	check_unforeseeable("transaction ID", tid);
}

/*
 * RC-165: the queue pair number of a connection that has just ended is not used again, because
 * packets to this number may still be in flight.
 */
Test(datagram, queue_pair_number_in_timewait_is_not_used_again)
{
	struct net_link link = net_connect(net, ATTACKER), next = {.from = ATTACKER};
	struct engine *engine = net->nodes[VICTIM].adapter->engine;
	uint32_t old, found = 0;

	/*
	 * Use a table whose queue pair numbers have only four random bits, so that the same number
	 * is drawn again soon.
	 */
	net_disconnect(net, &link);
	qp_table_fini(&engine->qps);
	cr_assert_eq(qp_table_init(&engine->qps, LIMIT_QP_SLOTS, 0, 0, SOCKET_ID_ANY), RC_OK);
	link = net_connect(net, ATTACKER);
	old = link.endpoints[1]->slot.qp->qpn;
	net_disconnect(net, &link);
	engine->qps.free_slots[0] = old % LIMIT_QP_SLOTS;
	engine->qps.free_count = 1;
	net_connector_make(net, &next, 1);
	for (unsigned int i = 0; i < 400; i++) {
		net_endpoint_make(&next, 1);
		if (next.endpoints[1]->slot.qp->qpn == old)
			found++;
		cr_assert_eq(nd_endpoint_release(next.endpoints[1]), ND_SUCCESS);
		if (i == 199) {
			cr_assert(cm_qpn_resting(engine->cm, old));
			cr_assert_eq(found, 0, "%#x was used again", old);
			net_run(net, 3 * SECOND_NS);
		}
	}
	cr_assert_gt(found, 0, "no number comes twice: nothing was tested");
}
