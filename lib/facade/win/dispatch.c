/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/**
 * Blocking and waking with futexes.
 *
 * The state word of a waiter shows whether its thread runs, sleeps in its futex, sleeps in the
 * facade's nap function, or is done. The thread that ends a wait exchanges the word. From the old
 * value it knows whether to wake the waiter after the lock is released. The word may no longer
 * exist then, but waking an address where no thread sleeps has no effect.
 *
 * One of the blocked threads, the leader, calls the idle hook. The others are followers. A leader
 * that ends its wait wakes a follower, which then tries to become the leader. A nap is a short
 * sleep of the leader between two calls of the hook.
 *
 * Threads that answer each other should need few thread switches. Therefore:
 *
 * - A thread that begins to wait has usually created work. So it takes the lead from a leader that
 *   naps. The old leader continues to sleep as a follower, and no thread is woken.
 * - A leader that has ended the wait of another thread naps at once, because the other thread acts
 *   next and may need the processor.
 * - If win_idle_watch() is called regularly, the leader does not nap, because timers cost several
 *   us in virtual machines. The leader becomes a follower. There is then no leader until a wait
 *   begins, or the watch finds that no wait has begun.
 */

#include "win/dispatch.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "win/win.h"

enum {
	STATE_RUNS,
	STATE_SLEEPS,
	STATE_NAPS,
	STATE_DONE,
};

#define SECOND_NS     UINT64_C(1000000000)
/**
 * First sleep in ns of the leader after its hook call has ended another thread's wait. Usually long
 * enough for that thread to create new work.
 */
#define HANDED_NAP_NS UINT64_C(32000)
/**
 * By default, Linux timers may expire 50 us late. For naps up to this length in ns, the timer slack
 * is reduced.
 */
#define EXACT_NAP_NS  UINT64_C(64000)
#define EXACT_SLACK   1000 /* ns */
#define NS_PER_MS     UINT64_C(1000000)

static pthread_mutex_t dispatch_lock = PTHREAD_MUTEX_INITIALIZER;

/** The idle hook. The thread that runs the hook holds the lock. */
static struct {
	pthread_mutex_t lock;
	win_progress_fn run;
	void *arg;
	/** True if a hook is set. Threads that look for a leader read it without the lock. */
	_Atomic bool is_set;
	/**
	 * Number of threads that want to change the hook. While it is not 0, the leader does not
	 * take the lock.
	 */
	_Atomic unsigned int setters;
	/** The facade's functions of win_set_idle_nap(). Set once, before the first hook. */
	void (*nap)(void *arg, uint64_t timeout_ns);
	void (*wake)(void *arg);
	void *nap_arg;
} hook = {.lock = PTHREAD_MUTEX_INITIALIZER};

/** State of the leader and the followers. */
static struct {
	pthread_mutex_t lock;
	bool is_led;
	struct win_waiter *leader; /**< the leader; NULL: none, or the leader does not block */
	struct base_list followers;
	/** Number of waits that have begun, and may have created work. Read without the lock. */
	_Atomic unsigned int begun;
	bool is_watched; /**< whether win_idle_watch() is called */
	/** Number of times that a leader became a follower because win_idle_watch() is called. */
	unsigned int rests;
	unsigned int rests_seen;
} idle = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.followers = {&idle.followers, &idle.followers},
};

/** Number of waits that this thread has ended so far. */
static __thread unsigned int ended;
/** holds: open calls of win_hold_wakes(). held: threads that the last win_release_wakes() wakes. */
static __thread unsigned int holds;
static __thread struct win_wakes held;

uint64_t
win_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * SECOND_NS + (uint64_t)now.tv_nsec;
}

uint64_t
win_deadline(uint32_t milliseconds)
{
	if (milliseconds == INFINITE)
		return WIN_NO_DEADLINE;
	return win_now_ns() + milliseconds * NS_PER_MS;
}

/**
 * Sleep while the word has this value, at most until the deadline or until another thread wakes it.
 */
