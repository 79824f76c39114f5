/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef ALLOW_EXPERIMENTAL_API
#define ALLOW_EXPERIMENTAL_API /* rte_pcapng.h */
#endif

#include "capture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <json-c/json.h>

#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_malloc.h>
#include <rte_mbuf.h>
#include <rte_pcapng.h>
#include <rte_ring.h>
#include <rte_version.h>

#include "kit/eal.h"
#include "kit/program.h"

#include "commands.h"
#include "prompt.h"
#include "telemetry_json.h"

#define FRAMES_MAX  2047u /* highest number of frames in the ring */
#define RING_SIZE   2048u
#define FRAME_BYTES 4352u /* longer frames are truncated; RoCEv2 packets are shorter */
#define BURST       32u

/* Wrappers for the API of DPDK 22.11 and its changes up to 24.11. */
#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)
#define COPY(hook, frame, pool, direction)                                                         \
	rte_pcapng_copy((hook)->port, (hook)->queue, frame, pool, FRAME_BYTES, direction, NULL)
#define ADD_PORT(file, port) rte_pcapng_add_interface(file, port, NULL, NULL, NULL)
#else
#define COPY(hook, frame, pool, direction)                                                         \
	rte_pcapng_copy(                                                                           \
		(hook)->port, (hook)->queue, frame, pool, FRAME_BYTES, rte_rdtsc(), direction)
#define ADD_PORT(file, port) ((void)(port), 0) /* rte_pcapng_fdopen() adds all ports */
#endif

struct hook {
	struct prompt_capture *capture;
	uint16_t port, queue;
	const struct rte_eth_rxtx_callback *rx, *tx;
};

struct prompt_capture {
	rte_pcapng_t *file;
	struct rte_mempool *pool;
	struct rte_ring *ring;
	struct hook hooks[OPTIONS_LCORES_MAX];
	unsigned int hook_count;
	uint64_t frames;
	uint64_t missed; /* atomic */
	bool is_broken;  /* a write to the file has failed */
	char path[COMMAND_LINE_BYTES];
};

/* Copy frames into the ring. Called on the thread of an engine. */
static void
keep(struct hook *hook, struct rte_mbuf *const *frames, uint16_t count,
	enum rte_pcapng_direction direction)
{
	struct prompt_capture *capture = hook->capture;

	for (uint16_t i = 0; i < count; i++) {
		struct rte_mbuf *copy = COPY(hook, frames[i], capture->pool, direction);

		if (copy != NULL && rte_ring_enqueue(capture->ring, copy) == 0)
			continue;
		rte_pktmbuf_free(copy);
		__atomic_fetch_add(&capture->missed, 1, __ATOMIC_RELAXED);
	}
}

static uint16_t
received(uint16_t port, uint16_t queue, struct rte_mbuf *frames[], uint16_t count, uint16_t most,
	void *hook)
{
	(void)port;
	(void)queue;
	(void)most;
	keep(hook, frames, count, RTE_PCAPNG_DIRECTION_IN);
	return count;
}

static uint16_t
transmitted(uint16_t port, uint16_t queue, struct rte_mbuf *frames[], uint16_t count, void *hook)
{
	(void)port;
	(void)queue;
	keep(hook, frames, count, RTE_PCAPNG_DIRECTION_OUT);
	return count;
}

static void
write_frames(struct prompt_capture *capture, struct rte_mbuf *frames[], unsigned int count)
{
	if (rte_pcapng_write_packets(capture->file, frames, (uint16_t)count) >= 0) {
		capture->frames += count;
		return;
	}
	capture->is_broken = true;
	fprintf(stderr, "ndpmd: %s cannot be written: %s\n", capture->path, strerror(errno));
}

void
capture_turn(struct prompt *prompt)
{
	struct prompt_capture *capture = prompt->capture;
	struct rte_mbuf *frames[BURST];
	unsigned int count;

	if (capture == NULL)
		return;
	while ((count = rte_ring_dequeue_burst(capture->ring, (void **)frames, BURST, NULL)) > 0) {
		if (!capture->is_broken)
			write_frames(capture, frames, count);
		/*
		 * Free the frames here, because rte_pcapng_write_packets() does not free them,
		 * contrary to its documentation.
		 */
		rte_pktmbuf_free_bulk(frames, count);
	}
}

/*
 * Wait until no engine runs a removed callback. For this, send a question to each engine. An engine
 * answers between two turns (polls), when its thread runs no callback.
 */
static void
wait_for_engines(const struct prompt *prompt)
{
	char command[64];

	for (unsigned int adapter = 0; adapter < 2; adapter++)
		for (uint32_t i = 0; i < prompt->host.workers->count; i++) {
			snprintf(command, sizeof(command), "/ndpdk/engine,%u,%u", adapter, i);
			json_object_put(telemetry_json(command));
		}
}

