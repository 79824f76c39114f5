/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi/port.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <sys/random.h>

#define PORT_FIRST 49152
#define PORT_COUNT 16384

static uint32_t next;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/**
 * Choose a random first port, so that two runs of a program use different ports. If no random
 * number is available, the first port is a constant.
 */
static void
start(void)
{
	uint32_t number;

	if (getrandom(&number, sizeof(number), 0) == (ssize_t)sizeof(number))
		next = number;
}

uint16_t
spi_port_choose(void)
{
	uint32_t number;

	pthread_once(&once, start);
	number = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED);
	return htons((uint16_t)(PORT_FIRST + number % PORT_COUNT));
}
