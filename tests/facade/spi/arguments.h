/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_ARGUMENTS_H
#define NDPDK_SPI_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/ndspi_support.h>

/*
 * Tests of invalid arguments for the methods of either version of the SPI. A method is called
 * through its slot in the object's method table. Each call has one invalid argument, chosen
 * according to the kind of the argument. All other arguments are valid.
 */

/** Indexes of the objects that both versions have. */
enum {
	ARGUMENTS_PROVIDER,
	ARGUMENTS_ADAPTER,
};

/**
 * A method and its arguments, one letter for each argument:
 *
 * i: IID of any object; I: IID of an adapter; h: file; p: output that must not be NULL; b: any
 * pointer; l: pointer to a length; v: OVERLAPPED of an operation; V: any OVERLAPPED; x: result;
 * s: list of one SGE, not NULL; d: descriptor; a: address; z: length of an address; c: completion
 * queue; r: shared receive queue; m: region; w: window; q: queue pair or endpoint; k: connector;
 * M: memory handle; D: adapter identifier; n: 0 or NULL is valid; 1..9: this number is valid.
 */
struct arguments_method {
	unsigned int object;
	unsigned int slot;
	const char *arguments;
	/**
	 * Invalid value of the number at this position. The call must return `expected`, or the
	 * status for the position (ND_INVALID_PARAMETER_n) if `expected` is 0.
	 */
	struct {
		unsigned int position;
		uint64_t value;
		HRESULT expected;
	} numbers[7];
};

/**
 * Arguments for a letter. `valid` is a valid argument. `foreign` is an object that must be refused
 * because of its owner or state, or 0 if the letter has no such object.
 */
struct arguments_value {
	char letter;
	uintptr_t valid, foreign;
};

/** Objects and arguments with which the methods of a version are called. */
struct arguments {
	void *const *objects;
	const struct arguments_value *values; /**< ends with an entry whose letter is 0 */
};

/** Memory to which the called methods write their outputs. */
extern uint8_t arguments_out[256];

/** Call each method with each argument invalid in turn. Fail if a call writes an output. */
void arguments_check(const struct arguments *arguments, const struct arguments_method *methods,
	unsigned int count);

/** Interface ID of an object, and whether the object also has the overlapped interface. */
struct arguments_interface {
	const GUID *iid;
	bool overlapped;
};

/** Test QueryInterface of each object. @param foreign IID that no object has */
void arguments_query_interface(void *const *objects, const struct arguments_interface *interfaces,
	unsigned int count, const GUID *overlapped, const GUID *foreign);

#endif
