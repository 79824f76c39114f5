/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Establishing connections: statements ND I and J of docs/rules.md. See also test_ndk_connect.c. */

#include <arpa/inet.h>
#include <string.h>
#include <unistd.h>

#include <rte_dev.h>
#include <rte_ethdev.h>

#include "ndk_pair.h"

#define ACTIVE  (&pair.side[0])
#define PASSIVE (&pair.side[1])

TestSuite(ndk_establish, .init = pair_listening, .fini = pair_close);

static struct ndk_call connecting, accepting, completing, closing;

/** Read limits and private data that are passed to a connect or an accept. */
struct wish {
	ULONG inbound, outbound;
	const void *data;
	ULONG length;
};

static const struct wish usual = {4, 4, NULL, 0};

static NTSTATUS
connect_to(NDK_CONNECTOR *connector, const struct sockaddr_in *to, struct wish wish)
{
	connecting = (struct ndk_call){0};
	return connector->Dispatch->NdkConnect(connector, ACTIVE->qp, (PSOCKADDR)&pair.own[0],
		sizeof(pair.own[0]), (PSOCKADDR)(uintptr_t)to, sizeof(*to), wish.inbound,
		wish.outbound, (PVOID)(uintptr_t)wish.data, wish.length, call_over, &connecting);
}

static NTSTATUS
accept_with(struct wish wish)
{
	accepting = (struct ndk_call){0};
	return pair.asked->Dispatch->NdkAccept(pair.asked, PASSIVE->qp, wish.inbound, wish.outbound,
		(PVOID)(uintptr_t)wish.data, wish.length, NULL, NULL, call_over, &accepting);
}

static NTSTATUS
complete(NDK_CONNECTOR *connector)
{
	completing = (struct ndk_call){0};
	return connector->Dispatch->NdkCompleteConnect(
		connector, NULL, NULL, call_over, &completing);
}

/** Start a connect and wait until the passive side has the request. */
static NDK_CONNECTOR *
asking(struct wish wish)
{
	NDK_CONNECTOR *connector = side_connector(ACTIVE);
	unsigned int events = pair.events;

	ASSERT_NT(connect_to(connector, &pair.address, wish), STATUS_PENDING);
	POLL_UNTIL(pair.events != events);
	return connector;
}

/** Start a connect, accept it, and wait until the active side has the reply. */
static NDK_CONNECTOR *
answered(struct wish asked, struct wish answer)
{
	NDK_CONNECTOR *connector = asking(asked);

	ASSERT_NT(accept_with(answer), STATUS_PENDING);
	ASSERT_NT(call_wait(STATUS_PENDING, &connecting), STATUS_SUCCESS);
	return connector;
}

static NDK_CONNECTOR *
connected(struct wish asked, struct wish answer)
{
	NDK_CONNECTOR *connector = answered(asked, answer);

	ASSERT_NT(complete(connector), STATUS_SUCCESS);
	ASSERT_NT(call_wait(STATUS_PENDING, &accepting), STATUS_SUCCESS);
	return connector;
}

static NTSTATUS
data_of(NDK_CONNECTOR *connector, void *data, ULONG *length)
{
	return connector->Dispatch->NdkGetConnectionData(connector, NULL, NULL, data, length);
}

static NDK_ADAPTER_INFO
limits(void)
{
	NDK_ADAPTER_INFO info;
	ULONG size = sizeof(info);

	ASSERT_NT(ACTIVE->adapter->Dispatch->NdkQueryAdapterInfo(ACTIVE->adapter, &info, &size),
		STATUS_SUCCESS);
	return info;
}

/* ND-149. A connect to a port without a listener is refused. */
Test(ndk_establish, nd_149_nobody_listens)
{
	struct sockaddr_in other = pair.address;

	other.sin_port ^= htons(1);
	ASSERT_NT(call_wait(connect_to(side_connector(ACTIVE), &other, usual), &connecting),
		STATUS_CONNECTION_REFUSED);
}

/* ND-150. After the listener was closed, a connect is refused at once, without a timeout. */
Test(ndk_establish, nd_150_listener_is_closed)
{
	ASSERT_NT(pair.listener->Dispatch->NdkCloseListener(
			  &pair.listener->Header, close_over, &closing),
		STATUS_SUCCESS);
	ASSERT_NT(call_wait(connect_to(side_connector(ACTIVE), &pair.address, usual), &connecting),
		STATUS_CONNECTION_REFUSED);
}