static void
futex_sleep(_Atomic uint32_t *word, uint32_t value, uint64_t deadline_ns)
{
	struct timespec until = {
		.tv_sec = (time_t)(deadline_ns / SECOND_NS),
		.tv_nsec = (long)(deadline_ns % SECOND_NS),
	};
	int error = errno;

	/* FUTEX_WAIT_BITSET takes an absolute time, of CLOCK_MONOTONIC. */
	syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value,
		deadline_ns == WIN_NO_DEADLINE ? NULL : &until, NULL, FUTEX_BITSET_MATCH_ANY);
	errno = error;
}

static void
futex_wake(_Atomic uint32_t *word)
{
	int error = errno;

	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	errno = error;
}

static void
wakes_flush(struct win_wakes *wakes)
{
	for (unsigned int i = 0; i < wakes->count; i++)
		futex_wake(wakes->words[i]);
	wakes->count = 0;
}

/** Add the word of a sleeping thread to the threads to wake. */
static void
wakes_note(struct win_wakes *wakes, _Atomic uint32_t *word)
{
	if (wakes->count == sizeof(wakes->words) / sizeof(wakes->words[0]))
		wakes_flush(wakes);
	wakes->words[wakes->count++] = word;
}

/** Add a thread if `old`, the previous value of its word, shows that the thread sleeps. */
static void
wakes_add(struct win_wakes *wakes, _Atomic uint32_t *word, uint32_t old)
{
	if (old == STATE_NAPS)
		wakes->nap = true;
	if (old == STATE_SLEEPS)
		wakes_note(wakes, word);
}

void
win_lock(struct win_wakes *wakes)
{
	wakes->count = 0;
	wakes->nap = false;
	pthread_mutex_lock(&dispatch_lock);
}

void
win_unlock(struct win_wakes *wakes)
{
	pthread_mutex_unlock(&dispatch_lock);
	for (unsigned int i = 0; holds > 0 && i < wakes->count; i++)
		wakes_note(&held, wakes->words[i]);
	if (holds == 0)
		wakes_flush(wakes);
	if (wakes->nap)
		hook.wake(hook.nap_arg);
}

void
win_hold_wakes(void)
{
	holds++;
}

void
win_release_wakes(void)
{
	if (--holds == 0)
		wakes_flush(&held);
}

void
win_waiter_init(struct win_waiter *waiter)
{
	atomic_init(&waiter->state, STATE_RUNS);
	atomic_init(&waiter->recheck, false);
	atomic_init(&waiter->chosen, false);
	atomic_init(&waiter->deposed, false);
	atomic_init(&waiter->will_nap, false);
	base_list_init(&waiter->follower);
	base_list_init(&waiter->node);
}

void
win_waiter_finish(struct win_waiter *waiter, struct win_wakes *wakes)
{
	_Atomic uint32_t *word = &waiter->state;
	uint32_t old = atomic_exchange_explicit(word, STATE_DONE, memory_order_acq_rel);

	ended++;
	wakes_add(wakes, word, old);
}

/** End the sleep or nap of a waiter, but not its wait. @return the previous state, or STATE_RUNS */
static uint32_t
waiter_rouse(struct win_waiter *waiter)
{
	uint32_t old = atomic_load(&waiter->state);

	while (old == STATE_SLEEPS || old == STATE_NAPS) {
		if (atomic_compare_exchange_weak(&waiter->state, &old, STATE_RUNS))
			return old;
	}
	return STATE_RUNS;
}

void
win_waiter_kick(struct win_waiter *waiter, struct win_wakes *wakes)
{
	atomic_store(&waiter->recheck, true);
	wakes_add(wakes, &waiter->state, waiter_rouse(waiter));
}

bool
win_waiter_is_done(struct win_waiter *waiter)
{
	return atomic_load_explicit(&waiter->state, memory_order_acquire) == STATE_DONE;
}

/** @return true if a blocked thread must return from its wait */
static bool
is_over(struct win_waiter *waiter, uint64_t deadline_ns)
{
	return win_waiter_is_done(waiter) || atomic_load(&waiter->recheck) ||
		(deadline_ns != WIN_NO_DEADLINE && win_now_ns() >= deadline_ns);
}

