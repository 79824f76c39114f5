/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_ARGUMENTS_H
#define NDPDK_SPI_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/ndspi_support.h>

/*
 * Invalid arguments of the methods of either version, called through their slots. Each test case
 * makes one argument of a method invalid, according to the kind of the argument. All others are
 * valid.
 */

/** Object that each version has at this index. */
enum {
	ARGUMENTS_PROVIDER,
	ARGUMENTS_ADAPTER,
};

/**
 * A method and its arguments, one letter each. i: IID of any object; I: IID of an adapter; h: file;
 * p: output that is not NULL; b: any pointer; l: pointer to a length; v: OVERLAPPED of an
 * operation; V: any OVERLAPPED; x: result; s: list of one entry, not NULL; d: descriptor; a:
 * address; z: length of an address; c: completion queue; r: shared queue; m: region; w: window; q:
 * queue pair or endpoint; k: connector; M: handle of memory; D: identifier of an adapter; n: 0 or
 * NULL is valid; 1..9: a number.
 */
struct arguments_method {
	unsigned int object; /**< index of the object */
	unsigned int slot;
	const char *arguments;
	/** Invalid value of the number at a position, and the status; 0: by position. */
	struct {
		unsigned int position;
		uint64_t value;
		HRESULT expected;
	} numbers[7];
};

/** Values for a letter: a valid argument, and a similar object that is not accepted, or 0. */
struct arguments_value {
	char letter;
	uintptr_t valid, foreign;
};

/** What the methods of a version are called with. */
struct arguments {
	void *const *objects;
	const struct arguments_value *values; /**< the last one has letter 0 */
};

/** Bytes for outputs. */
extern uint8_t arguments_out[256];

/** Make each argument of each method invalid. No output may be written. */
void arguments_check(const struct arguments *arguments, const struct arguments_method *methods,
	unsigned int count);

/** An object, and whether it has the overlapped interface. */
struct arguments_interface {
	const GUID *iid;
	bool overlapped;
};

/** Test QueryInterface of each object. @param foreign IID that no object has */
void arguments_query_interface(void *const *objects, const struct arguments_interface *interfaces,
	unsigned int count, const GUID *overlapped, const GUID *foreign);

#endif
