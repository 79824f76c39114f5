/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_EVENTFD_H
#define NDPDK_ENGINE_EVENTFD_H

#include <stdint.h>

#include <sys/syscall.h>
#include <unistd.h>

/*
 * Access to eventfds without cancellation points. eventfd_write() and eventfd_read() are
 * cancellation points. A thread that is cancelled in one of them would leave an engine locked, or
 * leave a command in a ring although the command's memory is freed.
 */

/** Add 1 to the counter of an eventfd. */
static inline void
engine_eventfd_raise(int fd)
{
	const uint64_t one = 1;

	(void)syscall(SYS_write, fd, &one, sizeof(one));
}

/** Set the counter of a non-blocking eventfd to 0. */
static inline void
engine_eventfd_clear(int fd)
{
	uint64_t count;

	(void)syscall(SYS_read, fd, &count, sizeof(count));
}

#endif
