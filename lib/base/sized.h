/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BASE_SIZED_H
#define NDPDK_BASE_SIZED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Structures of the public API get new members at the end. A program passes the size that a
 * structure had when the program was compiled, which may differ from the size in the library. A new
 * member begins at or after the previous size, never in padding at the end, because padding has no
 * defined value. Structures that a program fills have no padding at the end.
 */

/**
 * Copy a structure of the caller. Members that the caller's structure lacks become 0, which selects
 * their defaults. `own` is always filled.
 * @return false if the caller's structure is longer and the bytes beyond own_size are not 0
 */
static inline bool
base_sized_read(void *own, size_t own_size, const void *given, size_t given_size)
{
	const uint8_t *bytes = given;

	memset(own, 0, own_size);
	memcpy(own, given, given_size < own_size ? given_size : own_size);
	for (size_t i = own_size; i < given_size; i++)
		if (bytes[i] != 0)
			return false;
	return true;
}

/** Fill exactly given_size bytes of the caller's structure. Members that `own` lacks become 0. */
static inline void
base_sized_write(void *given, size_t given_size, const void *own, size_t own_size)
{
	memcpy(given, own, given_size < own_size ? given_size : own_size);
	if (given_size > own_size)
		memset((uint8_t *)given + own_size, 0, given_size - own_size);
}

#endif
