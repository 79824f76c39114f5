/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CAPTURE_LINK_TYPE_H
#define NDPDK_CAPTURE_LINK_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Link types of captures besides Ethernet. They are Linux cooked, versions 1 and 2 (`tcpdump -i
 * any`), and raw IP (interfaces without link layer). Frames are converted to Ethernet. Unknown MAC
 * addresses become zero.
 */

/** Maximum number of bytes by which a frame may become longer when it is converted to Ethernet. */
#define LINK_TYPE_GROWTH 14u

/** @param link_type LINKTYPE_ or DLT_ value. @return true if link_type_convert() supports it */
bool link_type_is_known(int link_type);

/** @param link_type LINKTYPE_ or DLT_ value. @return name of the link type, or "unknown" */
const char *link_type_name(int link_type);

/**
 * Convert a frame to Ethernet.
 *
 * @param link_type a supported link type (link_type_is_known()) other than Ethernet
 * @param bytes, count the captured bytes of the frame
 * @param[out] frame the Ethernet frame; has room for count + LINK_TYPE_GROWTH bytes
 * @param[out] growth length of the Ethernet frame minus length of the original frame, in bytes
 * @return number of bytes of the Ethernet frame; 0: the captured part is shorter than the header of
 *         this link type
 */
size_t
link_type_convert(int link_type, const uint8_t *bytes, size_t count, uint8_t *frame, int *growth);

#endif
