/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Counters by name. Tables list the offset of each counter. The modules name their own drop
 * reasons. Values are read without stopping the engines. Each value is the sum of one aligned word
 * per engine.
 */

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/sized.h"
#include "nd/adapter.h"
#include "nd/end.h"

struct place {
	const char *name;
	size_t offset;
	const char *text;
};

#define ENGINE(member, text)                                                                       \
	{                                                                                          \
#member, offsetof(struct engine_counters, member), text                            \
	}
#define RC(member, text)                                                                           \
	{                                                                                          \
#member, offsetof(struct rc_counters, member), text                                \
	}

static const struct place engine_places[] = {
	ENGINE(rx_frames, "frames taken from the port"),
	ENGINE(tx_frames, "frames that the port has taken"),
	ENGINE(drop_unknown_qp, "packets for a queue pair that does not exist"),
	ENGINE(drop_datagram,
		"datagrams for another queue pair than 1, or with a wrong Q_Key or source"),
	ENGINE(drop_vlan, "RoCE packets of another VLAN than the adapter's"),
	ENGINE(drop_foreign, "frames that are neither RoCE nor anything the adapter answers"),
	ENGINE(rx_others, "frames given to the application, which are not only the adapter's"),
	ENGINE(handed_over, "frames that arrived on another engine's queue and went to their own"),
	ENGINE(drop_hand_over, "frames for another engine whose ring was full"),
	ENGINE(link_up, "times that the port got a link"),
	ENGINE(link_down, "times that the port lost its link"),
	ENGINE(clock_backward, "steps of the clock into the past"),
	ENGINE(tx_full, "own datagrams not sent: no room in the output, or no packet buffer"),
};

static const struct place rc_places[] = {
	RC(tx_packets, "packets that queue pairs have sent"),
	RC(tx_bytes, "payload bytes that queue pairs have sent"),
	RC(rx_packets, "packets that queue pairs have received"),
	RC(rx_bytes, "payload bytes that queue pairs have received"),
	RC(tx_acks, "acknowledgements sent"),
	RC(rx_atomics, "atomics executed for peers, without duplicates"),
	RC(tx_naks_sequence, "NAKs sent for a missing packet"),
	RC(tx_naks_invalid, "NAKs sent for an invalid request"),
	RC(tx_naks_access, "NAKs sent for a refused access"),
	RC(tx_naks_operation, "NAKs sent because a request could not be executed"),
	RC(tx_rnr_naks, "RNR NAKs sent: no receive was posted"),
	RC(rx_naks_sequence, "NAKs received for a missing packet"),
	RC(rx_naks_fatal, "NAKs received that end the connection"),
	RC(rx_rnr_naks, "RNR NAKs received: the peer had no receive posted"),
	RC(rx_duplicates, "requests received again"),
	RC(rx_duplicate_responses, "responses to requests that were answered before"),
	RC(rx_ahead, "requests received ahead of a missing one"),
	RC(rx_kept, "requests ahead of a missing one that were kept"),
	RC(rx_kept_executed, "kept requests executed when the missing one had come"),
	RC(rx_kept_dropped, "kept requests given up, which the peer sends again"),
	RC(rx_kept_duplicates, "requests ahead of a missing one that were kept already"),
	RC(rx_keep_full,
		"requests ahead of a missing one not kept: too far ahead, or no packet buffer to "
		"spare"),
	RC(rx_cnps, "congestion notification packets received"),
	RC(rx_ce, "packets received that a switch has marked CE"),
	RC(tx_cnps, "congestion notification packets sent"),
	RC(rate_cuts, "CNPs received that slowed a queue pair down"),
	RC(tx_paced, "times that a queue pair waited for congestion control"),
	RC(retransmitted_packets, "packets retransmitted, not counting probes"),
	RC(tx_keepalives, "keepalives sent"),
	RC(retries_timeout, "retries because the ACK timer expired"),
	RC(retries_sequence, "retries because the peer missed a packet"),
	RC(retries_implied, "retries because a READ response was missing"),
	RC(retries_selective, "gaps for which only what was missing was sent again"),
	RC(probes, "packets sent again early, before a try counts"),
	RC(probes_spurious, "of these, probes for packets that the peer had received"),
	RC(learned_keeps, "times that a peer was seen to keep packets behind a gap"),
	RC(learned_goes_back, "times that a peer was seen to drop packets behind a gap"),
	RC(holes_asked, "parts of READs that were asked for again"),
	RC(drop_state, "packets for a queue pair that is not connected, or has failed"),
	RC(drop_address, "packets for a queue pair from another address than its peer's"),
	RC(drop_transport, "packets for a queue pair of another transport than RC"),
	RC(drop_cnp, "CNPs without BECN"),
	RC(drop_ghost, "responses that no outstanding request expects"),
	RC(drop_aeth, "responses with a reserved syndrome"),
	RC(drop_forged_nak, "NAKs that no outstanding request can cause"),
	RC(drop_duplicate_read, "repeated READs whose record is gone or different"),
	RC(drop_duplicate_atomic, "repeated atomics whose record is gone or different"),
	RC(drop_rnr_wait, "requests received while the peer should wait for the RNR timer"),
	RC(drop_no_mbuf, "packets not sent at once because the pool was empty"),
	{"refused_key", offsetof(struct rc_counters, refused[MEM_REFUSED_KEY]),
		"remote accesses refused: key not valid"},
	{"refused_owner", offsetof(struct rc_counters, refused[MEM_REFUSED_OWNER]),
		"remote accesses refused: window of another endpoint"},
	{"refused_range", offsetof(struct rc_counters, refused[MEM_REFUSED_RANGE]),
		"remote accesses refused: outside the window"},
	RC(refused_invalidate, "remote invalidates refused"),
	RC(reader_waits, "requests that waited for other engines to leave memory"),
	{"refused_rights", offsetof(struct rc_counters, refused[MEM_REFUSED_RIGHTS]),
		"remote accesses refused: the window does not grant them"},
};

