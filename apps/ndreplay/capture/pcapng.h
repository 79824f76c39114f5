/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CAPTURE_PCAPNG_H
#define NDPDK_CAPTURE_PCAPNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Writes pcapng: one section, one Ethernet interface, times in nanoseconds, and comments on frames.
 * libpcap only writes pcap, which has no comments.
 */

struct pcapng;

/** Maximum size of a comment, in bytes. Longer comments are cut. */
#define PCAPNG_COMMENT_MAX 65000u

/**
 * Create a file, and overwrite an existing file.
 *
 * @param path "-": standard output
 * @param source path of the capture that is being read; path must not refer to the same file
 * @param comment comment on the whole file, e.g. its origin; NULL = none
 * @param why receives a sentence if NULL is returned
 * @return to be closed with pcapng_close(), or NULL
 */
struct pcapng *
pcapng_create(const char *path, const char *source, const char *comment, char *why, size_t size);

/**
 * Write a frame. Errors are reported by pcapng_close().
 *
 * @param time_ns time since 1970
 * @param comment NULL or empty = none
 */
void pcapng_frame(struct pcapng *pcapng, uint64_t time_ns, const uint8_t *bytes,
	uint32_t captured_bytes, uint32_t wire_bytes, const char *comment);

/** @return true if writing a frame failed. The caller need not write more frames. */
bool pcapng_is_lost(const struct pcapng *pcapng);

/**
 * Write buffered data, and close the file. An incomplete file is removed.
 *
 * @param why receives a sentence if false is returned
 * @return true if everything was written
 */
bool pcapng_close(struct pcapng *pcapng, char *why, size_t size);

/** @return true if the path is standard output ("-"), where reports must not be written */
bool pcapng_is_stdout(const char *path);

#endif
