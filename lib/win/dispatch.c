/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/**
 * Blocking and waking on futexes.
 *
 * A waiter's word says what its thread does: runs, sleeps in its futex, naps in the facade's nap,
 * or is done. Who ends the wait exchanges the word and so knows whom to wake, after the lock is
 * released. The word may be gone then: waking an address where nobody sleeps does nothing.
 *
 * Of the blocked threads one, the leader, calls the idle hook. The others are followers. A leader
 * that ends its wait kicks a follower, which then tries to lead.
 *
 * Threads that answer each other should cost what their switches cost. Whoever begins to wait has
 * made work, as a rule: so it takes the lead of a leader that naps, which sleeps on as a follower,
 * and nobody is woken for that. A leader that has ended the wait of another thread naps at once:
 * what comes next is up to that thread, which may need the processor. Where somebody watches it
 * does not even nap, since timers cost several us in virtual machines: it becomes a follower, and
 * nobody leads until a wait begins or the watch finds that none has.
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
/** First nap of a leader that has woken another thread: enough for an answer, as a rule. */
#define HANDED_NAP_NS UINT64_C(32000)
/** Linux lets a timer come later, by 50 us if nobody says otherwise; up to this it matters. */
#define EXACT_NAP_NS  UINT64_C(64000)
#define EXACT_SLACK   1000 /* ns */
#define NS_PER_MS     UINT64_C(1000000)

static pthread_mutex_t dispatch_lock = PTHREAD_MUTEX_INITIALIZER;

/** The hook. The lock is held while it runs. */
static struct {
	pthread_mutex_t lock;
	win_progress_fn run;
	void *arg;
	/** Whether there is one: read without the lock, by threads that look for a leader. */
	_Atomic bool is_set;
	/** Threads that want to change it: the leader leaves them the lock. */
	_Atomic unsigned int setters;
	/** Set once, before the first hook. */
	void (*nap)(void *arg, uint64_t timeout_ns);
	void (*wake)(void *arg);
	void *nap_arg;
} hook = {.lock = PTHREAD_MUTEX_INITIALIZER};

/** Who leads, and who could. */
static struct {
	pthread_mutex_t lock;
	bool is_led;
	struct win_waiter *leader; /**< NULL: none, or a thread that does not block */
	struct base_list followers;
	/** Counts waits that begin, and work that came with them: read without the lock. */
	_Atomic unsigned int begun;
	bool is_watched;    /**< win_idle_watch() is called */
	unsigned int rests; /**< how often a leader has left it to that */
	unsigned int rests_seen;
} idle = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.followers = {&idle.followers, &idle.followers},
};

/** Counts waits that this thread has ended. */
static __thread unsigned int ended;
/** Calls of win_hold_wakes() that have no win_release_wakes() yet, and whom they kept asleep. */
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

