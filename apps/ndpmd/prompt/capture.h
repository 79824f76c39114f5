/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_CAPTURE_H
#define NDPDK_PROMPT_CAPTURE_H

/*
 * The frames of the process' ports in a pcapng file, both ways: what the engines have taken from a
 * port, before any check, and what they have given to it. The engines' threads copy the frames into
 * a ring, and the main thread writes them; what does not fit is counted.
 */

struct prompt;

/** Write what has been captured. After each turn of the first worker. */
void capture_turn(struct prompt *prompt);

/** End it, if there is one. */
void capture_close(struct prompt *prompt);

#endif
