/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "kit/inject_port.h"

#include <assert.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_lcore.h>
#include <rte_mbuf.h>
#include <rte_net.h>
#include <rte_udp.h>

#include "kit/eal.h"

/*
 * Each direction of each queue is a lane: a FIFO ("line") of frames that wait for the delay. A
 * frame's fault is decided when the frame enters the lane. A frame leaves the line when it is the
 * first frame and its delay is over. A frame that is to be reordered moves from the line to the
 * array "late". It leaves "late" when enough other frames have left, or after LATE_US.
 */

#define ROCE_PORT     4791
/*
 * Offset in the BTH of the first byte that may be corrupted. The bytes before it stay intact:
 * opcode, pad count, P_Key, and a byte that the ICRC does not cover.
 */
#define BTH_CORRUPT   5u
#define COPIES        1024u
/* Size of a buffer for a copied frame: a packet of path MTU 4096 with its headers fits. */
#define COPY_BYTES    4352u
#define LATE_MAX      16u
/* Longest time in us for which a frame with the fault INJECT_REORDER is held. */
#define LATE_US       100u
#define BURST         32u
#define HEADER_LAYERS (RTE_PTYPE_L2_MASK | RTE_PTYPE_L3_MASK | RTE_PTYPE_L4_MASK)

static_assert((INJECT_HELD_MAX & (INJECT_HELD_MAX - 1)) == 0, "a mask computes the index");
static_assert(
	COPIES * (COPY_BYTES + 1024u) < INJECT_BYTES, "the pool of copies fits into INJECT_BYTES");

struct held {
	struct rte_mbuf *mbuf;
	uint64_t tsc;    /* in line: earliest time to leave; in late: latest time to leave */
	uint32_t passes; /* number of frames that must leave before this frame; 0 = not reordered */
};

/*
 * A plan and values computed from it. inject_close() frees replaced settings. They are not freed
 * earlier, because a lane may still use them.
 */
struct setting {
	struct inject_plan plan;
	uint64_t delay_tsc;
	struct setting *before; /* previous setting; NULL = none */
};

struct lane {
	uint16_t way, queue;           /* an enum inject_way, and the index of the queue */
	const struct setting *setting; /* setting in use; NULL before the first frame */
	struct inject_dice dice;
	struct inject_counts counts;
	uint32_t head, count; /* index of the first frame of line, and number of frames in line */
	uint32_t late_count;
	struct held line[INJECT_HELD_MAX];
	struct held late[LATE_MAX];
};

struct lanes {
	alignas(RTE_CACHE_LINE_SIZE) struct lane lane[INJECT_WAYS];
	struct inject *inject;
	struct rte_mbuf *ready[BURST]; /* frames that the port has not accepted yet */
	uint16_t ready_count;
	const struct rte_eth_rxtx_callback *callback;
};

struct inject {
	struct setting *setting; /* newest setting; accessed atomically */
	struct rte_mempool *copies;
	uint64_t late_tsc;
	uint16_t port_id, first_queue, queues;
	bool begun;
	struct lanes *lanes; /* one for each queue */
};

/* Add 1 to a counter. Only this thread writes it; inject_read() reads it on other threads. */
static void
count(uint64_t *counter)
{
	__atomic_store_n(counter, *counter + 1, __ATOMIC_RELAXED);
}

struct roce {
	uint32_t begin, end; /* offsets of BTH and ICRC in the frame, in bytes */
};

static bool
find_roce(const struct rte_mbuf *mbuf, struct roce *roce)
{
	struct rte_net_hdr_lens lengths;
	struct rte_udp_hdr copy;
	const struct rte_udp_hdr *udp;
	uint32_t offset;

	if ((rte_net_get_ptype(mbuf, &lengths, HEADER_LAYERS) & RTE_PTYPE_L4_MASK) !=
		RTE_PTYPE_L4_UDP)
		return false;
	offset = (uint32_t)lengths.l2_len + lengths.l3_len;
	udp = rte_pktmbuf_read(mbuf, offset, sizeof(copy), &copy);
	if (udp == NULL || udp->dst_port != rte_cpu_to_be_16(ROCE_PORT))
		return false;
	roce->begin = offset + (uint32_t)sizeof(*udp);
	roce->end = offset + rte_be_to_cpu_16(udp->dgram_len);
	return roce->begin + BTH_CORRUPT < roce->end && roce->end <= rte_pktmbuf_pkt_len(mbuf);
}

