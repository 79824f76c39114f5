/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROCESS_H
#define NDPDK_PROCESS_H

/**
 * @file
 * Thread functions of Microsoft's C library. They use CreateThread().
 */

#include <stdlib.h>

#include <ndpdk/win/crt.h>
#include <ndpdk/win/processthreadsapi.h>

/** Start a thread. Returns the handle of the thread, which the caller closes; 0 is a failure. */
NDWIN_API uintptr_t _beginthreadex(void *attributes, unsigned int stack_size,
	unsigned int (*start)(void *), void *parameter, unsigned int flags, unsigned int *id)
	NDWIN_LINK(_beginthreadex);
/** End the calling thread. */
NDWIN_API void _endthreadex(unsigned int exit_code) NDWIN_LINK(_endthreadex) DECLSPEC_NORETURN;
/** Start a thread. -1 is a failure. Any other result must not be used as a handle. */
NDWIN_API uintptr_t _beginthread(void (*start)(void *), unsigned int stack_size, void *parameter)
	NDWIN_LINK(_beginthread);
NDWIN_API void _endthread(void) NDWIN_LINK(_endthread) DECLSPEC_NORETURN;

#define _getpid() NDWIN_CAST(int, GetCurrentProcessId())

#endif
