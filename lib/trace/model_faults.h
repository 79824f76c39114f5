/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_MODEL_FAULTS_H
#define NDPDK_TRACE_MODEL_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/model.h"

/*
 * What the network did to the packets of a connection.
 *
 * Order. Many stacks number the IPv4 packets that they send (identification). Where a side does so,
 * its packets are looked at in the order in which it sent them: one that was captured behind a
 * later one was reordered, and two that are equal to the byte were one. Without such numbers (IPv6,
 * or all the same) the order is that of capture, and time has to tell copies of the network from
 * those of the sender.
 *
 * Loss. A sender that goes back repeats from one packet on: the first of such a run has a cause,
 * the others follow from it. A packet that comes for the first time then was lost before; what a
 * run leaves out was repeated, and lost before. A NAK for what the receiver must have had by what
 * the capture shows tells of a packet lost behind the place of capture. Without NAK, an answer that
 * the capture has was lost behind, and where there is none, nobody can tell whether request or
 * answer was lost.
 */

/** A packet, at its place in the order in which the packets are looked at. */
struct model_event {
	uint64_t by_frame; /**< it was sent before this frame was captured */
	uint64_t id;       /**< number of the packet at its sender; 0 = not numbered */
	size_t packet;
	bool copy; /**< the network made it: not looked at */
};

/**
 * The packets of a connection in that order; repetitions and reordering that numbers tell are
 * reported, and counts of the connection are set.
 *
 * @return as many events as the connection has packets, to be freed; NULL when there are none, or
 *         without memory
 */
struct model_event *model_events(struct nd_model *model, size_t connection);

/** @return whether the frames of two packets are equal to the byte. */
bool model_same_bytes(
	const struct nd_model *model, const struct model_packet *a, const struct model_packet *b);

#endif