/* Add a frame to the end of the line. Drop the frame if the line is full. */
static void
line_add(struct lane *lane, struct rte_mbuf *mbuf, uint32_t passes, uint64_t now)
{
	if (lane->count == INJECT_HELD_MAX) {
		rte_pktmbuf_free(mbuf);
		count(&lane->counts.overflow);
		return;
	}
	lane->line[(lane->head + lane->count++) & (INJECT_HELD_MAX - 1)] = (struct held){
		.mbuf = mbuf,
		.tsc = now + lane->setting->delay_tsc,
		.passes = passes,
	};
}

/*
 * Copy a frame and flip one random bit in the copy. The frame itself is not changed, because other
 * code may hold references to it, for example for a retransmission.
 * @return the copy, or the unchanged frame if no buffer is free
 */
static struct rte_mbuf *
corrupt(const struct inject *inject, struct lane *lane, struct rte_mbuf *mbuf,
	const struct roce *roce)
{
	const uint32_t begin = roce->begin + BTH_CORRUPT;
	const uint32_t bit = inject_pick(&lane->dice, 8 * (roce->end - begin));
	struct rte_mbuf *copy = NULL;

	if (rte_pktmbuf_pkt_len(mbuf) <= COPY_BYTES)
		copy = rte_pktmbuf_copy(mbuf, inject->copies, 0, UINT32_MAX);
	if (copy == NULL)
		return mbuf;
	*rte_pktmbuf_mtod_offset(copy, uint8_t *, begin + bit / 8) ^= (uint8_t)(1u << bit % 8);
	rte_pktmbuf_free(mbuf);
	count(&lane->counts.faults[INJECT_CORRUPT]);
	return copy;
}

/*
 * If the plan has been replaced, switch the lane to the newest setting and reseed its random
 * numbers.
 */
static void
lane_follow(const struct inject *inject, struct lane *lane)
{
	const struct setting *setting = __atomic_load_n(&inject->setting, __ATOMIC_ACQUIRE);

	if (lane->setting == setting)
		return;
	lane->setting = setting;
	inject_dice_init(&lane->dice, setting->plan.seed, lane->way, lane->queue);
}

/*
 * Decide the fault of a frame and add the frame to the lane. The lane owns the frame from now on.
 */
static void
lane_take(const struct inject *inject, struct lane *lane, struct rte_mbuf *mbuf, uint64_t now)
{
	enum inject_kind kind = INJECT_NONE;
	struct rte_mbuf *copy = NULL;
	uint32_t passes = 0;
	struct roce roce;

	lane_follow(inject, lane);
	if (find_roce(mbuf, &roce)) {
		count(&lane->counts.frames);
		kind = inject_decide(&lane->dice, &lane->setting->plan);
	}
	switch (kind) {
	case INJECT_DROP:
		rte_pktmbuf_free(mbuf);
		count(&lane->counts.faults[INJECT_DROP]);
		return;
	case INJECT_DUP:
		copy = rte_pktmbuf_copy(mbuf, inject->copies, 0, UINT32_MAX);
		break;
	case INJECT_REORDER:
		passes = 1 + inject_pick(&lane->dice, INJECT_PASSES_MAX);
		break;
	case INJECT_CORRUPT:
		mbuf = corrupt(inject, lane, mbuf, &roce);
		break;
	case INJECT_NONE:
		break;
	}
	line_add(lane, mbuf, passes, now);
	if (copy == NULL)
		return;
	count(&lane->counts.faults[INJECT_DUP]);
	line_add(lane, copy, 0, now);
}

static void
late_remove(struct lane *lane, uint32_t index)
{
	lane->late_count--;
	for (uint32_t i = index; i < lane->late_count; i++)
		lane->late[i] = lane->late[i + 1];
}

/* @return a reordered frame that may leave the lane now; NULL = none */
static struct rte_mbuf *
late_next(struct lane *lane, uint64_t now)
{
	for (uint32_t i = 0; i < lane->late_count; i++) {
		struct rte_mbuf *mbuf = lane->late[i].mbuf;

		if (lane->late[i].passes > 0 && lane->late[i].tsc > now)
			continue;
		late_remove(lane, i);
		return mbuf;
	}
	return NULL;
}

/*
 * Remove the first frame of the line if its delay is over.
 * @return the frame; its member mbuf is NULL if the delay of no frame is over
 */
static struct held
line_next(struct lane *lane, uint64_t now)
{
	const struct held held = lane->line[lane->head];

	if (lane->count == 0 || held.tsc > now)
		return (struct held){0};
	lane->head = (lane->head + 1) & (INJECT_HELD_MAX - 1);
	lane->count--;
	return held;
}

