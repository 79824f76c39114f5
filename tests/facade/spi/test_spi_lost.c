/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * A peer in another process is killed, stopped or paused in each phase of a connection. The tests
 * check the status that the surviving side gets, and when. Then the survivor's adapter must serve a
 * new peer (docs/timeouts.md). The test advances the survivor's clock, so no test waits for timers.
 */

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rte_alarm.h>
#include <rte_ethdev.h>

#include "lost.h"
#include "spi/device.h"
#include "spi_counter.h"
#include "spi_scene.h"
#include "support/eal.h"
#include "support/starve.h"

#define MS           UINT64_C(1000000)
#define STEP_NS      (20 * MS)
/** Tolerance when several timers must expire. Each expiry is detected at most one step late. */
#define LATE_NS      (10 * STEP_NS)
#define PATIENCE_MS  20000
#define REQUESTS     4u
/**
 * A number above 6, the largest finite number of RNR retries. The peer grants 7, which means
 * unlimited retries.
 */
#define UNREADY_NAKS 10u

/* Time limits for peer_timeout_ms = 10000. The port of a dead peer accepts no frames. */
#define PLAN_NS      (9375 * MS)
#define GRANTED_NS   (128000 * MS) /* time that follows from the peer's peer_timeout_ms of 60000 */
#define RETRIES_NS   (6000 * MS)
#define STUCK_NS     (5000 * MS + 8 * (UINT64_C(4096) << 18))
#define KEEPALIVE_NS (3750 * MS)
#define RNR_NS       (700 * MS)
#define PAUSE_NS     (2000 * MS)

enum accident { KILL, STOP, PAUSE };

static struct {
	pid_t pid; /**< process ID of the peer, or 0 without a peer */
	int in, out;
	uint16_t port; /**< port at which the peer listens; different for each peer */
} peer = {.port = LOST_PORT};

static char socket_path[64];
static OVERLAPPED gone;

extern char **environ;

static void
letter_expect(char letter)
{
	struct pollfd pollfd = {.fd = peer.out, .events = POLLIN};
	char got = 0;

	cr_assert_eq(poll(&pollfd, 1, PATIENCE_MS), 1, "the peer does not say '%c'", letter);
	cr_assert_eq(read(peer.out, &got, 1), 1, "the peer has ended before '%c'", letter);
	cr_assert_eq(got, letter);
}

static void
letter_send(char letter)
{
	cr_assert_eq(write(peer.in, &letter, 1), 1);
}

static void
peer_do(char letter)
{
	letter_send(letter);
	letter_expect(letter);
}

static void
peer_start(void)
{
	char *program = getenv("NDPDK_TEST_PEER");
	char port[8], *arguments[] = {program, socket_path, port, NULL};
	posix_spawn_file_actions_t actions;
	int to[2], from[2];

	cr_assert_not_null(program);
	/*
	 * Hide this variable from the peer. Otherwise Criterion would treat the peer as a process
	 * of the test.
	 */
	unsetenv("BXFI_MAP");
	snprintf(port, sizeof(port), "%u", (unsigned int)++peer.port);
	cr_assert_eq(pipe(to), 0);
	cr_assert_eq(pipe(from), 0);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
	posix_spawn_file_actions_addclose(&actions, to[1]);
	posix_spawn_file_actions_addclose(&actions, from[0]);
	cr_assert_eq(posix_spawn(&peer.pid, program, &actions, NULL, arguments, environ), 0);
	posix_spawn_file_actions_destroy(&actions);
	close(to[0]);
	close(from[1]);
	peer.in = to[1];
	peer.out = from[0];
	letter_expect(LOST_READY);
}

static void
note_alarm(void *arg)
{
	__atomic_store_n((bool *)arg, true, __ATOMIC_RELEASE);
}

/*
 * When the peer's process ends, the driver unmaps its rings on EAL's interrupt thread, even while
 * another thread reads the rings. No engine is polled until the rings are unmapped. An alarm on the
 * interrupt thread shows that the unmapping is over.
 */
