/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_END_INTERNAL_H
#define NDPDK_ND_END_INTERNAL_H

#include "nd/connector.h"

/** Note why a connector's connection or attempt ends, and count it. The first cause counts. */
void connector_ends(struct nd_connector *connector, const struct nd_end *end);

/**
 * The queue pair has failed by itself. With several engines, a DREQ of the peer may be told before
 * it, although it came later: the failure was first.
 */
void connector_ends_by_qp(struct nd_connector *connector, const struct nd_end *end);

/** @return the end that an event of the connection manager means. @param status of the attempt */
struct nd_end end_of_event(const struct cm_event *event, nd_status status);

/** @return the end that a failed queue pair means */
struct nd_end end_of_qp(const struct rc_qp *qp);

/** @return the end of an attempt that this side gives up */
struct nd_end end_of_cancel(const struct nd_connector *connector);

/** @return name of the counter of a reason, never NULL. @param reason 1 .. ND_END_REASONS - 1 */
const char *end_counter_name(unsigned int reason);

/** @return what that counter counts. */
const char *end_counter_text(unsigned int reason);

#endif