/**
 * @return true if the leader naps or is about to nap, so that another thread may lead. Requires
 *         idle.lock.
 */
static bool
leader_naps(void)
{
	return idle.leader && !hook.nap &&
		(atomic_load(&idle.leader->state) == STATE_SLEEPS ||
			atomic_load(&idle.leader->will_nap));
}

/**
 * Become the leader, or a follower if there is a leader.
 *
 * @param begins true: the wait begins, so take the lead from a leader that naps
 * @return true: this thread leads
 */
static bool
idle_join(struct win_waiter *waiter, bool begins)
{
	bool leads = false;

	pthread_mutex_lock(&idle.lock);
	atomic_store(&waiter->chosen, false);
	atomic_store(&waiter->deposed, false);
	/*
	 * Either a leader that is about to sleep sees this change, or this thread sees that the
	 * leader sleeps.
	 */
	if (begins)
		atomic_fetch_add(&idle.begun, 1);
	if (atomic_load(&hook.is_set) && (!idle.is_led || (begins && leader_naps()))) {
		if (idle.leader) {
			atomic_store(&idle.leader->deposed, true);
			base_list_append(&idle.followers, &idle.leader->follower);
		}
		idle.is_led = true;
		idle.leader = waiter;
		leads = true;
	} else {
		base_list_append(&idle.followers, &waiter->follower);
	}
	pthread_mutex_unlock(&idle.lock);
	return leads;
}

/**
 * If there is no leader, choose the oldest follower. Requires idle.lock.
 *
 * @return word with which the caller must wake the follower after it has released idle.lock,
 *         because the follower takes idle.lock; NULL: wake no thread
 */
static _Atomic uint32_t *
idle_choose(void)
{
	struct win_waiter *waiter;

	if (idle.is_led || !atomic_load(&hook.is_set) || base_list_empty(&idle.followers))
		return NULL;
	waiter = base_list_entry(idle.followers.next, struct win_waiter, follower);
	base_list_remove(&waiter->follower);
	/* The waiter still exists, because its thread must take this lock before it leaves. */
	atomic_store(&waiter->chosen, true);
	return waiter_rouse(waiter) == STATE_SLEEPS ? &waiter->state : NULL;
}

/** Release idle.lock, and choose a new leader if there is none. */
static void
idle_unlock(void)
{
	_Atomic uint32_t *word = idle_choose();

	pthread_mutex_unlock(&idle.lock);
	if (word)
		futex_wake(word);
}

/** Stop being the leader or a follower. */
static void
idle_leave(struct win_waiter *waiter)
{
	bool leads;

	pthread_mutex_lock(&idle.lock);
	base_list_remove(&waiter->follower);
	leads = idle.leader == waiter;
	if (leads) {
		idle.is_led = false;
		idle.leader = NULL;
	}
	/* If this thread was chosen as leader but leaves, choose another follower. */
	if (leads || atomic_load(&waiter->chosen))
		idle_unlock();
	else
		pthread_mutex_unlock(&idle.lock);
}

/** If win_idle_watch() is called regularly, become a follower. @return false: no regular calls */
static bool
idle_rest(struct win_waiter *waiter)
{
	bool rests;

	pthread_mutex_lock(&idle.lock);
	rests = idle.is_watched && !hook.nap;
	/* If another thread has taken the lead, this thread is a follower already. */
	if (rests && idle.leader == waiter) {
		idle.is_led = false;
		idle.leader = NULL;
		idle.rests++;
		base_list_append(&idle.followers, &waiter->follower);
	}
	pthread_mutex_unlock(&idle.lock);
	return rests;
}