static void
peer_kill(void)
{
	static bool noticed;
	struct rte_eth_link link = {0};

	if (peer.pid == 0)
		return;
	spi_engine_enter(&spi_device_get(0)->engines[0]);
	kill(peer.pid, SIGKILL);
	waitpid(peer.pid, NULL, 0);
	do {
		usleep(1000);
		cr_assert_eq(rte_eth_link_get_nowait(0, &link), 0);
	} while (link.link_status != RTE_ETH_LINK_DOWN);
	noticed = false;
	cr_assert_eq(rte_eal_alarm_set(1, note_alarm, &noticed), 0);
	while (!__atomic_load_n(&noticed, __ATOMIC_ACQUIRE))
		usleep(1000);
	spi_engine_leave(&spi_device_get(0)->engines[0]);
	close(peer.in);
	close(peer.out);
	peer.pid = 0;
}

static void
peer_lose(enum accident accident)
{
	if (accident == KILL) {
		peer_kill();
	} else {
		cr_assert_eq(kill(peer.pid, SIGSTOP), 0);
		cr_assert_eq(waitpid(peer.pid, NULL, WUNTRACED), peer.pid);
	}
}

static void
setup(void)
{
	char text[256];

	snprintf(socket_path, sizeof(socket_path), "/tmp/spi_lost_%d", (int)getpid());
	snprintf(text, sizeof(text), "role=server,socket=%s,socket-abstract=no", socket_path);
	test_eal_init_large();
	if (test_device_add("net_memif", text) != 0)
		cr_skip("no net_memif driver");
	setenv("NDPDK_SPI_CONFIG",
		"[adapter]; port = net_memif0; address = 192.0.2.1/24; mbuf_count = 1024;"
		"path_mtu = 1024; endpoints_max = 16; peer_timeout_ms = 10000;"
		"rnr_retry_count = 7; neighbour = 192.0.2.2 " LOST_MAC,
		1);
	cr_assert_eq(NdStartup(), S_OK, "%s", NdGetConfigurationError());
	spi_pair_side_open(&scene, 0);
	peer_start();
}

static void
teardown(void)
{
	peer_kill();
	scene_close();
	unlink(socket_path);
}

TestSuite(spi_lost, .init = setup, .fini = teardown);

static void
pass(void)
{
	struct spi_engine *engine = &spi_device_get(0)->engines[0];

	spi_engine_enter(engine);
	starve_pass(spi_device_get(0)->native, STEP_NS);
	(void)spi_engine_turn(engine);
	spi_engine_leave(engine);
}

/** Resume a paused peer. The pause was too short for a timeout, so only retransmissions occur. */
static void
peer_goes_on(void)
{
	for (uint64_t now = 0; now < PAUSE_NS; now += STEP_NS)
		pass();
	cr_assert_eq(kill(peer.pid, SIGCONT), 0);
}

/** Wait until an operation ends. Fail after this time of the survivor's clock. */
static HRESULT
finish_within(void *object, OVERLAPPED *overlapped, uint64_t ns)
{
	HRESULT status = ND_PENDING;

	for (uint64_t now = 0; status == ND_PENDING; now += STEP_NS) {
		cr_assert_leq(now, ns + LATE_NS, "an operation does not end");
		pass();
		status = IND2Overlapped_GetOverlappedResult(
			(IND2Overlapped *)object, overlapped, FALSE);
	}
	return status;
}

static void
result_within(uintptr_t context, HRESULT status, uint64_t ns)
{
	ND2_RESULT result;

	for (uint64_t now = 0; IND2CompletionQueue_GetResults(PEER->cq, &result, 1) == 0;
		now += STEP_NS) {
		cr_assert_leq(now, ns + LATE_NS, "a request does not end");
		pass();
	}
	cr_assert_eq(result.RequestContext, CONTEXT(context));
	ASSERT_HR(result.Status, status);
}

static void
connect_begin(OVERLAPPED *connect)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_port = htons(peer.port),
		.sin_addr.s_addr = htonl(0xC0000202),
	};

	PEER->connector = scene_connector(PEER);
	ASSERT_HR(scene_connect_post(PEER->connector, &to, 1, 1, 0, connect), ND_PENDING);
}

