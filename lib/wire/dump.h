/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIRE_DUMP_H
#define NDPDK_WIRE_DUMP_H

#include <stddef.h>

#include "wire/cm_msg.h"
#include "wire/parse.h"

/**
 * Format a packet as one line of text without line feed, e.g. "192.0.2.1 > 192.0.2.2 RC SEND Only
 * qp 0x12 psn 256 A len 16" and "... RC Acknowledge qp 0x11 psn 256 ACK credits 31 msn 1".
 *
 * @return length of the text, less than size; the text is truncated if size is too small
 */
size_t wire_dump(const struct wire_view *view, char *buffer, size_t size);

/**
 * Format a CM message as one line, e.g. "CM REQ id 0xa1b2c3d4 service 0x... qpn 0x12 psn 90 ...".
 */
size_t wire_cm_dump(const struct wire_cm_msg *msg, char *buffer, size_t size);

#endif
