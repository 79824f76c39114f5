/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WINERROR_H
#define NDPDK_WINERROR_H

/**
 * @file
 * Error codes and HRESULT.
 */

#include <ndpdk/win/windef.h>

#define ERROR_SUCCESS                    0u
#define ERROR_INVALID_FUNCTION           1u
#define ERROR_FILE_NOT_FOUND             2u
#define ERROR_PATH_NOT_FOUND             3u
#define ERROR_ACCESS_DENIED              5u
#define ERROR_INVALID_HANDLE             6u
#define ERROR_NOT_ENOUGH_MEMORY          8u
#define ERROR_BAD_FORMAT                 11u
#define ERROR_OUTOFMEMORY                14u
#define ERROR_NOT_READY                  21u
#define ERROR_BAD_COMMAND                22u
#define ERROR_CRC                        23u
#define ERROR_GEN_FAILURE                31u
#define ERROR_SHARING_VIOLATION          32u
#define ERROR_NOT_SUPPORTED              50u
#define ERROR_REM_NOT_LIST               51u
#define ERROR_DUP_NAME                   52u
#define ERROR_UNEXP_NET_ERR              59u
#define ERROR_NETNAME_DELETED            64u
#define ERROR_BAD_NET_NAME               67u
#define ERROR_TOO_MANY_NAMES             68u
#define ERROR_INVALID_PARAMETER          87u
#define ERROR_SEM_TIMEOUT                121u
#define ERROR_INSUFFICIENT_BUFFER        122u
#define ERROR_BUSY                       170u
#define ERROR_ALREADY_EXISTS             183u
#define ERROR_ENVVAR_NOT_FOUND           203u
#define ERROR_MORE_DATA                  234u
#define ERROR_NO_MORE_ITEMS              259u
#define ERROR_TOO_MANY_POSTS             298u
#define ERROR_MR_MID_NOT_FOUND           317u
#define ERROR_INVALID_ADDRESS            487u
#define ERROR_ABANDONED_WAIT_0           735u
#define ERROR_ABANDONED_WAIT_63          736u
#define ERROR_OPERATION_ABORTED          995u
#define ERROR_IO_INCOMPLETE              996u
#define ERROR_IO_PENDING                 997u
#define ERROR_NOACCESS                   998u
#define ERROR_IO_DEVICE                  1117u
#define ERROR_NO_UNICODE_TRANSLATION     1113u
#define ERROR_NOT_FOUND                  1168u
#define ERROR_CONNECTION_REFUSED         1225u
#define ERROR_ADDRESS_ALREADY_ASSOCIATED 1227u
#define ERROR_ADDRESS_NOT_ASSOCIATED     1228u
#define ERROR_CONNECTION_INVALID         1229u
#define ERROR_CONNECTION_ACTIVE          1230u
#define ERROR_NETWORK_UNREACHABLE        1231u
#define ERROR_HOST_UNREACHABLE           1232u
#define ERROR_REQUEST_ABORTED            1235u
#define ERROR_CONNECTION_ABORTED         1236u
#define ERROR_INTERNAL_ERROR             1359u
#define ERROR_TOO_MANY_TCBS              155u
#define ERROR_NO_SYSTEM_RESOURCES        1450u
#define ERROR_TIMEOUT                    1460u
#define ERROR_DEVICE_REMOVED             1617u
#define ERROR_INVALID_USER_BUFFER        1784u
#define NO_ERROR                         0u
#define WAIT_TIMEOUT                     258u

#define NDWIN_HRESULT(value) NDWIN_CAST(HRESULT, value)

#define SEVERITY_SUCCESS 0
#define SEVERITY_ERROR   1

#define FACILITY_NULL   0
#define FACILITY_ITF    4
#define FACILITY_WIN32  7
#define FACILITY_NT_BIT 0x10000000

#define SUCCEEDED(hr) (NDWIN_HRESULT(hr) >= 0)
#define FAILED(hr)    (NDWIN_HRESULT(hr) < 0)
#define IS_ERROR(hr)  (NDWIN_CAST(ULONG, hr) >> 31 == SEVERITY_ERROR)

#define HRESULT_CODE(hr)     ((hr)&0xFFFF)
#define HRESULT_FACILITY(hr) (((hr) >> 16) & 0x1FFF)
#define HRESULT_SEVERITY(hr) (NDWIN_CAST(ULONG, hr) >> 31)
#define SCODE_CODE(hr)       HRESULT_CODE(hr)
#define MAKE_HRESULT(severity, facility, code)                                                     \
	NDWIN_HRESULT(NDWIN_CAST(ULONG, severity) << 31 | NDWIN_CAST(ULONG, facility) << 16 |      \
		NDWIN_CAST(ULONG, code))

/** Convert a Windows error to an HRESULT. 0 and values that are already HRESULTs do not change. */
static inline HRESULT
ndwin_hresult_from_win32(ULONG error)
{
	return NDWIN_HRESULT(NDWIN_HRESULT(error) <= 0 ? error : (error & 0xFFFFu) | 0x80070000u);
}

#define HRESULT_FROM_WIN32(error)   ndwin_hresult_from_win32(NDWIN_CAST(ULONG, error))
#define __HRESULT_FROM_WIN32(error) HRESULT_FROM_WIN32(error)
#define HRESULT_FROM_NT(status)     NDWIN_HRESULT(NDWIN_CAST(ULONG, status) | FACILITY_NT_BIT)

#define S_OK                      NDWIN_HRESULT(0x00000000u)
#define S_FALSE                   NDWIN_HRESULT(0x00000001u)
#define E_NOTIMPL                 NDWIN_HRESULT(0x80004001u)
#define E_NOINTERFACE             NDWIN_HRESULT(0x80004002u)
#define E_POINTER                 NDWIN_HRESULT(0x80004003u)
#define E_ABORT                   NDWIN_HRESULT(0x80004004u)
#define E_FAIL                    NDWIN_HRESULT(0x80004005u)
#define E_UNEXPECTED              NDWIN_HRESULT(0x8000FFFFu)
#define E_ACCESSDENIED            NDWIN_HRESULT(0x80070005u)
#define E_HANDLE                  NDWIN_HRESULT(0x80070006u)
#define E_OUTOFMEMORY             NDWIN_HRESULT(0x8007000Eu)
#define E_INVALIDARG              NDWIN_HRESULT(0x80070057u)
#define CLASS_E_NOAGGREGATION     NDWIN_HRESULT(0x80040110u)
#define CLASS_E_CLASSNOTAVAILABLE NDWIN_HRESULT(0x80040111u)

#endif
