/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_JUDGE_SLICE_COMMENT_H
#define NDPDK_JUDGE_SLICE_COMMENT_H

#include <stddef.h>

#include "selection.h"

/*
 * The comment of a frame: it begins or ends a connection, retransmits a request, is a NAK, has a
 * wrong ICRC, or breaks a rule. Most frames have no comment.
 */

/** Position in a capture up to which comments have been written. */
struct slice_comments {
	const struct nd_trace *report; /**< trace of the whole capture, finished */
	/** indices of the next violation and doubt; both lists are in order of frames */
	size_t violation, doubt;
};

/**
 * Write the comment of a frame. Must be called for each frame in order.
 *
 * @param seen the frame as the trace knows it
 * @param[out] text empty if there is no comment
 */
void slice_comment(struct slice_comments *comments, const struct selection_seen *seen, char *text,
	size_t size);

#endif
