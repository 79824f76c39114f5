/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_CAPTURE_H
#define NDPDK_PROMPT_CAPTURE_H

/*
 * Capture the frames of one of the process's ports into a pcapng file, in both directions. Received
 * frames are captured before any check of the engine, transmitted frames when the engine passes
 * them to the port. The engines' threads copy frames into a ring, and the main thread writes them
 * into the file. Frames that do not fit into the ring are counted.
 */

struct prompt;

/**
 * Write the captured frames into the file. Call this function after each turn of the first worker.
 */
void capture_turn(struct prompt *prompt);

/** End the capture, if one is running. */
void capture_close(struct prompt *prompt);

#endif
