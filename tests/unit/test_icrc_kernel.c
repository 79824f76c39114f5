/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/icrc_kernel.h"

#include <sys/mman.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <rte_common.h>

#include "base/random.h"
#include "unit/wire_oracle.h"
#include "unit/wire_vectors.h"
#include "wire/icrc.h"
#include "wire/icrc_constants.h"

/*
 * All kernels (implementations for instruction sets) that this CPU supports must agree with each
 * other and with the definition of the ICRC. Run this test without valgrind, which emulates neither
 * AVX-512 nor VPCLMULQDQ.
 */

#define BYTES_MAX    4200u
#define ETHER_BYTES  14u
#define ALIGNMENTS   64u
#define GUARD_LENGTH 400u

/* CRC polynomial. The term x^32 is not stored. */
#define POLYNOMIAL 0x04C11DB7u

static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {41};

static uint32_t
header_bytes(bool v6)
{
	return WIRE_ICRC_START_BYTES(v6);
}

static void
bytes_randomize(uint8_t *bytes, uint32_t count, struct base_random *random)
{
	for (uint32_t i = 0; i < count; i++)
		bytes[i] = (uint8_t)base_random_u32(random);
}

/* @return ICRC, computed bit by bit according to its definition */
static uint32_t
icrc_defined(const uint8_t *ip, uint32_t bytes, bool v6)
{
	static uint8_t frame[WIRE_ORACLE_MAX_BYTES];

	frame[12] = v6 ? 0x86 : 0x08;
	memcpy(frame + ETHER_BYTES, ip, bytes);
	return wire_oracle_icrc(frame, ETHER_BYTES + bytes);
}

static void
expect_agreement(const uint8_t *ip, uint32_t bytes, bool v6, uint32_t wanted)
{
	const struct wire_icrc_kernel *kernel;

	for (unsigned int i = 0; (kernel = wire_icrc_kernel_get(i)) != NULL; i++) {
		uint32_t icrc = kernel->run(ip, bytes, v6);

		cr_assert_eq(icrc, wanted, "%s, IPv%d, %u bytes at %p: 0x%08x, not 0x%08x",
			kernel->name, v6 ? 6 : 4, bytes, (const void *)ip, icrc, wanted);
	}
}

/* @return x^power modulo the polynomial; bit 31 of the result is x^31 */
static uint32_t
power_of_x(unsigned int power)
{
	uint32_t rest = 1;

	for (unsigned int i = 0; i < power; i++)
		rest = rest << 1 ^ (rest >> 31 ? POLYNOMIAL : 0);
	return rest;
}

static uint64_t
reflected(uint64_t value, unsigned int bits)
{
	uint64_t result = 0;

	for (unsigned int i = 0; i < bits; i++)
		result |= (value >> i & 1) << (bits - 1 - i);
	return result;
}

/* @return x^power modulo the polynomial, reflected to 33 bits; bit 32 is the coefficient of x^0 */
static uint64_t
factor(unsigned int power)
{
	return reflected(power_of_x(power), 33);
}

Test(icrc_kernel, factors_are_powers_of_x)
{
	static const struct {
		unsigned int bits;
		uint64_t factors[2];
	} moves[] = {
		{128, {ICRC_MOVE_128}},
		{256, {ICRC_MOVE_256}},
		{512, {ICRC_MOVE_512}},
		{1024, {ICRC_MOVE_1024}},
		{2048, {ICRC_MOVE_2048}},
	};

	for (size_t i = 0; i < RTE_DIM(moves); i++) {
		cr_expect_eq(moves[i].factors[0], factor(moves[i].bits + 32), "%u", moves[i].bits);
		cr_expect_eq(moves[i].factors[1], factor(moves[i].bits - 32), "%u", moves[i].bits);
	}
	for (unsigned int i = 0; i < RTE_DIM(wire_icrc_collapse); i++)
		cr_expect_eq(wire_icrc_collapse[i], factor(64 * (7 - i) + 32), "word %u", i);
}

/* Divide x^96 by the polynomial. A quotient bit is 1 if the current remainder has a term x^32. */
Test(icrc_kernel, quotient_is_of_the_polynomial)
{
	uint64_t quotient = 0; /* without the term x^64 */
	uint32_t rest = POLYNOMIAL;

	for (int i = 63; i >= 0; i--) {
		quotient |= (uint64_t)(rest >> 31) << i;
		rest = rest << 1 ^ (rest >> 31 ? POLYNOMIAL : 0);
	}
	/* The quotient has 65 bits. Bit 0 is for x^64, and the bit for x^0 is not stored. */
	cr_expect_eq(wire_icrc_barrett[0], reflected(quotient, 64) << 1 | 1);
	cr_expect_eq(wire_icrc_barrett[1], reflected(UINT64_C(1) << 32 | POLYNOMIAL, 33));
}