/*
 * ND-151. A connect to an address that no host has fails. NDK has a special status for this
 * failure.
 */
Test(ndk_establish, nd_151_address_of_nobody)
{
	struct sockaddr_in nobody = pair.address;

	nobody.sin_addr.s_addr = 0;
	ASSERT_NT(connect_to(side_connector(ACTIVE), &nobody, usual), STATUS_INVALID_ADDRESS);
	cr_assert_eq(connecting.count, 0);
}

/* ND-152. A connect completes only after the passive side has answered. */
Test(ndk_establish, nd_152_connect_waits_for_the_answer)
{
	asking(usual);
	pair_quiet();
	cr_assert_eq(connecting.count, 0);
	ASSERT_NT(accept_with(usual), STATUS_PENDING);
	ASSERT_NT(call_wait(STATUS_PENDING, &connecting), STATUS_SUCCESS);
	ACTIVE->qp = side_qp(ACTIVE, ACTIVE->cq, 4, ACTIVE);
	asking(usual);
	pair_quiet();
	cr_assert_eq(connecting.count, 0);
	ASSERT_NT(pair.asked->Dispatch->NdkReject(pair.asked, NULL, 0), STATUS_SUCCESS);
	ASSERT_NT(call_wait(STATUS_PENDING, &connecting), STATUS_CONNECTION_REFUSED);
}

/* ND-153. If the active side rejects the reply, the accept fails. */
Test(ndk_establish, nd_153_active_side_rejects)
{
	NDK_CONNECTOR *connector = answered(usual, usual);

	ASSERT_NT(connector->Dispatch->NdkReject(connector, NULL, 0), STATUS_SUCCESS);
	ASSERT_NT(call_wait(STATUS_PENDING, &accepting), STATUS_CONNECTION_REFUSED);
}

/* ND-154. If the active side closes its connector after the reply, the accept fails. */
Test(ndk_establish, nd_154_active_side_closes)
{
	NDK_CONNECTOR *connector = answered(usual, usual);

	ASSERT_NT(connector->Dispatch->NdkCloseConnector(&connector->Header, close_over, &closing),
		STATUS_SUCCESS);
	ASSERT_NT(call_wait(STATUS_PENDING, &accepting), STATUS_CONNECTION_REFUSED);
}

/* ND-156. A second connect is refused before and after the reply to the first connect. */
Test(ndk_establish, nd_156_connecting_twice)
{
	NDK_CONNECTOR *connector = asking(usual);

	ASSERT_NT(connect_to(connector, &pair.address, usual), STATUS_CONNECTION_ACTIVE);
	ASSERT_NT(accept_with(usual), STATUS_PENDING);
	ASSERT_NT(call_wait(STATUS_PENDING, &connecting), STATUS_SUCCESS);
	ASSERT_NT(connect_to(connector, &pair.address, usual), STATUS_CONNECTION_ACTIVE);
	ASSERT_NT(complete(connector), STATUS_SUCCESS);
}

/* ND-157. A second NdkListen() of a listener fails. The first one stays active. */
Test(ndk_establish, nd_157_listening_twice)
{
	struct ndk_call call = {0};

	cr_assert(!NT_SUCCESS(pair.listener->Dispatch->NdkListen(
		pair.listener, (PSOCKADDR)&pair.own[1], sizeof(pair.own[1]), call_over, &call)));
	cr_assert_eq(call.count, 0);
	asking(usual);
}

/* ND-158. A connect with a byte of private data too many fails. With the maximum it succeeds. */
Test(ndk_establish, nd_158_too_much_data_of_a_connect)
{
	static uint8_t data[512];
	ULONG most = limits().MaxCallerData;
	NDK_CONNECTOR *connector = side_connector(ACTIVE);

	ASSERT_NT(connect_to(connector, &pair.address, (struct wish){1, 1, data, most + 1}),
		STATUS_INVALID_BUFFER_SIZE);
	ASSERT_NT(connect_to(connector, &pair.address, (struct wish){1, 1, data, most}),
		STATUS_PENDING);
	POLL_UNTIL(pair.events == 1);
}

