/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_MODEL_FAULTS_H
#define NDPDK_TRACE_MODEL_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/model.h"

/*
 * Finds the faults of the network on a connection.
 *
 * Order: many stacks increment the IPv4 identification with each packet. The packets of such a side
 * are processed in the order in which the side sent them. A packet that was captured after a later
 * packet was reordered, and two identical packets with one number were duplicated. Without such
 * numbers (IPv6, or a constant identification), the packets keep the capture order, and the time
 * between two copies shows whether the network or the sender made the copy.
 *
 * Loss: a sender that goes back retransmits from one packet on. Only the first packet of such a run
 * has a cause. A packet that is captured for the first time in a run was lost before the place of
 * the capture, as was a retransmission that the run omits. A NAK for a packet that the capture
 * contains shows a loss after the place of the capture. Without a NAK, an answer in the capture was
 * lost after the place of the capture. Without an answer, it is unknown whether the request or the
 * answer was lost.
 */

/** A packet, in the order of processing. */
struct model_event {
	uint64_t by_frame; /**< the packet was sent before this frame was captured */
	uint64_t id;       /**< IPv4 identification, extended to 64 bits; 0 = not numbered */
	size_t packet;
	bool copy; /**< duplicate made by the network; ignored */
};

/**
 * Sort the packets of a connection. Reports duplicates and reordering that the IPv4
 * identifications show, and sets model_connection.counts.
 *
 * @return one event per packet of the connection; the caller frees the array. NULL: no packets, or
 *         no memory
 */
struct model_event *model_events(struct nd_model *model, size_t connection);

/** @return true if the frames of both packets have the same bytes. */
bool model_same_bytes(
	const struct nd_model *model, const struct model_packet *a, const struct model_packet *b);

#endif
