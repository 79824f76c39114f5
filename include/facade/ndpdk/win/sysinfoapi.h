/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SYSINFOAPI_H
#define NDPDK_SYSINFOAPI_H

/**
 * @file
 * Memory, clocks, processors, environment variables and debug output.
 */

#include <ndpdk/win/winbase.h>

#define HEAP_NO_SERIALIZE        0x1u
#define HEAP_GENERATE_EXCEPTIONS 0x4u
#define HEAP_ZERO_MEMORY         0x8u

/** malloc() is the only heap: HeapCreate() returns the same heap. HeapDestroy() frees nothing. */
NDWIN_API HANDLE GetProcessHeap(void) NDWIN_LINK(GetProcessHeap);
NDWIN_API HANDLE HeapCreate(DWORD options, SIZE_T initial, SIZE_T maximum) NDWIN_LINK(HeapCreate);
NDWIN_API BOOL HeapDestroy(HANDLE heap) NDWIN_LINK(HeapDestroy);
/** Allocate memory aligned to 16 bytes. Returns NULL: no memory, or an invalid heap. */
NDWIN_API LPVOID HeapAlloc(HANDLE heap, DWORD flags, SIZE_T size) NDWIN_LINK(HeapAlloc);
/**
 * Change the size of an allocation. NULL: failed, and the old memory remains valid. With
 * HEAP_ZERO_MEMORY, added bytes are zero.
 */
NDWIN_API LPVOID HeapReAlloc(HANDLE heap, DWORD flags, LPVOID memory, SIZE_T size)
	NDWIN_LINK(HeapReAlloc);
NDWIN_API BOOL HeapFree(HANDLE heap, DWORD flags, LPVOID memory) NDWIN_LINK(HeapFree);
NDWIN_API SIZE_T HeapSize(HANDLE heap, DWORD flags, LPCVOID memory) NDWIN_LINK(HeapSize);

#define MEM_COMMIT      0x1000u
#define MEM_RESERVE     0x2000u
#define MEM_DECOMMIT    0x4000u
#define MEM_RELEASE     0x8000u
#define MEM_LARGE_PAGES 0x20000000u

#define PAGE_NOACCESS          0x1u
#define PAGE_READONLY          0x2u
#define PAGE_READWRITE         0x4u
#define PAGE_EXECUTE_READ      0x20u
#define PAGE_EXECUTE_READWRITE 0x40u

/**
 * Map zeroed pages. They are accessible only with MEM_COMMIT. address is NULL for a new mapping,
 * because the system selects its place. To commit reserved pages, pass their address.
 */
NDWIN_API LPVOID VirtualAlloc(LPVOID address, SIZE_T size, DWORD kinds, DWORD protection)
	NDWIN_LINK(VirtualAlloc);
/**
 * MEM_RELEASE: unmap the whole mapping; size must be 0. MEM_DECOMMIT: free the given pages, but
 * keep their addresses reserved.
 */
NDWIN_API BOOL VirtualFree(LPVOID address, SIZE_T size, DWORD kind) NDWIN_LINK(VirtualFree);

/** Read a monotonic clock. QueryPerformanceFrequency() returns its ticks per second. */
NDWIN_API BOOL QueryPerformanceCounter(LARGE_INTEGER *count) NDWIN_LINK(QueryPerformanceCounter);
NDWIN_API BOOL QueryPerformanceFrequency(LARGE_INTEGER *frequency)
	NDWIN_LINK(QueryPerformanceFrequency);
/** Milliseconds since the system was booted, including the time in which it was suspended. */
NDWIN_API DWORD GetTickCount(void) NDWIN_LINK(GetTickCount);
NDWIN_API ULONGLONG GetTickCount64(void) NDWIN_LINK(GetTickCount64);
/** Current time, UTC, in units of 100 ns since 1601. */
NDWIN_API void GetSystemTimeAsFileTime(LPFILETIME time) NDWIN_LINK(GetSystemTimeAsFileTime);
/** Total CPU time of all processors since boot. As on Windows, kernel includes idle. */
NDWIN_API BOOL GetSystemTimes(LPFILETIME idle, LPFILETIME kernel, LPFILETIME user)
	NDWIN_LINK(GetSystemTimes);

#define PROCESSOR_ARCHITECTURE_AMD64   9
#define PROCESSOR_ARCHITECTURE_ARM64   12
#define PROCESSOR_ARCHITECTURE_UNKNOWN 0xFFFF

typedef struct ndwin_system_info {
	WORD wProcessorArchitecture;
	WORD wReserved;
	DWORD dwPageSize;
	LPVOID lpMinimumApplicationAddress;
	LPVOID lpMaximumApplicationAddress;
	DWORD_PTR dwActiveProcessorMask;
	DWORD dwNumberOfProcessors;
	DWORD dwProcessorType;
	DWORD dwAllocationGranularity;
	WORD wProcessorLevel;
	WORD wProcessorRevision;
} SYSTEM_INFO, *LPSYSTEM_INFO;

/** Describe the system. Only processors on which the caller may run are counted. */
NDWIN_API void GetSystemInfo(LPSYSTEM_INFO info) NDWIN_LINK(GetSystemInfo);

#define ALL_PROCESSOR_GROUPS 0xFFFFu

/** Number of processors in a group. Group 0 is the only group. */
NDWIN_API DWORD GetActiveProcessorCount(WORD group) NDWIN_LINK(GetActiveProcessorCount);

/**
 * Get an environment variable. Returns the length without the terminator. If the buffer is too
 * small: the size needed, including the terminator. 0: not set, or empty.
 */
NDWIN_API DWORD GetEnvironmentVariableA(LPCSTR name, LPSTR value, DWORD size)
	NDWIN_LINK(GetEnvironmentVariableA);
NDWIN_API DWORD GetEnvironmentVariableW(LPCWSTR name, LPWSTR value, DWORD size)
	NDWIN_LINK(GetEnvironmentVariableW);
#ifdef UNICODE
#define GetEnvironmentVariable GetEnvironmentVariableW
#else
#define GetEnvironmentVariable GetEnvironmentVariableA
#endif
/** Write text to standard error. */
NDWIN_API void OutputDebugStringA(LPCSTR text) NDWIN_LINK(OutputDebugStringA);
NDWIN_API void OutputDebugStringW(LPCWSTR text) NDWIN_LINK(OutputDebugStringW);
#ifdef UNICODE
#define OutputDebugString OutputDebugStringW
#else
#define OutputDebugString OutputDebugStringA
#endif

#define RtlZeroMemory(to, length)       ((void)__builtin_memset((to), 0, (length)))
#define RtlFillMemory(to, length, fill) ((void)__builtin_memset((to), (fill), (length)))
#define RtlCopyMemory(to, from, length) ((void)__builtin_memcpy((to), (from), (length)))
#define RtlMoveMemory(to, from, length) ((void)__builtin_memmove((to), (from), (length)))
#define RtlEqualMemory(a, b, length)    (__builtin_memcmp((a), (b), (length)) == 0)
#define ZeroMemory(to, length)          RtlZeroMemory(to, length)
#define SecureZeroMemory(to, length)    RtlZeroMemory(to, length)
#define FillMemory(to, length, fill)    RtlFillMemory(to, length, fill)
#define CopyMemory(to, from, length)    RtlCopyMemory(to, from, length)
#define MoveMemory(to, from, length)    RtlMoveMemory(to, from, length)

#endif
