/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Reads of a few bytes at random offsets of a region, which has one, some or very many buffers.
 * Also gathers of a buffer's first bytes.
 *
 * The total size is the same for all numbers of buffers, and buffers are not contiguous, so only
 * the search for the buffer differs. Each read depends on the bytes of the previous read. Floor of
 * a read: memcpy() from an array of buffer addresses, with a known index. Floor of a gather:
 * memcpy().
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "scene.h"

#define REGION_BYTES (16u << 20)
#define READ_BYTES   64u
#define VISITS       65536u
#define GATHER_MAX   4096u

/** Position in the region that a row reads. All bytes of a read are in one buffer. */
struct place {
	uint64_t offset; /**< offset in the region */
	/** index of the buffer, then the offset in this buffer; used by the floor */
	uint32_t buffer;
	uint32_t inside;
};

struct chain {
	const char *sizes;
	uint32_t count; /**< number of buffers; REGION_BYTES is a multiple of this number */
	uint32_t next;  /**< index of the place at which the next call continues */
	struct mem_buffer *buffers;
	uint8_t **addresses; /**< addresses of the buffers */
	struct place *places;
	struct mem_span span; /**< the whole region */
};

struct gather {
	size_t bytes;
	const uint8_t *from;
	struct mem_sge sge;
	uint8_t to[GATHER_MAX];
};

static struct chain chains[] = {
	{.sizes = "equal", .count = 1},
	{.sizes = "equal", .count = 64},
	{.sizes = "equal", .count = 65536},
	{.sizes = "random", .count = 64},
	{.sizes = "random", .count = 65536},
};

static struct gather gathers[] = {
	{.bytes = 64},
	{.bytes = 4096},
};

static struct base_random random_numbers;
static struct mem_domain *domain;

static void
read_run(void *arg, uint32_t iterations)
{
	struct chain *chain = arg;
	uint64_t to[READ_BYTES / sizeof(uint64_t)] = {0};

	for (uint32_t i = 0; i < iterations; i++) {
		mem_span_read(
			&chain->span, chain->places[chain->next].offset + to[0], to, READ_BYTES);
		bench_keep(to[0]);
		chain->next = (chain->next + 1) % VISITS;
	}
}

static void
copy_run(void *arg, uint32_t iterations)
{
	struct chain *chain = arg;
	uint64_t to[READ_BYTES / sizeof(uint64_t)] = {0};

	for (uint32_t i = 0; i < iterations; i++) {
		const struct place *place = &chain->places[chain->next];

		memcpy(to, chain->addresses[place->buffer + to[0]] + place->inside, READ_BYTES);
		bench_keep(to[0]);
		chain->next = (chain->next + 1) % VISITS;
	}
}

static void
gather_run(void *arg, uint32_t iterations)
{
	struct gather *gather = arg;
	const struct mem_sgl sgl = {.sges = &gather->sge, .count = 1};
	uint32_t failed_count = 0;

	for (uint32_t i = 0; i < iterations; i++) {
		failed_count += mem_sgl_gather(domain, &sgl, 0, gather->to, gather->bytes) != RC_OK;
		bench_keep(gather->to[0]);
	}
	BENCH_REQUIRE(failed_count == 0);
}

static void
memcpy_run(void *arg, uint32_t iterations)
{
	struct gather *gather = arg;

	for (uint32_t i = 0; i < iterations; i++) {
		memcpy(gather->to, gather->from, gather->bytes);
		bench_keep(gather->to[0]);
	}
}

/** Divide the memory into cells of equal size. Assign the cells to the buffers in random order. */
static void
buffers_make(struct chain *chain)
{
	uint32_t mean = REGION_BYTES / chain->count;
	bool equal = strcmp(chain->sizes, "equal") == 0;
	uint64_t cell = equal ? mean : 2 * mean;
	uint8_t *memory = bench_memory(chain->count * cell);
	uint32_t *order = calloc(chain->count, sizeof(*order));

	chain->buffers = calloc(chain->count, sizeof(*chain->buffers));
	chain->addresses = bench_memory(chain->count * sizeof(*chain->addresses));
	BENCH_REQUIRE(order != NULL && chain->buffers != NULL);
	scene_shuffle(&random_numbers, order, chain->count);
	for (uint32_t i = 0; i < chain->count; i++) {
		uint32_t spread = equal
			? mean - READ_BYTES
			: base_random_below(&random_numbers, 2 * (mean - READ_BYTES) + 1);

		chain->addresses[i] = memory + order[i] * cell;
		chain->buffers[i].address = chain->addresses[i];
		chain->buffers[i].length_bytes = READ_BYTES + spread;
	}
	free(order);
}

