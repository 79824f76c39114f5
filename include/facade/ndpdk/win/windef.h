/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WINDEF_H
#define NDPDK_WINDEF_H

/**
 * @file
 * Basic types and macros of Windows. The types have the same widths as on Windows: DWORD, ULONG and
 * LONG have 32 bits. As on 64-bit Windows, UINT64, ULONGLONG, ULONG_PTR, SIZE_T, size_t and
 * uint64_t are the same type, which is unsigned long here. WCHAR is wchar_t: 32 bits, not 16.
 */

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include <ndpdk/win/sal.h>

/* Microsoft's C library tests _UNICODE, and Windows tests UNICODE, so define both. */
#if defined(_UNICODE) && !defined(UNICODE)
#define UNICODE
#elif defined(UNICODE) && !defined(_UNICODE)
#define _UNICODE
#endif

#ifdef __cplusplus
#define EXTERN_C extern "C"
#else
#define EXTERN_C extern
#endif

/**
 * Gives a function of Windows a separate symbol name, so that it cannot collide with functions of
 * another library or of the program.
 */
#define NDWIN_LINK(name) __asm__("ndwin_" #name)
#define NDWIN_API        EXTERN_C __attribute__((__visibility__("default")))

/* Calling conventions and other keywords of Microsoft's compilers. */
#define WINAPI
#define WINAPIV
#define APIENTRY
#define CALLBACK
#define NTAPI
#define PASCAL
#define FAR
#define NEAR
#define CONST const
#define WINBASEAPI
#define WINSOCK_API_LINKAGE
#define WSAAPI
#define __cdecl
#define __stdcall
#define __fastcall
#define __vectorcall
#define __clrcall
#define _cdecl
#define __w64
#define __ptr64
#define __forceinline inline __attribute__((__always_inline__))
#define FORCEINLINE        static inline __attribute__((__always_inline__))
#define DECLSPEC_NORETURN  __attribute__((__noreturn__))
#define DECLSPEC_ALIGN(n)  __attribute__((__aligned__(n)))
#define DECLSPEC_SELECTANY __attribute__((__weak__))
#define DECLSPEC_NOVTABLE
#define DECLSPEC_IMPORT
#define DECLSPEC_UUID(text)
#define __int8 char
#define __int16 short
#define __int32 int
#define __int64 long

/** __declspec(x) expands to NDWIN_DECLSPEC_x. */
#ifdef __declspec
#undef __declspec
#endif
#define __declspec(attribute) NDWIN_DECLSPEC_##attribute
#define NDWIN_DECLSPEC_align(n) __attribute__((__aligned__(n)))
#define NDWIN_DECLSPEC_allocate(section)
#define NDWIN_DECLSPEC_deprecated __attribute__((__deprecated__))
#define NDWIN_DECLSPEC_dllexport  __attribute__((__visibility__("default")))
#define NDWIN_DECLSPEC_dllimport
#define NDWIN_DECLSPEC_noalias
#define NDWIN_DECLSPEC_noinline __attribute__((__noinline__))
#define NDWIN_DECLSPEC_noreturn __attribute__((__noreturn__))
#define NDWIN_DECLSPEC_nothrow  __attribute__((__nothrow__))
#define NDWIN_DECLSPEC_novtable
#define NDWIN_DECLSPEC_restrict
#define NDWIN_DECLSPEC_selectany __attribute__((__weak__))
#define NDWIN_DECLSPEC_thread    __thread
#define NDWIN_DECLSPEC_uuid(text)

#ifndef VOID
#define VOID void
#endif

typedef char CHAR, *PCHAR, *LPSTR, *PSTR;
typedef const char *LPCSTR, *PCSTR;
typedef signed char INT8, *PINT8;
typedef unsigned char UCHAR, *PUCHAR, BYTE, *PBYTE, *LPBYTE, BOOLEAN, *PBOOLEAN, UINT8, *PUINT8;
typedef wchar_t WCHAR, *PWCHAR, *LPWSTR, *PWSTR;
typedef const wchar_t *LPCWSTR, *PCWSTR;
typedef short SHORT, *PSHORT, INT16, *PINT16;
typedef unsigned short USHORT, *PUSHORT, WORD, *PWORD, *LPWORD, UINT16, *PUINT16;
typedef int INT, *PINT, *LPINT, LONG, *PLONG, *LPLONG, INT32, *PINT32, LONG32, *PLONG32;
typedef unsigned int UINT, *PUINT, ULONG, *PULONG, DWORD, *PDWORD, *LPDWORD, UINT32, *PUINT32;
typedef unsigned int ULONG32, *PULONG32, DWORD32, *PDWORD32;
typedef int BOOL, *PBOOL, *LPBOOL;
typedef int64_t INT64, *PINT64, LONG64, *PLONG64, LONGLONG, *PLONGLONG;
typedef uint64_t UINT64, *PUINT64, ULONG64, *PULONG64, ULONGLONG, *PULONGLONG, DWORD64, *PDWORD64;
typedef uint64_t DWORDLONG, *PDWORDLONG;
typedef intptr_t INT_PTR, *PINT_PTR, LONG_PTR, *PLONG_PTR;
typedef uintptr_t UINT_PTR, *PUINT_PTR, ULONG_PTR, *PULONG_PTR, DWORD_PTR, *PDWORD_PTR, KAFFINITY;
typedef size_t SIZE_T, *PSIZE_T;
typedef ptrdiff_t SSIZE_T, *PSSIZE_T;
typedef float FLOAT;
typedef void *PVOID, *LPVOID, *HANDLE, **PHANDLE, **LPHANDLE;
typedef const void *LPCVOID, *PCVOID;
typedef void *HMODULE, *HINSTANCE, *HLOCAL, *HGLOBAL;
typedef int HRESULT;
typedef int NTSTATUS, *PNTSTATUS;
typedef INT_PTR (*FARPROC)(void);