/* @return the next frame that leaves the lane; NULL = no frame may leave now */
static struct rte_mbuf *
lane_next(const struct inject *inject, struct lane *lane, uint64_t now)
{
	struct rte_mbuf *mbuf = late_next(lane, now);
	struct held held;

	if (mbuf != NULL)
		return mbuf;
	for (;;) {
		held = line_next(lane, now);
		if (held.passes == 0 || lane->late_count == LATE_MAX)
			break;
		held.tsc = now + inject->late_tsc;
		lane->late[lane->late_count++] = held;
		count(&lane->counts.faults[INJECT_REORDER]);
	}
	for (uint32_t i = 0; held.mbuf != NULL && i < lane->late_count; i++)
		lane->late[i].passes -= lane->late[i].passes > 0;
	return held.mbuf;
}

static uint16_t
lane_give(const struct inject *inject, struct lane *lane, struct rte_mbuf **mbufs, uint16_t max,
	uint64_t now)
{
	uint16_t given = 0;

	while (given < max && (mbufs[given] = lane_next(inject, lane, now)) != NULL)
		given++;
	return given;
}

/* Transmit the frames that may leave. @return true if the port has accepted all frames */
static bool
send_ready(struct lanes *lanes, uint16_t queue_id, uint64_t now)
{
	const struct inject *inject = lanes->inject;
	uint16_t sent;

	do {
		lanes->ready_count += lane_give(inject, &lanes->lane[INJECT_SENT],
			&lanes->ready[lanes->ready_count], (uint16_t)(BURST - lanes->ready_count),
			now);
		if (lanes->ready_count == 0)
			return true;
		sent = rte_eth_tx_burst(
			inject->port_id, queue_id, lanes->ready, lanes->ready_count);
		lanes->ready_count -= sent;
		for (uint16_t i = 0; i < lanes->ready_count; i++)
			lanes->ready[i] = lanes->ready[i + sent];
	} while (lanes->ready_count == 0);
	return false;
}

static struct lanes *
lanes_of(struct inject *inject, uint16_t queue_id)
{
	return &inject->lanes[queue_id - inject->first_queue];
}

/* The adapter's transmit function: nd_adapter_config.transmit. */
static uint16_t
transmit(uint16_t port_id, uint16_t queue_id, struct rte_mbuf **mbufs, uint16_t frames, void *arg)
{
	struct inject *inject = arg;
	const uint64_t now = rte_rdtsc();
	struct lanes *lanes;

	if (!inject->begun)
		return rte_eth_tx_burst(port_id, queue_id, mbufs, frames);
	lanes = lanes_of(inject, queue_id);
	/*
	 * If the port does not accept the frames in ready, take no new frames. The adapter keeps
	 * the new frames, as it does when a port is full.
	 */
	if (!send_ready(lanes, queue_id, now))
		return 0;
	for (uint16_t i = 0; i < frames; i++)
		lane_take(inject, &lanes->lane[INJECT_SENT], mbufs[i], now);
	send_ready(lanes, queue_id, now);
	return frames;
}

/*
 * RX callback. ethdev calls the callback in each poll, even if no frame was received. Therefore the
 * callback transmits the delayed frames that have become due, too.
 */
static uint16_t
receive(uint16_t port_id, uint16_t queue_id, struct rte_mbuf *mbufs[], uint16_t frames,
	uint16_t max, void *arg)
{
	struct lanes *lanes = arg;
	struct lane *lane = &lanes->lane[INJECT_RECEIVED];
	const uint64_t now = rte_rdtsc();

	(void)port_id;
	for (uint16_t i = 0; i < frames; i++)
		lane_take(lanes->inject, lane, mbufs[i], now);
	send_ready(lanes, queue_id, now);
	return lane_give(lanes->inject, lane, mbufs, max, now);
}

bool
inject_change(struct inject *inject, const struct inject_plan *plan)
{
	struct setting *setting = malloc(sizeof(*setting));

	if (setting == NULL)
		return false;
	*setting = (struct setting){
		.plan = *plan,
		.delay_tsc = plan->delay_ns * rte_get_tsc_hz() / 1000000000u,
		.before = inject->setting,
	};
	__atomic_store_n(&inject->setting, setting, __ATOMIC_RELEASE);
	return true;
}

uint64_t
inject_seed(const struct inject *inject)
{
	return inject->setting->plan.seed;
}