/* ND-159. An accept with a byte of private data too many fails. With the maximum it succeeds. */
Test(ndk_establish, nd_159_too_much_data_of_an_accept)
{
	static uint8_t data[512];
	ULONG most = limits().MaxCalleeData;

	asking(usual);
	ASSERT_NT(accept_with((struct wish){1, 1, data, most + 1}), STATUS_INVALID_BUFFER_SIZE);
	ASSERT_NT(accept_with((struct wish){1, 1, data, most}), STATUS_PENDING);
	ASSERT_NT(call_wait(STATUS_PENDING, &connecting), STATUS_SUCCESS);
}

/*
 * ND-160. A query without a buffer returns the size of the private data, and succeeds in NDK. A
 * second query returns the data.
 */
Test(ndk_establish, nd_160_size_first)
{
	uint8_t data[512];
	ULONG length = 0;

	asking((struct wish){1, 1, "question", 9});
	ASSERT_NT(data_of(pair.asked, NULL, &length), STATUS_SUCCESS);
	cr_assert(length >= 9 && length <= sizeof(data));
	ASSERT_NT(data_of(pair.asked, data, &length), STATUS_SUCCESS);
	cr_assert_str_eq((char *)data, "question");
}

/** Fail unless private data of this length arrives unchanged in both directions. */
static void
expect_data_travels(ULONG bytes)
{
	uint8_t there[64], back[64], data[512];
	ULONG length = sizeof(data);
	NDK_CONNECTOR *connector;

	nd_pair_pattern(there, sizeof(there), 1);
	nd_pair_pattern(back, sizeof(back), 2);
	connector = asking((struct wish){1, 1, there, bytes});
	ASSERT_NT(data_of(pair.asked, data, &length), STATUS_SUCCESS);
	cr_assert_arr_eq(data, there, bytes);
	ASSERT_NT(accept_with((struct wish){1, 1, back, bytes}), STATUS_PENDING);
	ASSERT_NT(call_wait(STATUS_PENDING, &connecting), STATUS_SUCCESS);
	length = sizeof(data);
	ASSERT_NT(data_of(connector, data, &length), STATUS_SUCCESS);
	cr_assert_arr_eq(data, back, bytes);
}

/* ND-161, ND-162. Private data of 36 bytes, 40 bytes and the maximum arrives in both directions. */
Test(ndk_establish, nd_161_data_in_both_directions)
{
	expect_data_travels(36);
}

Test(ndk_establish, nd_162_forty_bytes_of_data)
{
	cr_assert_geq(limits().MaxCallerData, 40);
	expect_data_travels(40);
}

/*
 * ND-163. If the buffer is too small, the private data is truncated and its size is returned. NDK
 * has a status for this case.
 */
Test(ndk_establish, nd_163_small_buffer)
{
	char data[8] = "........";
	ULONG length = 3;

	asking((struct wish){1, 1, "question", 9});
	ASSERT_NT(data_of(pair.asked, data, &length), STATUS_BUFFER_TOO_SMALL);
	cr_assert_geq(length, 9);
	cr_assert_eq(memcmp(data, "que.....", 8), 0);
}

/* ND-164. The private data of a reject arrives at the active side. */
Test(ndk_establish, nd_164_data_of_a_reject)
{
	NDK_CONNECTOR *connector = asking(usual);
	char data[512];
	ULONG length = sizeof(data);

	ASSERT_NT(pair.asked->Dispatch->NdkReject(pair.asked, "no room", 8), STATUS_SUCCESS);
	ASSERT_NT(call_wait(STATUS_PENDING, &connecting), STATUS_CONNECTION_REFUSED);
	ASSERT_NT(data_of(connector, data, &length), STATUS_SUCCESS);
	cr_assert_str_eq(data, "no room");
}

/* ND-165. The passive side can query the peer's address before it accepts. */
Test(ndk_establish, nd_165_peer_of_a_request)
{
	NDK_CONNECTOR *connector = asking(usual);
	struct sockaddr_in peer, own;
	ULONG length = sizeof(peer);

	ASSERT_NT(pair.asked->Dispatch->NdkGetPeerAddress(pair.asked, (PSOCKADDR)&peer, &length),
		STATUS_SUCCESS);
	ASSERT_NT(connector->Dispatch->NdkGetLocalAddress(connector, (PSOCKADDR)&own, &length),
		STATUS_SUCCESS);
	cr_assert_eq(memcmp(&peer, &own, sizeof(own)), 0);
}

