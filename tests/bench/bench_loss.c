/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Cost of packet loss: WRITEs of 64 KiB, always 16 outstanding, over two rings in one thread. A
 * callback on each port drops frames at random.
 *
 *   go_back_n_PPM  both adapters use go-back-N
 *   selective_PPM  both adapters use selective recovery; floor: go_back_n_PPM of the same round
 *
 * PPM is the number of lost frames per million. Each run loses the same frames. The ratio is the
 * goodput of go-back-N divided by the goodput of selective recovery.
 */

#include <stdlib.h>
#include <time.h>

#include <rte_common.h>
#include <rte_ethdev.h>

#include "bench.h"
#include "loop_operation.h"
#include "loop_pair.h"

#define MESSAGE_BYTES 65536u
#define DEPTH         16u
#define MILLION       1000000u

enum recovery {
	GO_BACK_N,
	SELECTIVE,
	RECOVERY_COUNT,
};

static const uint32_t losses_ppm[] = {0, 100, 1000, 10000, 50000};

static const char *const names[RECOVERY_COUNT] = {
	[GO_BACK_N] = "go_back_n",
	[SELECTIVE] = "selective",
};

static struct loop_pair pairs[RECOVERY_COUNT];

/** State of the callbacks. */
static struct {
	uint32_t ppm;
	uint64_t state;
} dice;

/**
 * @return true if a frame must be dropped. The decision uses the upper bits of a linear
 * congruential generator.
 */
static bool
loses(void)
{
	dice.state = dice.state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint64_t)(dice.state >> 32) * MILLION >> 32 < dice.ppm;
}

static uint16_t
receive_lossy(uint16_t port_id, uint16_t queue_id, struct rte_mbuf **mbufs, uint16_t count,
	uint16_t max, void *arg)
{
	uint16_t kept = 0;

	(void)port_id;
	(void)queue_id;
	(void)max;
	(void)arg;
	for (uint16_t i = 0; i < count; i++) {
		if (loses())
			rte_pktmbuf_free(mbufs[i]);
		else
			mbufs[kept++] = mbufs[i];
	}
	return kept;
}

static void
pair_open(enum recovery recovery)
{
	struct loop_pair *pair = &pairs[recovery];

	pair->memory_bytes = MESSAGE_BYTES;
	pair->recovery = recovery == SELECTIVE ? ND_RECOVERY_SELECTIVE : ND_RECOVERY_GO_BACK_N;
	loop_pair_open(pair, LOOP_WINDOWS_FEW);
	for (unsigned int i = 0; i < 2; i++)
		BENCH_REQUIRE(rte_eth_add_rx_callback(
				      pair->side[i].port_id, 0, receive_lossy, NULL) != NULL);
}

static uint32_t
results_take(struct loop_pair *pair)
{
	struct nd_result *got[DEPTH];
	size_t count = nd_cq_get_results(pair->side[0].outbound, got, DEPTH);

	for (size_t i = 0; i < count; i++)
		BENCH_REQUIRE(got[i]->status == ND_SUCCESS);
	return (uint32_t)count;
}

/**
 * @return processor time per message in ns. Processor time excludes other programs of the machine.
 */
static double
messages_move(struct loop_pair *pair, uint32_t wanted)
{
	struct timespec begin, end;
	uint32_t posted = 0, done = 0;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	while (done < wanted) {
		for (; posted < wanted && posted - done < DEPTH; posted++)
			BENCH_REQUIRE(loop_write.post(pair, &pair->results[0][posted % DEPTH],
					      MESSAGE_BYTES) == ND_SUCCESS);
		nd_engine_poll(pair->side[1].engine);
		nd_engine_poll(pair->side[0].engine);
		done += results_take(pair);
	}
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
	return ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) /
		wanted;
}

static void
loss_play(const struct bench *bench, uint32_t ppm)
{
	double *samples[RECOVERY_COUNT];
	char texts[RECOVERY_COUNT][BENCH_NAME_BYTES];

	for (enum recovery i = 0; i < RECOVERY_COUNT; i++) {
		samples[i] = calloc(bench->rounds, sizeof(double));
		BENCH_REQUIRE(samples[i] != NULL);
		bench_name(texts[i], names[i], ppm);
	}
	for (uint32_t round = 0; round < bench->rounds; round++) {
		for (enum recovery i = 0; i < RECOVERY_COUNT; i++) {
			dice.ppm = ppm;
			dice.state = round;
			samples[i][round] = messages_move(&pairs[i], bench->iterations);
			dice.ppm = 0;
		}
	}
	/* Print a row before its floor, because printing sorts the samples. */
	for (enum recovery i = RECOVERY_COUNT; i-- > 0;)
		bench_samples(bench,
			&(struct bench_samples){texts[i], texts[GO_BACK_N], "ns/op", samples[i],
				samples[GO_BACK_N]});
	for (enum recovery i = 0; i < RECOVERY_COUNT; i++)
		free(samples[i]);
}

int
main(int argc, char **argv)
{
	static const struct bench_defaults defaults = {.rounds = 10, .iterations = 200};
	struct bench bench;

	bench_start(&bench, &defaults, argc, argv);
	for (enum recovery i = 0; i < RECOVERY_COUNT; i++)
		pair_open(i);
	for (size_t i = 0; i < RTE_DIM(losses_ppm); i++)
		loss_play(&bench, losses_ppm[i]);
	return EXIT_SUCCESS;
}
