/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Packets that point into registered memory, and what waits for them. */

#include <criterion/criterion.h>

#include <rte_malloc.h>

#include "mem_fixture.h"

#include "base/limits.h"
#include "mem/attach.h"

#define BASE         UINT64_C(0x900000)
#define MEMORY_BYTES 4096u
#define REGIONS_MAX  4u

static struct mem_domain *domain;
static struct mem_region *region;
static struct rte_mempool *pool;
static uint8_t *memory; /* EAL's */

static struct mem_domain *
domain_make(bool attach)
{
	static struct base_random random;
	struct mem_domain *made = NULL;

	fixture_seed(&random, 71);
	ASSERT_STATUS(mem_domain_create(&(struct mem_domain_config){.key_slots = 64,
						.key_slots_max = 64,
						.region_max = REGIONS_MAX,
						.window_max = 4,
						.reader_max = 1,
						.attach = attach,
						.socket_id = SOCKET_ID_ANY,
						.random = &random},
			      &made),
		RC_OK);
	return made;
}

static void
setup(void)
{
	test_eal_init();
	domain = domain_make(true);
	pool = test_pool_create(64, 128);
	memory = rte_malloc("attach", MEMORY_BYTES, 0);
	cr_assert_not_null(memory);
	for (uint32_t i = 0; i < MEMORY_BYTES; i++)
		memory[i] = (uint8_t)(i * 7);
	region = fixture_region(domain, BASE, memory, MEMORY_BYTES, 0);
}

static void
teardown(void)
{
	cr_assert_eq(rte_mempool_avail_count(pool), 64, "%u of 64 mbufs came back",
		rte_mempool_avail_count(pool));
	cr_assert_eq(mem_domain_attached(domain), 0);
	mem_domain_destroy(domain);
}

TestSuite(mem_attach, .init = setup, .fini = teardown);

static enum rc_status
pieces_of(const struct mem_sge *sges, uint32_t count, uint64_t offset, size_t bytes,
	struct mem_pieces *pieces)
{
	return mem_sgl_pieces(
		domain, &(struct mem_sgl){.sges = sges, .count = count}, offset, bytes, pieces);
}

static struct rte_mbuf *
attach(struct mem_region *to)
{
	const struct mem_sge sge = {mem_region_base(to), 16, to};
	struct rte_mbuf *mbuf = rte_pktmbuf_alloc(pool);
	struct mem_pieces pieces;

	cr_assert_not_null(mbuf);
	ASSERT_STATUS(pieces_of(&sge, 1, 0, 16, &pieces), RC_OK);
	mem_piece_attach(&pieces.at[0], mbuf);
	return mbuf;
}

Test(mem_attach, pieces_are_where_the_bytes_are)
{
	const struct mem_sge sges[] = {
		{BASE + 100, 50, region}, {0, 0, NULL}, {BASE + 1000, 200, region}};
	struct mem_pieces pieces;

	ASSERT_STATUS(pieces_of(sges, 3, 0, 250, &pieces), RC_OK);
	cr_assert_eq(pieces.count, 2);
	cr_assert(pieces.at[0].address == memory + 100 && pieces.at[0].bytes == 50);
	cr_assert(pieces.at[1].address == memory + 1000 && pieces.at[1].bytes == 200);
	ASSERT_STATUS(pieces_of(sges, 3, 49, 2, &pieces), RC_OK);
	cr_assert_eq(pieces.count, 2);
	cr_assert(pieces.at[0].address == memory + 149 && pieces.at[0].bytes == 1);
	cr_assert(pieces.at[1].address == memory + 1000 && pieces.at[1].bytes == 1);
	ASSERT_STATUS(pieces_of(sges, 3, 60, 190, &pieces), RC_OK);
	cr_assert_eq(pieces.count, 1);
	cr_assert(pieces.at[0].address == memory + 1010 && pieces.at[0].bytes == 190);
	ASSERT_STATUS(pieces_of(sges, 3, 60, 191, &pieces), RC_LOCAL_LENGTH);
	ASSERT_STATUS(pieces_of(sges, 3, UINT64_MAX, 1, &pieces), RC_LOCAL_LENGTH);
	ASSERT_STATUS(pieces_of(sges, 0, 0, 1, &pieces), RC_LOCAL_LENGTH);
}

Test(mem_attach, entry_that_is_not_allowed_is_refused)
{
	const struct mem_sge outside[] = {{BASE - 1, 1, region}, {BASE + MEMORY_BYTES, 1, region},
		{BASE + 1, MEMORY_BYTES, region}, {BASE, 1, NULL},
		{BASE, 1, (struct mem_region *)(void *)memory}};
	const struct mem_sge sge = {BASE, 8, region};
	struct mem_pieces pieces;
	uint64_t release;

	for (size_t i = 0; i < RTE_DIM(outside); i++)
		ASSERT_STATUS(pieces_of(&outside[i], 1, 0, 1, &pieces), RC_LOCAL_PROTECTION);
	ASSERT_STATUS(pieces_of(&sge, 1, 0, 8, &pieces), RC_OK);
	ASSERT_STATUS(mem_region_deregister(domain, region, &release), RC_OK);
	ASSERT_STATUS(pieces_of(&sge, 1, 0, 8, &pieces), RC_LOCAL_PROTECTION);
}

