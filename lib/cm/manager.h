/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CM_MANAGER_H
#define NDPDK_CM_MANAGER_H

#include "cm/admission.h"
#include "cm/cm.h"
#include "cm/id.h"
#include "cm/index.h"
#include "cm/listener.h"
#include "cm/source.h"
#include "cm/timer.h"

/** State of one connection manager. cm_create() allocates all its memory. */
struct cm {
	struct cm_config config; /**< with defaults filled in */
	struct cm_ops ops;
	void *arg;
	struct cm_id_table ids;
	struct cm_timer_heap timers;
	struct cm_index by_remote_id;
	struct cm_index by_remote_qpn;
	struct cm_index resting; /**< index by local QPN of the connections in TIMEWAIT */
	struct cm_listener_table listeners;
	struct cm_admission admission;
	uint8_t mra_service_timeout;
	struct cm_counters counters;
	struct cm_sources sources;
};

#endif