static NDK_CONNECTOR *asked_here;

static VOID
asked(PVOID context, NDK_CONNECTOR *connector)
{
	(void)context;
	asked_here = connector;
}

/** @return a new listener of the side with this callback. Stores its address in *address. */
static NDK_LISTENER *
listen_on(
	struct ndk_side *side, NDK_FN_CONNECT_EVENT_CALLBACK callback, struct sockaddr_in *address)
{
	PSOCKADDR own = (PSOCKADDR)&pair.own[side == PASSIVE];
	ULONG length = sizeof(*address);
	struct ndk_call call = {0};
	NDK_LISTENER *listener = NULL;

	ASSERT_NT(side->adapter->Dispatch->NdkCreateListener(
			  side->adapter, callback, NULL, create_over, NULL, &listener),
		STATUS_SUCCESS);
	ASSERT_NT(
		listener->Dispatch->NdkListen(listener, own, sizeof(pair.own[0]), call_over, &call),
		STATUS_SUCCESS);
	ASSERT_NT(listener->Dispatch->NdkGetLocalAddress(listener, (PSOCKADDR)address, &length),
		STATUS_SUCCESS);
	return listener;
}

/* ND-166. If both sides connect to each other, a reject of one connect leaves the other alone. */
Test(ndk_establish, nd_166_head_to_head)
{
	NDK_QP *qp = side_qp(PASSIVE, PASSIVE->cq, 4, PASSIVE);
	NDK_CONNECTOR *back = side_connector(PASSIVE), *connector = side_connector(ACTIVE);
	struct sockaddr_in address;
	struct ndk_call other = {0};

	asked_here = NULL;
	listen_on(ACTIVE, asked, &address);
	ASSERT_NT(connect_to(connector, &pair.address, usual), STATUS_PENDING);
	ASSERT_NT(back->Dispatch->NdkConnect(back, qp, (PSOCKADDR)&pair.own[1], sizeof(pair.own[1]),
			  (PSOCKADDR)&address, sizeof(address), 1, 1, NULL, 0, call_over, &other),
		STATUS_PENDING);
	POLL_UNTIL(pair.events == 1 && asked_here != NULL);
	ASSERT_NT(asked_here->Dispatch->NdkReject(asked_here, NULL, 0), STATUS_SUCCESS);
	ASSERT_NT(call_wait(STATUS_PENDING, &other), STATUS_CONNECTION_REFUSED);
	ASSERT_NT(accept_with(usual), STATUS_PENDING);
	ASSERT_NT(call_wait(STATUS_PENDING, &connecting), STATUS_SUCCESS);
	ASSERT_NT(complete(connector), STATUS_SUCCESS);
	ASSERT_NT(call_wait(STATUS_PENDING, &accepting), STATUS_SUCCESS);
	pair_expect_alive();
}

static VOID
asked_for_the_last_time(PVOID context, NDK_CONNECTOR *connector)
{
	char name[RTE_ETH_NAME_MAX_LEN];

	asked(context, connector);
	cr_assert_eq(rte_eth_dev_get_name_by_port(pair.native.ports[1], name), 0);
	cr_assert_eq(rte_eal_hotplug_remove("vdev", name), 0);
}

/* NDK documentation (KC): a listener without a port can be paused and closed. */
Test(ndk_establish, listener_without_a_port)
{
	struct ndk_call call = {0};
	struct sockaddr_in address;
	NDK_LISTENER *listener;

	asked_here = NULL;
	listener = listen_on(PASSIVE, asked_for_the_last_time, &address);
	ASSERT_NT(connect_to(side_connector(ACTIVE), &address, usual), STATUS_PENDING);
	POLL_UNTIL(asked_here != NULL);
	listener->Dispatch->NdkControlConnectEvents(listener, TRUE);
	ASSERT_NT(listener->Dispatch->NdkCloseListener(&listener->Header, close_over, &call),
		STATUS_SUCCESS);
}

