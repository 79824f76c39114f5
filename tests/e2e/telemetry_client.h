/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_E2E_TELEMETRY_CLIENT_H
#define NDPDK_E2E_TELEMETRY_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A client of DPDK's telemetry, in the same process as the adapters. The answers are JSON text. The
 * functions that search an answer parse only the subset of JSON that the answers use.
 */

/** Largest answer of DPDK, plus a terminator. */
#define TELEMETRY_BYTES (16384 + 1)

/** Start EAL with telemetry, in a runtime folder of this process. */
void telemetry_eal_start(void);

/**
 * @return socket of a new connection after its first message was read, or -1 if the server refused
 * the connection
 */
int telemetry_connect(void);

/**
 * Send a command, and call idle(arg) until the answer arrives. The test fails after 10 s.
 * @param answer buffer of TELEMETRY_BYTES bytes
 */
void
telemetry_ask(int connection, const char *command, char *answer, void (*idle)(void *), void *arg);

/**
 * @return the number in the member with this name; the test fails if the answer has no such member
 */
uint64_t telemetry_number(const char *answer, const char *member);

bool telemetry_has(const char *answer, const char *member, const char *text);

bool telemetry_refused(const char *answer);

/** Read the numbers of an array member. @return number of elements in the array */
size_t telemetry_numbers_of(const char *answer, const char *member, uint32_t *numbers, size_t most);

#endif
