/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_CONFIG_H
#define NDPDK_ND_CONFIG_H

/**
 * @file
 * Configuration of an adapter: struct nd_adapter_config and its parts.
 */

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include <ndpdk/nd_congestion.h>
#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rte_mbuf;
struct rte_mempool;

/**
 * Receives frames that the adapter does not use, or shares: see nd_adapter_config.other_frames. The
 * function owns the mbufs and frees, keeps or forwards them. The function must not write to mbufs
 * with a rte_mbuf_refcnt_read() above 1.
 *
 * The function is called at the end of a turn in nd_engine_poll() or nd_engine_input(), on the
 * thread of the engine. The function may call all functions for the owner of an engine, except
 * nd_adapter_close() and those that poll or stop this engine.
 *
 * @param engine that received the frames
 * @param mbufs valid during the call only
 * @param count 1 or more
 */
typedef void (*nd_frames_fn)(
	struct nd_engine *engine, struct rte_mbuf **mbufs, uint16_t count, void *arg);

/**
 * Passes frames to the port instead of the adapter: see nd_adapter_config.transmit. The function is
 * called in the place of rte_eth_tx_burst(), on the thread of the queue's engine, and in
 * nd_adapter_open() and nd_adapter_close() on their thread; never twice at a time for one queue.
 * The function must not call functions of the adapter, and must not write to mbufs with a
 * rte_mbuf_refcnt_read() above 1, because the adapter keeps them.
 *
 * @param port_id, queue_id destination: as in nd_adapter_config
 * @param mbufs valid during the call only
 * @return number of mbufs taken, from the first one. The function frees or forwards these; the
 *         adapter passes the others again
 */
typedef uint16_t (*nd_transmit_fn)(
	uint16_t port_id, uint16_t queue_id, struct rte_mbuf **mbufs, uint16_t count, void *arg);

/** A peer with a known MAC address (static neighbour). */
struct nd_neighbour {
	struct sockaddr_storage address; /**< port ignored */
	uint8_t mac[6];                  /**< unicast */
};

/** For nd_adapter_config.reorder_window_us: report a missing packet at once. */
#define ND_REORDER_NONE UINT32_MAX

/**
 * Configuration of an adapter. Zero the structure, then set port_id and address. 0 selects the
 * default of a member, which is in brackets.
 */
