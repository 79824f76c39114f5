/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NTVALUE_H
#define NDPDK_NTVALUE_H

/**
 * @file
 * How status codes are written: those of the Windows layer and those of the kernel interface have
 * the same text, so that one file may include both.
 */

/** A number as a status. NTSTATUS is declared where the codes are. */
#ifdef __cplusplus
#define NDWIN_STATUS(value) (static_cast<NTSTATUS>(value))
#else
#define NDWIN_STATUS(value) ((NTSTATUS)(value))
#endif

#ifndef NT_SUCCESS
/** @return whether a call has not failed; STATUS_PENDING is no failure. */
#define NT_SUCCESS(status) (NDWIN_STATUS(status) >= 0)
#endif

#endif
