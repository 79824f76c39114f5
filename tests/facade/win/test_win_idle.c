/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include <pthread.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "win/win.h"

/** Two threads that each wait for their own event. */
struct two {
	HANDLE events[2], threads[2];
	DWORD ids[2];
};

/** State of the idle hook, which one waiting thread (the leader) calls repeatedly. */
static struct {
	_Atomic int inside;
	_Atomic int overlaps;
	_Atomic int calls;
	_Atomic int worked;   /**< number of next calls that return true (work done) */
	_Atomic(HANDLE) set;  /**< event that the hook sets once, or NULL */
	_Atomic int set_at;   /**< number of calls before the hook may set the event */
	_Atomic DWORD thread; /**< ID of the last thread that called the hook */
	/**
	 * Two threads of which one calls the hook, or NULL. The hook sets the event of the other
	 * thread once.
	 */
	_Atomic(struct two *) other;
} hook;

static bool
hook_run(void *arg)
{
	HANDLE event = hook.calls >= hook.set_at ? atomic_exchange(&hook.set, NULL) : NULL;
	struct two *two = atomic_exchange(&hook.other, NULL);

	if (atomic_fetch_add(&hook.inside, 1) > 0)
		atomic_fetch_add(&hook.overlaps, 1);
	atomic_fetch_add(&hook.calls, 1);
	atomic_store(&hook.thread, GetCurrentThreadId());
	cr_expect_eq(arg, &hook);
	if (event)
		SetEvent(event);
	if (two)
		SetEvent(two->events[hook.thread == two->ids[0]]);
	atomic_fetch_sub(&hook.inside, 1);
	return atomic_fetch_sub(&hook.worked, 1) > 0;
}

static void
setup(void)
{
	win_set_idle_hook(hook_run, &hook);
}

static void
teardown(void)
{
	win_set_idle_hook(NULL, NULL);
	cr_expect_eq(hook.inside, 0);
	cr_expect_eq(hook.overlaps, 0, "one thread at a time calls the hook");
}

TestSuite(win_idle, .init = setup, .fini = teardown);

Test(win_idle, every_wait_drives_the_engines)
{
	HANDLE port = CreateIoCompletionPort(INVALID_HANDLE_VALUE, NULL, 0, 0);
	HANDLE event = CreateEvent(NULL, FALSE, FALSE, NULL);
	OVERLAPPED *overlapped;
	ULONG_PTR key;
	DWORD bytes;
	int calls = 0;

/*
 * If the thread loses its processor, the time of a wait may be over before the wait begins. Then
 * the hook is not called, and the wait is repeated.
 */
#define DRIVES(what)                                                                               \
	do {                                                                                       \
		for (int i = 0; i < 100 && hook.calls == calls; i++)                               \
			what;                                                                      \
		cr_expect_gt(hook.calls, calls, "%s", #what);                                      \
		calls = hook.calls;                                                                \
	} while (0)
	DRIVES(Sleep(1));
	DRIVES(Sleep(0));
	DRIVES(WaitForSingleObject(event, 1));
	DRIVES(WaitForSingleObject(event, 0));
	DRIVES(WaitForMultipleObjects(1, &event, TRUE, 1));
	DRIVES(GetQueuedCompletionStatus(port, &bytes, &key, &overlapped, 1));
	DRIVES(GetQueuedCompletionStatus(port, &bytes, &key, &overlapped, 0));
	CloseHandle(port);
	CloseHandle(event);
}

Test(win_idle, what_the_hook_does_ends_the_wait)
{
	HANDLE event = CreateEvent(NULL, FALSE, FALSE, NULL);

	for (int i = 0; i < 1000; i++) {
		atomic_store(&hook.set, event);
		cr_assert_eq(WaitForSingleObject(event, INFINITE), WAIT_OBJECT_0);
	}
	CloseHandle(event);
}

Test(win_idle, without_work_the_thread_sleeps_between_calls)
{
	Sleep(200);
	/*
	 * The upper limit is the sum of the rounds without a sleep, 8 calls with sleeps of 2 us, 4
	 * us ..., and one call each 250 us.
	 */
	cr_expect_leq(hook.calls, (int)WIN_IDLE_ROUNDS + 8 + 200000 / 250 + 1);
}

Test(win_idle, with_work_it_does_not)
{
	atomic_store(&hook.worked, 100000);
	Sleep(2000);
	cr_expect_geq(hook.calls, 100000);
}

/** Values of the thread's timer slack during calls of the hook, in order, without repetitions. */
static int slacks[8];
static int slack_count;

static bool
hook_slack(void *arg)
{
	int slack = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);

	(void)arg;
	if (slack_count == 0 || (slacks[slack_count - 1] != slack && slack_count < 8))
		slacks[slack_count++] = slack;
	return false;
}

