/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_LOST_H
#define NDPDK_SPI_LOST_H

/*
 * The two processes of test_spi_lost.c: the test is side 0 and the peer is side 1. net_memif
 * connects the processes, and the test is the server. The test writes commands, one letter each,
 * to the standard input of the peer. The peer answers each command with the same letter when done.
 */

enum lost_letter {
	LOST_READY = '.',    /**< sent once: the link is up and the peer listens */
	LOST_SERVE = 's',    /**< get a connection request and accept it */
	LOST_CONNECT = 'c',  /**< connect to LOST_PORT of the test without CompleteConnect */
	LOST_COMPLETE = 'k', /**< call CompleteConnect for LOST_CONNECT */
	LOST_RECEIVE = 'r',  /**< receive a message without bytes */
};

/** Port at which the test listens. */
#define LOST_PORT 5000
/** MAC address of the peer. */
#define LOST_MAC  "02:00:00:00:00:02"

#endif
