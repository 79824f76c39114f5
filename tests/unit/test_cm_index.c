/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cm/index.h"

#include <criterion/criterion.h>

#include "cm/hash.h"
#include "support/eal.h"

#define RECORDS 100000

/*
 * SEC-048: the hash (SipHash-2-4) has a secret key. The test vectors are from the SipHash paper:
 * the key is the bytes 00..0f, and the message is the bytes 00 01 02 .. with the given length.
 */
Test(cm_index, hash_is_siphash_2_4)
{
	static const struct cm_hash_key key = {
		.k0 = UINT64_C(0x0706050403020100), .k1 = UINT64_C(0x0f0e0d0c0b0a0908)};
	uint8_t message[15];

	for (uint8_t i = 0; i < sizeof(message); i++)
		message[i] = i;
	cr_assert_eq(cm_hash(&key, message, 0), UINT64_C(0x726fdb47dd0e0e31));
	cr_assert_eq(cm_hash(&key, message, 8), UINT64_C(0x93f5f5799a932462));
	cr_assert_eq(cm_hash(&key, message, 15), UINT64_C(0xa129ca6149be45e5));
}

Test(cm_index, finds_exactly_what_is_in_it)
{
	static const struct cm_hash_key secret = {.k0 = 1, .k1 = 2};
	static struct cm_index_node nodes[RECORDS], twin;
	struct wire_gid gid = wire_gid_from_v4(0xC0000201), other = wire_gid_from_v4(0xC0000202);
	struct cm_index index;
	struct cm_key key;

	test_eal_init();
	cr_assert(cm_index_init(&index, RECORDS, &secret, 0));
	for (uint32_t i = 0; i < RECORDS; i++) {
		cm_index_node_init(&nodes[i]);
		key = cm_key_make(i / 2, i % 2, &gid);
		cr_assert_null(cm_index_find(&index, &key));
		cm_index_insert(&index, &nodes[i], &key);
	}
	for (uint32_t i = 0; i < RECORDS; i++) {
		key = cm_key_make(i / 2, i % 2, &gid);
		cr_assert_eq(cm_index_find(&index, &key), &nodes[i]);
		key = cm_key_make(i / 2, i % 2, &other);
		cr_assert_null(cm_index_find(&index, &key));
	}
	key = cm_key_make(3, 1, &gid);
	cm_index_node_init(&twin);
	cm_index_insert(&index, &twin, &key);
	cr_assert_eq(cm_index_find(&index, &key), &nodes[7]);
	cm_index_remove(&nodes[7]);
	cm_index_remove(&nodes[7]);
	cr_assert_eq(cm_index_find(&index, &key), &twin);
	cm_index_remove(&twin);
	cr_assert_null(cm_index_find(&index, &key));
	cm_index_fini(&index);
}
