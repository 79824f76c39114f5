/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Messages between machine.py on the host and the agent in the machine, over a virtio-serial port.
 * A message is a frame with a 16-byte little-endian header and a payload. The nonce identifies a
 * command. So bytes that an aborted command left in the port are recognised and discarded.
 */

#ifndef NDPDK_GUEST_FRAME_H
#define NDPDK_GUEST_FRAME_H

#include <stdint.h>

#define FRAME_MAGIC       0x44445249u
#define FRAME_PAYLOAD_MAX 16384u

enum frame_type {
	FRAME_EXEC = 'X',  /* to the guest: argv; each string ends with a NUL */
	FRAME_STDIN = 'I', /* to the guest: bytes for stdin; an empty payload means end of file */
	FRAME_START = 'S', /* to the host: process id of the started command, uint32_t */
	FRAME_STDOUT = 'O',
	FRAME_STDERR = 'E',
	/* to the host: exit status, uint32_t; 128 + signal if a signal killed the command */
	FRAME_EXIT = 'Q',
};

struct frame {
	uint32_t magic;
	uint32_t type;
	uint32_t nonce;
	uint32_t length; /* length of the payload in bytes, at most FRAME_PAYLOAD_MAX */
};

#endif