#ifndef TRUE
#define TRUE 1
#endif
#ifndef FALSE
#define FALSE 0
#endif
#ifndef MAX_PATH
#define MAX_PATH 260
#endif

#define IN
#define OUT
#define OPTIONAL

#define MAXBYTE   0xFF
#define MAXWORD   0xFFFF
#define MAXDWORD  0xFFFFFFFFu
#define MAXUINT32 UINT32_MAX
#define MAXULONG  UINT32_MAX
#define MAXLONG   INT32_MAX
#define MAXSIZE_T SIZE_MAX

/** Type conversions for C and C++. */
#ifdef __cplusplus
#define NDWIN_CAST(type, value) (static_cast<type>(value))
#define NDWIN_HANDLE(value)     (reinterpret_cast<HANDLE>(static_cast<LONG_PTR>(value)))
#else
#define NDWIN_CAST(type, value) ((type)(value))
#define NDWIN_HANDLE(value)     ((HANDLE)(LONG_PTR)(value))
#endif

#define MAKEWORD(low, high)                                                                        \
	NDWIN_CAST(WORD, ((low)&0xFFu) | (NDWIN_CAST(unsigned int, (high)&0xFFu) << 8))
#define MAKELONG(low, high)                                                                        \
	NDWIN_CAST(LONG, ((low)&0xFFFFu) | (NDWIN_CAST(DWORD, (high)&0xFFFFu) << 16))
#define LOWORD(value) NDWIN_CAST(WORD, (value)&0xFFFFu)
#define HIWORD(value) NDWIN_CAST(WORD, ((value) >> 16) & 0xFFFFu)
#define LOBYTE(value) NDWIN_CAST(BYTE, (value)&0xFFu)
#define HIBYTE(value) NDWIN_CAST(BYTE, ((value) >> 8) & 0xFFu)

#define UNREFERENCED_PARAMETER(name)     ((void)(name))
#define DBG_UNREFERENCED_PARAMETER(name) ((void)(name))
#define C_ASSERT(expression)                                                                       \
	typedef char ndwin_c_assert[(expression) ? 1 : -1] __attribute__((__unused__))
#define FIELD_OFFSET(type, field)   NDWIN_CAST(LONG, offsetof(type, field))
#define RTL_FIELD_SIZE(type, field) (sizeof(((type *)0)->field))
#define ARRAYSIZE(array)            (sizeof(array) / sizeof((array)[0]))
#define RTL_NUMBER_OF(array)        ARRAYSIZE(array)
#ifdef __cplusplus
#define CONTAINING_RECORD(address, type, field)                                                    \
	(reinterpret_cast<type *>(reinterpret_cast<char *>(address) - NDWIN_OFFSET(type, field)))
/** offsetof() for all classes. For some classes, GCC and Clang warn about offsetof() itself. */
#define NDWIN_OFFSET(type, field)                                                                  \
	(reinterpret_cast<size_t>(                                                                 \
		 &reinterpret_cast<const volatile char &>(reinterpret_cast<type *>(64)->field)) -  \
		64)
#else
#define CONTAINING_RECORD(address, type, field) ((type *)((char *)(address)-offsetof(type, field)))
#endif

/** TCHAR and TEXT(): wide (WCHAR) if UNICODE is defined, otherwise CHAR. */
#ifdef UNICODE
#define NDWIN_TEXT(text) L##text
typedef WCHAR TCHAR, *PTCHAR, *LPTSTR, *PTSTR;
typedef LPCWSTR LPCTSTR, PCTSTR;
#else
#define NDWIN_TEXT(text) text
typedef CHAR TCHAR, *PTCHAR, *LPTSTR, *PTSTR;
typedef LPCSTR LPCTSTR, PCTSTR;
#endif
#define TEXT(text) NDWIN_TEXT(text)

/** A 64-bit integer and its 32-bit halves. */
typedef union ndwin_large_integer {
	__extension__ struct {
		DWORD LowPart;
		LONG HighPart;
	};
	struct {
		DWORD LowPart;
		LONG HighPart;
	} u;
	LONGLONG QuadPart;
} LARGE_INTEGER, *PLARGE_INTEGER;

typedef union ndwin_ularge_integer {
	__extension__ struct {
		DWORD LowPart;
		DWORD HighPart;
	};
	struct {
		DWORD LowPart;
		DWORD HighPart;
	} u;
	ULONGLONG QuadPart;
} ULARGE_INTEGER, *PULARGE_INTEGER;

/** A time or a duration in units of 100 ns. */
typedef struct ndwin_filetime {
	DWORD dwLowDateTime;
	DWORD dwHighDateTime;
} FILETIME, *PFILETIME, *LPFILETIME;

/* min() and max(), unless NOMINMAX is defined. Templates in C++, because macros break headers. */
#ifndef NOMINMAX
#include <ndpdk/win/minmax.h>
#endif

#endif