struct inject *
inject_open(const struct inject_plan *plan, char *why, size_t size)
{
	struct inject *inject = calloc(1, sizeof(*inject));

	if (inject != NULL && !inject_change(inject, plan)) {
		free(inject);
		inject = NULL;
	}
	if (inject != NULL)
		inject->copies = rte_pktmbuf_pool_create("inject", COPIES, 0, 0,
			COPY_BYTES + RTE_PKTMBUF_HEADROOM, (int)rte_socket_id());
	if (inject == NULL || inject->copies == NULL) {
		if (inject == NULL)
			snprintf(why, size, "no memory for --inject");
		else
			eal_pool_error("--inject", why, size);
		inject_close(inject);
		return NULL;
	}
	inject->late_tsc = LATE_US * rte_get_tsc_hz() / 1000000u;
	return inject;
}

void
inject_configure(struct inject *inject, struct nd_adapter_config *config)
{
	config->transmit = transmit;
	config->transmit_arg = inject;
	inject->first_queue = config->queue_id;
	inject->queues = (uint16_t)RTE_MAX(config->engines, 1u);
}

static void
lanes_init(struct inject *inject, uint16_t index)
{
	struct lanes *lanes = &inject->lanes[index];

	lanes->inject = inject;
	for (unsigned int way = 0; way < INJECT_WAYS; way++) {
		lanes->lane[way].way = way;
		lanes->lane[way].queue = index;
	}
}

bool
inject_begin(struct inject *inject, uint16_t port_id, char *why, size_t size)
{
	inject->port_id = port_id;
	inject->lanes =
		aligned_alloc(RTE_CACHE_LINE_SIZE, (size_t)inject->queues * sizeof(*inject->lanes));
	if (inject->lanes == NULL) {
		snprintf(why, size, "no memory for --inject");
		return false;
	}
	memset(inject->lanes, 0, (size_t)inject->queues * sizeof(*inject->lanes));
	for (uint16_t i = 0; i < inject->queues; i++) {
		lanes_init(inject, i);
		inject->lanes[i].callback = rte_eth_add_rx_callback(inject->port_id,
			(uint16_t)(inject->first_queue + i), receive, &inject->lanes[i]);
		if (inject->lanes[i].callback == NULL) {
			snprintf(why, size, "--inject: port %u takes no callback: %s",
				inject->port_id, rte_strerror(rte_errno));
			inject_end(inject);
			return false;
		}
	}
	inject->begun = true;
	return true;
}

static uint64_t
read_one(const uint64_t *counter)
{
	return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

void
inject_read(const struct inject *inject, struct inject_counts counts[INJECT_WAYS])
{
	for (unsigned int way = 0; way < INJECT_WAYS; way++) {
		counts[way] = (struct inject_counts){0};
		for (uint16_t i = 0; inject->lanes != NULL && i < inject->queues; i++) {
			const struct inject_counts *one = &inject->lanes[i].lane[way].counts;

			counts[way].frames += read_one(&one->frames);
			counts[way].overflow += read_one(&one->overflow);
			for (unsigned int kind = 0; kind < INJECT_KINDS; kind++)
				counts[way].faults[kind] += read_one(&one->faults[kind]);
		}
	}
}

static void
lane_empty(struct lane *lane)
{
	for (; lane->count > 0; lane->count--) {
		rte_pktmbuf_free(lane->line[lane->head].mbuf);
		lane->head = (lane->head + 1) & (INJECT_HELD_MAX - 1);
	}
	while (lane->late_count > 0)
		rte_pktmbuf_free(lane->late[--lane->late_count].mbuf);
}

void
inject_end(struct inject *inject)
{
	if (inject == NULL)
		return;
	for (uint16_t i = 0; inject->lanes != NULL && i < inject->queues; i++) {
		struct lanes *lanes = &inject->lanes[i];

		if (lanes->callback != NULL)
			rte_eth_remove_rx_callback(inject->port_id,
				(uint16_t)(inject->first_queue + i), lanes->callback);
		lanes->callback = NULL;
		for (unsigned int way = 0; way < INJECT_WAYS; way++)
			lane_empty(&lanes->lane[way]);
		rte_pktmbuf_free_bulk(lanes->ready, lanes->ready_count);
		lanes->ready_count = 0;
	}
	inject->begun = false;
}

void
inject_close(struct inject *inject)
{
	struct setting *before;

	if (inject == NULL)
		return;
	for (struct setting *setting = inject->setting; setting != NULL; setting = before) {
		before = setting->before;
		free(setting);
	}
	free(inject->lanes);
	free(inject);
}