static const struct place drop_places[] = {
	{"drop_truncated", offsetof(struct engine_counters, drops[WIRE_DROP_TRUNCATED]),
		"frames shorter than their headers say"},
	{"drop_ip_header", offsetof(struct engine_counters, drops[WIRE_DROP_IP_HEADER]),
		"packets with a wrong IP version, IPv4 options or header checksum"},
	{"drop_fragment", offsetof(struct engine_counters, drops[WIRE_DROP_FRAGMENT]),
		"IPv4 fragments"},
	{"drop_length", offsetof(struct engine_counters, drops[WIRE_DROP_LENGTH]),
		"packets whose IP and UDP lengths disagree or leave no room for RoCE"},
	{"drop_udp_checksum", offsetof(struct engine_counters, drops[WIRE_DROP_UDP_CHECKSUM]),
		"packets with a wrong UDP checksum"},
	{"drop_version", offsetof(struct engine_counters, drops[WIRE_DROP_VERSION]),
		"packets of another transport header version than 0"},
	{"drop_opcode", offsetof(struct engine_counters, drops[WIRE_DROP_OPCODE]),
		"packets with an opcode of another transport"},
	{"drop_header_length", offsetof(struct engine_counters, drops[WIRE_DROP_HEADER_LENGTH]),
		"packets too short for the headers of their opcode"},
	{"drop_payload", offsetof(struct engine_counters, drops[WIRE_DROP_PAYLOAD]),
		"packets with a payload that their opcode cannot have"},
	{"drop_pkey", offsetof(struct engine_counters, drops[WIRE_DROP_PKEY]),
		"packets of another partition"},
	{"drop_ip_address", offsetof(struct engine_counters, drops[WIRE_DROP_ADDRESS]),
		"packets from or to an address that is not unicast"},
	{"drop_icrc", offsetof(struct engine_counters, drops[WIRE_DROP_ICRC]),
		"packets with a wrong ICRC"},
	{"drop_mad_length", offsetof(struct engine_counters, drop_mad[WIRE_MAD_LENGTH]),
		"MADs of a wrong length"},
	{"drop_mad_version", offsetof(struct engine_counters, drop_mad[WIRE_MAD_VERSION]),
		"MADs of a wrong version"},
	{"drop_mad_class", offsetof(struct engine_counters, drop_mad[WIRE_MAD_CLASS]),
		"MADs of another class than communication management"},
	{"drop_mad_attribute", offsetof(struct engine_counters, drop_mad[WIRE_MAD_ATTRIBUTE]),
		"MADs with an unknown attribute"},
};

static_assert(
	WIRE_DROP_COUNT == WIRE_DROP_ICRC + 1, "every reason to reject has its counter above");
static_assert(
	WIRE_MAD_COUNT == WIRE_MAD_ATTRIBUTE + 1, "every reason to reject has its counter above");
