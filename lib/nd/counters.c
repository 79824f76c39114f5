/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Counters by name. Tables have the place of each. Drops by reason have the names that the modules
 * give to their reasons. Values are read without stopping the engines: each is a sum of aligned
 * words, one of each engine.
 */

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "nd/adapter.h"
#include "nd/end.h"

struct place {
	const char *name;
	size_t offset;
};

#define ENGINE(member)                                                                             \
	{                                                                                          \
#member, offsetof(struct engine_counters, member)                                  \
	}
#define RC(member)                                                                                 \
	{                                                                                          \
#member, offsetof(struct rc_counters, member)                                      \
	}

static const struct place engine_places[] = {
	ENGINE(rx_frames),
	ENGINE(tx_frames),
	ENGINE(drop_unknown_qp),
	ENGINE(drop_datagram),
	ENGINE(drop_vlan),
	ENGINE(drop_foreign),
	ENGINE(rx_others),
	ENGINE(handed_over),
	ENGINE(drop_hand_over),
	ENGINE(link_up),
	ENGINE(link_down),
	ENGINE(clock_backward),
	ENGINE(tx_full),
};

static const struct place rc_places[] = {
	RC(tx_packets),
	RC(tx_bytes),
	RC(rx_packets),
	RC(rx_bytes),
	RC(tx_acks),
	RC(rx_atomics),
	RC(tx_naks_sequence),
	RC(tx_naks_invalid),
	RC(tx_naks_access),
	RC(tx_naks_operation),
	RC(tx_rnr_naks),
	RC(rx_naks_sequence),
	RC(rx_naks_fatal),
	RC(rx_rnr_naks),
	RC(rx_duplicates),
	RC(rx_ahead),
	RC(rx_kept),
	RC(rx_kept_executed),
	RC(rx_kept_dropped),
	RC(rx_kept_duplicates),
	RC(rx_keep_full),
	RC(rx_cnps),
	RC(rx_ce),
	RC(tx_cnps),
	RC(rate_cuts),
	RC(tx_paced),
	RC(retransmitted_packets),
	RC(tx_keepalives),
	RC(retries_timeout),
	RC(retries_sequence),
	RC(retries_implied),
	RC(retries_selective),
	RC(probes),
	RC(probes_spurious),
	RC(learned_keeps),
	RC(learned_goes_back),
	RC(holes_asked),
	RC(drop_state),
	RC(drop_address),
	RC(drop_transport),
	RC(drop_cnp),
	RC(drop_ghost),
	RC(drop_aeth),
	RC(drop_forged_nak),
	RC(drop_duplicate_read),
	RC(drop_duplicate_atomic),
	RC(drop_rnr_wait),
	RC(drop_no_mbuf),
	{"refused_key", offsetof(struct rc_counters, refused[MEM_REFUSED_KEY])},
	{"refused_owner", offsetof(struct rc_counters, refused[MEM_REFUSED_OWNER])},
	{"refused_range", offsetof(struct rc_counters, refused[MEM_REFUSED_RANGE])},
	RC(refused_invalidate),
	{"refused_rights", offsetof(struct rc_counters, refused[MEM_REFUSED_RIGHTS])},
};

