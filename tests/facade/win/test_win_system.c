/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include <assert.h>

#include <ndpdk/win/unknwn.h>
#include <ndpdk/win/winsock2.h>

static_assert(sizeof(ULONG) == 4 && sizeof(LONG) == 4 && sizeof(BOOL) == 4, "32 bits");
static_assert(sizeof(SIZE_T) == 8 && sizeof(LONG_PTR) == 8 && sizeof(UINT64) == 8, "64 bits");
static_assert(sizeof(OVERLAPPED) == 32 && offsetof(OVERLAPPED, hEvent) == 24, "as on Windows");
static_assert(sizeof(GUID) == 16 && sizeof(LARGE_INTEGER) == 8, "as on Windows");
static_assert(offsetof(SOCKET_ADDRESS_LIST, Address) == 8 && sizeof(SOCKET_ADDRESS) == 16, "same");
static_assert(_Generic((UINT64)0, uint64_t : 1, default : 0), "one type");
static_assert(_Generic((SIZE_T)0, ULONGLONG : 1, default : 0), "one type");

DEFINE_GUID(example_guid, 0x01020304, 0x0506, 0x0708, 9, 10, 11, 12, 13, 14, 15, 16);

Test(win_system, results_and_statuses)
{
	cr_expect(SUCCEEDED(S_OK) && SUCCEEDED(S_FALSE) && SUCCEEDED(STATUS_PENDING));
	cr_expect(FAILED(E_FAIL) && FAILED(STATUS_CANCELLED) && FAILED(STATUS_BUFFER_OVERFLOW));
	cr_expect_eq((ULONG)HRESULT_FROM_WIN32(ERROR_INVALID_PARAMETER), 0x80070057u);
	cr_expect_eq(HRESULT_FROM_WIN32(ERROR_SUCCESS), S_OK);
	cr_expect_eq(HRESULT_FROM_WIN32(E_FAIL), E_FAIL);
	cr_expect_eq((ULONG)HRESULT_FROM_NT(STATUS_CANCELLED), 0xD0000120u);
	cr_expect_eq(HRESULT_CODE(E_INVALIDARG), ERROR_INVALID_PARAMETER);
	cr_expect_eq(HRESULT_FACILITY(E_INVALIDARG), FACILITY_WIN32);
	cr_expect_eq(MAKE_HRESULT(SEVERITY_ERROR, FACILITY_WIN32, 5), E_ACCESSDENIED);
	cr_expect(NT_SUCCESS(STATUS_TIMEOUT) && !NT_SUCCESS(STATUS_DEVICE_BUSY));
	cr_expect_eq(RtlNtStatusToDosError(STATUS_CANCELLED), ERROR_OPERATION_ABORTED);
	cr_expect_eq(RtlNtStatusToDosError(STATUS_INVALID_PARAMETER_7), ERROR_INVALID_PARAMETER);
	cr_expect_eq(RtlNtStatusToDosError(STATUS_CONNECTION_REFUSED), ERROR_CONNECTION_REFUSED);
	cr_expect_eq(RtlNtStatusToDosError((NTSTATUS)0xC0FFFFFF), ERROR_MR_MID_NOT_FOUND);
}

Test(win_system, identifiers)
{
	GUID copy = example_guid;

	cr_expect(IsEqualIID(&copy, &example_guid));
	cr_expect_not(IsEqualGUID(&copy, &IID_IUnknown));
	cr_expect_eq(IID_IUnknown.Data4[7], 0x46);
	cr_expect_eq(example_guid.Data1, 0x01020304);
}

Test(win_system, macros)
{
	OVERLAPPED overlapped;
	LARGE_INTEGER large = {.QuadPart = -2};
	BYTE memory[4] = {1, 2, 3, 4};

	cr_expect_eq(CONTAINING_RECORD(&overlapped.hEvent, OVERLAPPED, hEvent), &overlapped);
	cr_expect_eq(MAKEWORD(2, 1), 0x0102);
	cr_expect_eq(LOBYTE(0x0102), 2);
	cr_expect_eq(HIWORD(0x12345678), 0x1234);
	cr_expect_eq(large.HighPart, -1);
	cr_expect_eq(large.LowPart, 0xFFFFFFFEu);
	cr_expect_eq(min(3, 2), 2);
	cr_expect_eq(max(3, 2), 3);
	cr_expect_eq(ARRAYSIZE(memory), 4);
	RtlZeroMemory(memory, 3);
	cr_expect_arr_eq(memory, "\0\0\0\4", 4);
}

Test(win_system, heap)
{
	HANDLE heap = GetProcessHeap();
	char *memory = HeapAlloc(heap, HEAP_ZERO_MEMORY, 1000);

	cr_assert_not_null(memory);
	cr_expect_eq((uintptr_t)memory % 16, 0);
	for (int i = 0; i < 1000; i++)
		cr_expect_eq(memory[i], 0);
	memory = HeapReAlloc(heap, HEAP_ZERO_MEMORY, memory, 100000);
	cr_assert_not_null(memory);
	cr_expect_geq(HeapSize(heap, 0, memory), 100000);
	cr_expect_eq(memory[99999], 0);
	cr_expect(HeapFree(heap, 0, memory));
	cr_expect(HeapFree(heap, 0, NULL));
	memory = HeapAlloc(heap, 0, 0);
	cr_expect_not_null(memory);
	cr_expect(HeapFree(heap, 0, memory));
	cr_expect_null(HeapAlloc(NULL, 0, 1));
	cr_expect_eq(GetLastError(), ERROR_INVALID_HANDLE);
	cr_expect_not(HeapFree(&heap, 0, NULL));
}

