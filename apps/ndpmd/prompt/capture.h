/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_CAPTURE_H
#define NDPDK_PROMPT_CAPTURE_H

/*
 * Capture the frames of one of the process's ports into a pcapng file, in both directions. Received
 * frames are captured before the engine checks them. Transmitted frames are captured when the
 * engine passes them to the port. The engines' threads copy frames into a ring, and the main thread
 * writes the frames into the file. If the ring is full, frames are counted but not captured.
 */

struct prompt;

/**
 * Write the captured frames into the file. Call this function after each turn of the first worker.
 */
void capture_turn(struct prompt *prompt);

/** End the capture, if one is running. */
void capture_close(struct prompt *prompt);

#endif
