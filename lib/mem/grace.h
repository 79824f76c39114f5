/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_GRACE_H
#define NDPDK_MEM_GRACE_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_branch_prediction.h>
#include <rte_rcu_qsbr.h>

/*
 * Grace periods for a subset of the readers. A reader is an engine, and its reader ID is the
 * engine's index. A reader is online while a turn or a posting call of the engine may read the
 * memory index. An offline reader holds no reference, so no grace period waits for it.
 *
 * rte_rcu_qsbr_check() waits for all readers. A grace period here waits only for readers that
 * could use the dead key or handle: the readers of one partition of the key table. A reader that
 * itself executes the request that ends a key is excluded, because it holds no reference at that
 * time.
 */

/**
 * A grace period: a set of readers, and a token that each of them must reach. An all-zero structure
 * is a grace period that is over.
 */
struct mem_grace {
	uint64_t token;   /**< token of rte_rcu_qsbr_start() */
	uint32_t readers; /**< bit i: reader i */
};

/**
 * Set a registered reader online, like rte_rcu_qsbr_thread_online(). The caller passes the address
 * of the counter, so that the address is not computed again for each posted request.
 */
static inline void
mem_reader_online(const struct rte_rcu_qsbr *qsbr, struct rte_rcu_qsbr_cnt *reader)
{
	uint64_t token = __atomic_load_n(&qsbr->token, __ATOMIC_RELAXED);

	__atomic_store_n(&reader->cnt, token, __ATOMIC_RELAXED);
	rte_atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/** Set a reader offline, like rte_rcu_qsbr_thread_offline(). */
static inline void
mem_reader_offline(struct rte_rcu_qsbr_cnt *reader)
{
	__atomic_store_n(&reader->cnt, __RTE_QSBR_CNT_THR_OFFLINE, __ATOMIC_RELEASE);
}

/**
 * Begin a grace period. Before this call, the caller must have made the key or handle dead, so that
 * later accesses do not use the memory.
 *
 * @param readers bit i: wait for reader i. 0: the grace period is over at once
 */
static inline struct mem_grace
mem_grace_begin(struct rte_rcu_qsbr *qsbr, uint32_t readers)
{
	struct mem_grace grace = {.readers = readers};

	if (readers == 0)
		return grace;
	grace.token = rte_rcu_qsbr_start(qsbr);
	/*
	 * Pairs with the fence in mem_reader_online(). Either a reader that comes online
	 * sees that the key is dead, or this thread sees that the reader is online.
	 */
	rte_atomic_thread_fence(__ATOMIC_SEQ_CST);
	return grace;
}

/**
 * @return whether each reader of the set has been offline or quiescent since the grace period
 * began.
 */
static inline bool
mem_grace_over(const struct rte_rcu_qsbr *qsbr, const struct mem_grace *grace)
{
	for (uint32_t left = grace->readers; left != 0; left &= left - 1) {
		uint64_t seen =
			__atomic_load_n(&qsbr->qsbr_cnt[__builtin_ctz(left)].cnt, __ATOMIC_ACQUIRE);

		if (seen != __RTE_QSBR_CNT_THR_OFFLINE && seen < grace->token)
			return false;
	}
	return true;
}

#endif
