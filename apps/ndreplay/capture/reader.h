/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CAPTURE_READER_H
#define NDPDK_CAPTURE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads the frames of a capture: pcap or pcapng, plain or gzip, from a file or standard input, with
 * any link type of link_type.h. All frames are converted to Ethernet. Even frames that are not
 * selected are returned, so that the caller can count them and the frame numbers are the same as in
 * the file.
 */

enum reader_bound_kind {
	READER_UNBOUND,  /**< no bound: from the start, or to the end of the file */
	READER_NUMBER,   /**< the bound is a frame number, counted from 1 */
	READER_SINCE,    /**< the bound is a time in ns after the first frame of the file */
	READER_ABSOLUTE, /**< nanoseconds since 1970 */
};

struct reader_bound {
	enum reader_bound_kind kind;
	uint64_t value;
};

/** Settings of a reader. If all members are zero, all frames are read. */
struct reader_config {
	const char *filter; /**< libpcap expression that selects Ethernet frames; NULL = all */
	struct reader_bound from, to; /**< range of frames, both ends included */
	bool leaves_out_copies;       /**< leave out copies of packets (copies.h) */
	bool follow;   /**< at the end of the file, wait for more frames until stop_is_wanted() */
	bool progress; /**< print the progress on standard error if it is a terminal */
};

struct reader_frame {
	uint64_t number;      /**< number of the frame in the file, from 1 */
	uint64_t time_ns;     /**< capture time in ns since 1970 */
	const uint8_t *bytes; /**< Ethernet without FCS; valid until the next call */
	uint32_t captured_bytes, wire_bytes;
	bool is_foreign; /**< unsupported link type, so bytes is not an Ethernet frame */
};

enum reader_result {
	READER_FRAME,   /**< a selected frame */
	READER_SKIPPED, /**< the frame is not selected, but reader_frame is filled */
	READER_END,     /**< end of the file, or a signal (with follow or standard input) */
	READER_ERROR,   /**< reader_error() says why */
};

/** Counts of frames that were not selected, by reason. */
struct reader_skips {
	uint64_t by_filter, by_range;
	uint64_t by_link_type; /**< unsupported link type */
	const char *link_type; /**< name of the first unsupported link type */
	uint64_t copies;       /**< number of frames that were left out because they are copies */
	/**
	 * backwards: number of selected frames whose time is before that of the previous frame.
	 * backwards_frame: number in the file of the first of these frames.
	 */
	uint64_t backwards, backwards_frame;
};

struct reader;

/**
 * Open a capture.
 *
 * @param path "-": standard input
 * @param why receives a sentence without line feed if NULL is returned
 * @return reader to be closed with reader_close(); NULL: not a capture, or the filter is invalid
 */
struct reader *
reader_open(const char *path, const struct reader_config *config, char *why, size_t size);

/** NULL is allowed. */
void reader_close(struct reader *reader);

/** Read the next frame. @param[out] frame filled if READER_FRAME or READER_SKIPPED is returned */
enum reader_result reader_next(struct reader *reader, struct reader_frame *frame);

/** @return a sentence with the name of the file and the reason of READER_ERROR */
const char *reader_error(const struct reader *reader);

const struct reader_skips *reader_skipped(const struct reader *reader);

/**
 * Parse a bound: a frame number, a number of seconds followed by "s", or a UTC date and time.
 *
 * @return true if the text is valid
 */
bool reader_bound_parse(const char *text, struct reader_bound *bound);

/** @return true if libpcap accepts the expression. @param why receives the reason if false */
bool reader_filter_check(const char *filter, char *why, size_t size);

#endif
