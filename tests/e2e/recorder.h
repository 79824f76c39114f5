/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_E2E_RECORDER_H
#define NDPDK_E2E_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Records in a capture file the frames that the two ports of a pair receive. A frame that
 * recorder_lose() drops reaches neither the port nor the file.
 */

/**
 * Start to record ports 0 and 1.
 * @param path name of the file, classic pcap; an existing file is replaced
 * @return false if the file or the callbacks of the ports cannot be created
 */
bool recorder_start(const char *path);

/**
 * Drop frames that a port would receive.
 * @param port port that would receive the frames
 * @param opcode BTH opcode of the frames to drop
 * @param skip number of frames with this opcode that pass first
 * @param count number of frames with this opcode that are then dropped
 */
void recorder_lose(uint16_t port, uint8_t opcode, unsigned int skip, unsigned int count);

/** Close the file. @return number of frames in the file */
unsigned int recorder_stop(void);

#endif
