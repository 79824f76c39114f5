/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_GUIDDEF_H
#define NDPDK_GUIDDEF_H

/**
 * @file
 * GUIDs, which identify interfaces.
 */

#include <string.h>

#include <ndpdk/win/windef.h>

typedef struct _GUID {
	UINT32 Data1;
	UINT16 Data2;
	UINT16 Data3;
	UINT8 Data4[8];
} GUID, *LPGUID, IID, *LPIID, CLSID, *LPCLSID;
typedef const GUID *LPCGUID;

#ifdef __cplusplus
typedef const GUID &REFGUID;
typedef const IID &REFIID;
typedef const CLSID &REFCLSID;
#else
typedef const GUID *REFGUID;
typedef const IID *REFIID;
typedef const CLSID *REFCLSID;
#endif

/**
 * Define a GUID. Unlike on Windows, this is always a definition, with or without <initguid.h>. The
 * symbol is weak, so several files of a program may define the same GUID.
 */
#define DEFINE_GUID(name, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)                               \
	EXTERN_C const GUID name __attribute__((__weak__, __visibility__("hidden")));              \
	const GUID name = {l, w1, w2, {b1, b2, b3, b4, b5, b6, b7, b8}}

#ifdef __cplusplus
static inline bool
InlineIsEqualGUID(REFGUID a, REFGUID b)
{
	return memcmp(&a, &b, sizeof(GUID)) == 0;
}

static inline bool
operator==(REFGUID a, REFGUID b)
{
	return memcmp(&a, &b, sizeof(GUID)) == 0;
}

static inline bool
operator!=(REFGUID a, REFGUID b)
{
	return memcmp(&a, &b, sizeof(GUID)) != 0;
}
#else
static inline BOOL
InlineIsEqualGUID(REFGUID a, REFGUID b)
{
	return memcmp(a, b, sizeof(GUID)) == 0;
}
#endif

#define IsEqualGUID(a, b)  InlineIsEqualGUID(a, b)
#define IsEqualIID(a, b)   InlineIsEqualGUID(a, b)
#define IsEqualCLSID(a, b) InlineIsEqualGUID(a, b)

DEFINE_GUID(GUID_NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
#define IID_NULL GUID_NULL

#endif
