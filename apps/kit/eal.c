/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
/* The handle of an interrupt source is experimental in DPDK 22.11. */
#ifndef ALLOW_EXPERIMENTAL_API
#define ALLOW_EXPERIMENTAL_API
#endif
#include "kit/eal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/eventfd.h>

#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_interrupts.h>
#include <rte_log.h>
#include <rte_mbuf_pool_ops.h>
#include <rte_mempool.h>
#include <rte_pdump.h>

/* Longest time in us to wait until EAL has called hold(). Normally EAL calls it much earlier. */
#define HOLD_US 1000000u
#define LOOK_US 100u

#define NO_HUGE_REMEDY "--no-huge before the --"

void
eal_divide(int count, char *arguments[], struct eal_arguments *divided)
{
	*divided = (struct eal_arguments){
		.application_count = count,
		.application = arguments,
	};
	for (int i = 1; i < count; i++) {
		if (strcmp(arguments[i], "--") != 0)
			continue;
		/*
		 * The application's arguments begin with the program's name, which replaces the
		 * lone --.
		 */
		arguments[i] = arguments[0];
		divided->eal_count = i;
		divided->eal = arguments;
		divided->application_count = count - i;
		divided->application = arguments + i;
		return;
	}
}

static int
first_allowed_cpu(void)
{
	cpu_set_t allowed;

	CPU_ZERO(&allowed);
	if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		return 0;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &allowed))
			return cpu;
	return 0;
}

static int
start_alone(char *program, uint64_t megabytes, const struct eal_lcores *chosen)
{
	/*
	 * lcore 0 is mapped to the chosen processor. lcore N on processor N would not work, because
	 * EAL limits the number of lcores and a processor's number may be larger.
	 */
	char lcores[128], main_lcore[24] = "--main-lcore=0";
	char no_huge[] = "--no-huge", no_shconf[] = "--no-shconf", no_pci[] = "--no-pci",
	     no_telemetry[] = "--no-telemetry", log_level[] = "--log-level=error", memory[] = "-m",
	     amount[24];
	char *arguments[] = {program, no_huge, no_shconf, no_pci, no_telemetry, lcores, main_lcore,
		log_level, memory, amount, NULL};
	const int count = (int)RTE_DIM(arguments) - (megabytes == 0 ? 3 : 1);

	snprintf(amount, sizeof(amount), "%" PRIu64, megabytes);
	if (chosen != NULL) {
		snprintf(lcores, sizeof(lcores), "--lcores=%s", chosen->list);
		snprintf(main_lcore, sizeof(main_lcore), "--main-lcore=%s", chosen->main);
	} else {
		snprintf(lcores, sizeof(lcores), "--lcores=0@%d", first_allowed_cpu());
	}
	arguments[count] = NULL;
	return rte_eal_init(count, arguments);
}

static bool
has_argument(const struct eal_arguments *divided, const char *argument)
{
	for (int i = 1; i < divided->eal_count; i++)
		if (strcmp(divided->eal[i], argument) == 0)
			return true;
	return false;
}

/* @return true if a running EAL holds its lock on this file */
static bool
is_taken(const char *folder)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	char path[256];
	bool taken;
	int file;

	snprintf(path, sizeof(path), "%s/config", folder);
	file = open(path, O_RDWR);
	if (file < 0)
		return false;
	taken = fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
	close(file);
	return taken;
}

/*
 * Write the reason why rte_eal_init() failed. EAL has logged the cause or a consequence of the
 * cause. EAL's error number is often 0, so the function also checks for common causes.
 */
static void
explain(const struct eal_arguments *divided, int error, char *why, size_t size)
{
	const char *folder = rte_eal_get_runtime_dir();
	const bool no_huge = divided->eal_count == 0 || has_argument(divided, "--no-huge");

	if (error == EINVAL)
		snprintf(why, size,
			"EAL did not start: invalid argument of EAL: correct the arguments "
			"before the --");
	else if (!has_argument(divided, "--no-shconf") && !has_argument(divided, "--in-memory") &&
		is_taken(folder))
		snprintf(why, size,
			"EAL did not start: another process uses %s: give each process "
			"its own --file-prefix=NAME before the --",
			folder);
	else if (!no_huge && error != ENODEV)
		snprintf(why, size,
			"EAL did not start: probably no usable hugepages: "
			"give EAL " NO_HUGE_REMEDY ", or reserve hugepages");
	else
		snprintf(why, size, "EAL did not start: %s",
			error != 0 ? rte_strerror(error) : "see the messages of EAL above");
}

/** true if other processes may share the memory of EAL; set by eal_start() */
static bool memory_is_shared;

static bool
is_shared(const struct eal_arguments *divided)
{
	return divided->eal_count > 0 && !has_argument(divided, "--no-huge") &&
		!has_argument(divided, "--no-shconf") && !has_argument(divided, "--in-memory");
}

