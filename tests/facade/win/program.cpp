/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * A program in the style of Windows programs. The test compiles it with each compiler, with and
 * without UNICODE, and expects no warnings. Then the test runs it. The program exits with status 1
 * if an argument is unexpected.
 */

#include <winsock2.h>
#include <ws2tcpip.h>
#include <tchar.h>
#include <process.h>
#include <initguid.h>
#include <unknwn.h>
#include <functional>
#include <map>
#include <new>
#include <string>

DEFINE_GUID(IID_ICounter, 0x7d1f6a02, 0x35d1, 0x4c5e, 0x90, 0x1b, 0x52, 0x11, 0x0c, 0x8e, 0x4a, 0x77);

#undef INTERFACE
#define INTERFACE ICounter
DECLARE_INTERFACE_(ICounter, IUnknown)
{
	IFACEMETHOD(QueryInterface)(THIS_ REFIID riid, LPVOID * object) PURE;
	IFACEMETHOD_(ULONG, AddRef)(THIS) PURE;
	IFACEMETHOD_(ULONG, Release)(THIS) PURE;
	STDMETHOD(Count)(THIS_ _In_ DWORD by, _Out_ DWORD * value) PURE;
};

class __declspec(novtable) CReference
{
public:
	CReference() : m_nRef(1) {}
	LONG AddRef() { return InterlockedIncrement(&m_nRef); }
	LONG Release() { return InterlockedDecrement(&m_nRef); }

private:
	volatile LONG m_nRef;
};

class CCounter : public ICounter
{
public:
	CCounter() : m_value(0) {}

	HRESULT STDMETHODCALLTYPE QueryInterface(REFIID riid, LPVOID *object) override
	{
		if (!IsEqualIID(riid, IID_IUnknown) && riid != IID_ICounter) {
			*object = nullptr;
			return E_NOINTERFACE;
		}
		*object = static_cast<ICounter *>(this);
		AddRef();
		return S_OK;
	}

	ULONG STDMETHODCALLTYPE AddRef() override { return static_cast<ULONG>(m_ref.AddRef()); }
	ULONG STDMETHODCALLTYPE Release() override { return static_cast<ULONG>(m_ref.Release()); }

	HRESULT STDMETHODCALLTYPE Count(DWORD by, DWORD *value) override
	{
		if (!value)
			return HRESULT_FROM_WIN32(ERROR_INVALID_PARAMETER);
		*value = m_value += by;
		return S_OK;
	}

private:
	CReference m_ref;
	DWORD m_value;
};

class COperation : public OVERLAPPED
{
public:
	typedef void (CALLBACK *Function)(COperation *);
	explicit COperation(Function function) : m_function(function)
	{
		RtlZeroMemory(static_cast<OVERLAPPED *>(this), sizeof(OVERLAPPED));
	}
	virtual ~COperation() {}
	void Invoke() { m_function(this); }

private:
	Function m_function;
};

static volatile LONG done;
static std::map<DWORD, volatile ULONG> threads;

static void CALLBACK
Done(COperation *operation)
{
	UNREFERENCED_PARAMETER(operation);
	InterlockedIncrement(&done);
}

static DWORD WINAPI
Loop(LPVOID port)
{
	for (;;) {
		DWORD bytes;
		ULONG_PTR key;
		OVERLAPPED *overlapped;
		BOOL ok = GetQueuedCompletionStatus(port, &bytes, &key, &overlapped, INFINITE);

		if (!ok || !overlapped)
			return key == 1 ? 0 : GetLastError();
		static_cast<COperation *>(overlapped)->Invoke();
	}
}

static unsigned int __stdcall
Thread(void *port)
{
	return Loop(port);
}

static int
RunPort()
{
	HANDLE port = CreateIoCompletionPort(INVALID_HANDLE_VALUE, nullptr, 0, 2);
	HANDLE handles[2] = {
		CreateThread(nullptr, 0, Loop, port, 0, nullptr),
		reinterpret_cast<HANDLE>(_beginthreadex(nullptr, 0, Thread, port, 0, nullptr)),
	};
	COperation operation(Done);

	InterlockedIncrement(&threads[2]);
	for (int i = 0; i < 1000; i++)
		PostQueuedCompletionStatus(port, 0, 0, &operation);
	for (DWORD i = 0; i < _countof(handles); i++)
		PostQueuedCompletionStatus(port, 0, 1, nullptr);
	if (WaitForMultipleObjects(_countof(handles), handles, TRUE, INFINITE) != WAIT_OBJECT_0)
		return 1;
	for (DWORD i = 0; i < _countof(handles); i++)
		CloseHandle(handles[i]);
	CloseHandle(port);
	return done == 1000 ? 0 : 1;
}

int __cdecl
_tmain(int argc, TCHAR *argv[])
{
	CCounter counter;
	ICounter *other = nullptr;
	DWORD value = 0;
	WSADATA wsa;
	struct sockaddr_in address = {};
	INT length = sizeof(address);
	ULONG small = 5;
	SIZE_T large = 7;
	wchar_t text[32];

	if (argc != 3 || _tcscmp(argv[1], _T("\u00e4\u20ac")) != 0 || argv[argc] != nullptr)
		return 1;
	if (FAILED(counter.QueryInterface(IID_ICounter, reinterpret_cast<VOID **>(&other))) ||
		FAILED(other->Count(3, &value)) || value != 3 || other->Release() != 1)
		return 1;
	if (WSAStartup(MAKEWORD(2, 2), &wsa) != 0 ||
		WSAStringToAddress(argv[2], AF_INET, nullptr,
			reinterpret_cast<struct sockaddr *>(&address), &length) != 0 ||
		ntohs(address.sin_port) != 4791)
		return 1;
	WSACleanup();
	if (min(small, large) != 5 || max(small, large) != 7 || std::min(1, 2) != 1)
		return 1;
	swprintf_s(text, L"%s %d", L"end", 1);
	if (std::wstring(text) != L"end 1" || wcscpy_s(text, L"x") != 0)
		return 1;
	if (RunPort() != 0)
		return 1;
	_tprintf(_T("%s %I64d %lu\n"), argv[1], static_cast<INT64>(-1), value);
	wprintf(L"%s\n", L"\u00e4");
	std::printf("%u\n", static_cast<unsigned int>(GetLastError() * 0));
	return 0;
}