/*
 * During short sleeps the thread's timer slack is minimal. Otherwise the application's slack
 * applies.
 */
Test(win_idle, short_naps_have_no_slack)
{
	win_set_idle_hook(hook_slack, NULL);
	cr_assert_eq(prctl(PR_SET_TIMERSLACK, 70000, 0, 0, 0), 0);
	Sleep(50);
	cr_expect_eq(prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0), 70000);
	/*
	 * The slack values are those of calls without a sleep, with short sleeps, and with long
	 * sleeps.
	 */
	cr_assert_eq(slack_count, 3, "%d", slack_count);
	cr_expect_eq(slacks[0], 70000);
	cr_expect_eq(slacks[1], 1000);
	cr_expect_eq(slacks[2], 70000);
	/* The slack is also restored if the wait ends during short sleeps. */
	win_set_idle_hook(hook_run, &hook);
	for (int i = 0; i < 100; i++) {
		HANDLE event = CreateEvent(NULL, FALSE, FALSE, NULL);

		hook.calls = 0;
		atomic_store(&hook.set_at, (int)WIN_IDLE_ROUNDS + 3);
		atomic_store(&hook.set, event);
		WaitForSingleObject(event, INFINITE);
		cr_assert_eq(prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0), 70000);
		CloseHandle(event);
	}
}

static DWORD
set_later(LPVOID event)
{
	usleep(5000);
	SetEvent(event);
	return 0;
}

static DWORD
wait_main(LPVOID event)
{
	return WaitForSingleObject(event, INFINITE);
}

Test(win_idle, another_thread_takes_over)
{
	enum { THREADS = 4 };
	HANDLE events[THREADS];
	HANDLE threads[THREADS];

	for (int i = 0; i < THREADS; i++) {
		events[i] = CreateEvent(NULL, TRUE, FALSE, NULL);
		threads[i] = CreateThread(NULL, 0, wait_main, events[i], 0, NULL);
	}
	/*
	 * End the waits one after the other. When the wait of the leader (the thread that calls the
	 * hook) ends, another thread must become the leader. The main thread must not wait in the
	 * layer, because it would become the leader.
	 */
	for (int i = 0; i < THREADS; i++) {
		int calls;

		usleep(2000);
		calls = hook.calls;
		while (hook.calls == calls)
			usleep(100);
		if (i < THREADS - 1)
			SetEvent(events[i]);
	}
	atomic_store(&hook.set, events[THREADS - 1]);
	while (atomic_load(&hook.set))
		usleep(100);
	cr_expect_eq(WaitForMultipleObjects(THREADS, threads, TRUE, INFINITE), WAIT_OBJECT_0);
	for (int i = 0; i < THREADS; i++) {
		CloseHandle(events[i]);
		CloseHandle(threads[i]);
	}
}

static _Atomic bool led;

/** Wait repeatedly, until this thread becomes the leader, which calls the hook. */
static DWORD
lead_main(LPVOID arg)
{
	(void)arg;
	while (!led) {
		Sleep(1);
		led = atomic_load(&hook.thread) == GetCurrentThreadId();
	}
	return 0;
}

Test(win_idle, who_begins_to_wait_takes_over_from_one_that_naps)
{
	HANDLE event = CreateEvent(NULL, FALSE, FALSE, NULL);
	HANDLE first = CreateThread(NULL, 0, wait_main, event, 0, NULL);
	HANDLE second;

	while (hook.calls == 0)
		usleep(100);
	/* The first thread is the leader until the second thread takes over. */
	second = CreateThread(NULL, 0, lead_main, event, 0, NULL);
	while (!atomic_load(&led))
		usleep(100);
	SetEvent(event);
	cr_expect_eq(WaitForSingleObject(first, INFINITE), WAIT_OBJECT_0);
	CloseHandle(first);
	CloseHandle(second);
	CloseHandle(event);
}

/** @return true if no thread calls the hook for a while */
static bool
nobody_leads(void)
{
	int calls = hook.calls;

	usleep(20000);
	return hook.calls == calls;
}

static void
two_begin(struct two *two)
{
	for (int i = 0; i < 2; i++) {
		two->events[i] = CreateEvent(NULL, TRUE, FALSE, NULL);
		two->threads[i] = CreateThread(NULL, 0, wait_main, two->events[i], 0, &two->ids[i]);
	}
	/* After this time, both threads usually wait. */
	usleep(2000);
}

static void
two_end(struct two *two)
{
	for (int i = 0; i < 2; i++) {
		SetEvent(two->events[i]);
		cr_expect_eq(WaitForSingleObject(two->threads[i], INFINITE), WAIT_OBJECT_0);
		CloseHandle(two->threads[i]);
		CloseHandle(two->events[i]);
	}
}

/**
 * Let the hook end the wait of the thread that is not the leader.
 * @return true if the hook is not called afterwards
 */
