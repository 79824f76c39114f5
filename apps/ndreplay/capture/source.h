/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CAPTURE_SOURCE_H
#define NDPDK_CAPTURE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Reads the bytes of a capture from a file or from standard input ("-"). The data of gzip files are
 * decompressed. With `follow`, reading waits at the end of a growing file for more bytes.
 */

struct source;

struct source_config {
	bool follow; /**< at the end of the file, wait for more bytes until stop_is_wanted() */
};

/**
 * Open a source.
 *
 * @param path "-": standard input
 * @param why at least 128 bytes; receives the reason, without the path, if NULL is returned
 * @return source to be closed with source_close(); NULL: the file cannot be opened
 */
struct source *
source_open(const char *path, const struct source_config *config, char *why, size_t size);

/** NULL is allowed. */
void source_close(struct source *source);

/**
 * Read count bytes. The call blocks until count bytes are available, or until the end.
 *
 * @return number of bytes read; less than count at the end or after an error (source_error())
 */
size_t source_read(struct source *source, void *bytes, size_t count);

/** @return the reason why reading failed, e.g. a damaged gzip file; NULL: no error */
const char *source_error(const struct source *source);

/**
 * @return true if a signal, or a replaced or truncated file, ended the source. In this case the
 *         last record may be incomplete.
 */
bool source_is_stopped(const struct source *source);

/**
 * @return "replaced" if a different file has the name of the followed file; "truncated" if the
 *         followed file is shorter than the part that was read; NULL if neither is true
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
