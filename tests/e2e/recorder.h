/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_E2E_RECORDER_H
#define NDPDK_E2E_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A tap in the wire between the two ports of a pair: what a port receives is written to a capture
 * file. Frames that it is told to lose reach neither the port nor the file.
 */

/**
 * Record ports 0 and 1 from now on.
 * @param path classic pcap; replaced
 * @return false when the file or the ports refuse
 */
bool recorder_start(const char *path);

/**
 * Lose frames.
 * @param port that would have received them
 * @param opcode of the BTH that they have
 * @param skip how many of them pass before
 * @param count how many of them are lost then
 */
void recorder_lose(uint16_t port, uint8_t opcode, unsigned int skip, unsigned int count);

/** Close the file. @return frames in it */
unsigned int recorder_stop(void);

#endif