static void
connect_finish(OVERLAPPED *connect)
{
	ASSERT_HR(spi_pair_finish(PEER->connector, ND_PENDING, connect), ND_SUCCESS);
	ASSERT_HR(IND2Connector_CompleteConnect(PEER->connector, connect), ND_SUCCESS);
}

static void
own_listen(void)
{
	struct sockaddr_in address;

	memcpy(&address, &PEER->address, sizeof(address));
	address.sin_port = htons(LOST_PORT);
	ASSERT_HR(IND2Adapter_CreateListener(
			  PEER->adapter, &IID_IND2Listener, PEER->file, (void **)&scene.listener),
		ND_SUCCESS);
	ASSERT_HR(IND2Listener_Bind(scene.listener, (struct sockaddr *)&address, sizeof(address)),
		ND_SUCCESS);
	ASSERT_HR(IND2Listener_Listen(scene.listener, 0), ND_SUCCESS);
}

/** Connect the survivor to the peer, and call NotifyDisconnect. */
static void
connected(void)
{
	static OVERLAPPED connect;

	connect_begin(&connect);
	letter_send(LOST_SERVE);
	connect_finish(&connect);
	letter_expect(LOST_SERVE);
	ASSERT_HR(IND2Connector_NotifyDisconnect(PEER->connector, &gone), ND_PENDING);
}

static void
alive(void)
{
	letter_send(LOST_RECEIVE);
	ASSERT_HR(scene_send_post(PEER, 7, 0, 0, 0), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeSend, CONTEXT(7)), ND_SUCCESS);
	letter_expect(LOST_RECEIVE);
}

/** Create a new queue pair of the survivor for the next connection. */
static void
queue_pair_renew(void)
{
	scene_release(PEER->connector);
	scene_release(PEER->qp);
	PEER->qp = spi_pair_queue_pair(&scene, 0, SCENE_ENTRIES);
}

static void
again(void)
{
	peer_kill();
	queue_pair_renew();
	peer_start();
	connected();
	alive();
	ASSERT_HR(scene_disconnect(PEER), ND_SUCCESS);
	ASSERT_HR(finish_within(PEER->connector, &gone, 0), STATUS_CONNECTION_DISCONNECTED);
	queue_pair_renew();
}

static void
kept(void)
{
	ND2_RESULT result;

	alive();
	ASSERT_HR(scene_disconnect(PEER), ND_SUCCESS);
	while (IND2CompletionQueue_GetResults(PEER->cq, &result, 1) != 0)
		ASSERT_HR(result.Status, ND_CANCELED);
	queue_pair_renew();
}

/* The accident happens while the peer has not accepted the survivor's connection request. */
static void
asked(enum accident accident)
{
	static OVERLAPPED connect;

	connect_begin(&connect);
	scene_turn(PEER, 10);
	peer_lose(accident);
	if (accident == PAUSE) {
		peer_goes_on();
		letter_send(LOST_SERVE);
		connect_finish(&connect);
		letter_expect(LOST_SERVE);
		kept();
		return;
	}
	ASSERT_HR(
		finish_within(PEER->connector, &connect, accident == KILL ? 2 * PLAN_NS : PLAN_NS),
		ND_IO_TIMEOUT);
	again();
}

/* The accident happens after the survivor has accepted, before the peer calls CompleteConnect. */
static void
answered(enum accident accident)
{
	static OVERLAPPED request, accept;

	own_listen();
	PEER->connector = spi_pair_connector(&scene, 0);
	letter_send(LOST_CONNECT);
	ASSERT_HR(spi_pair_finish(scene.listener,
			  IND2Listener_GetConnectionRequest(
				  scene.listener, (IUnknown *)PEER->connector, &request),
			  &request),
		ND_SUCCESS);
	ASSERT_HR(
		IND2Connector_Accept(PEER->connector, (IUnknown *)PEER->qp, 1, 1, NULL, 0, &accept),
		ND_PENDING);
	letter_expect(LOST_CONNECT);
	peer_lose(accident);
	if (accident == PAUSE) {
		peer_goes_on();
		peer_do(LOST_COMPLETE);
		ASSERT_HR(spi_pair_finish(PEER->connector, ND_PENDING, &accept), ND_SUCCESS);
		kept();
		return;
	}
	ASSERT_HR(finish_within(PEER->connector, &accept, GRANTED_NS), ND_IO_TIMEOUT);
	again();
}

