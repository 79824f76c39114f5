/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CAPTURE_PCAPNG_READ_H
#define NDPDK_CAPTURE_PCAPNG_READ_H

#include <stddef.h>
#include <stdint.h>

#include "source.h"

/*
 * Reads pcapng. libpcap refuses a file with interfaces of different link types or snapshot lengths,
 * for example a capture of two different interfaces. This reader returns the link type of its
 * interface with each packet.
 */

/** First bytes of a file: the type of a section header block, the same in either byte order. */
#define PCAPNG_MAGIC       "\x0a\x0d\x0d\x0a"
#define PCAPNG_MAGIC_BYTES 4u

struct pcapng_reader;

struct pcapng_packet {
	uint16_t link_type; /**< LINKTYPE_ of its interface */
	/** time since 1970; a packet without time has the time of the previous packet */
	uint64_t time_ns;
	const uint8_t *bytes;
	uint32_t captured_bytes, wire_bytes;
};

enum pcapng_result { PCAPNG_PACKET, PCAPNG_END, PCAPNG_ERROR };

/**
 * @param source stays open while the reader is used; PCAPNG_MAGIC has already been read from it
 * @return reader to be closed with pcapng_reader_close(); NULL: out of memory
 */
struct pcapng_reader *pcapng_reader_open(struct source *source);

/** NULL is allowed. */
void pcapng_reader_close(struct pcapng_reader *reader);

/**
 * Read the next packet.
 *
 * @param[out] packet its bytes are valid until the next call
 * @return PCAPNG_ERROR: pcapng_reader_error() returns the reason
 */
enum pcapng_result pcapng_reader_next(struct pcapng_reader *reader, struct pcapng_packet *packet);

/** @return the error message, without the name of the file. Valid until the reader is closed. */
const char *pcapng_reader_error(const struct pcapng_reader *reader);

#endif