/** Sleep while the word has that value, until it is woken or the deadline has come. */
static void
futex_sleep(_Atomic uint32_t *word, uint32_t value, uint64_t deadline_ns)
{
	struct timespec until = {
		.tv_sec = (time_t)(deadline_ns / SECOND_NS),
		.tv_nsec = (long)(deadline_ns % SECOND_NS),
	};
	int error = errno;

	/* FUTEX_WAIT_BITSET takes a point in time of CLOCK_MONOTONIC. */
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

/** Note a word whose thread sleeps in its futex. */
static void
wakes_note(struct win_wakes *wakes, _Atomic uint32_t *word)
{
	if (wakes->count == sizeof(wakes->words) / sizeof(wakes->words[0]))
		wakes_flush(wakes);
	wakes->words[wakes->count++] = word;
}

/** Note whom to wake for a word that was just changed. */
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

/** Get a waiter out of its sleep or nap without ending its wait. */
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

/** Whether a blocked thread has to look up, for whatever reason. */
static bool
is_over(struct win_waiter *waiter, uint64_t deadline_ns)
{
	return win_waiter_is_done(waiter) || atomic_load(&waiter->recheck) ||
		(deadline_ns != WIN_NO_DEADLINE && win_now_ns() >= deadline_ns);
}

/** Whether the leader naps, or will, so that another one may lead. With the lock of idle held. */
static bool
leader_naps(void)
{
	return idle.leader && !hook.nap &&
		(atomic_load(&idle.leader->state) == STATE_SLEEPS ||
			atomic_load(&idle.leader->will_nap));
}

/**
 * Become the leader, or else a follower, who is chosen when there is no leader.
 *
 * @param begins
 *   Whether the wait begins: then it takes the lead of one that naps.
 */
static bool
idle_join(struct win_waiter *waiter, bool begins)
{
	bool leads = false;

	pthread_mutex_lock(&idle.lock);
	atomic_store(&waiter->chosen, false);
	atomic_store(&waiter->deposed, false);
	/* A leader that goes to sleep sees that, or is seen to sleep. */
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
 * Choose the oldest follower when there is none to lead. With the lock of idle held.
 *
 * @return
 *   The word to wake it by, without the lock, which it takes; NULL: there is nobody to wake.
 */
static _Atomic uint32_t *
idle_choose(void)
{
	struct win_waiter *waiter;

	if (idle.is_led || !atomic_load(&hook.is_set) || base_list_empty(&idle.followers))
		return NULL;
	waiter = base_list_entry(idle.followers.next, struct win_waiter, follower);
	base_list_remove(&waiter->follower);
	/* The waiter stays: its thread takes this lock before it leaves. */
	atomic_store(&waiter->chosen, true);
	return waiter_rouse(waiter) == STATE_SLEEPS ? &waiter->state : NULL;
}

/** Release the lock of idle, and have somebody lead. */
static void
idle_unlock(void)
{
	_Atomic uint32_t *word = idle_choose();

	pthread_mutex_unlock(&idle.lock);
	if (word)
		futex_wake(word);
}

/** End being the leader or a follower. */
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
	/* Who was chosen and leaves at once passes it on. */
	if (leads || atomic_load(&waiter->chosen))
		idle_unlock();
	else
		pthread_mutex_unlock(&idle.lock);
}

/** Stop leading: somebody watches. @return false: nobody does */
static bool
idle_rest(struct win_waiter *waiter)
{
	bool rests;

	pthread_mutex_lock(&idle.lock);
	rests = idle.is_watched && !hook.nap;
	/* Or else another thread has taken the lead. */
	if (rests && idle.leader == waiter) {
		idle.is_led = false;
		idle.leader = NULL;
		idle.rests++;
		base_list_append(&idle.followers, &waiter->follower);
	}
	pthread_mutex_unlock(&idle.lock);
	return rests;
}

/** Sleep in the futex until the wait is over or the waiter is chosen. */
static void
follow(struct win_waiter *waiter, uint64_t deadline_ns)
{
	while (!is_over(waiter, deadline_ns) && !atomic_load(&waiter->chosen)) {
		uint32_t state = STATE_RUNS;

		if (!atomic_compare_exchange_strong(&waiter->state, &state, STATE_SLEEPS))
			return;
		/* Who sets one of these sees that the thread sleeps, or is seen here. */
		if (!atomic_load(&waiter->recheck) && !atomic_load(&waiter->chosen))
			futex_sleep(&waiter->state, STATE_SLEEPS, deadline_ns);
		waiter_rouse(waiter);
	}
}

/**
 * Have timers of this thread come in time, or as they did before. The thread is the application's.
 *
 * @param[in,out] before
 *   The slack that the thread had; 0: it has that now.
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
		/* Threads with real-time priority have no slack. */
		if (slack > EXACT_SLACK && prctl(PR_SET_TIMERSLACK, EXACT_SLACK, 0, 0, 0) == 0)
			*before = slack;
	} else {
		(void)prctl(PR_SET_TIMERSLACK, *before, 0, 0, 0);
		*before = 0;
	}
	errno = error;
}

/** Sleep between two calls of the hook, unless a wait has begun since idle.begun was as given. */
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

/** Call the hook once. Returns false when there is none. */
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

/** What a call of the hook has brought. */
enum lead {
	LEAD_NONE, /**< there is no hook */
	LEAD_IDLE,
	LEAD_WORKED,
	LEAD_ENDED, /**< ends of waits */
};

/** Call the hook for a leader, then wake others: they may want the lead before this returns. */
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
 * Drive the engines until the wait is over, or another thread leads or may.
 *
 * @param begins
 *   Whether the wait does: then there may be work soon. Who goes on for another thread naps.
 * @param slack
 *   Of timers_exact(): the caller restores it.
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

/** Begin to wait, or go on: as the leader or as a follower. */
static void
stay(struct win_waiter *waiter, uint64_t deadline_ns, bool begins)
{
	if (idle_join(waiter, begins))
		lead(waiter, deadline_ns, begins);
	/* Also who leads no more. */
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