static const struct place drop_places[] = {
	{"drop_truncated", offsetof(struct engine_counters, drops[WIRE_DROP_TRUNCATED])},
	{"drop_ip_header", offsetof(struct engine_counters, drops[WIRE_DROP_IP_HEADER])},
	{"drop_fragment", offsetof(struct engine_counters, drops[WIRE_DROP_FRAGMENT])},
	{"drop_length", offsetof(struct engine_counters, drops[WIRE_DROP_LENGTH])},
	{"drop_udp_checksum", offsetof(struct engine_counters, drops[WIRE_DROP_UDP_CHECKSUM])},
	{"drop_version", offsetof(struct engine_counters, drops[WIRE_DROP_VERSION])},
	{"drop_opcode", offsetof(struct engine_counters, drops[WIRE_DROP_OPCODE])},
	{"drop_header_length", offsetof(struct engine_counters, drops[WIRE_DROP_HEADER_LENGTH])},
	{"drop_payload", offsetof(struct engine_counters, drops[WIRE_DROP_PAYLOAD])},
	{"drop_pkey", offsetof(struct engine_counters, drops[WIRE_DROP_PKEY])},
	{"drop_ip_address", offsetof(struct engine_counters, drops[WIRE_DROP_ADDRESS])},
	{"drop_icrc", offsetof(struct engine_counters, drops[WIRE_DROP_ICRC])},
	{"drop_mad_length", offsetof(struct engine_counters, drop_mad[WIRE_MAD_LENGTH])},
	{"drop_mad_version", offsetof(struct engine_counters, drop_mad[WIRE_MAD_VERSION])},
	{"drop_mad_class", offsetof(struct engine_counters, drop_mad[WIRE_MAD_CLASS])},
	{"drop_mad_attribute", offsetof(struct engine_counters, drop_mad[WIRE_MAD_ATTRIBUTE])},
};

static_assert(
	WIRE_DROP_COUNT == WIRE_DROP_ICRC + 1, "every reason to reject has its counter above");
static_assert(
	WIRE_MAD_COUNT == WIRE_MAD_ATTRIBUTE + 1, "every reason to reject has its counter above");
/* Not shown: the places of WIRE_OK, WIRE_NOT_IP, WIRE_NOT_ROCE, WIRE_MAD_OK and MEM_ALLOWED. */
static_assert(sizeof(struct engine_counters) + sizeof(struct rc_counters) ==
		(RTE_DIM(engine_places) + RTE_DIM(rc_places) + RTE_DIM(drop_places) + 5) *
			sizeof(uint64_t),
	"every counter of engine and transport is above");
static_assert(MEM_REFUSED_COUNT == MEM_REFUSED_RIGHTS + 1, "every refusal has its counter above");

#define CM(member)                                                                                 \
	{                                                                                          \
		"cm_" #member, offsetof(struct cm_counters, member)                                \
	}
/* NOLINTBEGIN(bugprone-macro-parentheses): a member's name cannot be in parentheses. */
#define CM_MESSAGE(direction, name, attribute)                                                     \
	{                                                                                          \
		"cm_" #direction "_" #name,                                                        \
			offsetof(struct cm_counters, direction[(attribute)-WIRE_CM_REQ])           \
	}
/* NOLINTEND(bugprone-macro-parentheses) */

static const struct place cm_places[] = {
	CM_MESSAGE(rx, req, WIRE_CM_REQ),
	CM_MESSAGE(rx, mra, WIRE_CM_MRA),
	CM_MESSAGE(rx, rej, WIRE_CM_REJ),
	CM_MESSAGE(rx, rep, WIRE_CM_REP),
	CM_MESSAGE(rx, rtu, WIRE_CM_RTU),
	CM_MESSAGE(rx, dreq, WIRE_CM_DREQ),
	CM_MESSAGE(rx, drep, WIRE_CM_DREP),
	CM_MESSAGE(rx, sidr_req, WIRE_CM_SIDR_REQ),
	CM_MESSAGE(tx, req, WIRE_CM_REQ),
	CM_MESSAGE(tx, mra, WIRE_CM_MRA),
	CM_MESSAGE(tx, rej, WIRE_CM_REJ),
	CM_MESSAGE(tx, rep, WIRE_CM_REP),
	CM_MESSAGE(tx, rtu, WIRE_CM_RTU),
	CM_MESSAGE(tx, dreq, WIRE_CM_DREQ),
	CM_MESSAGE(tx, drep, WIRE_CM_DREP),
	CM_MESSAGE(tx, sidr_rep, WIRE_CM_SIDR_REP),
	CM(retransmissions),
	CM(drop_duplicate),
	CM(drop_unknown_id),
	CM(drop_rate),
	CM(drop_unanswered),
	CM(drop_half_open),
	CM(held),
	CM(evictions),
	CM(withheld),
	CM(proofs),
	CM(drop_barred),
	CM(guesses),
	CM(bars),
	CM(drop_no_id),
	CM(drop_state),
	CM(drop_backlog),
	CM(drop_invalid),
};

