/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NTVALUE_H
#define NDPDK_NTVALUE_H

/**
 * @file
 * Macros for the definitions of status codes. The Windows layer and the kernel interface define
 * their codes with the same text, so that a file may include the headers of both.
 */

/** Convert a number to NTSTATUS. The headers with the codes declare this type. */
#ifdef __cplusplus
#define NDWIN_STATUS(value) (static_cast<NTSTATUS>(value))
#else
#define NDWIN_STATUS(value) ((NTSTATUS)(value))
#endif

#ifndef NT_SUCCESS
/** @return whether a status is a success or information. STATUS_PENDING is not a failure. */
#define NT_SUCCESS(status) (NDWIN_STATUS(status) >= 0)
#endif

#endif