/*
 * Subtract 5, because these values of the enumerations are not counters: WIRE_OK, WIRE_NOT_IP,
 * WIRE_NOT_ROCE, WIRE_MAD_OK and MEM_ALLOWED.
 */
static_assert(sizeof(struct engine_counters) + sizeof(struct rc_counters) ==
		(RTE_DIM(engine_places) + RTE_DIM(rc_places) + RTE_DIM(drop_places) + 5) *
			sizeof(uint64_t),
	"every counter of engine and transport is above");
static_assert(MEM_REFUSED_COUNT == MEM_REFUSED_RIGHTS + 1, "every refusal has its counter above");

#define CM(member, text)                                                                           \
	{                                                                                          \
		"cm_" #member, offsetof(struct cm_counters, member), text                          \
	}
/* NOLINTBEGIN(bugprone-macro-parentheses): a member's name cannot be in parentheses. */
#define CM_MESSAGE(direction, name, attribute, text)                                               \
	{                                                                                          \
		"cm_" #direction "_" #name,                                                        \
			offsetof(struct cm_counters, direction[(attribute)-WIRE_CM_REQ]), text     \
	}
/* NOLINTEND(bugprone-macro-parentheses) */

static const struct place cm_places[] = {
	CM_MESSAGE(rx, req, WIRE_CM_REQ, "REQs received: a peer wants to connect"),
	CM_MESSAGE(rx, mra, WIRE_CM_MRA, "MRAs received: a peer asks to wait"),
	CM_MESSAGE(rx, rej, WIRE_CM_REJ, "REJs received: a peer rejects"),
	CM_MESSAGE(rx, rep, WIRE_CM_REP, "REPs received: a peer accepts"),
	CM_MESSAGE(rx, rtu, WIRE_CM_RTU, "RTUs received: a peer is ready"),
	CM_MESSAGE(rx, dreq, WIRE_CM_DREQ, "DREQs received: a peer disconnects"),
	CM_MESSAGE(rx, drep, WIRE_CM_DREP, "DREPs received: a peer has disconnected"),
	CM_MESSAGE(rx, sidr_req, WIRE_CM_SIDR_REQ, "SIDR_REQs received"),
	CM_MESSAGE(tx, req, WIRE_CM_REQ, "REQs sent"),
	CM_MESSAGE(tx, mra, WIRE_CM_MRA, "MRAs sent"),
	CM_MESSAGE(tx, rej, WIRE_CM_REJ, "REJs sent"),
	CM_MESSAGE(tx, rep, WIRE_CM_REP, "REPs sent"),
	CM_MESSAGE(tx, rtu, WIRE_CM_RTU, "RTUs sent"),
	CM_MESSAGE(tx, dreq, WIRE_CM_DREQ, "DREQs sent"),
	CM_MESSAGE(tx, drep, WIRE_CM_DREP, "DREPs sent"),
	CM_MESSAGE(tx, sidr_rep, WIRE_CM_SIDR_REP, "SIDR_REPs sent"),
	CM(retransmissions, "connection messages sent again"),
	CM(drop_duplicate, "connection messages received again"),
	CM(drop_unknown_id, "connection messages for no connection of this side"),
	CM(drop_rate, "REQs above connections_per_second"),
	CM(drop_unanswered, "connection messages not answered: above answers_per_second"),
	CM(drop_half_open, "REQs beyond the half-open connections allowed"),
	CM(held, "REQs that waited for an open place"),
	CM(evictions, "half-open connections ended for a REQ that waited"),
	CM(withheld, "repeated REPs not sent to an unproven source"),
	CM(proofs, "times that a source proved its address"),
	CM(drop_barred, "REQs of sources that are barred for guessing keys"),
	CM(guesses, "refused accesses that count as guesses of keys"),
	CM(bars, "times that a source was barred for guessing keys"),
	CM(drop_no_id, "connection messages dropped because the table of connections was full"),
	CM(drop_state, "connection messages that make no sense in the state of their connection"),
	CM(drop_backlog, "REQs beyond the backlog of their listener"),
	CM(drop_invalid, "REQs that contradict their packet, or without a usable QPN or P_Key"),
};

/* Add 2, because rx and tx each have one unused entry for an attribute. */
static_assert(sizeof(struct cm_counters) == (RTE_DIM(cm_places) + 2) * sizeof(uint64_t),
	"every counter of the connection manager is above");

#define NEIGH(member, text)                                                                        \
	{                                                                                          \
		"neigh_" #member, offsetof(struct neigh_counters, member), text                    \
	}

