/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "support/start.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <rte_build_config.h>

/*
 * This file replaces functions of libraries to reduce the start time of test programs. Criterion
 * runs each test in a separate process, and most of the time of a test was the start of its
 * process.
 */

/* Set while this thread is in rte_eal_init(). */
static _Thread_local bool eal_starting;

void
test_start_eal(bool starting)
{
	eal_starting = starting;
}

/*
 * Report to EAL that its driver folder does not exist, so that EAL loads no drivers. Otherwise EAL
 * loads all installed drivers, more than a hundred libraries. EAL has no option against loading,
 * but it ignores a driver folder for which stat64() fails.
 */
int
stat64(const char *path, struct stat64 *status)
{
	if (eal_starting && strcmp(path, RTE_EAL_PMD_PATH) == 0) {
		errno = ENOENT;
		return -1;
	}
	return fstatat64(AT_FDCWD, path, status, 0);
}

/*
 * Without memfd_create(), EAL uses anonymous memory, which the kernel can back with transparent
 * huge pages (huge_pages_advise() in eal.c).
 */
int
memfd_create(const char *name, unsigned int flags)
{
	if (eal_starting) {
		errno = ENOSYS;
		return -1;
	}
	return (int)syscall(SYS_memfd_create, name, flags);
}

/*
 * If the processor does not report the frequency of its TSC, EAL measures it for 100 ms and rounds
 * the result to 10 MHz. For this accuracy, 5 ms are enough.
 */
int
nanosleep(const struct timespec *requested, struct timespec *left)
{
	static const struct timespec enough = {.tv_nsec = 5000000};
	const int status =
		clock_nanosleep(CLOCK_REALTIME, 0, eal_starting ? &enough : requested, left);

	if (status == 0)
		return 0;
	errno = status;
	return -1;
}

/*
 * Report to EAL that each processor belongs to NUMA node 0. Otherwise EAL calls access() up to 32
 * times (RTE_MAX_NUMA_NODES) for each of 128 lcores (RTE_MAX_LCORE). On a machine with several
 * nodes, all lcores have socket 0 in the tests.
 */
int
access(const char *path, int mode)
{
	if (eal_starting && strncmp(path, "/sys/devices/system/node/node0/cpu", 34) == 0)
		return 0;
	return faccessat(AT_FDCWD, path, mode, 0);
}

/*
 * Criterion initializes libgit2 in each process, and libgit2 then reads the system's certificates.
 * Criterion uses libgit2 only to print differences. Return success without a certificate.
 */
__attribute__((visibility("default"))) int
mbedtls_x509_crt_parse_file(void *chain, const char *path);

int
mbedtls_x509_crt_parse_file(void *chain, const char *path)
{
	(void)chain;
	(void)path;
	return 0;
}

/* Not in builds with sanitizers, which use or replace dl_iterate_phdr() themselves. */
#ifdef TEST_REPLACES_DL_ITERATE_PHDR

typedef int (*phdr_callback)(struct dl_phdr_info *info, size_t size, void *data);

struct phdr_call {
	phdr_callback callback;
	void *data;
};

/* Call the callback only for the program and for libcriterion. */
static int
phdr_select(struct dl_phdr_info *info, size_t size, void *data)
{
	const struct phdr_call *call = data;

	if (info->dlpi_name[0] != '\0' && strstr(info->dlpi_name, "libcriterion") == NULL)
		return 0;
	return call->callback(info, size, call->data);
}

/*
 * Criterion searches all loaded libraries for tests, twelve times, and maps each library each time.
 * Report only the program, which contains all tests, and libcriterion.
 */
int
dl_iterate_phdr(phdr_callback callback, void *data)
{
	struct phdr_call call = {callback, data};
	int (*next)(phdr_callback, void *);
	Dl_info caller;

	*(void **)&next = dlsym(RTLD_NEXT, "dl_iterate_phdr");
	if (dladdr((void *)(uintptr_t)callback, &caller) != 0 &&
		strstr(caller.dli_fname, "libcriterion") != NULL)
		return next(phdr_select, &call);
	return next(callback, data);
}

#endif
