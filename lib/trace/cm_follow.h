/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_CM_FOLLOW_H
#define NDPDK_TRACE_CM_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/connection.h"
#include "trace/damages.h"
#include "trace/frame.h"
#include "wire/cm_msg.h"

/*
 * CM exchanges: all messages from a REQ to the end of its connection. The CM messages contain facts
 * that data packets lack: both queue pairs, both first PSNs, the path MTU and the read limits.
 *
 * A message is judged against the REQ of its exchange. If the capture lacks the REQ, the message is
 * not judged.
 */

/** Maximum number of exchanges. A further exchange replaces the oldest. */
#define TRACE_EXCHANGES 4096

/** An exchange. Index 0 is the active side, 1 the passive side. */
struct trace_cm_exchange {
	struct wire_gid address[2];
	uint32_t comm_id[2]; /**< [1] valid when replied */
	uint64_t req_tid;
	uint64_t req_frame;
	uint64_t req_ns;
	uint64_t rep_ns; /**< capture time of the first REP; valid if replied */
	struct wire_cm_req req;
	struct wire_cm_rep rep;   /**< valid when replied */
	uint32_t req_fingerprint; /**< hash of the whole MAD of the REQ */
	uint32_t rep_fingerprint;
	bool replied;
	bool rejected;
	bool withdrawn; /**< rejected by the passive side, maybe after its REP */
	bool dreq_seen[2];
	uint64_t dreq_tid[2];
	struct trace_connection *connection; /**< NULL without memory */
};

struct trace_cm {
	struct trace_cm_exchange *exchanges; /**< TRACE_EXCHANGES, filled in turn */
	size_t added;
	struct trace_cm_damages damages;
};

/** @return false without memory. */
bool trace_cm_init(struct trace_cm *cm);
void trace_cm_free(struct trace_cm *cm);

/** Process a datagram to queue pair 1. @return whether it is a CM message. */
bool
trace_cm_packet(struct trace_cm *cm, struct trace_table *table, const struct trace_packet *packet);

/**
 * Store a CM message with a wrong ICRC, so that the text of a later doubt can contain its frame
 * number.
 *
 * @param mad payload of a datagram to queue pair 1
 * @return name of the message, such as "REP"; NULL: no CM message, nothing was stored
 */
const char *trace_cm_damage(
	struct trace_cm *cm, const struct wire_view *view, const uint8_t *mad, uint64_t frame);

/** Judge an RC packet to the queue pair of a REQ that no REP has answered yet (CM-019). */
void trace_cm_data(const struct trace_cm *cm, const struct trace_table *table,
	const struct trace_packet *packet);

/** Judge a single REQ: CM-001, CM-002, CM-011, CM-018. */
void trace_cm_req_check(
	const struct wire_cm_msg *msg, const uint8_t *mad, const struct trace_packet *packet);

/**
 * Report a MAD of 256 bytes with a header that the CM does not accept (CM-MAD).
 *
 * @param known true: an exchange has the transaction ID of the MAD
 */
void trace_cm_header_check(const uint8_t *mad, bool known, const struct trace_packet *packet);

/** Judge the datagram that carries a MAD: CM-014, CM-QKEY, CM-MAD. */
void trace_cm_datagram_check(const struct trace_packet *packet);

#endif
