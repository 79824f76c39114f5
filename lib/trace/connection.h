/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_CONNECTION_H
#define NDPDK_TRACE_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_trace.h>

#include "trace/answer.h"
#include "trace/sender.h"
#include "trace/way.h"

/*
 * Connections and flows. A flow consists of the packets that one side sends to one queue pair of
 * the other side. An RC packet contains only its destination queue pair, so a flow is identified by
 * source, destination and destination QPN. A connection is a pair of flows in opposite directions.
 *
 * The CM messages show which flows belong together. Without CM messages, the flows are paired when
 * an answer arrives on a flow without partner. The partner is a flow in the opposite direction,
 * also without partner, with a request that has the PSN of the answer. If several flows fit, the
 * flow with the same UDP source port is used, because known stacks use one port for both
 * directions. If none or several have this port, the next answer is tried. A flow without answers
 * is a connection with one unknown side.
 */

/** Maximum number of flows. Packets of further flows are only counted. */
#define TRACE_FLOWS_MAX       65536
/**
 * Maximum number of reported connections. The factor is 2, because a connection of which only a REQ
 * was captured has no flow.
 */
#define TRACE_CONNECTIONS_MAX (2 * TRACE_FLOWS_MAX)
/** Number of answers for which the partner of a flow is searched. Then the search ends. */
#define TRACE_PARTNER_TRIES   64
/**
 * Maximum number of flows of one way (way.h) that are searched for a partner. If a way has more
 * flows, no flow of the way is searched.
 */
#define TRACE_WAY_SEARCH      1024

struct trace_flow_key {
	struct wire_gid src;
	struct wire_gid dst;
	uint32_t dest_qpn;
};

struct trace_flow;

struct trace_connection {
	struct nd_trace_connection report;
	struct trace_mtu mtu;
	struct trace_line_stats stats;
	struct wire_gid address[2];
	/** flow of the packets that side i sends; NULL: no packet seen yet */
	struct trace_flow *flow[2];
	uint64_t closed_ns;  /**< time of the first DREP; 0 = none seen */
	uint64_t left_ns[2]; /**< time of the first DREQ of side i; 0 = none seen */
	bool closed_told;    /**< true: a packet after the DREP or DREQ was reported */
	/**
	 * Transport type in the REQ. 0: RC, no REQ was seen, or a wrong transport type was already
	 * reported.
	 */
	uint8_t transport;
	/** index of the connection in the report; valid after trace_table_finish() */
	size_t index;
	uint64_t serial; /**< serial number in the order of opening, from 1 */
	bool absorbed;   /**< merged into an older connection, or dropped as useless */
	struct trace_connection *whole; /**< valid if absorbed: the older connection; NULL: none */
	/** side of whole that corresponds to side 0 of this connection */
	unsigned whole_side;
	struct trace_connection *older; /**< next connection in trace_table.absorbed */
};

/** The packets that one side sends to one queue pair. */
struct trace_flow {
	struct trace_flow *next;   /**< next flow in its hash bucket */
	struct trace_flow *opened; /**< previous flow in the list of all flows */
	struct trace_flow_key key;
	struct trace_flow *peer; /**< flow in the opposite direction; NULL: not known */
	/** ways (way.h): [0] of the UDP source port, [1] of all ports; NULL: partner is known */
	struct trace_way *way[2];
	struct base_list loose[2]; /**< links in the lists of way[0] and way[1] */
	struct base_list told;     /**< link in the list way[1]->told */
	struct trace_connection *connection;
	unsigned side; /**< side of the connection that sends this flow */
	bool current;  /**< false: a newer flow uses the same queue pair */
	uint16_t udp_src_port;
	uint16_t partner_tries; /**< number of answers for which no partner was found */
	uint64_t first_frame;
	struct trace_sender sender;   /**< requests in this flow */
	struct trace_answers answers; /**< answers that the peer sent to requests of this flow */
	struct trace_side_stats stats;
};

#define TRACE_FLOW_BUCKETS 65536

struct trace_table {
	struct trace_flow *buckets[TRACE_FLOW_BUCKETS];
	struct trace_ways ways;
	struct trace_flow *newest; /**< newest flow, head of the list of all flows */
	size_t flow_count;
	/**
	 * Connections in the order of their first frame, including absorbed ones until they are
	 * removed.
	 */
	struct trace_connection **connections;
	size_t connection_count; /**< number of connections, including absorbed ones */
	size_t absorbed_count;   /**< number of absorbed connections in the array connections */
	size_t capacity;
	uint64_t opened_count; /**< number of connections that were ever opened */
	/**
	 * Absorbed connections that were removed from the array connections, linked by older.
	 * Violations still refer to absorbed connections.
	 */
	struct trace_connection *absorbed;
	size_t packed_count; /**< number of connections in the list absorbed */
	/**
	 * Entry i is the connection with serial number i + 1. Set by trace_table_finish(). NULL:
	 * not set yet, or memory was exhausted.
	 */
	struct trace_connection **by_serial;
	uint64_t by_serial_count;
	/** longest silence in ns that does not count as a stall */
	uint64_t stall_ns;
	struct nd_trace_coverage coverage; /**< counts of packets only */
};

void trace_table_free(struct trace_table *table);

/** @return the flow in use with this key, or NULL. */
struct trace_flow *
trace_flow_find(const struct trace_table *table, const struct trace_flow_key *key);

/** Open a connection between the active and the passive side's address. @return NULL: no memory */
struct trace_connection *trace_connection_open(struct trace_table *table,
	const struct wire_gid *active, const struct wire_gid *passive, uint64_t frame);

/**
 * Called when CM messages show both queue pairs. Creates both flows and pairs them.
 *
 * @param qpn queue pair number of side i
 * @return false: no memory
 */
bool trace_connection_pair(
	struct trace_table *table, struct trace_connection *connection, const uint32_t qpn[2]);

size_t trace_connection_count(const struct trace_table *table);

/** @return the reported connection with this index, which must be less than the count */
struct trace_connection *trace_connection_at(const struct trace_table *table, size_t index);

/**
 * @return the connection of the flow that has the addresses and destination queue pair of this
 *         packet, or NULL.
 */
struct trace_connection *
trace_connection_of(const struct trace_table *table, const struct wire_view *view, unsigned *side);

/**
 * Store the PSN of a packet with a wrong ICRC, so that the text of a later doubt can contain its
 * frame number.
 */
void trace_connection_damage(
	const struct trace_table *table, const struct wire_view *view, uint64_t frame);

/** Called after the last packet: decide open suspicions, and number the connections. */
void trace_table_finish(struct trace_table *table, struct trace_violations *violations);

/** @return the connection with this serial number, even if it was merged; NULL: none */
const struct trace_connection *
trace_connection_serial(const struct trace_table *table, uint64_t serial);

/** Fill the members of coverage that count connections. */
void trace_table_coverage(const struct trace_table *table, struct nd_trace_coverage *coverage);

/** @return statistics of the packets that a side sent; NULL: the side sent no packets */
const struct trace_side_stats *
trace_connection_side(const struct trace_connection *connection, unsigned side);

void
trace_connection_stats(const struct trace_connection *connection, struct nd_trace_stats *stats);

/** Process an RC packet or a CNP. */
void trace_table_packet(struct trace_table *table, const struct trace_packet *packet);

#endif
