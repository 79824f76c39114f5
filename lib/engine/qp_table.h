/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_QP_TABLE_H
#define NDPDK_ENGINE_QP_TABLE_H

#include <stdint.h>

#include <rte_common.h>

#include "base/random.h"
#include "base/status.h"

struct rc_qp;

/*
 * Table from QPN to queue pair, with direct index. A QPN has 24 bits. From the lowest bit up, they
 * are the index of the engine, the number of the slot, and random generation bits. Slots are
 * assigned in random order, so that nobody can guess one QPN from another (SEC-004).
 *
 * Two threads may use a table. The first engine of the adapter reserves and frees QPNs. The home
 * engine stores queue pairs in the slots and looks them up. A slot has no queue pair while its QPN
 * changes.
 */
struct qp_table {
	struct qp_table_slot *slots;
	uint32_t slot_mask;
	uint8_t index_bits; /**< number of low QPN bits that contain the engine's index */
	uint8_t index;
	/* The members below are used only by the thread that reserves QPNs (the first engine). */
	uint32_t *free_slots; /**< free slots, unordered; entries [0, free_count) are valid */
	uint32_t free_count;
};

/** Slot of the table. Contains all that a look-up needs, in one cache line. */
struct qp_table_slot {
	struct rc_qp *qp;
	uint32_t qpn; /**< QPN in use, or last QPN of a free slot; atomic */
};

/**
 * @param slots power of two, 2 .. LIMIT_QP_SLOTS >> index_bits
 * @param index of the engine, below 1 << index_bits
 * @return RC_OK, RC_INVALID_ARGUMENT, RC_NO_RESOURCES.
 */
enum rc_status qp_table_init(struct qp_table *table, uint32_t slots, uint8_t index,
	uint8_t index_bits, int socket_id) __rte_warn_unused_result;
void qp_table_fini(struct qp_table *table);

/**
 * Reserve a QPN. It is never 0, 1 or 0xFFFFFF, and never the last QPN of its slot. Packets to this
 * QPN are dropped until qp_table_set(). @return RC_OK, RC_NO_RESOURCES
 */
enum rc_status qp_table_reserve(
	struct qp_table *table, struct base_random *random, uint32_t *qpn) __rte_warn_unused_result;

void qp_table_set(struct qp_table *table, uint32_t qpn, struct rc_qp *qp);

/** Remove the queue pair from the slot of a QPN. The QPN stays reserved until qp_table_free(). */
void qp_table_clear(struct qp_table *table, uint32_t qpn);

/** Free a reserved QPN that has no queue pair. The slot can be reserved again. */
void qp_table_free(struct qp_table *table, uint32_t qpn);

/** @return the slot that a QPN belongs to. Any 24-bit value is safe. */
static inline struct qp_table_slot *
qp_table_slot(const struct qp_table *table, uint32_t qpn)
{
	return &table->slots[qpn >> table->index_bits & table->slot_mask];
}

/**
 * @return the queue pair with exactly this QPN; NULL: none. @param slot result of qp_table_slot()
 */
static inline struct rc_qp *
qp_table_slot_find(const struct qp_table_slot *slot, uint32_t qpn)
{
	return __atomic_load_n(&slot->qpn, __ATOMIC_RELAXED) == qpn ? slot->qp : NULL;
}

/** @return the queue pair with exactly this QPN; NULL: none. Any 24-bit value is safe. */
static inline struct rc_qp *
qp_table_find(const struct qp_table *table, uint32_t qpn)
{
	return qp_table_slot_find(qp_table_slot(table, qpn), qpn);
}

#endif
