/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_JUDGE_SLICE_COMMENT_H
#define NDPDK_JUDGE_SLICE_COMMENT_H

#include <stddef.h>

#include "selection.h"

/*
 * Comments of `ndreplay slice`. A frame gets a comment if it begins or ends a connection,
 * retransmits a request, is a NAK, has a wrong ICRC, or breaks a rule. Most frames have no comment.
 */

struct slice_comments {
	const struct nd_trace *report; /**< trace of the whole capture, finished */
	/**
	 * Indices of the next violation and of the next doubt. Both lists are sorted by frame
	 * number.
	 */
	size_t violation, doubt;
};

/**
 * Write the comment of a frame. The function must be called for each frame in order.
 *
 * @param seen facts about the frame
 * @param[out] text empty if the frame has no comment
 */
void slice_comment(struct slice_comments *comments, const struct selection_seen *seen, char *text,
	size_t size);

#endif