static bool
two_rest(struct two *two)
{
	two_begin(two);
	atomic_store(&hook.other, two);
	while (atomic_load(&hook.other))
		usleep(100);
	if (nobody_leads())
		return true;
	two_end(two);
	return false;
}

Test(win_idle, who_is_watched_rests_when_it_has_ended_a_wait)
{
	struct two two;
	int calls;

	win_idle_watch();
	while (!two_rest(&two))
		continue;
	calls = hook.calls;
	/* Between these two calls of win_idle_watch() no wait begins. */
	win_idle_watch();
	cr_expect_eq(hook.calls, calls);
	win_idle_watch();
	while (hook.calls == calls)
		usleep(100);
	two_end(&two);
}

Test(win_idle, wakes_are_held_until_they_are_released)
{
	HANDLE event = CreateEvent(NULL, FALSE, FALSE, NULL);
	HANDLE thread;

	win_set_idle_hook(NULL, NULL);
	for (int i = 0; i < 100; i++) {
		thread = CreateThread(NULL, 0, wait_main, event, 0, NULL);
		if (i % 2 == 0)
			usleep(1000);
		win_hold_wakes();
		win_hold_wakes();
		SetEvent(event);
		win_release_wakes();
		win_release_wakes();
		cr_expect_eq(WaitForSingleObject(thread, INFINITE), WAIT_OBJECT_0);
		CloseHandle(thread);
	}
	CloseHandle(event);
}

Test(win_idle, a_hook_that_is_set_late_finds_who_waits)
{
	HANDLE event = CreateEvent(NULL, FALSE, FALSE, NULL);
	HANDLE thread;

	win_set_idle_hook(NULL, NULL);
	thread = CreateThread(NULL, 0, wait_main, event, 0, NULL);
	usleep(5000);
	atomic_store(&hook.set, event);
	win_set_idle_hook(hook_run, &hook);
	while (atomic_load(&hook.set))
		usleep(100);
	cr_expect_eq(WaitForSingleObject(thread, INFINITE), WAIT_OBJECT_0);
	CloseHandle(thread);
	CloseHandle(event);
}

Test(win_idle, a_hook_that_is_unset_does_not_run_any_more)
{
	HANDLE event = CreateEvent(NULL, FALSE, FALSE, NULL);
	HANDLE thread = CreateThread(NULL, 0, wait_main, event, 0, NULL);

	for (int i = 0; i < 500; i++) {
		int calls;

		atomic_store(&hook.worked, 1000000);
		win_set_idle_hook(NULL, NULL);
		calls = hook.calls;
		cr_assert_eq(hook.inside, 0);
		if (i % 50 == 0)
			usleep(1000);
		cr_assert_eq(hook.calls, calls);
		win_set_idle_hook(hook_run, &hook);
	}
	SetEvent(event);
	cr_expect_eq(WaitForSingleObject(thread, INFINITE), WAIT_OBJECT_0);
	CloseHandle(thread);
	CloseHandle(event);
}

/* Sleep function of a façade: a condition variable with a flag that records a wake-up. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	bool woken;
	_Atomic int naps;
	_Atomic int wakes;
} napper = {.lock = PTHREAD_MUTEX_INITIALIZER, .cond = PTHREAD_COND_INITIALIZER};

static void
nap(void *arg, uint64_t timeout_ns)
{
	(void)arg;
	cr_expect_leq(timeout_ns, WIN_IDLE_NAP_MAX_NS);
	atomic_fetch_add(&napper.naps, 1);
	pthread_mutex_lock(&napper.lock);
	/* Sleep until the flag is set, without a timeout, so that a lost wake-up hangs the test. */
	while (!napper.woken)
		pthread_cond_wait(&napper.cond, &napper.lock);
	napper.woken = false;
	pthread_mutex_unlock(&napper.lock);
}

static void
nap_wake(void *arg)
{
	(void)arg;
	atomic_fetch_add(&napper.wakes, 1);
	pthread_mutex_lock(&napper.lock);
	napper.woken = true;
	pthread_cond_signal(&napper.cond);
	pthread_mutex_unlock(&napper.lock);
}

Test(win_idle, the_end_of_a_wait_ends_a_nap)
{
	HANDLE event = CreateEvent(NULL, FALSE, FALSE, NULL);

	win_set_idle_hook(NULL, NULL);
	win_set_idle_nap(nap, nap_wake, NULL);
	win_set_idle_hook(hook_run, &hook);
	for (int i = 0; i < 20; i++) {
		HANDLE thread = CreateThread(NULL, 0, set_later, event, 0, NULL);

		cr_assert_eq(WaitForSingleObject(event, INFINITE), WAIT_OBJECT_0);
		CloseHandle(thread);
	}
	cr_expect_geq(napper.naps, 20);
	cr_expect_geq(napper.wakes, 20);
	CloseHandle(event);
}