struct nd_adapter_config {
	uint16_t port_id;     /**< ethdev port; not used with port_name */
	uint16_t queue_id;    /**< first RX and TX queue; must be 0 unless port_configured */
	bool port_configured; /**< the application has configured and started the port */
	/**
	 * Number of engines [1], at most 16. Each engine uses one queue of the port, starting with
	 * queue_id, and its own packet buffers; see nd_engine.h.
	 */
	uint32_t engines;
	struct sockaddr_storage address; /**< own IPv4 or IPv6 address; port ignored */
	uint8_t prefix_length;           /**< prefix length of the own network [24, IPv6 64] */
	struct sockaddr_storage gateway; /**< for peers in other networks; family 0 = none */
	const struct nd_neighbour *neighbours; /**< static neighbours, copied */
	size_t neighbour_count;                /**< number of neighbours */
	uint16_t vlan_id;                      /**< 1..4094; 0 = untagged */
	uint16_t path_mtu;   /**< 256, 512, 1024, 2048, 4096 [largest for the port's MTU] */
	uint32_t mbuf_count; /**< packet buffers of each engine [8192] */
	/**
	 * Maximum endpoints of each engine [1024], at most 1048576 / engines, with the number of
	 * engines rounded up to a power of two. For the memory see docs/performance.md.
	 */
	uint32_t endpoints_max;
	/**
	 * Maximum number of registrations [65536], at most 4194304. Memory is allocated on demand:
	 * the tables grow when a registration or a window is created, never in a bind. The calls
	 * that create them return ND_INSUFFICIENT_RESOURCES if there is no memory. A registration
	 * takes 128 bytes, a window 64. A key takes 36 bytes: 2^18 keys at the start, then 1.6 to
	 * 3.2 for each window and registration, 2^24 at most.
	 */
	uint32_t regions_max;
	uint32_t windows_max; /**< maximum number of windows [1048576], at most 16777215 */
	uint8_t dscp;         /**< DSCP of all packets, 0..63 */
	uint8_t ttl;          /**< TTL or hop limit [64] */
	/** UDP source port of all connections [one for each, from 49152]; docs/ports.md */
	uint16_t udp_source_port;
	/**
	 * Minimum time before an endpoint retransmits an unacknowledged request: 4.096 us * 2^n, n
	 * in 1..31 [14 = 67 ms]. When this side connects, the peer's target ACK delay is added.
	 * When it accepts, a longer timeout in the peer's request is used. See docs/timeouts.md.
	 */
	uint8_t ack_timeout;
	/**
	 * Transport retries, 1..7 [7]. Used by connections from this side, and requested from the
	 * peer. An accepted connection uses the retry count of the peer's request, which may be 0.
	 */
	uint8_t retry_count;
	uint8_t rnr_retry_count; /**< RNR retries requested from peers, 1..6, 7 = unlimited [6] */
	uint8_t rnr_timer;       /**< timer code in this side's RNR NAKs, 1..31 [12 = 0.64 ms] */
	/** Time before a CM message is retransmitted, 1..60000 [250]; doubles, up to 8 times. */
	uint32_t connect_retransmit_ms;
	/**
	 * Retransmissions of a CM message, 1..15 [7]. With the defaults, an unanswered connect or
	 * disconnect ends after 11.8 s, or after twice this time if the port accepts no packets,
	 * because only transmitted messages count. An accept waits for the time that the peer's
	 * request grants, at most 68.7 s.
	 */
	uint8_t connect_retries;
	/** ACK delay announced to peers: 4.096 us * 2^n, 1..31 [12: 16.8 ms]. */
	uint8_t ack_delay;
	/**
	 * Refused remote accesses and invalidates of one peer address before its connection
	 * requests are dropped, 1..1000000 [64]. Each refusal counts, because this side cannot
	 * distinguish a refused access from a guess of a key. One refusal is forgotten every
	 * guess_interval_ms. Requests are accepted again when fewer than guesses_max are
	 * remembered. Existing connections, and connections from this side, are not affected. More
	 * refusals are also remembered, but bar an address for at most guess_bar_max_ms, because an
	 * honest peer causes many at once if windows are invalidated while it uses them.
	 */
	uint32_t guesses_max;
	uint32_t guess_interval_ms; /**< 1..3600000 [1000 = one guess per second on average] */
	/**
	 * Limits of connection requests: see docs/security.md. A source address is proven while it
	 * has a connection, and for proof_lifetime_s afterwards. Requests forged with a proven
	 * source's address can exhaust only that source's share of half-open connections.
	 *
	 * half_open_max: maximum number of requests that listeners have handed out or queued, plus
	 * accepted connections that the peer has not confirmed, 1..1048576 [half of all endpoints,
	 * at least 32]. One proven source may use half of them, all unproven sources together the
	 * other half. Other requests wait and are counted as cm_held.
	 */
	uint32_t half_open_max;
	/**
	 * Connections that one source may establish per second, 1..1000000 [1000]; bursts: 4 times.
	 * All sources together: 16 times. Other requests are dropped (cm_drop_rate).
	 */
	uint32_t connections_per_second;
	/**
	 * Answers per second to CM messages that establish no connection, 1..1000000 [1000]: for
	 * each proven source, and for all unproven sources together. Other messages are not
	 * answered (cm_drop_unanswered).
	 */
	uint32_t answers_per_second;
	uint32_t proof_lifetime_s; /**< see half_open_max, 1..86400 [3600] */
	/** Longest time that a peer may ask to wait in a handshake, 1..86400000 [120000]. */
	uint32_t mra_max_ms;
	/**
	 * Longest time that refusals bar a peer address, 1..86400000 [3000, or guess_interval_ms if
	 * that is longer]; see guesses_max.
	 */
	uint32_t guess_bar_max_ms;
	/**
	 * The application polls the first engine continuously while it has connections [false].
	 * Then the acknowledgement of a message may be sent in the next turn, after the answer: see
	 * nd_engine_poll(). If false, a thread may stop polling without losing connections.
	 */
	bool busy_poll;
	/** For new endpoints [ND_RECOVERY_SELECTIVE]; nd_endpoint_set_recovery() changes it. */
	enum nd_recovery recovery;
	/**
	 * Packets after a gap that an endpoint keeps, 1..1024 [512]. A packet is kept only if its
	 * PSN is at most this distance from the gap. Each kept packet uses a packet buffer.
	 */
	uint32_t keep_packets;
	/**
	 * Packet buffers of an engine for the kept packets of all endpoints, 1 to a quarter of
	 * mbuf_count [an eighth]. If a quarter of the buffers or less is free, packets after a gap
	 * are dropped and counted (rx_keep_full).
	 */
	uint32_t keep_packets_total;
	/**
	 * Time before a missing packet is reported, because the packet may only be reordered,
	 * 1..100000 [10]; ND_REORDER_NONE: at once. The report is sent at once after three later
	 * packets. Timers have a resolution of 16.4 us.
	 */
	uint32_t reorder_window_us;
	/** Congestion control [ND_CONGESTION_LOSS_WINDOW]; docs/congestion.md. */
	enum nd_congestion congestion;
	/**
	 * Mark packets of connections ECT(0), so that congested switches mark them CE instead of
	 * dropping them [false]. Not with ND_CONGESTION_NONE, which does not react to marks.
	 */
	bool ecn;
	/** Send no congestion notification packets (CNPs) for packets marked CE [false: send]. */
	bool no_cnps;
	uint8_t dscp_ack; /**< DSCP of acknowledgements, 1..63 [dscp] */
	uint8_t dscp_cnp; /**< DSCP of CNPs, 1..63 [48] */
	/** Minimum time between two CNPs of a connection, 1..1000000 [50]. */
	uint32_t cnp_interval_us;
	/** Line rate for ND_CONGESTION_DCQCN, 1..4000000 [of the port; unknown: 10000] */
	uint32_t line_rate_mbps;
	const struct nd_dcqcn_parameters *dcqcn; /**< copied; NULL = all defaults */
	/**
	 * Time without a packet of the peer before a connection sends a keepalive, 1..86400000 ms
	 * [0 = never]. The keepalive is a WRITE of no bytes, which needs no key and no queue entry,
	 * and is not reported on either side. Without an answer the connection ends as if a request
	 * was not acknowledged (ND_END_KEEPALIVE): docs/timeouts.md. A peer that does not poll for
	 * that time loses the connection. Applies to new connectors: nd_connector_set_keepalive().
	 */
	uint32_t keepalive_ms;
	/**
	 * Time limit in ms for a connection, or a connection attempt, to a vanished peer,
	 * 20..3600000 [0 = off]. Sets the timers that are 0, including ack_delay. Longer retries
	 * are refused. The peer must not announce longer timeouts: docs/timeouts.md.
	 */
	uint32_t peer_timeout_ms;
	/**
	 * Packets that a new endpoint may have in flight before the first acknowledgement, 1..1024
	 * [64]. Set a lower value if many endpoints begin to send to one receiver at a time,
	 * because these packets must fit in the queue before it. ND_CONGESTION_NONE ignores the
	 * value.
	 */
	uint32_t initial_window;
	/**
	 * Base target delay of ND_CONGESTION_SWIFT, 1..1000000 [50]: round-trip time up to which a
	 * window of 100 packets grows. If the target exceeds the round-trip time of the empty path,
	 * the difference becomes a queue. A lower target makes connections slow until the path is
	 * measured: docs/congestion.md. Use the same value for all senders that share a queue.
	 */
	uint32_t swift_target_us;
	/**
	 * Receives the frames that are not for the adapter, for an application with its own
	 * protocol stack on the port [NULL: drop and count them as drop_foreign, drop_vlan or
	 * drop_fragment]. These are all frames except RoCEv2 packets of the adapter's VLAN. ARP,
	 * IPv6 neighbour discovery and listener queries are also passed on after the adapter has
	 * used them, because both stacks need them. Echo requests to the adapter's address are not
	 * passed on, because the adapter answers them. The first engine calls it. Counted as
	 * rx_others. docs/tenant.md
	 */
	nd_frames_fn other_frames;
	void *other_frames_arg; /**< passed to other_frames */
	/**
	 * The application receives: engines take frames only from nd_engine_input() and not from RX
	 * queues, so the port may have fewer of them [false]. Only with port_configured.
	 */
	bool input_only;
	/**
	 * Sends all frames of the adapter [NULL: rte_eth_tx_burst()], for an application that
	 * shapes, changes, drops or copies frames. docs/tenant.md
	 */
	nd_transmit_fn transmit;
	void *transmit_arg; /**< passed to transmit */
	/**
	 * Packet buffers of all engines [NULL: each engine has its own pool of mbuf_count buffers]:
	 * a pool of rte_pktmbuf_pool_create() for several threads. Its buffers hold a frame of
	 * path_mtu + 118 bytes, without headroom. The adapter sends from the pool, and receives
	 * into it if it configures the port. The pool must outlive the adapter and the port's use
	 * of it. mbuf_count is then the share of an engine for other limits [size of the pool /
	 * engines].
	 */
	struct rte_mempool *mbuf_pool;
	/**
	 * Own the ethdev port while the adapter is open, if the adapter configures it [false]. Then
	 * other parts of the process do not use the port as a free port, and dpdk-dumpcap and
	 * dpdk-proc-info, which show only ports without an owner, do not show it. A port with
	 * another owner is always refused. Not with port_configured.
	 */
	bool own_port;
	/**
	 * Name of the port in EAL, such as "0000:01:00.0" or "net_memif0" [NULL: port_id]. Port
	 * numbers depend on the order in which EAL finds ports. For nd_adapter_open() only.
	 */
	const char *port_name;
	/**
	 * Name of the adapter for nd_adapter_name() and telemetry, copied: 1 to 63 letters, digits
	 * and _-.:/, starting with a letter, not used by another open adapter [NULL: the port's
	 * name; if queue_id is not 0, followed by a point and queue_id].
	 */
	const char *name;
	bool rx_interrupts; /**< enable RX interrupts for nd_engine_wait() [false] */
};

#ifdef __cplusplus
}
#endif

#endif
