/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CAPTURE_LINK_TYPE_H
#define NDPDK_CAPTURE_LINK_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Link types of captures besides Ethernet: Linux cooked, versions 1 and 2 (`tcpdump -i any`), and
 * raw IP (interfaces without link layer). Frames are converted to Ethernet, with the known
 * addresses, and zero for unknown addresses.
 */

/** Maximum number of bytes by which a frame may grow. */
#define LINK_TYPE_GROWTH 14u

/** @param link_type LINKTYPE_ or DLT_. @return whether link_type_convert() takes it */
bool link_type_is_known(int link_type);

/** @return its name, "unknown" when it has none. @param link_type LINKTYPE_ or DLT_ */
const char *link_type_name(int link_type);

/**
 * Make an Ethernet frame.
 *
 * @param link_type a known one, and not Ethernet
 * @param bytes, count what was captured
 * @param[out] frame count + LINK_TYPE_GROWTH bytes
 * @param[out] growth what the frame is longer by; negative: shorter
 * @return bytes of the frame; 0: less was captured than the header of this link type has
 */
size_t
link_type_convert(int link_type, const uint8_t *bytes, size_t count, uint8_t *frame, int *growth);

#endif
