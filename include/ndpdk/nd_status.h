/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_STATUS_H
#define NDPDK_ND_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * Outcome of a call or of a request: the HRESULT value of the same name. A call has succeeded when
 * the value is not negative; ND_PENDING is such a success. A *request* has succeeded only when its
 * status is ND_SUCCESS.
 */
typedef int32_t nd_status;

#define ND_STATUS(value) ((nd_status)(value))

#define ND_SUCCESS                ND_STATUS(0x00000000u)
#define ND_TIMEOUT                ND_STATUS(0x00000102u)
#define ND_PENDING                ND_STATUS(0x00000103u)
#define ND_BUFFER_OVERFLOW        ND_STATUS(0x80000005u)
#define ND_DEVICE_BUSY            ND_STATUS(0x80000011u)
#define ND_NO_MORE_ENTRIES        ND_STATUS(0x8000001Au)
#define ND_UNSUCCESSFUL           ND_STATUS(0xC0000001u)
#define ND_ACCESS_VIOLATION       ND_STATUS(0xC0000005u)
#define ND_INVALID_HANDLE         ND_STATUS(0xC0000008u)
#define ND_INVALID_PARAMETER      ND_STATUS(0xC000000Du)
#define ND_INVALID_DEVICE_REQUEST ND_STATUS(0xC0000010u)
#define ND_NO_MEMORY              ND_STATUS(0xC0000017u)
#define ND_INVALID_PARAMETER_MIX  ND_STATUS(0xC0000030u)
#define ND_DATA_OVERRUN           ND_STATUS(0xC000003Cu)
#define ND_SHARING_VIOLATION      ND_STATUS(0xC0000043u)
#define ND_INSUFFICIENT_RESOURCES ND_STATUS(0xC000009Au)
#define ND_DEVICE_NOT_READY       ND_STATUS(0xC00000A3u)
#define ND_IO_TIMEOUT             ND_STATUS(0xC00000B5u)
#define ND_NOT_SUPPORTED          ND_STATUS(0xC00000BBu)
#define ND_INTERNAL_ERROR         ND_STATUS(0xC00000E5u)
#define ND_INVALID_PARAMETER_1    ND_STATUS(0xC00000EFu)
#define ND_INVALID_PARAMETER_2    ND_STATUS(0xC00000F0u)
#define ND_INVALID_PARAMETER_3    ND_STATUS(0xC00000F1u)
#define ND_INVALID_PARAMETER_4    ND_STATUS(0xC00000F2u)
#define ND_INVALID_PARAMETER_5    ND_STATUS(0xC00000F3u)
#define ND_INVALID_PARAMETER_6    ND_STATUS(0xC00000F4u)
#define ND_INVALID_PARAMETER_7    ND_STATUS(0xC00000F5u)
#define ND_INVALID_PARAMETER_8    ND_STATUS(0xC00000F6u)
#define ND_INVALID_PARAMETER_9    ND_STATUS(0xC00000F7u)
#define ND_INVALID_PARAMETER_10   ND_STATUS(0xC00000F8u)
#define ND_CANCELED               ND_STATUS(0xC0000120u)
#define ND_REMOTE_ERROR           ND_STATUS(0xC000013Du)
#define ND_INVALID_ADDRESS        ND_STATUS(0xC0000141u)
#define ND_INVALID_DEVICE_STATE   ND_STATUS(0xC0000184u)
#define ND_INVALID_BUFFER_SIZE    ND_STATUS(0xC0000206u)
#define ND_TOO_MANY_ADDRESSES     ND_STATUS(0xC0000209u)
#define ND_ADDRESS_ALREADY_EXISTS ND_STATUS(0xC000020Au)
#define ND_CONNECTION_REFUSED     ND_STATUS(0xC0000236u)
#define ND_CONNECTION_INVALID     ND_STATUS(0xC000023Au)
#define ND_CONNECTION_ACTIVE      ND_STATUS(0xC000023Bu)
#define ND_NETWORK_UNREACHABLE    ND_STATUS(0xC000023Cu)
#define ND_HOST_UNREACHABLE       ND_STATUS(0xC000023Du)
#define ND_CONNECTION_ABORTED     ND_STATUS(0xC0000241u)
#define ND_DEVICE_REMOVED         ND_STATUS(0xC00002B6u)

/*
 * ND_DEVICE_REMOVED comes from register_memory, create_*, listen and connect when the port's device
 * is gone (unplugged, or detached from EAL). Connections end with ND_IO_TIMEOUT then; releasing and
 * closing go on working.
 */

/* Names of version 1 for the same numbers. */
#define ND_LOCAL_LENGTH       ND_DATA_OVERRUN
#define ND_INVALIDATION_ERROR ND_INVALID_DEVICE_REQUEST
#define ND_INVALID_REQUEST    ND_INVALID_DEVICE_REQUEST
#define ND_FAILURE            ND_INTERNAL_ERROR

/** @return whether a call with this status has failed. Threads: any. */
static inline bool
nd_failed(nd_status status)
{
	return status < 0;
}

/**
 * @return name such as "ND_SUCCESS"; "ND_(unknown)" for numbers that have none; static text.
 * Threads: any.
 */
const char *nd_status_name(nd_status status);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
