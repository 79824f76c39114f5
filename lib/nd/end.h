/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_END_INTERNAL_H
#define NDPDK_ND_END_INTERNAL_H

#include "nd/connector.h"

/**
 * Record why a connector's connection or attempt ends, and count the reason. Later calls have no
 * effect, because only the first cause is recorded.
 */
void connector_ends(struct nd_connector *connector, const struct nd_end *end);

/**
 * Record that the queue pair has failed by itself. The new reason replaces the reason "the peer
 * disconnected". With several engines, the first engine may handle the peer's DREQ before it
 * handles the earlier failure of the queue pair.
 */
void connector_ends_by_qp(struct nd_connector *connector, const struct nd_end *end);

/**
 * @return the end that an event of the connection manager causes. @param status status of the
 * attempt
 */
struct nd_end end_of_event(const struct cm_event *event, nd_status status);

/** @return the end that a failed queue pair causes */
struct nd_end end_of_qp(const struct rc_qp *qp);

/** @return the end of an attempt that this side abandons */
struct nd_end end_of_cancel(const struct nd_connector *connector);

/** @return name of the counter for this reason, never NULL. @param reason 1..ND_END_REASONS-1 */
const char *end_counter_name(unsigned int reason);

const char *end_counter_text(unsigned int reason);

#endif
