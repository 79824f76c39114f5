/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_END_WORDS_H
#define NDPDK_KIT_END_WORDS_H

#include <ndpdk/nd.h>

/** Size in bytes of a buffer that is large enough for every text of end_words(). */
#define END_WORDS_BYTES 96

/**
 * Write the reason why a connection has ended. The text is appended to a sentence about the
 * failure.
 *
 * @param to buffer of END_WORDS_BYTES bytes
 * @return to: " (reason)", or "" if one side disconnected normally
 */
const char *end_words(struct nd_connector *connector, char *to);

#endif
