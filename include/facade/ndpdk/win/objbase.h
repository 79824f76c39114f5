/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_OBJBASE_H
#define NDPDK_OBJBASE_H

/**
 * @file
 * Macros that declare interfaces with a function table, in C and in C++. They do not need COM.
 */

#include <ndpdk/win/guiddef.h>
#include <ndpdk/win/winerror.h>

#define STDMETHODCALLTYPE
#define STDMETHODVCALLTYPE
#define STDAPICALLTYPE
#define STDAPIVCALLTYPE
#define STDAPI                EXTERN_C HRESULT
#define STDAPI_(type)         EXTERN_C type
#define STDMETHODIMP          HRESULT
#define STDMETHODIMP_(type)   type
#define IFACEMETHODIMP        HRESULT
#define IFACEMETHODIMP_(type) type

#ifdef __cplusplus
#define STDMETHOD(method)        virtual HRESULT method
#define STDMETHOD_(type, method) virtual type method
#define PURE                     = 0
#define THIS                     void
#define THIS_
#define DECLARE_INTERFACE(name)        struct name
#define DECLARE_INTERFACE_(name, base) struct name : public base
#else
/* The macro arguments are types and names of declarations, so they cannot have parentheses. */
/* NOLINTBEGIN(bugprone-macro-parentheses) */
#define STDMETHOD(method)        HRESULT(*method)
#define STDMETHOD_(type, method) type(*method)
#define PURE
#define THIS  INTERFACE *This
#define THIS_ INTERFACE *This,
#define DECLARE_INTERFACE(name)                                                                    \
	typedef struct name {                                                                      \
		const struct name##Vtbl *lpVtbl;                                                   \
	} name;                                                                                    \
	typedef struct name##Vtbl name##Vtbl;                                                      \
	struct name##Vtbl
#define DECLARE_INTERFACE_(name, base) DECLARE_INTERFACE(name)
/* NOLINTEND(bugprone-macro-parentheses) */
#endif
#define IFACEMETHOD(method)                     STDMETHOD(method)
#define IFACEMETHOD_(type, method)              STDMETHOD_(type, method)
#define DECLARE_INTERFACE_IID_(name, base, iid) DECLARE_INTERFACE_(name, base)
#define MIDL_INTERFACE(iid)                     struct

#ifndef NDWIN_NO_INTERFACE
#define interface struct
#endif

#endif
