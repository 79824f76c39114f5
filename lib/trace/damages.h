/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_DAMAGES_H
#define NDPDK_TRACE_DAMAGES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The newest packets of one direction with a wrong ICRC, and of the answers to it. They are not
 * judged. A doubt about a PSN names the frame, because that packet was sent after all.
 */

/** Packets remembered, at most. */
#define TRACE_DAMAGES 16

struct trace_damages {
	struct {
		uint64_t frame;
		uint32_t psn;
		bool answer;
	} newest[TRACE_DAMAGES]; /**< filled in turn */
	uint32_t added;
};

/** Bytes of the words that trace_damages_words() writes. */
#define TRACE_DAMAGES_WORDS 64

void trace_damages_add(struct trace_damages *damages, uint32_t psn, bool answer, uint64_t frame);

/**
 * @param answer whether an answer is looked for, else a request
 * @return words: "; frame 12, whose ICRC is wrong, has it" if a damaged packet has a PSN, else ""
 */
const char *trace_damages_words(const struct trace_damages *damages, uint32_t psn, bool answer,
	char words[TRACE_DAMAGES_WORDS]);

#endif
