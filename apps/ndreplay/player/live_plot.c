/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "live_plot.h"

#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include "ndreplay/plot.h"

/* Maximum number of bytes of a frame that are decoded for the picture. */
#define FRAME_BYTES 16384u

struct live_plot {
	struct picture picture;
	const char *command;
	struct history *recorded, *played;
	struct plot drawing; /* stores marks until the picture is drawn */
	uint64_t begin_tsc;
	uint16_t port_id;
	const struct rte_eth_rxtx_callback *callback; /* NULL = not installed */
	uint8_t frame[FRAME_BYTES]; /* contiguous copy of the frame that is decoded */
};

struct live_plot *
live_plot_open(const char *path, const char *command, char *why, size_t size)
{
	struct live_plot *plot = calloc(1, sizeof(*plot));

	if (plot == NULL) {
		snprintf(why, size, "memory is exhausted");
		return NULL;
	}
	plot->command = command;
	plot->recorded = history_open();
	plot->played = history_open();
	if (plot->recorded == NULL || plot->played == NULL)
		snprintf(why, size, "memory is exhausted");
	else if (picture_open(&plot->picture, path, why, size))
		return plot;
	history_close(plot->recorded);
	history_close(plot->played);
	free(plot);
	return NULL;
}

struct history *
live_plot_recorded(struct live_plot *plot)
{
	return plot == NULL ? NULL : plot->recorded;
}

/*
 * Copy a frame before it is sent, because a sent frame belongs to the port.
 *
 * @return number of bytes of the copy
 */
static uint32_t
frame_copy(struct live_plot *plot, const struct rte_mbuf *mbuf)
{
	const uint32_t count = RTE_MIN(rte_pktmbuf_pkt_len(mbuf), FRAME_BYTES);
	const void *bytes = rte_pktmbuf_read(mbuf, 0, count, plot->frame);

	if (bytes == NULL)
		return 0;
	if (bytes != plot->frame)
		memcpy(plot->frame, bytes, count);
	return count;
}

static void
frame_feed(struct live_plot *plot, uint32_t captured_bytes, uint32_t wire_bytes)
{
	const uint64_t since_tsc = rte_get_tsc_cycles() - plot->begin_tsc;

	history_feed(plot->played,
		(uint64_t)((double)since_tsc * NS_PER_S / (double)rte_get_tsc_hz()), plot->frame,
		captured_bytes, wire_bytes);
}

/* Send frames one by one, because only frames that the port accepts must be recorded. */
static uint16_t
transmit(uint16_t port_id, uint16_t queue_id, struct rte_mbuf **mbufs, uint16_t count, void *arg)
{
	struct live_plot *plot = arg;
	uint16_t sent = 0;

	for (; sent < count; sent++) {
		const uint32_t wire_bytes = rte_pktmbuf_pkt_len(mbufs[sent]);
		const uint32_t captured_bytes = frame_copy(plot, mbufs[sent]);

		if (rte_eth_tx_burst(port_id, queue_id, &mbufs[sent], 1) == 0)
			break;
		frame_feed(plot, captured_bytes, wire_bytes);
	}
	return sent;
}

static uint16_t
receive(uint16_t port_id, uint16_t queue_id, struct rte_mbuf **mbufs, uint16_t count, uint16_t max,
	void *arg)
{
	struct live_plot *plot = arg;

	(void)port_id, (void)queue_id, (void)max;
	for (uint16_t i = 0; i < count; i++) {
		const uint32_t captured_bytes = frame_copy(plot, mbufs[i]);

		frame_feed(plot, captured_bytes, rte_pktmbuf_pkt_len(mbufs[i]));
	}
	return count;
}

void
live_plot_configure(struct live_plot *plot, struct nd_adapter_config *config)
{
	plot->begin_tsc = rte_get_tsc_cycles();
	config->transmit = transmit;
	config->transmit_arg = plot;
}

bool
live_plot_begin(struct live_plot *plot, uint16_t port_id, char *why, size_t size)
{
	plot->port_id = port_id;
	plot->callback = rte_eth_add_rx_callback(port_id, 0, receive, plot);
	if (plot->callback == NULL)
		snprintf(why, size, "--plot: port %u does not support callbacks: %s", port_id,
			rte_strerror(rte_errno));
	return plot->callback != NULL;
}

void
live_plot_end(struct live_plot *plot)
{
	if (plot == NULL || plot->callback == NULL)
		return;
	/*
	 * Do not free the memory of the callback, because EAL does not report when all threads have
	 * left it.
	 */
	rte_eth_remove_rx_callback(plot->port_id, 0, plot->callback);
	plot->callback = NULL;
}

void
live_plot_difference(struct live_plot *plot, bool is_explained)
{
	double seconds;
	int64_t psn;

	if (plot != NULL && history_newest(plot->played, &seconds, &psn))
		plot_mark(&plot->drawing, is_explained ? PLOT_EXPLAINED : PLOT_DIFFERENCES, seconds,
			psn);
}

/*
 * Add the curves of the busiest connections of a history to the picture.
 *
 * @param first index of the first curve of each recorded connection. Written if beside is 0;
 *              otherwise read
 * @param beside 0: the history is the capture. Otherwise: number of recorded connections in the
 *               picture; each curve of the replay gets the colour of a recorded curve
 * @return number of added connections
 */
static size_t
curves_add(struct plot *drawing, const struct history *history, int *first, size_t beside)
{
	size_t shown[PLOT_CONNECTIONS_MAX], count = 0;

	for (; count < PLOT_CONNECTIONS_MAX; count++) {
		shown[count] = history_busiest(history, shown, count);
		if (shown[count] == ND_TRACE_NO_CONNECTION)
			break;
		if (beside == 0)
			first[count] = plot_add(
				drawing, history, shown[count], -1, "recorded ", shown[count] + 1);
		else
			plot_add(drawing, history, shown[count], first[count % beside], "replayed ",
				shown[count] + 1);
	}
	return count;
}

bool
live_plot_close(struct live_plot *plot, bool is_played, char *why, size_t size)
{
	struct plot *drawing = &plot->drawing;
	int first[PLOT_CONNECTIONS_MAX];
	bool drawn;

	if (is_played) {
		size_t count;

		history_finish(plot->recorded, NULL);
		history_finish(plot->played, NULL);
		count = curves_add(drawing, plot->recorded, first, 0);
		if (count != 0)
			curves_add(drawing, plot->played, first, count);
		snprintf(drawing->title, sizeof(drawing->title),
			"ndreplay %s, recorded and replayed: %zu and %zu connections",
			plot->command, nd_trace_connection_count(plot->recorded->trace),
			nd_trace_connection_count(plot->played->trace));
	}
	drawn = plot_close(drawing, &plot->picture, why, size);
	plot_clear(drawing);
	history_close(plot->recorded);
	history_close(plot->played);
	free(plot);
	return drawn;
}
