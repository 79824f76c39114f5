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
	ENGINE(rx_frames, "frames received from the port"),
	ENGINE(tx_frames, "frames that the port accepted for transmission"),
	ENGINE(drop_unknown_qp, "packets for a queue pair that does not exist"),
	ENGINE(drop_datagram,
		"datagrams for a queue pair other than 1, or with a wrong Q_Key or source"),
	ENGINE(drop_vlan, "RoCE packets of a VLAN other than the adapter's"),
	ENGINE(drop_foreign,
		"frames that are neither RoCE nor of a protocol that the adapter answers"),
	ENGINE(rx_others,
		"frames passed to the application, because they are not only for the adapter"),
	ENGINE(handed_over,
		"frames that arrived for another engine and were handed over to that engine"),
	ENGINE(drop_hand_over, "frames dropped because the ring to the other engine was full"),
	ENGINE(link_up, "times that the port's link came up"),
	ENGINE(link_down, "times that the port's link went down"),
	ENGINE(clock_backward, "times that the clock went back"),
	ENGINE(tx_full, "own datagrams not sent: output queue full, or no free packet buffer"),
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
	RC(rx_duplicates, "duplicate requests received"),
	RC(rx_duplicate_responses, "duplicate responses received"),
	RC(rx_ahead, "request packets received after a gap, out of order"),
	RC(rx_kept, "out-of-order request packets that were kept"),
	RC(rx_kept_executed, "kept request packets executed after the missing packet arrived"),
	RC(rx_kept_dropped, "kept request packets discarded, so that the peer retransmits them"),
	RC(rx_kept_duplicates, "duplicates of kept request packets"),
	RC(rx_keep_full,
		"out-of-order request packets not kept: too far ahead, or too few free packet "
		"buffers"),
	RC(rx_cnps, "congestion notification packets received"),
	RC(rx_ce, "packets received that a switch has marked CE"),
	RC(tx_cnps, "congestion notification packets sent"),
	RC(rate_cuts, "CNPs received that reduced the rate of a queue pair"),
	RC(tx_paced, "times that a queue pair waited for congestion control"),
	RC(retransmitted_packets, "packets retransmitted, not counting probes"),
	RC(tx_keepalives, "keepalives sent"),
	RC(retries_timeout, "retries because the ACK timer expired"),
	RC(retries_sequence, "retries because the peer reported a missing packet"),
	RC(retries_implied, "retries because a READ response was missing"),
	RC(retries_selective, "gaps for which only the missing packets were retransmitted"),
	RC(probes, "packets retransmitted early as probes, without a retry"),
	RC(probes_spurious, "probes for packets that the peer had already received"),
	RC(learned_keeps, "peers that were found to keep packets after a gap"),
	RC(learned_goes_back, "peers that were found to drop packets after a gap"),
	RC(holes_asked, "parts of READs that were requested again"),
	RC(drop_state, "packets for a queue pair that is not connected, or has failed"),
	RC(drop_address, "packets for a queue pair from an address other than its peer's"),
	RC(drop_transport, "packets for a queue pair of a transport other than RC"),
	RC(drop_cnp, "CNPs without BECN"),
	RC(drop_ghost, "responses that no outstanding request expects"),
	RC(drop_aeth, "responses with a reserved syndrome"),
	RC(drop_forged_nak, "NAKs that no outstanding request can cause"),
	RC(drop_duplicate_read, "duplicate READs without a matching record"),
	RC(drop_duplicate_atomic, "duplicate atomics without a matching record"),
	RC(drop_rnr_wait,
		"requests received after an RNR NAK, before the refused request arrived again"),
	RC(drop_no_mbuf, "packets not sent at once because the pool was empty"),
	{"refused_key", offsetof(struct rc_counters, refused[MEM_REFUSED_KEY]),
		"remote accesses refused: key not valid"},
	{"refused_owner", offsetof(struct rc_counters, refused[MEM_REFUSED_OWNER]),
		"remote accesses refused: window of another endpoint"},
	{"refused_range", offsetof(struct rc_counters, refused[MEM_REFUSED_RANGE]),
		"remote accesses refused: outside the window"},
	RC(refused_invalidate, "remote invalidates refused"),
	RC(reader_waits, "requests that waited until other engines stopped using the memory"),
	{"refused_rights", offsetof(struct rc_counters, refused[MEM_REFUSED_RIGHTS]),
		"remote accesses refused: the window does not grant them"},
};

static const struct place drop_places[] = {
	{"drop_truncated", offsetof(struct engine_counters, drops[WIRE_DROP_TRUNCATED]),
		"frames shorter than the lengths in their headers"},
	{"drop_ip_header", offsetof(struct engine_counters, drops[WIRE_DROP_IP_HEADER]),
		"packets with a wrong IP version or header checksum, or with IPv4 options"},
	{"drop_fragment", offsetof(struct engine_counters, drops[WIRE_DROP_FRAGMENT]),
		"IPv4 fragments"},
	{"drop_length", offsetof(struct engine_counters, drops[WIRE_DROP_LENGTH]),
		"packets with IP and UDP lengths that do not match or are too short for RoCE"},
	{"drop_udp_checksum", offsetof(struct engine_counters, drops[WIRE_DROP_UDP_CHECKSUM]),
		"packets with a wrong UDP checksum"},
	{"drop_version", offsetof(struct engine_counters, drops[WIRE_DROP_VERSION]),
		"packets with a transport header version other than 0"},
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
		"MADs of a class other than communication management"},
	{"drop_mad_attribute", offsetof(struct engine_counters, drop_mad[WIRE_MAD_ATTRIBUTE]),
		"MADs with an unknown attribute"},
};

