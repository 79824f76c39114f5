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
 * QPN -> queue pair by direct index. A QPN is, from its low end: the index of the engine, slot
 * bits, random generation bits; 24 in all. Slots are given in random order, so that QPNs cannot be
 * guessed from each other (SEC-004).
 *
 * Two threads may use a table: the first engine of the adapter reserves and frees numbers, and the
 * engine whose queue pairs they are puts those into their slots and looks them up. A slot has no
 * queue pair while its number changes.
 */
struct qp_table {
	struct qp_table_slot *slots;
	uint32_t slot_mask;
	uint8_t index_bits; /**< of a QPN, for the index of the engine */
	uint8_t index;      /**< of the engine */
	/* Of the thread that reserves. */
	uint32_t *free_slots; /**< [0, free_count) in no order */
	uint32_t free_count;
};

/** What a look-up reads: in one cache line. */
struct qp_table_slot {
	struct rc_qp *qp;
	uint32_t qpn; /**< in use or given last; atomic */
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
 * Choose a QPN, never 0, 1 or 0xFFFFFF, and never the one its slot had before. No packet finds it
 * before qp_table_set(). @return RC_OK, RC_NO_RESOURCES.
 */
enum rc_status qp_table_reserve(
	struct qp_table *table, struct base_random *random, uint32_t *qpn) __rte_warn_unused_result;

/** From now on packets to the reserved QPN find qp. */
void qp_table_set(struct qp_table *table, uint32_t qpn, struct rc_qp *qp);

/** Take a QPN out of service: no packet finds it. It stays reserved until qp_table_free(). */
void qp_table_clear(struct qp_table *table, uint32_t qpn);

/** Give the slot back: the number is out of service. */
void qp_table_free(struct qp_table *table, uint32_t qpn);

/** @return the only slot that a QPN may be in; any 24-bit value is safe. */
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
