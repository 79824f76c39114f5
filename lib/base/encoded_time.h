/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BASE_ENCODED_TIME_H
#define NDPDK_BASE_ENCODED_TIME_H

#include <stdint.h>

/** Time value of a deadline that is not set: the timer never expires. */
#define BASE_TIME_NEVER UINT64_MAX

/**
 * @param code 0..31, the 5-bit exponent of ACK timeouts, CM timeouts and MRA service times
 * @return nanoseconds, 4096 * 2^code; BASE_TIME_NEVER for code 0, which means no timer (IBTA)
 */
uint64_t base_timeout_ns(uint8_t code);

/**
 * @param code 0..31, RNR timer code of an AETH (low 5 bits of the syndrome)
 * @return nanoseconds, 10 us .. 655.36 ms; code 0 is the longest time (IBTA table 45)
 */
uint64_t base_rnr_timer_ns(uint8_t code);

#endif
