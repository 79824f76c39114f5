/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNKNWN_H
#define NDPDK_UNKNWN_H

/**
 * @file
 * IUnknown, the base of all interfaces of Network Direct, and IClassFactory.
 */

#include <ndpdk/win/objbase.h>

DEFINE_GUID(
	IID_IUnknown, 0x00000000, 0x0000, 0x0000, 0xC0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x46);
DEFINE_GUID(IID_IClassFactory, 0x00000001, 0x0000, 0x0000, 0xC0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x46);

#undef INTERFACE
#define INTERFACE IUnknown

/** Counts references, and provides the other interfaces of the object. */
DECLARE_INTERFACE(IUnknown)
{
	/** Get another interface of the object, with a reference. E_NOINTERFACE: not supported. */
	STDMETHOD(QueryInterface)(THIS_ REFIID riid, void **object) PURE;
	/** Take a reference. Returns the new count. */
	STDMETHOD_(ULONG, AddRef)(THIS) PURE;
	/** Release a reference. Returns the new count. 0: the object no longer exists. */
	STDMETHOD_(ULONG, Release)(THIS) PURE;
};
typedef IUnknown *LPUNKNOWN;

#undef INTERFACE
#define INTERFACE IClassFactory

/** Creates objects. */
DECLARE_INTERFACE_(IClassFactory, IUnknown)
{
#ifndef __cplusplus
	STDMETHOD(QueryInterface)(THIS_ REFIID riid, void **object) PURE;
	STDMETHOD_(ULONG, AddRef)(THIS) PURE;
	STDMETHOD_(ULONG, Release)(THIS) PURE;
#endif
	/** Create an object. outer must be NULL. */
	STDMETHOD(CreateInstance)(THIS_ IUnknown * outer, REFIID riid, void **object) PURE;
	/** Keep the server loaded. */
	STDMETHOD(LockServer)(THIS_ BOOL lock) PURE;
};
typedef IClassFactory *LPCLASSFACTORY;
#undef INTERFACE

#if !defined(__cplusplus) && defined(COBJMACROS)
#define IUnknown_QueryInterface(This, riid, object)                                                \
	((This)->lpVtbl->QueryInterface(This, riid, object))
#define IUnknown_AddRef(This)  ((This)->lpVtbl->AddRef(This))
#define IUnknown_Release(This) ((This)->lpVtbl->Release(This))
#endif

#endif
