/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_SOURCE_H
#define NDPDK_NDREPLAY_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * The bytes of a capture: of a file, or of standard input ("-"), as they are or uncompressed when
 * they are gzip. A file that grows can be followed: where it ends, reading waits for more.
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
 * Read bytes. It waits until there are as many as are wanted, or the end.
 *
 * @return bytes read, 0 to count; fewer: the end, or source_error() says why not
 */
size_t source_read(struct source *source, void *bytes, size_t count);

/** @return why reading failed, e.g. a gzip file that is damaged; NULL: it did not. */
const char *source_error(const struct source *source);

/** @return whether a signal, or another file, ended it, so that a record may be cut. */
bool source_is_stopped(const struct source *source);

/**
 * @return "replaced" or "truncated": the name of a file that is followed is that of another file
 *         now, or the file has become shorter than what was read of it; NULL: neither
 */
const char *source_change(const struct source *source);

/** @return how much of the file has been read, in thousandths; -1: that is not known. */
int source_permille(const struct source *source);

/**
 * A stream of what is left of the source, for libraries that read streams. Closing the stream does
 * not close the source.
 *
 * @param head, count bytes that were read already, and come again; at most 16
 * @return NULL without memory
 */
FILE *source_stream(struct source *source, const void *head, size_t count);

#endif
