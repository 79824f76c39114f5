/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MINMAX_H
#define NDPDK_MINMAX_H

/**
 * @file
 * min() and max(). In C++, they are templates. If the two arguments have different types, the
 * result has the type of their sum.
 */

#ifdef __cplusplus
extern "C++" {

template <typename A, typename B>
constexpr auto
min(const A &a, const B &b) -> decltype(a + b)
{
	typedef decltype(a + b) common;
	return static_cast<common>(b) < static_cast<common>(a) ? static_cast<common>(b)
							       : static_cast<common>(a);
}

template <typename A, typename B>
constexpr auto
max(const A &a, const B &b) -> decltype(a + b)
{
	typedef decltype(a + b) common;
	return static_cast<common>(a) < static_cast<common>(b) ? static_cast<common>(b)
							       : static_cast<common>(a);
}
}
#else
#ifndef min
#define min(a, b) (((a) < (b)) ? (a) : (b))
#endif
#ifndef max
#define max(a, b) (((a) > (b)) ? (a) : (b))
#endif
#endif

#endif