/** Sleep as a follower until the wait is over or this thread is chosen as leader. */
static void
follow(struct win_waiter *waiter, uint64_t deadline_ns)
{
	while (!is_over(waiter, deadline_ns) && !atomic_load(&waiter->chosen)) {
		uint32_t state = STATE_RUNS;

		if (!atomic_compare_exchange_strong(&waiter->state, &state, STATE_SLEEPS))
			return;
		/*
		 * Check the two flags again. A thread that sets a flag after this check sees that
		 * this thread sleeps.
		 */
		if (!atomic_load(&waiter->recheck) && !atomic_load(&waiter->chosen))
			futex_sleep(&waiter->state, STATE_SLEEPS, deadline_ns);
		waiter_rouse(waiter);
	}
}

/**
 * Reduce the timer slack of the thread, or restore the slack, because the thread belongs to the
 * application.
 *
 * @param[in,out] before slack to restore; 0: the slack is not reduced
 */
static void
timers_exact(bool exact, int *before)
{
	int error = errno;
	int slack;

	if (exact == (*before != 0))
		return;
	if (exact) {
		slack = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
		/* Threads with real-time priority have no timer slack. */
		if (slack > EXACT_SLACK && prctl(PR_SET_TIMERSLACK, EXACT_SLACK, 0, 0, 0) == 0)
			*before = slack;
	} else {
		(void)prctl(PR_SET_TIMERSLACK, *before, 0, 0, 0);
		*before = 0;
	}
	errno = error;
}

/**
 * Sleep between two calls of the hook. Do not sleep if a wait has begun since the caller read
 * `begun` from idle.begun.
 */
static void
nap(struct win_waiter *waiter, unsigned int begun, uint64_t length_ns, uint64_t deadline_ns)
{
	uint32_t state = STATE_RUNS;
	uint64_t now = win_now_ns();
	uint64_t until = now + length_ns;

	if (now >= deadline_ns)
		return;
	if (until > deadline_ns)
		until = deadline_ns;
	if (!atomic_compare_exchange_strong(
		    &waiter->state, &state, hook.nap ? STATE_NAPS : STATE_SLEEPS))
		return;
	if (!atomic_load(&waiter->recheck) && atomic_load(&idle.begun) == begun) {
		if (hook.nap)
			hook.nap(hook.nap_arg, until - now);
		else
			futex_sleep(&waiter->state, STATE_SLEEPS, until);
	}
	waiter_rouse(waiter);
}

/** Call the hook once. @param[out] worked true: there was work @return false: no hook is set */
static bool
hook_run(bool *worked)
{
	bool is_set;

	*worked = false;
	if (atomic_load(&hook.setters) > 0)
		return true;
	pthread_mutex_lock(&hook.lock);
	is_set = hook.run != NULL;
	if (is_set)
		*worked = hook.run(hook.arg);
	pthread_mutex_unlock(&hook.lock);
	return is_set;
}

/** Result of one call of the hook. */
enum lead {
	LEAD_NONE, /**< no hook is set */
	LEAD_IDLE,
	LEAD_WORKED,
	LEAD_ENDED, /**< the hook has ended waits of threads */
};

/**
 * Call the hook as the leader, and then wake the threads whose waits the hook has ended. A woken
 * thread may take the lead before this function returns.
 */
static enum lead
lead_once(struct win_waiter *waiter)
{
	unsigned int before = ended;
	bool worked;
	bool is_set;

	win_hold_wakes();
	is_set = hook_run(&worked);
	if (ended != before)
		atomic_store(&waiter->will_nap, true);
	win_release_wakes();
	if (!is_set)
		return LEAD_NONE;
	if (ended != before)
		return LEAD_ENDED;
	return worked ? LEAD_WORKED : LEAD_IDLE;
}

/**
 * Call the hook repeatedly, until the wait is over, or this thread no longer leads or may stop
 * leading.
 *
 * @param begins true: the wait begins, so work may come soon; false: nap after the first call
 * @param slack for timers_exact(); the caller restores the slack
 */
