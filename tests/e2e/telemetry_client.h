/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_E2E_TELEMETRY_CLIENT_H
#define NDPDK_E2E_TELEMETRY_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A client of DPDK's telemetry in the process that it looks into. Its answers are text in JSON: the
 * functions that search it know only as much of JSON as the answers need.
 */

/** Largest answer of DPDK, and a byte more for its end. */
#define TELEMETRY_BYTES (16384 + 1)

/** Start EAL with telemetry, in a folder of its own. */
void telemetry_eal_start(void);

/** @return socket of a new connection; its first message has been read. -1: refused */
int telemetry_connect(void);

/**
 * Send a command, and call idle(arg) until the answer has come. The test fails after 10 s.
 * @param answer TELEMETRY_BYTES bytes
 */
void
telemetry_ask(int connection, const char *command, char *answer, void (*idle)(void *), void *arg);

/** @return the number that a member has; the test fails if there is no such member. */
uint64_t telemetry_number(const char *answer, const char *member);

/** @return whether a member has this text. */
bool telemetry_has(const char *answer, const char *member, const char *text);

/** @return whether the answer is a sentence in error. */
bool telemetry_refused(const char *answer);

/** Read the numbers of a member that is an array. @return how many there are */
size_t telemetry_numbers_of(const char *answer, const char *member, uint32_t *numbers, size_t most);

#endif
