/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDSPI_INTERFACE_H
#define NDPDK_NDSPI_INTERFACE_H

/**
 * @file
 * Macros that declare the interfaces of Network Direct for C and C++. In C++ an interface is an
 * abstract class. In C it is a structure whose first member lpVtbl points to a table of functions,
 * each with the object as its first argument. Both have the same layout: the methods of the
 * base come first, and the other methods follow in the order of their declaration.
 *
 * The objects have no C++ type information. dynamic_cast and typeid cannot be used on them, and a
 * C++ program that is built with -fsanitize=undefined also needs -fno-sanitize=vptr.
 */

#include <ndpdk/win/windows.h>
#include <ndpdk/win/unknwn.h>

/* NOLINTBEGIN(bugprone-macro-parentheses): a type cannot be in parentheses. */
#ifdef __cplusplus

/** Begins the declaration of an interface. The base must be declared before. */
#define NDSPI_INTERFACE(name, base)         struct name : public base
/** A method with arguments. */
#define NDSPI_METHOD(type, self, name, ...) virtual type STDMETHODCALLTYPE name(__VA_ARGS__) = 0
/** A method without arguments. */
#define NDSPI_METHOD0(type, self, name)     virtual type STDMETHODCALLTYPE name() = 0
/** Methods of IUnknown: inherited. */
#define NDSPI_UNKNOWN(self)
/** Declares nothing in C++, because overlapped objects of version 2 inherit the methods. */
#define NDSPI_OVERLAPPED2(self)
/** Declares nothing in C++, because overlapped objects of version 1 inherit the methods. */
#define NDSPI_OVERLAPPED1(self)

#else

/** Begins an interface. */
#define NDSPI_INTERFACE(name, base)                                                                \
	typedef struct name name;                                                                  \
	typedef struct name##Vtbl name##Vtbl;                                                      \
	struct name {                                                                              \
		const struct name##Vtbl *lpVtbl;                                                   \
	};                                                                                         \
	struct name##Vtbl
/** A method with arguments. */
#define NDSPI_METHOD(type, self, name, ...) type(STDMETHODCALLTYPE *name)(self * This, __VA_ARGS__)
/** A method without arguments. */
#define NDSPI_METHOD0(type, self, name)     type(STDMETHODCALLTYPE *name)(self * This)
/** Methods of IUnknown, in slots 0 to 2 of the method table. */
#define NDSPI_UNKNOWN(self)                                                                        \
	NDSPI_METHOD(HRESULT, self, QueryInterface, REFIID riid, void **ppvObject);                \
	NDSPI_METHOD0(ULONG, self, AddRef);                                                        \
	NDSPI_METHOD0(ULONG, self, Release);
/** Methods of the overlapped objects of version 2, in slots 3 and 4 of the method table. */
#define NDSPI_OVERLAPPED2(self)                                                                    \
	NDSPI_METHOD0(HRESULT, self, CancelOverlappedRequests);                                    \
	NDSPI_METHOD(HRESULT, self, GetOverlappedResult, OVERLAPPED *pOverlapped, BOOL wait);
/** Methods of the overlapped objects of version 1, in slots 3 and 4 of the method table. */
#define NDSPI_OVERLAPPED1(self)                                                                    \
	NDSPI_METHOD0(HRESULT, self, CancelOverlappedRequests);                                    \
	NDSPI_METHOD(HRESULT, self, GetOverlappedResult, OVERLAPPED *pOverlapped,                  \
		SIZE_T *pNumberOfBytesTransferred, BOOL bWait);

#endif
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