static void
lead_on(struct win_waiter *waiter, uint64_t deadline_ns, bool begins, int *slack)
{
	uint64_t length_ns = WIN_IDLE_NAP_MIN_NS;
	unsigned int rounds = begins ? 0 : WIN_IDLE_ROUNDS;

	while (!is_over(waiter, deadline_ns) && !atomic_load(&waiter->deposed)) {
		unsigned int begun = atomic_load(&idle.begun);

		atomic_store(&waiter->will_nap, false);
		switch (lead_once(waiter)) {
		case LEAD_NONE:
			return;
		case LEAD_ENDED:
			if (is_over(waiter, deadline_ns) || idle_rest(waiter))
				return;
			rounds = WIN_IDLE_ROUNDS;
			length_ns = HANDED_NAP_NS;
			break;
		case LEAD_WORKED:
			rounds = 0;
			length_ns = WIN_IDLE_NAP_MIN_NS;
			continue;
		case LEAD_IDLE:
			if (++rounds <= WIN_IDLE_ROUNDS && atomic_load(&hook.setters) == 0)
				continue;
			break;
		}
		timers_exact(length_ns <= EXACT_NAP_NS, slack);
		nap(waiter, begun, length_ns, deadline_ns);
		length_ns *= 2;
		if (length_ns > WIN_IDLE_NAP_MAX_NS)
			length_ns = WIN_IDLE_NAP_MAX_NS;
	}
}

static void
lead(struct win_waiter *waiter, uint64_t deadline_ns, bool begins)
{
	int slack = 0;

	lead_on(waiter, deadline_ns, begins, &slack);
	timers_exact(false, &slack);
}

static bool
is_leader(const struct win_waiter *waiter)
{
	bool leads;

	pthread_mutex_lock(&idle.lock);
	leads = idle.leader == waiter;
	pthread_mutex_unlock(&idle.lock);
	return leads;
}

/**
 * Wait once, as the leader or as a follower. The caller repeats the call until the wait is over.
 */
static void
stay(struct win_waiter *waiter, uint64_t deadline_ns, bool begins)
{
	if (idle_join(waiter, begins))
		lead(waiter, deadline_ns, begins);
	/* If another thread leads or has taken the lead, follow it. */
	if (!is_leader(waiter))
		follow(waiter, deadline_ns);
	idle_leave(waiter);
}

enum win_outcome
win_waiter_block(struct win_waiter *waiter, uint64_t deadline_ns)
{
	for (bool begins = true; !is_over(waiter, deadline_ns); begins = false)
		stay(waiter, deadline_ns, begins);
	if (win_waiter_is_done(waiter))
		return WIN_DONE;
	return atomic_exchange(&waiter->recheck, false) ? WIN_RECHECK : WIN_TIMED_OUT;
}

void
win_idle_poll(void)
{
	bool leads;
	bool naps;
	bool worked;

	if (!atomic_load(&hook.is_set))
		return;
	pthread_mutex_lock(&idle.lock);
	leads = !idle.is_led;
	naps = leader_naps();
	idle.is_led = true;
	pthread_mutex_unlock(&idle.lock);
	if (leads || naps)
		hook_run(&worked);
	if (!leads)
		return;
	pthread_mutex_lock(&idle.lock);
	idle.is_led = false;
	idle_unlock();
}

void
win_set_idle_hook(win_progress_fn run, void *arg)
{
	atomic_fetch_add(&hook.setters, 1);
	pthread_mutex_lock(&hook.lock);
	hook.run = run;
	hook.arg = arg;
	atomic_store(&hook.is_set, run != NULL);
	pthread_mutex_unlock(&hook.lock);
	atomic_fetch_sub(&hook.setters, 1);
	pthread_mutex_lock(&idle.lock);
	idle_unlock();
}

void
win_set_idle_nap(void (*nap_fn)(void *arg, uint64_t timeout_ns), void (*wake)(void *arg), void *arg)
{
	pthread_mutex_lock(&hook.lock);
	hook.wake = wake;
	hook.nap_arg = arg;
	hook.nap = nap_fn;
	pthread_mutex_unlock(&hook.lock);
}

void
win_idle_watch(void)
{
	pthread_mutex_lock(&idle.lock);
	idle.is_watched = true;
	if (idle.rests != idle.rests_seen) {
		idle.rests_seen = idle.rests;
		pthread_mutex_unlock(&idle.lock);
		return;
	}
	idle_unlock();
}
