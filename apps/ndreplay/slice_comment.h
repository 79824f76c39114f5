/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_SLICE_COMMENT_H
#define NDPDK_NDREPLAY_SLICE_COMMENT_H

#include <stddef.h>

#include "pick.h"

/*
 * What is said about a frame: it begins or ends a connection, repeats a request, is a NAK, has a
 * wrong ICRC, or breaks a rule. Most frames have no comment.
 */

/** Where the frames of a capture have been commented up to. */
struct slice_comments {
	const struct nd_trace *report; /**< on the whole capture, finished */
	size_t violation, doubt;       /**< next ones to be told; both are in order of frames */
};

/**
 * Write the comment of a frame. Frames are given in their order, those without a comment, too.
 *
 * @param seen what the trace says about the frame
 * @param[out] text empty when there is nothing to say
 */
void slice_comment(
	struct slice_comments *comments, const struct pick_seen *seen, char *text, size_t size);

#endif
