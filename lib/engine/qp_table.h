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
 * Table from QPN to queue pair, by direct index. A QPN consists of, from the low bits: index of the
 * engine, slot bits, random generation bits; 24 bits in all. Slots are assigned in random order, so
 * that QPNs cannot be guessed from each other (SEC-004).
 *
 * Two threads may use a table. The first engine of the adapter reserves and frees QPNs. The home
 * engine of the queue pairs enters them into their slots and looks them up. A slot has no queue
 * pair while its QPN changes.
 */
struct qp_table {
	struct qp_table_slot *slots;
	uint32_t slot_mask;
	uint8_t index_bits; /**< number of QPN bits for the index of the engine */
	uint8_t index;      /**< index of the engine */
	/* Used by the thread that reserves QPNs. */
	uint32_t *free_slots; /**< unordered; entries [0, free_count) are valid */
	uint32_t free_count;
};

/** Slot of the table: the data of a look-up, in one cache line. */
struct qp_table_slot {
	struct rc_qp *qp;
	uint32_t qpn; /**< QPN in use, or the last one; atomic */
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
 * Choose a QPN: never 0, 1 or 0xFFFFFF, and never the last QPN of its slot. Packets to it are not
 * delivered before qp_table_set(). @return RC_OK, RC_NO_RESOURCES.
 */
enum rc_status qp_table_reserve(
	struct qp_table *table, struct base_random *random, uint32_t *qpn) __rte_warn_unused_result;

/** Assign a queue pair to a reserved QPN. */
void qp_table_set(struct qp_table *table, uint32_t qpn, struct rc_qp *qp);

/** Remove the queue pair of a QPN. The QPN stays reserved until qp_table_free(). */
void qp_table_clear(struct qp_table *table, uint32_t qpn);

/** Free the slot of a QPN without queue pair. */
void qp_table_free(struct qp_table *table, uint32_t qpn);

/** @return the slot that a QPN belongs to; any 24-bit value is safe. */
static inline struct qp_table_slot *
qp_table_slot(const struct qp_table *table, uint32_t qpn)
{
	return &table->slots[qpn >> table->index_bits & table->slot_mask];
}

/** @return the queue pair of exactly this QPN, or NULL. @param slot of qp_table_slot() */
static inline struct rc_qp *
qp_table_slot_find(const struct qp_table_slot *slot, uint32_t qpn)
{
	return __atomic_load_n(&slot->qpn, __ATOMIC_RELAXED) == qpn ? slot->qp : NULL;
}

/** @return the queue pair of exactly this QPN, or NULL. Any 24-bit value is safe. */
static inline struct rc_qp *
qp_table_find(const struct qp_table *table, uint32_t qpn)
{
	return qp_table_slot_find(qp_table_slot(table, qpn), qpn);
}

#endif
