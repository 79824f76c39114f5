/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_CAPTURE_H
#define NDPDK_PROMPT_CAPTURE_H

/*
 * Capture frames of a port of the process into a pcapng file, in both directions: frames that the
 * engines received from the port, before any check, and frames that they gave to the port. The
 * engines' threads copy the frames into a ring, and the main thread writes them into the file.
 * Frames that do not fit into the ring are counted.
 */

struct prompt;

/** Write the captured frames. Call this function after each turn of the first worker. */
void capture_turn(struct prompt *prompt);

/** End the capture, if a capture is running. */
void capture_close(struct prompt *prompt);

#endif
