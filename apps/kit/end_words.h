/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_END_WORDS_H
#define NDPDK_KIT_END_WORDS_H

#include <ndpdk/nd.h>

/** Bytes that hold any text of end_words(). */
#define END_WORDS_BYTES 96

/**
 * Write why a connection has ended, for the end of a sentence about its failure.
 *
 * @param to END_WORDS_BYTES bytes
 * @return to: " (reason)", or "" if one side disconnected
 */
const char *end_words(struct nd_connector *connector, char *to);

#endif
