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
 * Connections and the flows they consist of. A flow is what one end sends to one queue pair of the
 * other: an RC packet names its destination queue pair and nothing else, so (source, destination,
 * destination QPN) is all that a packet tells. A connection is a pair of flows in opposite
 * directions.
 *
 * The CM tells which flows belong together. Without it a pair is made when an answer arrives on a
 * flow that has no partner: partner is the flow in the opposite direction, without partner as well,
 * that holds a request with the answer's PSN. If there are several, one with the same UDP source
 * port wins, because known stacks use one port for both directions; if there is no such one either,
 * the answer stays alone and the next one is tried. A flow that is never answered is a connection
 * of its own, half of which is unknown.
 */

/** Flows followed, at most; packets of further ones are only counted. */
#define TRACE_FLOWS_MAX       65536
/** Connections reported, at most: as many again may be REQs without data. */
#define TRACE_CONNECTIONS_MAX (2 * TRACE_FLOWS_MAX)
/** Answers of a flow for which a partner is looked for. */
#define TRACE_PARTNER_TRIES   64
/** Flows of one way that a search visits, at most. With more, no partner is looked for. */
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
	struct trace_flow *flow[2]; /**< what side i sends; NULL when not seen yet */
	uint64_t closed_ns;         /**< time of the first DREP; 0 = none seen */
	uint64_t left_ns[2];        /**< time of the first DREQ of side i; 0 = none seen */
	bool closed_told;           /**< a packet after the DREP or DREQ was reported */
	/** Transport type of the REQ. 0: RC, no REQ was seen, or the mismatch was reported. */
	uint8_t transport;
	size_t index;                   /**< in the report; valid from its end on */
	uint64_t serial;                /**< in the order of opening, from 1 */
	bool absorbed;                  /**< it is the other half of an older one, or of no use */
	struct trace_connection *whole; /**< valid when absorbed: the older one, or NULL */
	unsigned whole_side;            /**< side of that one that is side 0 of this one */
	struct trace_connection *older; /**< in the list of those that left the report */
};

/** What one end sends to one queue pair. */
struct trace_flow {
	struct trace_flow *next;   /**< in its hash bucket */
	struct trace_flow *opened; /**< before this one; all flows are in this list */
	struct trace_flow_key key;
	struct trace_flow *peer;   /**< NULL while not known */
	struct trace_way *way[2];  /**< of its port, and of all ports; NULL = not loose */
	struct base_list loose[2]; /**< its links in these */
	struct base_list told;     /**< its link in the way of all ports */
	struct trace_connection *connection;
	unsigned side; /**< of the sender in the connection */
	bool current;  /**< found by its key; not when a new connection uses the queue pair */
	uint16_t udp_src_port;
	uint16_t partner_tries; /**< answers for which a partner was looked for in vain */
	uint64_t first_frame;
	struct trace_sender sender;   /**< its requests */
	struct trace_answers answers; /**< the peer's answers to them */
	struct trace_side_stats stats;
};

#define TRACE_FLOW_BUCKETS 65536

struct trace_table {
	struct trace_flow *buckets[TRACE_FLOW_BUCKETS];
	struct trace_ways ways;
	struct trace_flow *newest; /**< of all flows */
	size_t flow_count;
	/** In order of their first frame; those absorbed meanwhile are in it until it is packed. */
	struct trace_connection **connections;
	size_t connection_count; /**< absorbed ones among them */
	size_t absorbed_count;   /**< of these */
	size_t capacity;
	uint64_t opened_count; /**< connections that were ever opened */
	/** Absorbed ones that left the report, linked by .older; violations point to them. */
	struct trace_connection *absorbed;
	size_t packed_count; /**< number of connections in the list absorbed */
	/**
	 * Entry i is the connection with serial number i + 1. Set by trace_table_finish(). NULL:
	 * not set yet, or memory was exhausted.
	 */
	struct trace_connection **by_serial;
	uint64_t by_serial_count;
	uint64_t stall_ns;                 /**< longest silence that is not counted */
	struct nd_trace_coverage coverage; /**< counts of packets only */
};

void trace_table_free(struct trace_table *table);

/** @return the flow in use with a key, or NULL. */
struct trace_flow *
trace_flow_find(const struct trace_table *table, const struct trace_flow_key *key);

/** A connection between two addresses, [0] being the active side. @return NULL without memory. */
struct trace_connection *trace_connection_open(struct trace_table *table,
	const struct wire_gid *active, const struct wire_gid *passive, uint64_t frame);

/**
 * The CM told both queue pairs: make both flows anew, and partners.
 *
 * @param qpn of side i
 * @return false without memory
 */
bool trace_connection_pair(
	struct trace_table *table, struct trace_connection *connection, const uint32_t qpn[2]);

/** @return connections to report. */
size_t trace_connection_count(const struct trace_table *table);

/** @return one of them, index < count. */
struct trace_connection *trace_connection_at(const struct trace_table *table, size_t index);

/** @return what a flow is part of, by the addresses and the queue pair of a packet, or NULL. */
struct trace_connection *
trace_connection_of(const struct trace_table *table, const struct wire_view *view, unsigned *side);

/** Remember the PSN of a packet with a wrong ICRC, so that doubts can name its frame. */
void trace_connection_damage(
	const struct trace_table *table, const struct wire_view *view, uint64_t frame);

/** The last packet was taken: settle what was left open, give connections their index. */
void trace_table_finish(struct trace_table *table, struct trace_violations *violations);

/** Find a connection by serial number, also an absorbed connection. @return NULL: there is none */
const struct trace_connection *
trace_connection_serial(const struct trace_table *table, uint64_t serial);

/** Fill the counts of connections. */
void trace_table_coverage(const struct trace_table *table, struct nd_trace_coverage *coverage);

/** @return statistics of what a side of a connection sent, or NULL when nothing was seen of it. */
const struct trace_side_stats *
trace_connection_side(const struct trace_connection *connection, unsigned side);

/** Fill the statistics of a connection. */
void
trace_connection_stats(const struct trace_connection *connection, struct nd_trace_stats *stats);

/** Take an RC packet or a CNP. */
void trace_table_packet(struct trace_table *table, const struct trace_packet *packet);

#endif