static const struct place neigh_places[] = {
	NEIGH(rx_requests, "ARP requests and neighbour solicitations received"),
	NEIGH(rx_replies, "ARP replies and neighbour advertisements received"),
	NEIGH(tx_requests, "ARP requests and neighbour solicitations sent"),
	NEIGH(tx_replies, "ARP replies and neighbour advertisements sent"),
	NEIGH(rx_echo, "echo requests received and answered"),
	NEIGH(drop_malformed, "ARP, neighbour discovery and echo packets with errors"),
	NEIGH(drop_unasked, "answers to questions that were not asked"),
	NEIGH(drop_full, "neighbours not learned because the table was full"),
	NEIGH(changed, "neighbours in use whose MAC address changed"),
	NEIGH(conflicts, "claims of other hosts to the adapter's address"),
	NEIGH(rx_queries, "multicast listener queries received"),
	NEIGH(tx_reports, "multicast listener reports sent"),
	NEIGH(drop_echo, "echo requests above the rate, or too long"),
};

static_assert(sizeof(struct neigh_counters) == RTE_DIM(neigh_places) * sizeof(uint64_t),
	"every counter of the neighbours is above");

/**
 * Array of the application, to be filled with counters. Each element has `size` bytes, which may
 * differ from the size of the library's structure.
 */
struct list {
	uint8_t *entries;
	size_t size;
	size_t count;
	size_t total; /**< number of counters so far, which may exceed count */
};

static void
put(struct list *list, const struct nd_counter *counter)
{
	if (list->total < list->count)
		base_sized_write(&list->entries[list->total * list->size], list->size, counter,
			sizeof(*counter));
	list->total++;
}

/** A table of counters, and the structure that contains the counters. */
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
value_of(const struct nd_engine *home, const struct group *group, const struct place *place)
{
	const struct engine_counter_sets sets = engine_counter_sets(home->engine);
	const void *base;

	memcpy(&base, (const char *)&sets + group->set, sizeof(base));
	if (base == NULL)
		return 0;
	return __atomic_load_n(
		(const uint64_t *)((const char *)base + place->offset), __ATOMIC_RELAXED);
}

/**
 * Add the adapter's own counters. Their values are reported for the first engine and are 0 for the
 * others.
 */
static void
own_counters(const struct nd_adapter *adapter, bool first, struct list *list)
{
	const struct nd_counter now[] = {
		{"cm_half_open_now", engine_half_open_count(adapter->engine),
			"half-open connections now", true},
		{"cm_held_now", engine_held_count(adapter->engine),
			"REQs that wait for an open place now", true},
		{"cm_barred", engine_barred_count(adapter->engine),
			"sources that are barred for guessing keys now", true},
	};

	for (unsigned int i = ND_END_NONE + 1; i < ND_END_REASONS; i++) {
		const uint64_t ends = __atomic_load_n(&adapter->ends[i], __ATOMIC_RELAXED);

		put(list,
			&(struct nd_counter){
				end_counter_name(i), first ? ends : 0, end_counter_text(i), false});
	}
	for (size_t i = 0; i < RTE_DIM(now); i++) {
		struct nd_counter counter = now[i];

		if (!first)
			counter.value = 0;
		put(list, &counter);
	}
}

/** Read all counters. @param only the engine to read; NULL: return sums over all engines */
static size_t
counters_read(const struct nd_adapter *adapter, const struct nd_engine *only,
	struct nd_counter *counters, size_t size, size_t count)
{
	struct list list = {(uint8_t *)counters, size, count, 0};
	const struct nd_engine *home;

	for (size_t g = 0; g < RTE_DIM(groups); g++) {
		for (size_t i = 0; i < groups[g].count; i++) {
			const struct place *place = &groups[g].places[i];
			struct nd_counter counter = {place->name, 0, place->text, false};

			ADAPTER_FOREACH_ENGINE (home, adapter)
				if (only == NULL || home == only)
					counter.value += value_of(home, &groups[g], place);
			put(&list, &counter);
		}
	}
	own_counters(adapter, only == NULL || only == adapter->engines, &list);
	return list.total;
}

size_t
nd_adapter_counters_sized(
	const struct nd_adapter *adapter, struct nd_counter *counters, size_t size, size_t count)
{
	return counters_read(adapter, NULL, counters, size, count);
}

size_t
nd_engine_counters_sized(
	const struct nd_engine *engine, struct nd_counter *counters, size_t size, size_t count)
{
	return counters_read(engine->adapter, engine, counters, size, count);
}
