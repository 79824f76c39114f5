/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CAPTURE_READER_H
#define NDPDK_CAPTURE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads the frames of a capture: pcap or pcapng, plain or gzip, from a file or standard input, with
 * any link type of link_type.h. All frames are converted to Ethernet. Frames that are not selected
 * are returned, too, so that they can be counted and keep their numbers.
 */

/** Kinds of bounds of a range of frames. */
enum reader_bound_kind {
	READER_UNBOUND,  /**< at the end of the file */
	READER_NUMBER,   /**< number of the frame, from 1 */
	READER_SINCE,    /**< nanoseconds after the first frame of the file */
	READER_ABSOLUTE, /**< nanoseconds since 1970 */
};

struct reader_bound {
	enum reader_bound_kind kind;
	uint64_t value;
};

/** How a capture is read. All zero: all frames. */
struct reader_config {
	const char *filter;           /**< libpcap expression for the Ethernet frames; NULL = all */
	struct reader_bound from, to; /**< both inclusive */
	bool leaves_out_copies; /**< of packets that were captured more than once; see copies.h */
	bool follow;            /**< wait for more frames at the end, until stop_is_wanted() */
	bool progress;          /**< print the progress on standard error if it is a terminal */
};

/** One frame. */
struct reader_frame {
	uint64_t number;      /**< in the file, from 1 */
	uint64_t time_ns;     /**< since 1970 */
	const uint8_t *bytes; /**< Ethernet without FCS; valid until the next call */
	uint32_t captured_bytes, wire_bytes;
	bool is_foreign; /**< unsupported link type: bytes is not an Ethernet frame */
};

enum reader_result {
	READER_FRAME,   /**< a selected frame */
	READER_SKIPPED, /**< a frame that is not selected; reader_frame is filled, too */
	READER_END,     /**< end of the file; with follow or standard input also a signal */
	READER_ERROR,   /**< reader_error() says why */
};

/** Numbers of frames that were not selected, by reason. */
struct reader_skips {
	uint64_t by_filter, by_range;
	uint64_t by_link_type; /**< unsupported link type */
	const char *link_type; /**< name of the first unsupported link type */
	uint64_t copies;       /**< copies of packets that were captured more than once */
	/**
	 * backwards: chosen frames with an earlier time than the previous chosen frame.
	 * backwards_frame: number of the first such frame.
	 */
	uint64_t backwards, backwards_frame;
};

struct reader;

/**
 * @param path "-": standard input
 * @param why filled with a sentence without line feed when NULL is returned
 * @return to be closed with reader_close(); NULL: it is no capture, or the filter is not valid
 */
struct reader *
reader_open(const char *path, const struct reader_config *config, char *why, size_t size);

/** NULL is allowed. */
void reader_close(struct reader *reader);

/** @param[out] frame filled with READER_FRAME and READER_SKIPPED */
enum reader_result reader_next(struct reader *reader, struct reader_frame *frame);

/** @return why reading ended with READER_ERROR: a sentence with the name of the file */
const char *reader_error(const struct reader *reader);

const struct reader_skips *reader_skipped(const struct reader *reader);

/**
 * Parse a bound: a frame number, seconds followed by s, or a UTC date and time.
 *
 * @return whether the text is valid
 */
bool reader_bound_parse(const char *text, struct reader_bound *bound);

/** @return whether libpcap accepts the expression. @param why filled if not */
bool reader_filter_check(const char *filter, char *why, size_t size);

#endif
