/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_LOST_H
#define NDPDK_SPI_LOST_H

/*
 * Protocol between the two processes of test_spi_lost.c. The test is side 0, and the peer is side
 * 1. net_memif connects the processes, with the test as the server. The test writes commands, one
 * letter each, to the peer's standard input. When a command is done, the peer answers with the same
 * letter.
 */

enum lost_letter {
	LOST_READY = '.',   /**< sent once, when the link is up and the peer listens */
	LOST_SERVE = 's',   /**< get a connection request and accept it */
	LOST_CONNECT = 'c', /**< connect to LOST_PORT of the test without CompleteConnect */
	LOST_COMPLETE = 'k',
	LOST_RECEIVE = 'r', /**< receive one message without data */
};

/** Port number at which the test listens. */
#define LOST_PORT 5000
/** MAC address of the peer's port. */
#define LOST_MAC  "02:00:00:00:00:02"

#endif