/* ND-167. An accept that fails does not cancel receives. NdkFlush() cancels them. */
Test(ndk_establish, nd_167_accept_that_fails_leaves_receives)
{
	static int received;
	NDK_CONNECTOR *connector;

	side_receive(PASSIVE, &received);
	connector = answered(usual, usual);
	ASSERT_NT(connector->Dispatch->NdkReject(connector, NULL, 0), STATUS_SUCCESS);
	cr_assert(!NT_SUCCESS(call_wait(STATUS_PENDING, &accepting)));
	side_no_result(PASSIVE);
	PASSIVE->qp->Dispatch->NdkFlush(PASSIVE->qp);
	side_expect(PASSIVE, &received, NdkOperationTypeReceive, STATUS_CANCELLED);
}

/* ND-168. The first message is received even if it arrives before the accept completes. */
Test(ndk_establish, nd_168_message_before_the_accept)
{
	static int received;
	NDK_CONNECTOR *connector;

	side_receive(PASSIVE, &received);
	connector = answered(usual, usual);
	ASSERT_NT(complete(connector), STATUS_SUCCESS);
	side_send(ACTIVE, NULL, 0);
	side_expect(PASSIVE, &received, NdkOperationTypeReceive, STATUS_SUCCESS);
	ASSERT_NT(call_wait(STATUS_PENDING, &accepting), STATUS_SUCCESS);
}

/* ND-169. An accept completes only after the peer has called NdkCompleteConnect(). */
Test(ndk_establish, nd_169_accept_waits_for_the_peer)
{
	NDK_CONNECTOR *connector = answered(usual, usual);

	pair_quiet();
	cr_assert_eq(accepting.count, 0);
	ASSERT_NT(complete(connector), STATUS_SUCCESS);
	ASSERT_NT(call_wait(STATUS_PENDING, &accepting), STATUS_SUCCESS);
}

/* ND-170. NdkCompleteConnect() is refused before the reply has arrived. */
Test(ndk_establish, nd_170_nothing_to_complete)
{
	NDK_CONNECTOR *connector = side_connector(ACTIVE);

	ASSERT_NT(complete(connector), STATUS_CONNECTION_INVALID);
	ASSERT_NT(complete(asking(usual)), STATUS_CONNECTION_INVALID);
	ASSERT_NT(complete(pair.asked), STATUS_CONNECTION_INVALID);
}

/* ND-171. The active side cannot send before it has called NdkCompleteConnect(). */
Test(ndk_establish, nd_171_sending_too_early)
{
	NDK_CONNECTOR *connector = answered(usual, usual);

	ASSERT_NT(ACTIVE->qp->Dispatch->NdkSend(ACTIVE->qp, NULL, NULL, 0, 0),
		STATUS_CONNECTION_INVALID);
	ASSERT_NT(complete(connector), STATUS_SUCCESS);
	side_receive(PASSIVE, NULL);
	side_send(ACTIVE, NULL, 0);
	ASSERT_NT(side_result(ACTIVE).Status, STATUS_SUCCESS);
}

/* ND-172. The passive side may be the first to send. */
Test(ndk_establish, nd_172_passive_side_sends_first)
{
	static int received;

	side_receive(ACTIVE, &received);
	connected(usual, usual);
	side_send(PASSIVE, NULL, 0);
	side_expect(ACTIVE, &received, NdkOperationTypeReceive, STATUS_SUCCESS);
}

static void
hasty(unsigned int side, struct nd_adapter_config *config)
{
	(void)side;
	config->connect_retransmit_ms = 5;
	config->connect_retries = 2;
}

static void
open_hasty(void)
{
	pair_configure(&(struct nd_pair_config){.adapt = hasty});
	pair_listening();
}

TestSuite(ndk_establish_hasty, .init = open_hasty, .fini = pair_close);

/* ND-174. A connect without a reply times out. The connector can connect again. */
Test(ndk_establish_hasty, nd_174_connect_times_out)
{
	NDK_CONNECTOR *connector = side_connector(ACTIVE);
	time_t since = 0;

	ASSERT_NT(connect_to(connector, &pair.address, usual), STATUS_PENDING);
	while (connecting.count == 0) {
		cr_assert(pair_patience(&since));
		side_poll(ACTIVE);
	}
	ASSERT_NT(connecting.status, STATUS_IO_TIMEOUT);
	pair_quiet();
	pair.events = 0;
	ASSERT_NT(connect_to(connector, &pair.address, usual), STATUS_PENDING);
	POLL_UNTIL(pair.events != 0);
}

