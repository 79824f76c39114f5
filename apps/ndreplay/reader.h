/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_READER_H
#define NDPDK_NDREPLAY_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The frames of a capture: pcap or pcapng, as it is or as gzip, from a file or standard input, with
 * any of the link types of link_type.h. All frames come as Ethernet frames. Which of them are
 * wanted may be chosen; the others come, too, so that they can be counted and keep their numbers.
 */

/** Where a range of frames begins or ends. */
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
	bool is_foreign; /**< of a link type that is not supported: bytes are no Ethernet frame */
};

enum reader_result {
	READER_FRAME,   /**< a frame that is wanted */
	READER_SKIPPED, /**< a frame that is not; reader_frame is filled as well */
	READER_END,   /**< the end of the file, or a signal when it is followed or standard input */
	READER_ERROR, /**< reader_error() says why */
};

/** Frames that came and were not wanted, by the reason. */
struct reader_skips {
	uint64_t by_filter, by_range;
	uint64_t by_link_type; /**< of an interface that is not Ethernet or the like */
	const char *link_type; /**< name of the first of these */
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

/** @return why reading ended with READER_ERROR: a sentence with the file's name. */
const char *reader_error(const struct reader *reader);

const struct reader_skips *reader_skipped(const struct reader *reader);

/**
 * Read a bound: a frame's number, seconds with an s behind, or a date and time of UTC.
 *
 * @return whether the text is one
 */
bool reader_bound_parse(const char *text, struct reader_bound *bound);

/** @return whether the expression is one of libpcap. @param why filled when it is not */
bool reader_filter_check(const char *filter, char *why, size_t size);

#endif
