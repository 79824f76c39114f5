/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_ARP_FRAMES_H
#define NDPDK_UNIT_ARP_FRAMES_H

/* ARP frames between hosts A and B of neigh_rig.h, in hexadecimal. */

/* dst src type | htype ptype hlen plen op | sender | target */
#define A_ASKS_ALL                                                                                 \
	"ffffffffffff 020000000001 0806 0001 0800 06 04 0001 020000000001 c0000201 000000000000 "  \
	"c0000202"
#define A_ASKS_B                                                                                   \
	"020000000002 020000000001 0806 0001 0800 06 04 0001 020000000001 c0000201 020000000002 "  \
	"c0000202"
#define A_ANSWERS_B                                                                                \
	"020000000002 020000000001 0806 0001 0800 06 04 0002 020000000001 c0000201 020000000002 "  \
	"c0000202"
#define A_ANNOUNCES                                                                                \
	"ffffffffffff 020000000001 0806 0001 0800 06 04 0001 020000000001 c0000201 000000000000 "  \
	"c0000201"
#define B_ASKS_ALL                                                                                 \
	"ffffffffffff 020000000002 0806 0001 0800 06 04 0001 020000000002 c0000202 000000000000 "  \
	"c0000201"
#define B_ASKS_A                                                                                   \
	"020000000001 020000000002 0806 0001 0800 06 04 0001 020000000002 c0000202 020000000001 "  \
	"c0000201"
#define B_ANSWERS                                                                                  \
	"020000000001 020000000002 0806 0001 0800 06 04 0002 020000000002 c0000202 020000000001 "  \
	"c0000201"
/* An ARP reply after the MAC address of B has changed to 02:00:00:00:00:03. */
#define B3_ANSWERS                                                                                 \
	"020000000001 020000000003 0806 0001 0800 06 04 0002 020000000003 c0000202 020000000001 "  \
	"c0000201"
#define B3_ANNOUNCES                                                                               \
	"ffffffffffff 020000000003 0806 0001 0800 06 04 0001 020000000003 c0000202 000000000000 "  \
	"c0000202"
#define B3_ASKS_A                                                                                  \
	"020000000001 020000000003 0806 0001 0800 06 04 0001 020000000003 c0000202 000000000000 "  \
	"c0000201"

#endif
