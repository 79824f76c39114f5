/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CM_HASH_H
#define NDPDK_CM_HASH_H

#include <stddef.h>
#include <stdint.h>

/**
 * Secret key of one cm. A peer without the key cannot choose inputs with colliding hashes
 * (SEC-048).
 */
struct cm_hash_key {
	uint64_t k0;
	uint64_t k1;
};

/** @return SipHash-2-4 of the bytes (Aumasson and Bernstein, 2012) */
uint64_t cm_hash(const struct cm_hash_key *key, const void *data, size_t bytes);

#endif
