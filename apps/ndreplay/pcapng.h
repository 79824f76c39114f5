/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_PCAPNG_H
#define NDPDK_NDREPLAY_PCAPNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Writing pcapng: one section, one Ethernet interface, times in nanoseconds, and a comment on any
 * frame. libpcap writes pcap only, which has no comments.
 */

struct pcapng;

/** Most bytes of a comment; longer ones are cut. */
#define PCAPNG_COMMENT_MAX 65000u

/**
 * @param path "-": standard output; a file that exists is overwritten
 * @param source the capture that is read meanwhile: it is not overwritten
 * @param comment on the whole, e.g. what it was cut from; NULL = none
 * @param why filled with a sentence when NULL is returned
 * @return to be closed with pcapng_close(), or NULL
 */
struct pcapng *
pcapng_create(const char *path, const char *source, const char *comment, char *why, size_t size);

/**
 * Write a frame. What goes wrong is reported by pcapng_close().
 *
 * @param time_ns since 1970
 * @param comment NULL or empty = none
 */
void pcapng_frame(struct pcapng *pcapng, uint64_t time_ns, const uint8_t *bytes,
	uint32_t captured_bytes, uint32_t wire_bytes, const char *comment);

/** @return whether a frame could not be written, so that there is no use in going on. */
bool pcapng_is_lost(const struct pcapng *pcapng);

/**
 * Write what is buffered, and close the file. One that could not be written is removed.
 *
 * @param why filled with a sentence when false is returned
 * @return whether all was written
 */
bool pcapng_close(struct pcapng *pcapng, char *why, size_t size);

/** @return whether a capture goes to standard output, so that a report must not */
bool pcapng_is_stdout(const char *path);

#endif