static struct mem_region *
chain_region(const struct mem_buffer *buffers, uint32_t count)
{
	struct mem_region *made = NULL;

	ASSERT_STATUS(mem_region_register(domain,
			      &(struct mem_region_attr){
				      .base = BASE, .buffers = buffers, .buffer_count = count},
			      &made),
		RC_OK);
	return made;
}

Test(mem_attach, chained_buffers_give_a_piece_each_up_to_the_limit)
{
	struct mem_buffer buffers[6];
	struct mem_pieces pieces;
	struct mem_region *chain;
	struct mem_sge sge;

	for (uint32_t i = 0; i < RTE_DIM(buffers); i++)
		buffers[i] = (struct mem_buffer){memory + 512 * (5 - i), 100};
	chain = chain_region(buffers, RTE_DIM(buffers));
	sge = (struct mem_sge){BASE, 600, chain};
	ASSERT_STATUS(pieces_of(&sge, 1, 50, 350, &pieces), RC_OK);
	cr_assert_eq(pieces.count, 4);
	cr_assert(pieces.at[0].address == memory + 512 * 5 + 50 && pieces.at[0].bytes == 50);
	cr_assert(pieces.at[1].address == memory + 512 * 4 && pieces.at[1].bytes == 100);
	cr_assert(pieces.at[3].address == memory + 512 * 2 && pieces.at[3].bytes == 100);
	ASSERT_STATUS(pieces_of(&sge, 1, 50, 351, &pieces), RC_NO_RESOURCES);
}

Test(mem_attach, memory_that_eal_does_not_know_is_copied)
{
	static uint8_t foreign[64];
	const struct mem_buffer mixed[] = {{memory, 64}, {foreign, 64}};
	struct mem_region *other = fixture_region(domain, BASE, foreign, sizeof(foreign), 0);
	struct mem_region *chain = chain_region(mixed, 2);
	struct mem_pieces pieces;

	ASSERT_STATUS(
		pieces_of(&(struct mem_sge){BASE, 64, other}, 1, 0, 64, &pieces), RC_NO_RESOURCES);
	/* A region qualifies as a whole. */
	ASSERT_STATUS(
		pieces_of(&(struct mem_sge){BASE, 64, chain}, 1, 0, 64, &pieces), RC_NO_RESOURCES);
}

Test(mem_attach, domain_that_does_not_attach_says_copy)
{
	struct mem_domain *plain = domain_make(false);
	struct mem_region *of_plain = fixture_region(plain, BASE, memory, 64, 0);
	const struct mem_sge sge = {BASE, 64, of_plain};
	struct mem_pieces pieces;

	ASSERT_STATUS(
		mem_sgl_pieces(plain, &(struct mem_sgl){&sge, 1}, 0, 64, &pieces), RC_NO_RESOURCES);
	mem_domain_destroy(plain);
}

Test(mem_attach, segment_is_the_memory_itself)
{
	struct rte_mbuf *mbuf = attach(region);

	cr_assert_eq(rte_pktmbuf_mtod(mbuf, uint8_t *), memory);
	cr_assert_eq(rte_pktmbuf_data_len(mbuf), 16);
	cr_assert_eq(rte_pktmbuf_iova(mbuf), (uintptr_t)memory);
	cr_assert(RTE_MBUF_HAS_EXTBUF(mbuf));
	cr_assert_eq(mem_domain_attached(domain), 1);
	rte_pktmbuf_free(mbuf);
	cr_assert_eq(mem_domain_attached(domain), 0);
	/* The next packet in the same mbuf has its own buffer again. */
	mbuf = rte_pktmbuf_alloc(pool);
	cr_assert(RTE_MBUF_DIRECT(mbuf));
	cr_assert_eq(rte_pktmbuf_tailroom(mbuf), 128);
	rte_pktmbuf_free(mbuf);
}

Test(mem_attach, release_waits_for_the_last_packet)
{
	struct rte_mbuf *first = attach(region), *second = attach(region);
	uint64_t release;

	ASSERT_STATUS(mem_region_deregister(domain, region, &release), RC_OK);
	cr_assert_not(mem_region_alive(domain, region));
	cr_assert_not(mem_region_released(domain, release));
	rte_pktmbuf_free(second);
	cr_assert_not(mem_region_released(domain, release));
	rte_pktmbuf_free(first);
	cr_assert(mem_region_released(domain, release));
}