Test(icrc_kernel, register_behind_the_local_route_header)
{
	static const uint8_t ones[] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};

	cr_expect_eq(ICRC_OF_ONES, wire_oracle_crc(ones, sizeof(ones)));
}

Test(icrc_kernel, every_vector_has_its_icrc)
{
	for (unsigned int number = 1; number <= WIRE_VECTOR_COUNT; number++) {
		uint8_t frame[WIRE_VECTOR_MAX_BYTES];
		size_t bytes = wire_vector_get(number, frame), l3 = wire_oracle_l3_offset(frame);
		rte_le32_t icrc;

		memcpy(&icrc, wire_vectors[number - 1].icrc, sizeof(icrc));
		expect_agreement(frame + l3, (uint32_t)(bytes - 4 - l3), wire_oracle_v6(frame),
			rte_le_to_cpu_32(icrc));
	}
}

/*
 * Compare all kernels on random packets at all alignments. Only the IP version is not random,
 * because it decides which fields the ICRC covers.
 */
Test(icrc_kernel, any_packet_at_any_address)
{
	static uint8_t buffer[ALIGNMENTS + BYTES_MAX] __rte_aligned(ALIGNMENTS);
	struct base_random random;

	base_random_seed(&random, seed);
	for (uint32_t bytes = header_bytes(false); bytes <= BYTES_MAX; bytes += 4) {
		for (int v6 = 0; v6 < 2 && bytes >= header_bytes(v6); v6++) {
			uint8_t *ip = buffer + base_random_below(&random, ALIGNMENTS);

			bytes_randomize(ip, bytes, &random);
			ip[0] = (uint8_t)((v6 ? 0x60 : 0x40) | (ip[0] & 0x0F));
			expect_agreement(ip, bytes, v6, icrc_defined(ip, bytes, v6));
		}
	}
}

Test(icrc_kernel, short_packets_at_every_address)
{
	static uint8_t buffer[ALIGNMENTS + GUARD_LENGTH] __rte_aligned(ALIGNMENTS);
	struct base_random random;

	base_random_seed(&random, seed);
	bytes_randomize(buffer, sizeof(buffer), &random);
	for (uint32_t at = 0; at < ALIGNMENTS; at++) {
		for (uint32_t bytes = header_bytes(false); bytes <= GUARD_LENGTH; bytes += 4) {
			for (int v6 = 0; v6 < 2 && bytes >= header_bytes(v6); v6++) {
				buffer[at] = v6 ? 0x65 : 0x45;
				expect_agreement(buffer + at, bytes, v6,
					icrc_defined(buffer + at, bytes, v6));
			}
		}
	}
}

/* The ICRC ignores variant fields (routers may change them), and covers all other bits. */
Test(icrc_kernel, all_bits_but_variant_ones_are_covered)
{
	static uint8_t packet[GUARD_LENGTH];

	for (uint32_t bytes = header_bytes(false); bytes <= 2 * ICRC_BLOCK_MAX; bytes += 4) {
		for (int v6 = 0; v6 < 2 && bytes >= header_bytes(v6); v6++) {
			uint32_t zeros;

			memset(packet, 0, sizeof(packet));
			packet[0] = v6 ? 0x60 : 0x45;
			zeros = icrc_defined(packet, bytes, v6);
			for (uint32_t bit = 4; bit < 8 * bytes; bit++) {
				uint8_t mask = (uint8_t)(0x80 >> bit % 8);
				uint32_t wanted;

				packet[bit / 8] ^= mask;
				wanted = icrc_defined(packet, bytes, v6);
				cr_expect_eq(wanted == zeros,
					(wire_icrc_variant[v6][ICRC_BLOCK_MAX + bit / 8] & mask) !=
						0,
					"IPv%d, bit %u", v6 ? 6 : 4, bit);
				expect_agreement(packet, bytes, v6, wanted);
				packet[bit / 8] ^= mask;
			}
		}
	}
}

/*
 * The kernels read no byte outside the packet. The memory pages before and after the packet are
 * inaccessible, so a wrong access crashes the test.
 */
