/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_PCAPNG_READ_H
#define NDPDK_NDREPLAY_PCAPNG_READ_H

#include <stddef.h>
#include <stdint.h>

#include "source.h"

/*
 * Reading pcapng. libpcap takes a file only when all of its interfaces have the same link type and
 * the same snapshot length, which is not so when two interfaces were recorded at once. Here each
 * packet comes with the link type of its interface.
 */

/** First bytes of a file: the type of a section header block, the same in either byte order. */
#define PCAPNG_MAGIC       "\x0a\x0d\x0d\x0a"
#define PCAPNG_MAGIC_BYTES 4u

struct pcapng_reader;

/** A packet of an interface. */
struct pcapng_packet {
	uint16_t link_type; /**< LINKTYPE_ of its interface */
	uint64_t time_ns;   /**< since 1970; of a packet without time, that of the one before */
	const uint8_t *bytes;
	uint32_t captured_bytes, wire_bytes;
};

enum pcapng_result { PCAPNG_PACKET, PCAPNG_END, PCAPNG_ERROR };

/**
 * @param source PCAPNG_MAGIC has been read from it; it has to stay open
 * @return to be closed with pcapng_reader_close(); NULL without memory
 */
struct pcapng_reader *pcapng_reader_open(struct source *source);

/** NULL is allowed. */
void pcapng_reader_close(struct pcapng_reader *reader);

/**
 * @param[out] packet valid until the next call
 * @return PCAPNG_ERROR: pcapng_reader_error() says why
 */
enum pcapng_result pcapng_reader_next(struct pcapng_reader *reader, struct pcapng_packet *packet);

/** @return what is wrong with the file: words without its name, valid until it is closed. */
const char *pcapng_reader_error(const struct pcapng_reader *reader);

#endif