Test(mem_attach, release_waits_for_readers_that_may_attach)
{
	struct rte_rcu_qsbr *qsbr = mem_domain_qsbr(domain);
	uint64_t release;

	cr_assert_eq(rte_rcu_qsbr_thread_register(qsbr, 0), 0);
	rte_rcu_qsbr_thread_online(qsbr, 0);
	ASSERT_STATUS(mem_region_deregister(domain, region, &release), RC_OK);
	cr_assert_not(mem_region_released(domain, release));
	rte_rcu_qsbr_quiescent(qsbr, 0);
	cr_assert(mem_region_released(domain, release));
}

Test(mem_attach, entry_of_a_region_in_use_is_not_given_away)
{
	struct rte_mbuf *held = attach(region);
	struct mem_region *others[REGIONS_MAX], *none = NULL;
	uint64_t release, ignored;

	ASSERT_STATUS(mem_region_deregister(domain, region, &release), RC_OK);
	for (uint32_t i = 1; i < REGIONS_MAX; i++) {
		others[i] = fixture_region(domain, BASE, memory, 16, 0);
		cr_assert_neq(others[i], region);
	}
	ASSERT_STATUS(fixture_try_region(domain, BASE, memory, 16, 0, &none), RC_NO_RESOURCES);
	/* Others come and go meanwhile, however long it takes. */
	for (uint32_t i = 0; i < 100; i++) {
		ASSERT_STATUS(mem_region_deregister(domain, others[1], &ignored), RC_OK);
		others[1] = fixture_region(domain, BASE, memory, 16, 0);
		cr_assert_neq(others[1], region, "round %u", i);
	}
	cr_assert_not(mem_region_released(domain, release));
	rte_pktmbuf_free(held);
	cr_assert(mem_region_released(domain, release));
	cr_assert_eq(fixture_region(domain, BASE, memory, 16, 0), region);
	/* Nor does the new owner of the entry make the old release wait. */
	held = attach(region);
	cr_assert(mem_region_released(domain, release));
	rte_pktmbuf_free(held);
}

Test(mem_attach, count_of_sixteen_bits_does_not_wrap)
{
	enum { MOST = 0x8000 };
	struct rte_mempool *many = test_pool_create(MOST, 0);
	static struct rte_mbuf *mbufs[MOST];
	const struct mem_sge sge = {BASE, 16, region};
	struct mem_pieces pieces;

	for (uint32_t i = 0; i < MOST; i++) {
		mbufs[i] = rte_pktmbuf_alloc(many);
		ASSERT_STATUS(pieces_of(&sge, 1, 0, 16, &pieces), RC_OK);
		mem_piece_attach(&pieces.at[0], mbufs[i]);
	}
	cr_assert_eq(mem_domain_attached(domain), MOST);
	ASSERT_STATUS(pieces_of(&sge, 1, 0, 16, &pieces), RC_NO_RESOURCES);
	rte_pktmbuf_free(mbufs[0]);
	ASSERT_STATUS(pieces_of(&sge, 1, 0, 16, &pieces), RC_OK);
	rte_pktmbuf_free_bulk(mbufs + 1, MOST - 1);
}

/* Some entries are outside of the region, some lists too short. */
Test(mem_attach, agrees_with_a_copy)
{
	enum { ROUNDS = 20000, SEED = 72 };
	uint32_t attached = 0, refused = 0;
	struct base_random random;

	fixture_seed(&random, SEED);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		struct mem_sge sges[5];
		struct mem_sgl sgl = {.sges = sges, .count = base_random_below(&random, 6)};
		uint32_t offset = base_random_below(&random, 64);
		uint32_t bytes = 1 + base_random_below(&random, 128), done = 0;
		enum rc_status copied, status;
		struct mem_pieces pieces;
		uint8_t copy[128];

		for (uint32_t i = 0; i < sgl.count; i++)
			sges[i] = (struct mem_sge){BASE + base_random_below(&random, MEMORY_BYTES),
				base_random_below(&random, 100), region};
		copied = mem_sgl_gather(domain, &sgl, offset, copy, bytes);
		status = mem_sgl_pieces(domain, &sgl, offset, bytes, &pieces);
		if (status == RC_NO_RESOURCES)
			continue;
		cr_assert_eq(status, copied, "round %u seed %d: %s, a copy: %s", round, SEED,
			rc_status_name(status), rc_status_name(copied));
		attached += status == RC_OK;
		refused += status != RC_OK;
		for (uint32_t i = 0; status == RC_OK && i < pieces.count; i++) {
			cr_assert_eq(memcmp(pieces.at[i].address, copy + done, pieces.at[i].bytes),
				0, "round %u seed %d piece %u", round, SEED, i);
			done += pieces.at[i].bytes;
		}
		cr_assert(status != RC_OK || done == bytes, "round %u seed %d: %u of %u bytes",
			round, SEED, done, bytes);
	}
	cr_assert(attached > ROUNDS / 10 && refused > ROUNDS / 10, "%u attached, %u refused",
		attached, refused);
}
