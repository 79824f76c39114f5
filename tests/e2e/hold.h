/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_E2E_HOLD_H
#define NDPDK_E2E_HOLD_H

#include <pthread.h>
#include <stdbool.h>

#include <ndpdk/nd_region.h>

#include "engines_net.h"

/*
 * Functions that hold a thread in the middle of one memory access, as if the scheduler had
 * preempted the thread. The page is protected, and the handler of the page fault waits until the
 * test's thread releases the page. Then the faulting instruction is executed again.
 *
 * Only one thread of the process is held at a time. The sanitizers permit this.
 */

#define HOLD_PAGE 4096u

/** @return zeroed pages that hold_arm() can protect; the pages are never unmapped */
uint8_t *hold_pages(size_t count);

/** Hold the next thread that reads or writes a byte of this page. */
void hold_arm(uint8_t *page);

bool hold_taken(void);

/**
 * Make the page accessible again and let the held thread continue. Does nothing if no page is
 * armed.
 */
void hold_release(void);

struct hold_caller {
	nd_status (*fn)(void *arg);
	void *arg;
	nd_status status; /**< valid when `over` is true */
	bool over;        /**< atomic */
	bool started;
	pthread_t thread;
};

void hold_caller_start(struct hold_caller *caller, nd_status (*fn)(void *arg), void *arg);

bool hold_caller_over(const struct hold_caller *caller);

/**
 * Wait until the call has returned. Meanwhile, poll the engines without a thread. @return its
 * status
 */
nd_status hold_caller_end(struct hold_caller *caller, struct engines_net *net);

#endif
