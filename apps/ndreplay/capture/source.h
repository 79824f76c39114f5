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
	bool follow; /**< at the end of the file, wait for more bytes until stop_is_wanted() */
};

/**
 * @param path "-": standard input
 * @param why at least 128 bytes; receives the reason, without the path, if NULL is returned
 * @return source to be closed with source_close(); NULL: the file cannot be opened
 */
struct source *
source_open(const char *path, const struct source_config *config, char *why, size_t size);

/** NULL is allowed. */
void source_close(struct source *source);

/**
 * Read count bytes. Blocks until count bytes are available, or until the end.
 *
 * @return number of bytes read; fewer than count at the end or after an error (source_error())
 */
size_t source_read(struct source *source, void *bytes, size_t count);

/** @return why reading failed, e.g. a damaged gzip file; NULL: no error */
const char *source_error(const struct source *source);

/**
 * @return true if a signal, or a replaced or truncated file, ended the source. The last record may
 *         then be incomplete.
 */
bool source_is_stopped(const struct source *source);

/**
 * @return "replaced" if another file took the name of the followed file; "truncated" if the
 *         followed file became shorter than the part that was read; NULL if neither happened
 */
const char *source_change(const struct source *source);

/** @return the part of the file that has been read, in thousandths; -1: not known */
int source_permille(const struct source *source);

/**
 * Create a stream with the rest of the source, for libraries that read streams. Closing the stream
 * does not close the source.
 *
 * @param head, count at most 16 bytes that were already read; the stream begins with these bytes
 * @return NULL: out of memory
 */
FILE *source_stream(struct source *source, const void *head, size_t count);

#endif
