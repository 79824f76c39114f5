/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/** Clocks, processors, environment and debug output. */

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NDWIN_NO_PRINTF
#include <ndpdk/win/windows.h>

#include "win/dispatch.h"
#include "win/error.h"
#include "win/wide.h"

/** Seconds between the beginnings of 1601 (Windows) and 1970 (Linux). */
#define EPOCH_OFFSET_S UINT64_C(11644473600)
#define TICKS_PER_S    UINT64_C(10000000)

BOOL
QueryPerformanceCounter(LARGE_INTEGER *count)
{
	if (!count)
		return win_fail(ERROR_INVALID_PARAMETER);
	count->QuadPart = (LONGLONG)win_now_ns();
	return TRUE;
}

BOOL
QueryPerformanceFrequency(LARGE_INTEGER *frequency)
{
	if (!frequency)
		return win_fail(ERROR_INVALID_PARAMETER);
	frequency->QuadPart = 1000000000;
	return TRUE;
}

ULONGLONG
GetTickCount64(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (ULONGLONG)now.tv_sec * 1000 + (ULONGLONG)now.tv_nsec / 1000000;
}

DWORD
GetTickCount(void)
{
	return (DWORD)GetTickCount64();
}

static FILETIME
filetime(uint64_t ticks)
{
	return (FILETIME){
		.dwLowDateTime = (DWORD)ticks,
		.dwHighDateTime = (DWORD)(ticks >> 32),
	};
}

void
GetSystemTimeAsFileTime(LPFILETIME time)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	*time = filetime(((uint64_t)now.tv_sec + EPOCH_OFFSET_S) * TICKS_PER_S +
		(uint64_t)now.tv_nsec / 100);
}

BOOL
GetSystemTimes(LPFILETIME idle, LPFILETIME kernel, LPFILETIME user)
{
	/*
	 * Values of the first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq,
	 * steal.
	 */
	unsigned long long t[8] = {0};
	uint64_t ticks = TICKS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK);
	FILE *file = fopen("/proc/stat", "r");
	int n = 0;

	if (file) {
		n = fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &t[0], &t[1], &t[2],
			&t[3], &t[4], &t[5], &t[6], &t[7]);
		fclose(file);
	}
	if (n < 4)
		return win_fail(ERROR_NOT_SUPPORTED);
	if (idle)
		*idle = filetime((t[3] + t[4]) * ticks);
	if (kernel)
		*kernel = filetime((t[2] + t[3] + t[4] + t[5] + t[6] + t[7]) * ticks);
	if (user)
		*user = filetime((t[0] + t[1]) * ticks);
	return TRUE;
}

void
GetSystemInfo(LPSYSTEM_INFO info)
{
	cpu_set_t set;

	memset(info, 0, sizeof(*info));
#if defined(__x86_64__)
	info->wProcessorArchitecture = PROCESSOR_ARCHITECTURE_AMD64;
#elif defined(__aarch64__)
	info->wProcessorArchitecture = PROCESSOR_ARCHITECTURE_ARM64;
#else
	info->wProcessorArchitecture = PROCESSOR_ARCHITECTURE_UNKNOWN;
#endif
	info->dwPageSize = (DWORD)sysconf(_SC_PAGESIZE);
	info->dwAllocationGranularity = info->dwPageSize;
	info->lpMinimumApplicationAddress = (LPVOID)(uintptr_t)0x10000;
	info->lpMaximumApplicationAddress = (LPVOID)(uintptr_t)0x7FFFFFFEFFFF;
	CPU_ZERO(&set);
	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		CPU_SET(0, &set);
	info->dwNumberOfProcessors = (DWORD)CPU_COUNT(&set);
	for (unsigned int i = 0; i < 64; i++)
		info->dwActiveProcessorMask |= (DWORD_PTR)(CPU_ISSET(i, &set) != 0) << i;
}

DWORD
GetActiveProcessorCount(WORD group)
{
	SYSTEM_INFO info;

	if (group != 0 && group != ALL_PROCESSOR_GROUPS) {
		win_fail(ERROR_INVALID_PARAMETER);
		return 0;
	}
	GetSystemInfo(&info);
	return info.dwNumberOfProcessors;
}

DWORD
GetEnvironmentVariableA(LPCSTR name, LPSTR value, DWORD size)
{
	const char *found = name ? getenv(name) : NULL;
	size_t length = found ? strlen(found) : 0;

	if (!found) {
		win_fail(ERROR_ENVVAR_NOT_FOUND);
		return 0;
	}
	if (!value || length >= size)
		return (DWORD)length + 1;
	memcpy(value, found, length + 1);
	return (DWORD)length;
}

DWORD
GetEnvironmentVariableW(LPCWSTR name, LPWSTR value, DWORD size)
{
	char *name8 = name ? win_utf8_of_wide(name) : NULL;
	const char *found = name8 ? getenv(name8) : NULL;
	wchar_t *wide = found ? win_wide_of_utf8(found) : NULL;
	size_t length = wide ? wcslen(wide) : 0;

	free(name8);
	if (!wide) {
		win_fail(ERROR_ENVVAR_NOT_FOUND);
		return 0;
	}
	if (!value || length >= size)
		length++;
	else
		wmemcpy(value, wide, length + 1);
	free(wide);
	return (DWORD)length;
}

void
OutputDebugStringA(LPCSTR text)
{
	if (text)
		fputs(text, stderr);
}

void
OutputDebugStringW(LPCWSTR text)
{
	char *text8 = text ? win_utf8_of_wide(text) : NULL;

	if (text8)
		fputs(text8, stderr);
	free(text8);
}
