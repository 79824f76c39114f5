/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Messages between machine.py on the host and the agent in the machine, over a virtio-serial port:
 * frames with a 16-byte little-endian header and a payload. The nonce identifies a command, so that
 * bytes left in the port by an aborted command are recognised and discarded.
 */

#ifndef NDPDK_GUEST_FRAME_H
#define NDPDK_GUEST_FRAME_H

#include <stdint.h>

#define FRAME_MAGIC       0x44445249u
#define FRAME_PAYLOAD_MAX 16384u

enum frame_type {
	FRAME_EXEC = 'X',   /* to the guest: argv; each string ends with a NUL */
	FRAME_STDIN = 'I',  /* to the guest: bytes for stdin; empty payload: end of file */
	FRAME_START = 'S',  /* to the host: command was started; its process id, uint32_t */
	FRAME_STDOUT = 'O', /* to the host: bytes of stdout */
	FRAME_STDERR = 'E', /* to the host: bytes of stderr */
	FRAME_EXIT = 'Q',   /* to the host: exit status, uint32_t; 128 + signal if killed */
};

struct frame {
	uint32_t magic;
	uint32_t type;
	uint32_t nonce;
	uint32_t length; /* bytes of payload; at most FRAME_PAYLOAD_MAX */
};

#endif
