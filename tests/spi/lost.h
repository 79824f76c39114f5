/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_LOST_H
#define NDPDK_SPI_LOST_H

/*
 * The two processes of test_spi_lost.c: the test, which is side 0, and its peer, side 1. They are
 * joined by net_memif, whose server is the test. What the peer does is asked for by letters on its
 * standard input, and each is answered by the same letter when that is done.
 */

enum lost_letter {
	LOST_READY =
		'.', /**< not asked for: the link is up, and it listens at the port it was given */
	LOST_SERVE = 's',    /**< take a request in, and accept it */
	LOST_CONNECT = 'c',  /**< connect to LOST_PORT of the test; it is not completed */
	LOST_COMPLETE = 'k', /**< complete that */
	LOST_RECEIVE = 'r',  /**< take in a message without bytes */
};

/** Where the test listens. */
#define LOST_PORT 5000
/** Of the peer. */
#define LOST_MAC  "02:00:00:00:00:02"

#endif
