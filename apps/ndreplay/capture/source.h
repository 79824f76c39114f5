/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CAPTURE_SOURCE_H
#define NDPDK_CAPTURE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Reads the bytes of a capture from a file or from standard input ("-"). gzip is decompressed. If a
 * growing file is followed, reading waits for more bytes at its end.
 */

struct source;

/** How a source is read. */
struct source_config {
	bool follow; /**< wait at the end until stop_is_wanted() */
};

/**
 * @param path "-": standard input
 * @param why filled with the reason when NULL is returned, without the name; >= 128 bytes
 * @return to be closed with source_close(); NULL: it cannot be opened
 */
struct source *
source_open(const char *path, const struct source_config *config, char *why, size_t size);

/** NULL is allowed. */
void source_close(struct source *source);

/**
 * Read bytes. Waits until count bytes are available, or for the end.
 *
 * @return number of bytes read, 0 to count; fewer than count: the end, or an error (source_error())
 */
size_t source_read(struct source *source, void *bytes, size_t count);

/** @return why reading failed, e.g. a damaged gzip file; NULL: no error */
const char *source_error(const struct source *source);

/**
 * @return whether a signal, or another file with the same name, ended the source, so that its last
 *         record may be incomplete
 */
bool source_is_stopped(const struct source *source);

/**
 * @return "replaced" if a followed file was replaced by another file with its name, "truncated" if
 *         it became shorter than the part that was read; NULL: neither
 */
const char *source_change(const struct source *source);

/** @return how much of the file has been read, in thousandths; -1: not known */
int source_permille(const struct source *source);

/**
 * Create a stream with the rest of the source, for libraries that read streams. Closing the stream
 * does not close the source.
 *
 * @param head, count bytes that were already read; the stream begins with them; at most 16
 * @return NULL: no memory
 */
FILE *source_stream(struct source *source, const void *head, size_t count);

#endif