/* The accident happens while the connection is idle and a Receive is posted. */
static void
idle(enum accident accident)
{
	connected();
	scene_receive(PEER, 1, 0, 0);
	peer_lose(accident);
	if (accident == PAUSE) {
		peer_goes_on();
		kept();
		return;
	}
	ASSERT_HR(finish_within(PEER->connector, &gone,
			  KEEPALIVE_NS + (accident == KILL ? STUCK_NS : RETRIES_NS)),
		ND_SUCCESS);
	result_within(1, ND_CANCELED, 0);
	again();
}

/**
 * The peer runs, but posts no Receive. The survivor gets more RNR NAKs than any finite number of
 * retries allows.
 */
static void
unready(void)
{
	for (unsigned int i = 0; i < UNREADY_NAKS; i++) {
		uint64_t naks = spi_counter(0, "rx_rnr_naks");

		/*
		 * The survivor's clock passes the RNR wait at once. The peer's answer takes real
		 * time.
		 */
		pass();
		for (unsigned int ms = 0; spi_counter(0, "rx_rnr_naks") == naks; ms++) {
			cr_assert_lt(ms, PATIENCE_MS, "the peer does not answer");
			usleep(1000);
			scene_turn(PEER, 1);
		}
	}
}

/* The accident happens while Sends of the survivor wait for Receives of the peer. */
static void
requested(enum accident accident)
{
	connected();
	for (uintptr_t i = 0; i < REQUESTS; i++)
		ASSERT_HR(scene_send_post(PEER, i, 0, 0, 0), ND_SUCCESS);
	scene_turn(PEER, 10);
	if (accident == PAUSE)
		unready();
	peer_lose(accident);
	if (accident == PAUSE) {
		peer_goes_on();
		for (uintptr_t i = 0; i < REQUESTS; i++) {
			letter_send(LOST_RECEIVE);
			ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeSend, CONTEXT(i)),
				ND_SUCCESS);
			letter_expect(LOST_RECEIVE);
		}
		kept();
		return;
	}
	for (uintptr_t i = 0; i < REQUESTS; i++)
		result_within(i, i == 0 ? ND_IO_TIMEOUT : ND_CANCELED,
			i == 0 ? RNR_NS + (accident == KILL ? STUCK_NS : RETRIES_NS) : 0);
	ASSERT_HR(finish_within(PEER->connector, &gone, 0), ND_SUCCESS);
	again();
}

/* The accident happens while the survivor disconnects, so the survivor gets no answer. */
static void
disconnecting(enum accident accident)
{
	static OVERLAPPED bye;

	connected();
	scene_receive(PEER, 1, 0, 0);
	peer_lose(accident);
	ASSERT_HR(IND2Connector_Disconnect(PEER->connector, &bye), ND_PENDING);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeReceive, CONTEXT(1)), ND_CANCELED);
	if (accident == PAUSE) {
		peer_goes_on();
		ASSERT_HR(spi_pair_finish(PEER->connector, ND_PENDING, &bye), ND_SUCCESS);
	} else {
		ASSERT_HR(finish_within(
				  PEER->connector, &bye, accident == KILL ? 2 * PLAN_NS : PLAN_NS),
			ND_SUCCESS);
	}
	ASSERT_HR(finish_within(PEER->connector, &gone, 0), STATUS_CONNECTION_DISCONNECTED);
	again();
}

static void
play(enum accident accident)
{
	asked(accident);
	answered(accident);
	idle(accident);
	requested(accident);
	disconnecting(accident);
}

Test(spi_lost, kill)
{
	play(KILL);
}

Test(spi_lost, stop)
{
	play(STOP);
}

Test(spi_lost, pause)
{
	play(PAUSE);
}