/* ND-175. Closing a connector cancels its connect. The connect completes before the close. */
Test(ndk_establish, nd_175_closing_ends_the_attempt)
{
	NDK_CONNECTOR *connector = asking(usual);
	NTSTATUS status;

	closing = (struct ndk_call){0};
	status = connector->Dispatch->NdkCloseConnector(&connector->Header, close_over, &closing);
	ASSERT_NT(call_wait(STATUS_PENDING, &connecting), STATUS_CANCELLED);
	ASSERT_NT(call_wait(status, &closing), STATUS_SUCCESS);
}

static uint8_t order[4];
static unsigned int orders;

static VOID
note_request(PVOID context, NDK_CONNECTOR *connector)
{
	ULONG length = 1;

	(void)context;
	connector->Dispatch->NdkGetConnectionData(connector, NULL, NULL, &order[orders++], &length);
}

/* ND-176. A listener reports connection requests in order, each request once. */
Test(ndk_establish, nd_176_requests_in_their_order)
{
	NDK_LISTENER *listener = NULL;
	struct sockaddr_in address;
	ULONG length = sizeof(address);
	struct ndk_call call = {0};

	orders = 0;
	ASSERT_NT(PASSIVE->adapter->Dispatch->NdkCreateListener(
			  PASSIVE->adapter, note_request, NULL, create_over, NULL, &listener),
		STATUS_SUCCESS);
	ASSERT_NT(listener->Dispatch->NdkListen(
			  listener, (PSOCKADDR)&pair.own[1], sizeof(pair.own[1]), call_over, &call),
		STATUS_SUCCESS);
	ASSERT_NT(listener->Dispatch->NdkGetLocalAddress(listener, (PSOCKADDR)&address, &length),
		STATUS_SUCCESS);
	for (uint8_t i = 0; i < 4; i++) {
		ACTIVE->qp = side_qp(ACTIVE, ACTIVE->cq, 4, ACTIVE);
		ASSERT_NT(connect_to(side_connector(ACTIVE), &address, (struct wish){1, 1, &i, 1}),
			STATUS_PENDING);
	}
	POLL_UNTIL(orders == 4);
	pair_quiet();
	for (uint8_t i = 0; i < 4; i++)
		cr_assert_eq(order[i], i);
}

static NTSTATUS
listen_at(const struct sockaddr_in *address)
{
	NDK_LISTENER *listener = NULL;
	struct ndk_call call = {0};

	ASSERT_NT(PASSIVE->adapter->Dispatch->NdkCreateListener(
			  PASSIVE->adapter, asked, NULL, create_over, NULL, &listener),
		STATUS_SUCCESS);
	return listener->Dispatch->NdkListen(
		listener, (PSOCKADDR)(uintptr_t)address, sizeof(*address), call_over, &call);
}

/* ND-179. NdkListen() refuses a port that is in use. */
Test(ndk_establish, nd_179_port_is_in_use)
{
	NDK_CONNECTOR *connector = side_connector(PASSIVE);
	struct sockaddr_in own = pair.own[1];
	struct ndk_call call = {0};

	ASSERT_NT(listen_at(&pair.address), STATUS_SHARING_VIOLATION);
	own.sin_port = pair.address.sin_port;
	ASSERT_NT(connector->Dispatch->NdkConnect(connector, PASSIVE->qp, (PSOCKADDR)&own,
			  sizeof(own), (PSOCKADDR)&pair.own[0], sizeof(pair.own[0]), 1, 1, NULL, 0,
			  call_over, &call),
		STATUS_SHARING_VIOLATION);
}

/* ND-180. A port that a TCP socket of the host uses can still be used by a listener. */
Test(ndk_establish, nd_180_ports_of_the_host)
{
	struct sockaddr_in own = {.sin_family = AF_INET}, address = pair.own[1];
	socklen_t length = sizeof(own);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	cr_assert_geq(fd, 0);
	cr_assert_eq(bind(fd, (struct sockaddr *)&own, sizeof(own)), 0);
	cr_assert_eq(listen(fd, 1), 0);
	cr_assert_eq(getsockname(fd, (struct sockaddr *)&own, &length), 0);
	address.sin_port = own.sin_port;
	ASSERT_NT(listen_at(&address), STATUS_SUCCESS);
	close(fd);
}