bool
eal_start(const struct eal_arguments *divided, uint64_t megabytes, const struct eal_lcores *lcores,
	char *why, size_t size)
{
	const int result = divided->eal_count > 0
		? rte_eal_init(divided->eal_count, divided->eal)
		: start_alone(divided->application[0], megabytes, lcores);

	memory_is_shared = is_shared(divided);
	if (result < 0)
		explain(divided, rte_errno, why, size);
	/*
	 * rte_pdump_init() lets dpdk-dumpcap, which shares this process's memory, capture frames.
	 */
	else if (memory_is_shared && rte_pdump_init() != 0)
		rte_log(RTE_LOG_WARNING, RTE_LOGTYPE_USER1, "no captures: %s\n",
			rte_strerror(rte_errno));
	return result >= 0;
}

static bool
has_mempool_driver(const char *name)
{
	for (uint32_t i = 0; i < rte_mempool_ops_table.num_ops; i++)
		if (strcmp(rte_mempool_ops_table.ops[i].name, name) == 0)
			return true;
	return false;
}

void
eal_pool_error(const char *what, char *why, size_t size)
{
	const int error = rte_errno;
	const char *driver = rte_mbuf_best_mempool_ops(); /* overwrites rte_errno */

	if (error == ENOMEM)
		snprintf(why, size,
			"no memory for packet buffers of %s: give EAL more memory with -m "
			"before the --",
			what);
	else if (!has_mempool_driver(driver))
		snprintf(why, size,
			"no packet buffers for %s, because DPDK has not loaded the mempool driver "
			"%s: "
			"install DPDK's mempool drivers, or load the driver's file with EAL's -d",
			what, driver);
	else
		snprintf(why, size, "no packet buffers for %s: %s", what, rte_strerror(error));
}

/*
 * Interrupt handler that never returns. EAL's interrupt thread calls handlers one at a time, so no
 * other handler runs after this one has started.
 */
static void
hold(void *held)
{
	__atomic_store_n((bool *)held, true, __ATOMIC_RELEASE);
	for (;;)
		pause();
}

/** Block EAL's interrupt thread, so that it calls no handler of a driver from now on. */
static void
hold_interrupts(void)
{
	/* static, because the interrupt thread uses both variables until the process ends */
	static struct rte_intr_handle *handle;
	static bool held;
	int event = eventfd(1, EFD_CLOEXEC);

	handle = rte_intr_instance_alloc(RTE_INTR_INSTANCE_F_PRIVATE);
	if (handle == NULL || event < 0 || rte_intr_fd_set(handle, event) != 0 ||
		rte_intr_type_set(handle, RTE_INTR_HANDLE_EXT) != 0 ||
		rte_intr_callback_register(handle, hold, &held) != 0)
		return;
	for (uint32_t us = 0; !__atomic_load_n(&held, __ATOMIC_ACQUIRE) && us < HOLD_US;
		us += LOOK_US)
		rte_delay_us_sleep(LOOK_US);
}

static volatile sig_atomic_t status_of_end, seconds_left;

/**
 * Handler of SIGALRM, called once a second during the shutdown of EAL. Each call sets the next
 * alarm, so seconds in which the process does not run are not counted. A stopped or starved process
 * is therefore not mistaken for a blocked one. After EAL_END_S seconds the process exits without
 * releasing the memory of EAL. Hugepage files remain, as after SIGKILL.
 */
static void
end_without_eal(int signal)
{
	static const char text[] =
		"EAL did not shut down within 10 s: the process exits without it";
	static const char shared[] =
		"; a process that shared its memory may have been killed while it held a lock";
	ssize_t written = 0;

	RTE_BUILD_BUG_ON(EAL_END_S != 10);
	RTE_SET_USED(signal);
	if (--seconds_left > 0) {
		alarm(1);
		return;
	}
	written += write(STDERR_FILENO, text, sizeof(text) - 1);
	if (memory_is_shared)
		written += write(STDERR_FILENO, shared, sizeof(shared) - 1);
	written += write(STDERR_FILENO, "\n", 1);
	RTE_SET_USED(written);
	_exit(status_of_end);
}

int
eal_end(int status)
{
	struct sigaction action = {.sa_handler = end_without_eal, .sa_flags = SA_RESTART};

	/* If fflush() fails, the stream keeps the error, and output_close() reports it later. */
	(void)fflush(stdout);
	status_of_end = status;
	seconds_left = EAL_END_S;
	sigemptyset(&action.sa_mask);
	if (sigaction(SIGALRM, &action, NULL) == 0)
		alarm(1);
	hold_interrupts();
	rte_eal_cleanup();
	alarm(0);
	return status;
}