/**
 * Choose random places in the region. If a place exceeds the end of its buffer, move the place
 * back.
 */
static void
places_make(struct chain *chain, uint64_t region_bytes)
{
	uint32_t *order = calloc(VISITS, sizeof(*order));
	uint32_t buffer = 0;
	uint64_t start = 0;

	chain->places = bench_memory(VISITS * sizeof(*chain->places));
	BENCH_REQUIRE(order != NULL);
	scene_shuffle(&random_numbers, order, VISITS);
	for (uint32_t i = 0; i < VISITS; i++) {
		uint32_t slice = (uint32_t)(region_bytes / VISITS);
		uint64_t offset = i * (uint64_t)slice + base_random_below(&random_numbers, slice);
		uint64_t last;

		while (offset >= start + chain->buffers[buffer].length_bytes)
			start += chain->buffers[buffer++].length_bytes;
		last = start + chain->buffers[buffer].length_bytes - READ_BYTES;
		offset = RTE_MIN(offset, last);
		chain->places[order[i]] = (struct place){
			.offset = offset, .buffer = buffer, .inside = (uint32_t)(offset - start)};
	}
	free(order);
}

static void
domain_make(void)
{
	const struct scene_limits limits = {.window_max = 1, .region_max = 16};

	if (domain == NULL)
		domain = scene_domain_make(&limits, &random_numbers);
}

static struct mem_region *
region_make(const struct mem_buffer *buffers, uint32_t count)
{
	const struct mem_region_attr attr = {
		.base = UINT64_C(1) << 32,
		.buffers = buffers,
		.buffer_count = count,
	};
	struct mem_region *region;

	BENCH_REQUIRE(mem_region_register(domain, &attr, &region) == RC_OK);
	return region;
}

static void
chain_make(void *arg)
{
	struct chain *chain = arg;

	if (chain->buffers != NULL)
		return;
	domain_make();
	buffers_make(chain);
	chain->span.region = region_make(chain->buffers, chain->count);
	chain->span.address = mem_region_base(chain->span.region);
	chain->span.length_bytes = mem_region_length(chain->span.region);
	places_make(chain, chain->span.length_bytes);
}

static void
gather_make(void *arg)
{
	struct gather *gather = arg;
	struct mem_buffer buffer = {.length_bytes = GATHER_MAX};

	if (gather->from != NULL)
		return;
	domain_make();
	gather->from = bench_memory(GATHER_MAX);
	buffer.address = (void *)(uintptr_t)gather->from;
	gather->sge.region = region_make(&buffer, 1);
	gather->sge.address = mem_region_base(gather->sge.region);
	gather->sge.length_bytes = gather->bytes;
}

static void
pair_name(struct bench_row *rows, const char *floor, const char *subject, uint32_t number)
{
	bench_name(rows[0].name, floor, number);
	bench_name(rows[1].name, subject, number);
	for (unsigned int i = 0; i < 2; i++)
		memcpy(rows[i].floor, rows[0].name, sizeof(rows[i].floor));
}

static void
chain_rows(struct bench_row *rows, struct chain *chain)
{
	char floor[BENCH_WHAT_BYTES], subject[BENCH_WHAT_BYTES];

	rows[0] = (struct bench_row){.run = copy_run, .make = chain_make, .arg = chain};
	rows[1] = (struct bench_row){.run = read_run, .make = chain_make, .arg = chain};
	snprintf(floor, sizeof(floor), "indexed_memcpy_%s", chain->sizes);
	snprintf(subject, sizeof(subject), "mem_span_read_%s", chain->sizes);
	pair_name(rows, floor, subject, chain->count);
}

static void
gather_rows(struct bench_row *rows, struct gather *gather)
{
	rows[0] = (struct bench_row){.run = memcpy_run, .make = gather_make, .arg = gather};
	rows[1] = (struct bench_row){.run = gather_run, .make = gather_make, .arg = gather};
	pair_name(rows, "memcpy", "mem_sgl_gather", (uint32_t)gather->bytes);
}

int
main(int argc, char **argv)
{
	static const struct bench_defaults defaults = {.rounds = 1500, .iterations = 1000};
	struct bench_row rows[2 * (RTE_DIM(chains) + RTE_DIM(gathers))];
	struct bench_row *end = rows;
	struct bench bench;

	bench_start(&bench, &defaults, argc, argv);
	for (size_t i = 0; i < RTE_DIM(chains); i++, end += 2)
		chain_rows(end, &chains[i]);
	for (size_t i = 0; i < RTE_DIM(gathers); i++, end += 2)
		gather_rows(end, &gathers[i]);
	bench_run(&bench, rows, RTE_DIM(rows));
	return EXIT_SUCCESS;
}
