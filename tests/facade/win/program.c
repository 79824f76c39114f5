/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * A C version of program.cpp that calls methods of an interface through lpVtbl and has a wide main.
 */

#ifndef UNICODE
#define UNICODE
#endif
#include <winsock2.h>
#include <initguid.h>
#include <process.h>
#include <tchar.h>
#include <unknwn.h>

DEFINE_GUID(
	IID_ICounter, 0x7d1f6a02, 0x35d1, 0x4c5e, 0x90, 0x1b, 0x52, 0x11, 0x0c, 0x8e, 0x4a, 0x77);

#undef INTERFACE
#define INTERFACE ICounter
DECLARE_INTERFACE_(ICounter, IUnknown)
{
	IFACEMETHOD(QueryInterface)(THIS_ REFIID riid, LPVOID * object) PURE;
	IFACEMETHOD_(ULONG, AddRef)(THIS) PURE;
	IFACEMETHOD_(ULONG, Release)(THIS) PURE;
	STDMETHOD(Count)(THIS_ DWORD by, DWORD * value) PURE;
};

struct counter {
	ICounter counter;
	volatile LONG references;
	DWORD value;
};

static HRESULT STDMETHODCALLTYPE
query(ICounter *This, REFIID riid, LPVOID *object)
{
	*object = IsEqualIID(riid, &IID_ICounter) ? This : NULL;
	return *object ? S_OK : E_NOINTERFACE;
}

static ULONG STDMETHODCALLTYPE
add_ref(ICounter *This)
{
	return (ULONG)InterlockedIncrement(
		&CONTAINING_RECORD(This, struct counter, counter)->references);
}

static ULONG STDMETHODCALLTYPE
release(ICounter *This)
{
	return (ULONG)InterlockedDecrement(
		&CONTAINING_RECORD(This, struct counter, counter)->references);
}

static HRESULT STDMETHODCALLTYPE
count(ICounter *This, DWORD by, DWORD *value)
{
	struct counter *counter = CONTAINING_RECORD(This, struct counter, counter);

	*value = counter->value += by;
	return S_OK;
}

static const ICounterVtbl vtbl = {query, add_ref, release, count};

int
wmain(int argc, wchar_t **argv, wchar_t **environment)
{
	struct counter counter = {{&vtbl}, 1, 0};
	ICounter *other = NULL;
	DWORD value = 0;
	HANDLE event = CreateEvent(NULL, FALSE, TRUE, NULL);

	if (argc != 3 || _tcscmp(argv[1], _T("\u00e4\u20ac")) != 0 || !environment[0])
		return 1;
	if (FAILED(counter.counter.lpVtbl->QueryInterface(
		    &counter.counter, &IID_ICounter, (LPVOID *)&other)) ||
		FAILED(other->lpVtbl->Count(other, 3, &value)) || value != 3)
		return 1;
	if (WaitForSingleObject(event, INFINITE) != WAIT_OBJECT_0 || min(value, 4u) != 3)
		return 1;
	CloseHandle(event);
	_tprintf(_T("%s %I64d %lu\n"), argv[1], (INT64)-1, value);
	wprintf(L"%s\n", L"\u00e4");
	printf("%u\n", 0u);
	return 0;
}