static_assert(WIRE_DROP_COUNT == WIRE_DROP_ICRC + 1, "drop_places lists every reason to drop");
static_assert(WIRE_MAD_COUNT == WIRE_MAD_ATTRIBUTE + 1, "drop_places lists every reason to drop");
/*
 * Subtract 5, because these values of the enumerations are not counters: WIRE_OK, WIRE_NOT_IP,
 * WIRE_NOT_ROCE, WIRE_MAD_OK and MEM_ALLOWED.
 */
static_assert(sizeof(struct engine_counters) + sizeof(struct rc_counters) ==
		(RTE_DIM(engine_places) + RTE_DIM(rc_places) + RTE_DIM(drop_places) + 5) *
			sizeof(uint64_t),
	"the tables list every counter of engine and transport");
static_assert(MEM_REFUSED_COUNT == MEM_REFUSED_RIGHTS + 1, "rc_places lists every kind of refusal");

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
	CM_MESSAGE(rx, req, WIRE_CM_REQ, "REQs received: a peer requests a connection"),
	CM_MESSAGE(rx, mra, WIRE_CM_MRA, "MRAs received: a peer requests more time"),
	CM_MESSAGE(rx, rej, WIRE_CM_REJ, "REJs received: a peer rejects"),
	CM_MESSAGE(rx, rep, WIRE_CM_REP, "REPs received: a peer accepts"),
	CM_MESSAGE(rx, rtu, WIRE_CM_RTU, "RTUs received: a peer is ready"),
	CM_MESSAGE(rx, dreq, WIRE_CM_DREQ, "DREQs received: a peer disconnects"),
	CM_MESSAGE(rx, drep, WIRE_CM_DREP, "DREPs received: a peer confirms a disconnect"),
	CM_MESSAGE(rx, sidr_req, WIRE_CM_SIDR_REQ, "SIDR_REQs received"),
	CM_MESSAGE(tx, req, WIRE_CM_REQ, "REQs sent"),
	CM_MESSAGE(tx, mra, WIRE_CM_MRA, "MRAs sent"),
	CM_MESSAGE(tx, rej, WIRE_CM_REJ, "REJs sent"),
	CM_MESSAGE(tx, rep, WIRE_CM_REP, "REPs sent"),
	CM_MESSAGE(tx, rtu, WIRE_CM_RTU, "RTUs sent"),
	CM_MESSAGE(tx, dreq, WIRE_CM_DREQ, "DREQs sent"),
	CM_MESSAGE(tx, drep, WIRE_CM_DREP, "DREPs sent"),
	CM_MESSAGE(tx, sidr_rep, WIRE_CM_SIDR_REP, "SIDR_REPs sent"),
	CM(retransmissions, "connection messages retransmitted"),
	CM(drop_duplicate, "duplicate connection messages received"),
	CM(drop_unknown_id, "connection messages for an unknown connection"),
	CM(drop_rate, "REQs above connections_per_second"),
	CM(drop_unanswered, "connection messages not answered: above answers_per_second"),
	CM(drop_half_open, "REQs above the limit of half-open connections"),
	CM(held, "REQs that waited for an open place"),
	CM(evictions, "half-open connections ended to free an open place for a waiting REQ"),
	CM(withheld, "REP retransmissions not sent to an unproven source"),
	CM(proofs, "times that a source proved its address"),
	CM(drop_barred, "REQs of sources that are barred for guessing keys"),
	CM(guesses, "refused accesses that count as guesses of keys"),
	CM(bars, "times that a source was barred for guessing keys"),
	CM(drop_no_id, "connection messages dropped because the table of connections was full"),
	CM(drop_state, "connection messages not valid in the state of their connection"),
	CM(drop_backlog, "REQs above the backlog of their listener"),
	CM(drop_invalid,
		"REQs that do not match their packet headers, or without a usable QPN or P_Key"),
};

/* Add 2, because rx and tx each have one unused entry for an attribute. */
static_assert(sizeof(struct cm_counters) == (RTE_DIM(cm_places) + 2) * sizeof(uint64_t),
	"cm_places lists every counter of the connection manager");

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
	NEIGH(drop_unasked, "replies without a request"),
	NEIGH(drop_full, "neighbours not learned because the table was full"),
	NEIGH(changed, "neighbours in use whose MAC address changed"),
	NEIGH(conflicts, "frames of other hosts that use the adapter's address"),
	NEIGH(rx_queries, "multicast listener queries received"),
	NEIGH(tx_reports, "multicast listener reports sent"),
	NEIGH(drop_echo, "echo requests above the rate limit, or too long"),
};

static_assert(sizeof(struct neigh_counters) == RTE_DIM(neigh_places) * sizeof(uint64_t),
	"neigh_places lists every counter of the neighbours");

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