/** @return the read limits that the connector received from its peer */
static struct wish
limits_of(NDK_CONNECTOR *connector)
{
	struct wish seen = {0};
	ULONG length = 0;

	ASSERT_NT(connector->Dispatch->NdkGetConnectionData(
			  connector, &seen.inbound, &seen.outbound, NULL, &length),
		STATUS_SUCCESS);
	return seen;
}

/* ND-182, ND-185. The passive side sees the read limits of the active side, and may lower them. */
Test(ndk_establish, nd_182_passive_side_lowers_limits)
{
	NDK_CONNECTOR *connector = asking((struct wish){3, 6, NULL, 0});
	struct wish seen = limits_of(pair.asked);

	cr_assert_eq(seen.inbound, 6);
	cr_assert_eq(seen.outbound, 3);
	ASSERT_NT(accept_with((struct wish){2, 100, NULL, 0}), STATUS_PENDING);
	ASSERT_NT(call_wait(STATUS_PENDING, &connecting), STATUS_SUCCESS);
	seen = limits_of(connector);
	cr_assert_eq(seen.inbound, 3, "not more than was asked for");
	cr_assert_eq(seen.outbound, 2);
}

/* ND-184. The inbound limit of a side is the outbound limit of its peer, and vice versa. */
Test(ndk_establish, nd_184_limits_cross_over)
{
	struct wish seen;

	asking((struct wish){1, 2, NULL, 0});
	seen = limits_of(pair.asked);
	cr_assert_eq(seen.inbound, 2);
	cr_assert_eq(seen.outbound, 1);
}

static UINT32
source_of(struct ndk_side *side)
{
	NDK_MR *mr = side_mr(side, side->memory, side->memory, 4096, NDK_MR_FLAG_ALLOW_REMOTE_READ);

	return mr->Dispatch->NdkGetRemoteTokenFromMr(mr);
}

/** Post 8 reads on the active side. Fail unless they complete in order. */
static void
expect_reads_in_order(void)
{
	static int contexts[8];
	UINT32 token = source_of(PASSIVE);

	for (unsigned int i = 0; i < 8; i++) {
		NDK_SGE sge = side_sge(ACTIVE, 64 * i, 64);

		ASSERT_NT(ACTIVE->qp->Dispatch->NdkRead(ACTIVE->qp, &contexts[i], &sge, 1,
				  (uintptr_t)PASSIVE->memory, token, 0),
			STATUS_SUCCESS);
	}
	for (unsigned int i = 0; i < 8; i++)
		side_expect(ACTIVE, &contexts[i], NdkOperationTypeRead, STATUS_SUCCESS);
}

/*
 * ND-185. After NdkCompleteConnect(), the read limits of the accept apply. Here they allow the
 * active side no read.
 */
Test(ndk_establish, nd_185_limits_of_the_accept)
{
	connected((struct wish){4, 4, NULL, 0}, (struct wish){0, 4, NULL, 0});
	ASSERT_NT(ACTIVE->qp->Dispatch->NdkRead(ACTIVE->qp, NULL, NULL, 0, 0, 0, 0),
		STATUS_INVALID_DEVICE_REQUEST);
	ASSERT_NT(PASSIVE->qp->Dispatch->NdkRead(PASSIVE->qp, NULL, NULL, 0, 0, 0, 0),
		STATUS_SUCCESS);
	ASSERT_NT(side_result(PASSIVE).Status, STATUS_SUCCESS);
}

/* ND-186. Reads beyond the limit wait. All reads complete in order. */
Test(ndk_establish, nd_186_reads_beyond_the_limit_wait)
{
	connected((struct wish){1, 1, NULL, 0}, (struct wish){1, 1, NULL, 0});
	expect_reads_in_order();
}

/* ND-188. If the outbound read limit is 0, posting a read fails. */
Test(ndk_establish, nd_188_no_read_is_allowed)
{
	connected((struct wish){0, 0, NULL, 0}, (struct wish){4, 4, NULL, 0});
	ASSERT_NT(ACTIVE->qp->Dispatch->NdkRead(ACTIVE->qp, NULL, NULL, 0, 0, 0, 0),
		STATUS_INVALID_DEVICE_REQUEST);
	side_no_result(ACTIVE);
	pair_expect_alive();
}