/* rx and tx have a place for each of eight attributes; one of them is not used. */
static_assert(sizeof(struct cm_counters) == (RTE_DIM(cm_places) + 2) * sizeof(uint64_t),
	"every counter of the connection manager is above");

#define NEIGH(member)                                                                              \
	{                                                                                          \
		"neigh_" #member, offsetof(struct neigh_counters, member)                          \
	}

static const struct place neigh_places[] = {
	NEIGH(rx_requests),
	NEIGH(rx_replies),
	NEIGH(tx_requests),
	NEIGH(tx_replies),
	NEIGH(rx_echo),
	NEIGH(drop_malformed),
	NEIGH(drop_unasked),
	NEIGH(drop_full),
	NEIGH(changed),
	NEIGH(conflicts),
	NEIGH(rx_queries),
	NEIGH(tx_reports),
	NEIGH(drop_echo),
};

static_assert(sizeof(struct neigh_counters) == RTE_DIM(neigh_places) * sizeof(uint64_t),
	"every counter of the neighbours is above");

static void
put(struct nd_counter *counters, size_t count, size_t at, struct nd_counter counter)
{
	if (at < count)
		counters[at] = counter;
}

/** Where the counters of a group are: with each engine, or with the first one only. */
struct group {
	const struct place *places;
	size_t count;
	size_t set; /**< offset in struct engine_counter_sets */
};

#define SET(member) offsetof(struct engine_counter_sets, member)

static const struct group groups[] = {
	{engine_places, RTE_DIM(engine_places), SET(engine)},
	{rc_places, RTE_DIM(rc_places), SET(rc)},
	{drop_places, RTE_DIM(drop_places), SET(engine)},
	{cm_places, RTE_DIM(cm_places), SET(cm)},
	{neigh_places, RTE_DIM(neigh_places), SET(neigh)},
};

static uint64_t
sum(const struct nd_adapter *adapter, const struct group *group, const struct place *place)
{
	const struct nd_engine *home;
	uint64_t value = 0;

	ADAPTER_FOREACH_ENGINE (home, adapter) {
		const struct engine_counter_sets sets = engine_counter_sets(home->engine);
		const void *base;

		memcpy(&base, (const char *)&sets + group->set, sizeof(base));
		if (base != NULL)
			value += __atomic_load_n(
				(const uint64_t *)((const char *)base + place->offset),
				__ATOMIC_RELAXED);
	}
	return value;
}

size_t
nd_adapter_counters(const struct nd_adapter *adapter, struct nd_counter *counters, size_t count)
{
	size_t total = 0;

	for (size_t g = 0; g < RTE_DIM(groups); g++) {
		for (size_t i = 0; i < groups[g].count; i++, total++) {
			const struct place *place = &groups[g].places[i];

			put(counters, count, total,
				(struct nd_counter){place->name, sum(adapter, &groups[g], place)});
		}
	}
	for (unsigned int i = ND_END_NONE + 1; i < ND_END_REASONS; i++)
		put(counters, count, total++,
			(struct nd_counter){end_counter_name(i),
				__atomic_load_n(&adapter->ends[i], __ATOMIC_RELAXED)});
	put(counters, count, total++,
		(struct nd_counter){"cm_half_open_now", engine_half_open_count(adapter->engine)});
	put(counters, count, total++,
		(struct nd_counter){"cm_held_now", engine_held_count(adapter->engine)});
	put(counters, count, total++,
		(struct nd_counter){"cm_barred", engine_barred_count(adapter->engine)});
	return total;
}