static void
unhook(struct prompt *prompt, struct prompt_capture *capture)
{
	for (unsigned int i = 0; i < capture->hook_count; i++) {
		struct hook *hook = &capture->hooks[i];

		if (hook->rx != NULL)
			rte_eth_remove_rx_callback(hook->port, hook->queue, hook->rx);
		if (hook->tx != NULL)
			rte_eth_remove_tx_callback(hook->port, hook->queue, hook->tx);
	}
	wait_for_engines(prompt);
	for (unsigned int i = 0; i < capture->hook_count; i++) {
		rte_free((void *)(uintptr_t)capture->hooks[i].rx);
		rte_free((void *)(uintptr_t)capture->hooks[i].tx);
	}
	capture->hook_count = 0;
}

void
capture_close(struct prompt *prompt)
{
	struct prompt_capture *capture = prompt->capture;

	if (capture == NULL)
		return;
	unhook(prompt, capture);
	if (capture->ring != NULL)
		capture_turn(prompt);
	if (capture->file != NULL)
		rte_pcapng_close(capture->file);
	rte_ring_free(capture->ring);
	rte_mempool_free(capture->pool);
	free(capture);
	prompt->capture = NULL;
}

/* @return port to capture. In loopback, the frames of both directions pass through one port. */
static uint16_t
port_of(const struct prompt *prompt)
{
	const struct prompt_host *host = &prompt->host;

	return nd_adapter_port_id(
		host->client_adapter != NULL ? host->client_adapter : host->server_adapter);
}

static bool
hook_queues(struct prompt *prompt, struct prompt_capture *capture)
{
	for (uint32_t i = 0; i < prompt->host.workers->count; i++) {
		struct hook *hook = &capture->hooks[capture->hook_count++];

		*hook = (struct hook){
			.capture = capture, .port = port_of(prompt), .queue = (uint16_t)i};
		hook->rx = rte_eth_add_rx_callback(hook->port, hook->queue, received, hook);
		hook->tx = rte_eth_add_tx_callback(hook->port, hook->queue, transmitted, hook);
		if (hook->rx == NULL || hook->tx == NULL)
			return false;
	}
	return true;
}

static bool
open_file(struct prompt_capture *capture, uint16_t port, struct answer *answer)
{
	const int descriptor = open(capture->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	errno = descriptor < 0 ? errno : 0;
	if (descriptor >= 0)
		capture->file = rte_pcapng_fdopen(descriptor, NULL, NULL, "ndpmd", NULL);
	if (capture->file != NULL && ADD_PORT(capture->file, port) >= 0)
		return true;
	answer_refuse(answer, EXIT_RUN_FAILED, "%.192s cannot be written: %s", capture->path,
		strerror(errno != 0 ? errno : rte_errno));
	if (descriptor >= 0 && capture->file == NULL)
		close(descriptor);
	return false;
}

static bool
make_room(struct prompt_capture *capture, struct answer *answer)
{
	char why[256];

	capture->pool = rte_pktmbuf_pool_create("ndpmd_capture", FRAMES_MAX, 0, 0,
		(uint16_t)rte_pcapng_mbuf_size(FRAME_BYTES), SOCKET_ID_ANY);
	if (capture->pool != NULL)
		capture->ring =
			rte_ring_create("ndpmd_capture", RING_SIZE, SOCKET_ID_ANY, RING_F_SC_DEQ);
	if (capture->ring != NULL)
		return true;
	eal_pool_error("a capture", why, sizeof(why));
	answer_refuse(answer, EXIT_RUN_FAILED, "%s", why);
	return false;
}

static void
tell(const struct prompt_capture *capture, struct answer *answer)
{
	answer->result = json_object_new_object();
	json_object_object_add(answer->result, "file", json_object_new_string(capture->path));
	json_object_object_add(answer->result, "frames", json_object_new_uint64(capture->frames));
	json_object_object_add(answer->result, "missed",
		json_object_new_uint64(__atomic_load_n(&capture->missed, __ATOMIC_RELAXED)));
}

void
command_capture_start(
	struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	struct prompt_capture *capture;

	if (prompt->capture != NULL) {
		answer_refuse(answer, EXIT_RUN_FAILED,
			"a capture is in progress: capture stop ends the capture");
		return;
	}
	capture = calloc(1, sizeof(*capture));
	if (capture == NULL) {
		answer_refuse(answer, EXIT_RUN_FAILED, "no memory for a capture");
		return;
	}
	prompt->capture = capture;
	snprintf(capture->path, sizeof(capture->path), "%s", words->word[0]);
	if (!make_room(capture, answer) || !open_file(capture, port_of(prompt), answer)) {
		capture_close(prompt);
		return;
	}
	if (!hook_queues(prompt, capture)) {
		capture_close(prompt);
		answer_refuse(answer, EXIT_RUN_FAILED,
			"capture requires a DPDK that was built with RTE_ETHDEV_RXTX_CALLBACKS");
		return;
	}
	tell(capture, answer);
}

void
command_capture_stop(
	struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	struct prompt_capture *capture = prompt->capture;

	(void)words;
	if (capture == NULL) {
		answer_refuse(answer, EXIT_RUN_FAILED,
			"no capture is in progress: capture start FILE starts a capture");
		return;
	}
	unhook(prompt, capture);
	capture_turn(prompt);
	if (capture->is_broken)
		answer_refuse(
			answer, EXIT_RUN_FAILED, "%.192s could not be written", capture->path);
	else
		tell(capture, answer);
	capture_close(prompt);
}