Test(win_system, pages)
{
	SYSTEM_INFO info;
	char *memory;

	GetSystemInfo(&info);
	memory = VirtualAlloc(NULL, 3 * info.dwPageSize, MEM_RESERVE, PAGE_READWRITE);
	cr_assert_not_null(memory);
	cr_expect_eq(VirtualAlloc(memory + info.dwPageSize, 1, MEM_COMMIT, PAGE_READWRITE),
		memory + info.dwPageSize);
	memory[info.dwPageSize] = 1;
	cr_expect_null(VirtualAlloc(memory, 4 * info.dwPageSize, MEM_COMMIT, PAGE_READWRITE));
	cr_expect_eq(GetLastError(), ERROR_INVALID_ADDRESS);
	cr_expect_not(VirtualFree(memory + info.dwPageSize, 0, MEM_RELEASE));
	cr_expect_not(VirtualFree(memory, 5, MEM_RELEASE));
	cr_expect_eq(GetLastError(), ERROR_INVALID_PARAMETER);
	cr_expect(VirtualFree(memory, 0, MEM_RELEASE));
	cr_expect_not(VirtualFree(memory, 0, MEM_RELEASE));
	memory = VirtualAlloc(NULL, 1, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
	cr_assert_not_null(memory);
	memory[info.dwPageSize - 1] = 1;
	cr_expect(VirtualFree(memory, info.dwPageSize, MEM_DECOMMIT));
	cr_expect(VirtualFree(memory, 0, MEM_RELEASE));
	cr_expect_null(VirtualAlloc(NULL, 0, MEM_COMMIT, PAGE_READWRITE));
	cr_expect_null(VirtualAlloc(NULL, 1, MEM_COMMIT, 0x999));
	cr_expect_null(VirtualAlloc(NULL, 1, 0, PAGE_READWRITE));
}

Test(win_system, clocks_and_processors)
{
	ULONGLONG idle = 0, kernel = 0, user = 0;
	LARGE_INTEGER before, after, frequency;
	ULONGLONG tick = GetTickCount64();
	SYSTEM_INFO info;

	cr_expect(QueryPerformanceFrequency(&frequency));
	cr_expect(QueryPerformanceCounter(&before));
	Sleep(20);
	cr_expect(QueryPerformanceCounter(&after));
	cr_expect_geq(after.QuadPart - before.QuadPart, frequency.QuadPart / 50);
	cr_expect_geq(GetTickCount64() - tick, 19);
	cr_expect_not(QueryPerformanceCounter(NULL));
	cr_expect(GetSystemTimes((FILETIME *)&idle, (FILETIME *)&kernel, (FILETIME *)&user));
	cr_expect_geq(kernel, idle);
	cr_expect_gt(kernel + user, 0);
	GetSystemInfo(&info);
	cr_expect_geq(info.dwNumberOfProcessors, 1);
	cr_expect_eq(GetActiveProcessorCount(ALL_PROCESSOR_GROUPS), info.dwNumberOfProcessors);
	cr_expect_eq(GetActiveProcessorCount(3), 0);
}

Test(win_system, environment)
{
	wchar_t wide[8];
	char value[8];

	setenv("NDPDK_WIN_TEST", "\u00e4bc", 1);
	cr_expect_eq(GetEnvironmentVariableA("NDPDK_WIN_TEST", value, 8), 4);
	cr_expect_str_eq(value, "\u00e4bc");
	cr_expect_eq(GetEnvironmentVariableA("NDPDK_WIN_TEST", value, 4), 5);
	cr_expect_eq(GetEnvironmentVariableW(L"NDPDK_WIN_TEST", wide, 4), 3);
	cr_expect_eq(wcscmp(wide, L"\u00e4bc"), 0);
	cr_expect_eq(GetEnvironmentVariableW(L"NDPDK_WIN_TEST", NULL, 0), 4);
	cr_expect_eq(GetEnvironmentVariableA("NDPDK_WIN_NONE", value, 8), 0);
	cr_expect_eq(GetLastError(), ERROR_ENVVAR_NOT_FOUND);
}

Test(win_system, winsock_is_started_and_ended)
{
	WSADATA data;

	cr_expect_eq(WSACleanup(), SOCKET_ERROR);
	cr_expect_eq(WSAGetLastError(), WSANOTINITIALISED);
	cr_expect_eq(WSAStartup(MAKEWORD(2, 2), &data), 0);
	cr_expect_eq(data.wVersion, MAKEWORD(2, 2));
	cr_expect_eq(WSAStartup(MAKEWORD(1, 1), &data), 0);
	cr_expect_eq(data.wVersion, MAKEWORD(1, 1));
	cr_expect_eq(WSAStartup(MAKEWORD(0, 5), &data), WSAVERNOTSUPPORTED);
	cr_expect_eq(WSAStartup(MAKEWORD(2, 2), NULL), WSAEFAULT);
	cr_expect_eq(WSACleanup(), 0);
	cr_expect_eq(WSACleanup(), 0);
	cr_expect_eq(WSACleanup(), SOCKET_ERROR);
}

static void
expect_round_trip(const wchar_t *from, INT family, const char *to)
{
	SOCKADDR_INET address;
	INT length = sizeof(address);
	char text[64];
	wchar_t wide[64];
	DWORD size = sizeof(text);
	wchar_t copy[64];

	wcscpy_s(copy, 64, from);
	cr_assert_eq(WSAStringToAddressW(copy, family, NULL, (LPSOCKADDR)&address, &length), 0,
		"%s", to);
	cr_expect_eq(address.si_family, family);
	cr_expect_eq(
		WSAAddressToStringA((LPSOCKADDR)&address, (DWORD)length, NULL, text, &size), 0);
	cr_expect_str_eq(text, to);
	cr_expect_eq(size, strlen(to) + 1);
	cr_expect_eq(
		WSAAddressToStringW((LPSOCKADDR)&address, (DWORD)length, NULL, wide, &size), 0);
	cr_expect_eq(wcslen(wide), strlen(to));
	size = 4;
	cr_expect_eq(WSAAddressToStringA((LPSOCKADDR)&address, (DWORD)length, NULL, text, &size),
		SOCKET_ERROR);
	cr_expect_eq(WSAGetLastError(), WSAEFAULT);
	cr_expect_eq(size, strlen(to) + 1);
}

Test(win_system, addresses_as_text)
{
	expect_round_trip(L"198.51.100.7", AF_INET, "198.51.100.7");
	expect_round_trip(L"198.51.100.7:4791", AF_INET, "198.51.100.7:4791");
	expect_round_trip(L"2001:db8::1", AF_INET6, "2001:db8::1");
	expect_round_trip(L"[2001:db8::1]", AF_INET6, "2001:db8::1");
	expect_round_trip(L"[fe80::1%3]:80", AF_INET6, "[fe80::1%3]:80");
}

Test(win_system, what_is_no_address)
{
	static const char *const wrong[] = {
		"",
		"1.2.3",
		"1.2.3.4.5",
		"256.1.1.1",
		"1.2.3.4:",
		"1.2.3.4:65536",
		"1.2.3.4:-1",
		"1.2.3.4:1x",
		"1.2.3.4 ",
		"::1",
		"\u00e4",
	};
	static const char *const wrong6[] = {
		"",
		"1.2.3.4",
		"[::1",
		"[::1]80",
		"[::1]:99999",
		"::1%",
		"::1%0",
		":::",
		"[]",
	};
	struct sockaddr_in6 address;
	INT length;
	char text[64];

	for (size_t i = 0; i < ARRAYSIZE(wrong) + ARRAYSIZE(wrong6); i++) {
		bool v4 = i < ARRAYSIZE(wrong);

		strcpy_s(text, sizeof(text), v4 ? wrong[i] : wrong6[i - ARRAYSIZE(wrong)]);
		length = sizeof(address);
		cr_expect_eq(WSAStringToAddressA(text, v4 ? AF_INET : AF_INET6, NULL,
				     (LPSOCKADDR)&address, &length),
			SOCKET_ERROR, "%s", text);
		cr_expect_eq(WSAGetLastError(), WSAEINVAL, "%s", text);
	}
	length = 4;
	strcpy_s(text, sizeof(text), "1.2.3.4");
	cr_expect_eq(WSAStringToAddressA(text, AF_INET, NULL, (LPSOCKADDR)&address, &length),
		SOCKET_ERROR);
	cr_expect_eq(WSAGetLastError(), WSAEFAULT);
	cr_expect_eq(length, sizeof(struct sockaddr_in));
	cr_expect_eq(WSAStringToAddressA(NULL, AF_INET, NULL, (LPSOCKADDR)&address, &length),
		SOCKET_ERROR);
	cr_expect_eq(WSAStringToAddressA(text, AF_UNIX, NULL, (LPSOCKADDR)&address, &length),
		SOCKET_ERROR);
	cr_expect_eq(WSAGetLastError(), WSAEINVAL);
}

Test(win_system, wide_inet_functions)
{
	struct in_addr address;
	wchar_t text[INET_ADDRSTRLEN];

	cr_expect_eq(InetPtonW(AF_INET, L"198.51.100.7", &address), 1);
	cr_expect_eq(InetNtopW(AF_INET, &address, text, ARRAYSIZE(text)), text);
	cr_expect_eq(wcscmp(text, L"198.51.100.7"), 0);
	cr_expect_eq(InetPtonW(AF_INET, L"nothing", &address), 0);
	cr_expect_null(InetNtopW(AF_INET, &address, text, 3));
}