Test(icrc_kernel, nothing_outside_the_packet_is_read)
{
	uint32_t page = (uint32_t)sysconf(_SC_PAGESIZE);
	struct base_random random;
	uint8_t *pages, *start;

	pages = mmap(NULL, 3 * (size_t)page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	cr_assert_neq(pages, MAP_FAILED);
	start = pages + page;
	cr_assert_eq(mprotect(start, page, PROT_READ | PROT_WRITE), 0);
	base_random_seed(&random, seed);
	bytes_randomize(start, page, &random);
	for (uint32_t bytes = header_bytes(false); bytes <= RTE_MIN(BYTES_MAX, page); bytes += 4) {
		for (int v6 = 0; v6 < 2 && bytes >= header_bytes(v6); v6++) {
			uint8_t *ends = start + page - bytes;

			*start = *ends = v6 ? 0x60 : 0x45;
			expect_agreement(start, bytes, v6, icrc_defined(start, bytes, v6));
			expect_agreement(ends, bytes, v6, icrc_defined(ends, bytes, v6));
		}
	}
	munmap(pages, 3 * (size_t)page);
}

Test(icrc_kernel, the_first_one_is_used_and_the_last_one_is_isal)
{
	unsigned int count = 0;

	while (wire_icrc_kernel_get(count) != NULL)
		count++;
	cr_assert_geq(count, 1);
	cr_expect_eq(wire_icrc_fastest, wire_icrc_kernel_get(0)->run);
	cr_expect_str_eq(wire_icrc_kernel_get(count - 1)->name, "isal");
}

/* Fail unless the payload is copied, no other byte has changed, and the ICRC is right. */
static void
expect_copy(const uint8_t *source, uint8_t *buffer, uint32_t at, uint32_t bytes, uint32_t count,
	bool v6)
{
	static uint8_t packet[BYTES_MAX];
	const struct wire_icrc_kernel *kernel;
	uint32_t wanted;

	memcpy(packet, buffer + at, bytes - count);
	memcpy(packet + bytes - count, source, count);
	wanted = icrc_defined(packet, bytes, v6);
	for (unsigned int i = 0; (kernel = wire_icrc_kernel_get(i)) != NULL; i++) {
		uint8_t *ip = buffer + at;
		uint32_t icrc;

		memset(ip + bytes - count, 0xA5, count + ICRC_BLOCK_MAX);
		icrc = kernel->copy(ip, bytes, v6, source, count);
		cr_assert_eq(icrc, wanted, "%s, IPv%d, %u of %u bytes: 0x%08x, not 0x%08x",
			kernel->name, v6 ? 6 : 4, count, bytes, icrc, wanted);
		cr_assert_arr_eq(ip, packet, bytes, "%s, IPv%d, %u of %u bytes", kernel->name,
			v6 ? 6 : 4, count, bytes);
		for (uint32_t k = 0; k < ICRC_BLOCK_MAX; k++)
			cr_assert_eq(ip[bytes + k], 0xA5, "%s wrote behind", kernel->name);
	}
}

/*
 * Copy payloads at random addresses, with random lengths of the headers. Payload lengths are
 * multiples of 4 bytes.
 */
Test(icrc_kernel, copies_any_payload)
{
	static uint8_t source[ALIGNMENTS + BYTES_MAX];
	static uint8_t buffer[ALIGNMENTS + BYTES_MAX + ICRC_BLOCK_MAX];
	struct base_random random;

	base_random_seed(&random, seed);
	bytes_randomize(source, sizeof(source), &random);
	for (uint32_t count = 0; count <= 4096; count += count < 1100 ? 4 : 124) {
		for (uint32_t i = 0; i < 4; i++) {
			bool v6 = i % 2 != 0;
			uint32_t extension_bytes = 4 * base_random_below(&random, 8);
			uint32_t bytes = header_bytes(v6) + extension_bytes + count;
			uint32_t at = base_random_below(&random, ALIGNMENTS);

			if (bytes > BYTES_MAX)
				continue;
			bytes_randomize(buffer + at, bytes - count, &random);
			buffer[at] = v6 ? 0x65 : 0x45;
			expect_copy(source + base_random_below(&random, ALIGNMENTS), buffer, at,
				bytes, count, v6);
		}
	}
}

/* The memory pages round the source are inaccessible, so a wrong access crashes the test. */
Test(icrc_kernel, nothing_outside_the_source_is_read)
{
	static uint8_t buffer[BYTES_MAX + ICRC_BLOCK_MAX];
	uint32_t page = (uint32_t)sysconf(_SC_PAGESIZE);
	struct base_random random;
	uint8_t *pages, *start;

	pages = mmap(NULL, 3 * (size_t)page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	cr_assert_neq(pages, MAP_FAILED);
	start = pages + page;
	cr_assert_eq(mprotect(start, page, PROT_READ | PROT_WRITE), 0);
	base_random_seed(&random, seed);
	bytes_randomize(start, page, &random);
	buffer[0] = 0x45;
	for (uint32_t count = 4; count <= 4096; count += count < 600 ? 4 : 148) {
		uint32_t bytes = header_bytes(false) + count;

		expect_copy(start, buffer, 0, bytes, count, false);
		expect_copy(start + page - count, buffer, 0, bytes, count, false);
	}
	munmap(pages, 3 * (size_t)page);
}
