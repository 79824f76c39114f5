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

/**
 * @addtogroup nd_config
 * @{
 */

struct rte_mbuf;
struct rte_mempool;

/**
 * Receives frames that the adapter does not use, or that it shares with the application: see
 * nd_adapter_config.other_frames. The function owns the mbufs and frees, keeps or forwards them.
 * The function must not write to mbufs with a rte_mbuf_refcnt_read() above 1.
 *
 * The function is called at the end of a turn in nd_engine_poll() or nd_engine_input(), on the
 * thread of the engine. The function may call all functions for the owner of an engine, except
 * nd_adapter_close() and those that poll or stop this engine.
 *
 * @param engine the engine that received the frames
 * @param mbufs valid during the call only
 * @param count 1 or more
 */
typedef void (*nd_frames_fn)(
	struct nd_engine *engine, struct rte_mbuf **mbufs, uint16_t count, void *arg);

/**
 * Passes frames to the port instead of the adapter: see nd_adapter_config.transmit. The function
 * is called instead of rte_eth_tx_burst(): on the thread of the queue's engine, or on the caller's
 * thread in nd_adapter_open() and nd_adapter_close(); never twice at a time for one queue. The
 * function must not call functions of the adapter, and must not write to mbufs with a
 * rte_mbuf_refcnt_read() above 1, because the adapter keeps them.
 *
 * @param port_id, queue_id destination: as in nd_adapter_config
 * @param mbufs valid during the call only
 * @return number of mbufs taken, from the first one. The function frees or forwards these mbufs;
 *         the adapter passes the others again later
 */
typedef uint16_t (*nd_transmit_fn)(
	uint16_t port_id, uint16_t queue_id, struct rte_mbuf **mbufs, uint16_t count, void *arg);

/** A peer with a known MAC address (static neighbour). */
struct nd_neighbour {
	struct sockaddr_storage address; /**< port ignored */
	uint8_t mac[6];                  /**< unicast */
};

/** For nd_adapter_config.reorder_window_us: report a missing packet without waiting. */
#define ND_REORDER_NONE UINT32_MAX

/**
 * Configuration of an adapter. Zero the structure, then set port_id and address. A member that is 0
 * or NULL gets its default. Later versions add members at the end. docs/api.md has a table of the
 * groups and of the documents about them.
 */
struct nd_adapter_config {
	/** @name Identity and network */
	/** @{ */
	struct sockaddr_storage address; /**< IPv4 or IPv6 address of the adapter; port ignored */
	uint8_t prefix_length; /**< bits: IPv4 1..32 (default 24), IPv6 1..128 (default 64) */
	uint8_t ttl;           /**< TTL or hop limit, 1..255 (default 64) */
	uint8_t dscp;          /**< DSCP of all packets, 0..63 (default 0) */
	uint8_t dscp_ack;      /**< DSCP of acknowledgements, 1..63 (default: value of dscp) */
	uint8_t dscp_cnp;      /**< DSCP of CNPs, 1..63 (default 48) */
	uint16_t vlan_id;      /**< VLAN, 1..4094 (0: untagged) */
	/**
	 * UDP source port of all connections (default: each connection has its own, from 49152 on);
	 * see docs/ports.md.
	 */
	uint16_t udp_source_port;
	/** bytes: 256, 512 .. 4096 (default: largest for the port's MTU and for mbuf_pool) */
	uint16_t path_mtu;
	struct sockaddr_storage gateway; /**< router to other networks (family 0: no router) */
	const struct nd_neighbour *neighbours; /**< static neighbours, copied (NULL: none) */
	size_t neighbour_count;                /**< number of neighbours, 0..65536 */
	/**
	 * Name of the adapter for nd_adapter_name() and telemetry, copied: 1 to 63 letters, digits
	 * and _-.:/, starting with a letter, not used by another open adapter (NULL: the port's
	 * name; if queue_id is not 0, followed by a point and queue_id).
	 */
	const char *name;
	/** @} */

	/** @name Port, queues and engines */
	/** @{ */
	/**
	 * Name of the port in EAL, such as "0000:01:00.0" or "net_memif0" (NULL: use port_id). For
	 * nd_adapter_open() only.
	 */
	const char *port_name;
	uint16_t port_id;     /**< ethdev port number; only used if port_name is NULL */
	uint16_t queue_id;    /**< first RX and TX queue; must be 0 unless port_configured */
	bool port_configured; /**< the application configures and starts the port (default false) */
	/** Own the port: rte_eth_dev_owner_set() (default false). Not with port_configured. */
	bool own_port;
	bool rx_interrupts; /**< enable RX interrupts for nd_engine_wait() (default false) */
	/**
	 * True if the application receives the frames and passes them to nd_engine_input(). The
	 * engines then do not read their RX queues (default false). Only with port_configured.
	 */
	bool input_only;
	/**
	 * True if the application polls the first engine continuously while it has connections
	 * (default false). An acknowledgement may then wait for the next turn, so that the
	 * application's answer leaves first: nd_engine_poll().
	 */
	bool busy_poll;
	/**
	 * Number of engines, 1..16 (default 1). Each engine uses one queue of the port, starting
	 * with queue_id, and its own packet buffers; see nd_engine.h.
	 */
	uint32_t engines;
	/**
	 * Receives the frames that are not for the adapter, on the first engine (NULL: drop and
	 * count them as drop_foreign, drop_vlan or drop_fragment). docs/tenant.md lists the frames.
	 */
	nd_frames_fn other_frames;
	void *other_frames_arg; /**< passed to other_frames */
	/** Sends all frames of the adapter (NULL: rte_eth_tx_burst()); docs/tenant.md */
	nd_transmit_fn transmit;
	void *transmit_arg; /**< passed to transmit */
	/** @} */

	/** @name Memory and limits */
	/** @{ */
	/**
	 * Packet buffers of all engines: a pool of rte_pktmbuf_pool_create() for several threads
	 * that outlives the adapter (NULL: each engine has its own pool); docs/tenant.md
	 */
	struct rte_mempool *mbuf_pool;
	/**
	 * Number of packet buffers of each engine, 512..2^24 (default 8192; with mbuf_pool: size of
	 * the pool / engines).
	 */
	uint32_t mbuf_count;
	/**
	 * Maximum number of endpoints of each engine, 1..1048576 / engines, with the number of
	 * engines rounded up to a power of two (default 1024). Memory use: docs/performance.md.
	 */
	uint32_t endpoints_max;
	/** Maximum number of registrations, 1..4194304 (default 65536). Memory use: docs/api.md. */
	uint32_t regions_max;
	/** Maximum number of windows, 1..16777215 (default 1048576). Memory use: docs/api.md. */
	uint32_t windows_max;
	/** @} */

	/** @name Timers and retries: docs/timeouts.md */
	/** @{ */
	/**
	 * Maximum time in ms until a connection, or a connection attempt, to an unreachable peer
	 * ends, 20..3600000 (0: not limited). The library derives from this time all timers of this
	 * structure that are 0, including ack_delay. If the retries take longer, the configuration
	 * is refused.
	 */
	uint32_t peer_timeout_ms;
	/**
	 * Time in ms without a packet of the peer before a connection sends a keepalive,
	 * 1..86400000 (0: never). Without an answer the connection ends (ND_END_KEEPALIVE). Applies
	 * to new connectors: nd_connector_set_keepalive().
	 */
	uint32_t keepalive_ms;
	/** CM retransmission interval in ms, 1..60000 (default 250); doubles, at most 8 times. */
	uint32_t connect_retransmit_ms;
	uint8_t connect_retries; /**< retransmissions of a CM message, 1..15 (default 7) */
	/**
	 * Minimum time before an endpoint retransmits an unacknowledged request: 4.096 us * 2^n, n
	 * in 1..31 (default 14: 67 ms). The active side adds the ACK delay that the peer announces.
	 * The passive side uses the timeout in the peer's request if that timeout is longer.
	 */
	uint8_t ack_timeout;
	/** ACK delay announced to peers: 4.096 us * 2^n, 1..31 (default 12: 16.8 ms) */
	uint8_t ack_delay;
	/**
	 * Transport retries, 1..7 (default 7). Connections that this side requests use this count,
	 * and ask the peer to use it too. An accepted connection uses the count in the peer's
	 * request, which may be 0.
	 */
	uint8_t retry_count;
	uint8_t rnr_retry_count; /**< RNR retry count for peers, 1..6, 7 = unlimited (default 6) */
	uint8_t rnr_timer;       /**< timer code in RNR NAKs, 1..31 (default 12: 0.64 ms) */
	/** @} */

	/** @name Recovery from losses */
	/** @{ */
	/** For new endpoints, default ND_RECOVERY_SELECTIVE. See nd_endpoint_set_recovery(). */
	enum nd_recovery recovery;
	/**
	 * Maximum number of packets after a gap that an endpoint keeps, 1..1024 (default 512). A
	 * packet is kept only if its PSN is at most this distance from the gap. Each kept packet
	 * uses a packet buffer.
	 */
	uint32_t keep_packets;
	/**
	 * Maximum number of packet buffers that the kept packets of all endpoints of an engine use,
	 * 1 to a quarter of mbuf_count (default: an eighth). If a quarter of the buffers or less is
	 * free, packets after a gap are dropped and counted (rx_keep_full).
	 */
	uint32_t keep_packets_total;
	/**
	 * Time in us that the responder waits before it reports a missing packet, because the
	 * packet may only be reordered, 1..100000 (default 10); ND_REORDER_NONE: no wait. The wait
	 * also ends when three later packets have arrived. The resolution of timers is 16.4 us.
	 */
	uint32_t reorder_window_us;
	/** @} */

	/** @name Congestion control: docs/congestion.md */
	/** @{ */
	enum nd_congestion congestion; /**< default: ND_CONGESTION_LOSS_WINDOW */
	/**
	 * Mark packets of connections ECT(0), so that congested switches mark them CE instead of
	 * dropping them (default false). Not with ND_CONGESTION_NONE, which ignores marks.
	 */
	bool ecn;
	bool no_cnps;             /**< send no CNPs for packets marked CE (false: send them) */
	uint32_t cnp_interval_us; /**< minimum us between two CNPs, 1..1000000 (default 50) */
	/**
	 * Number of packets that a new endpoint may have in flight before the first
	 * acknowledgement, 1..1024 (default 64). ND_CONGESTION_NONE ignores the value.
	 */
	uint32_t initial_window;
	/** Base target delay of ND_CONGESTION_SWIFT in us, 1..1000000 (default 50). */
	uint32_t swift_target_us;
	/** Line rate for DCQCN in Mbit/s, 1..4000000 (default: of the port; unknown: 10000). */
	uint32_t line_rate_mbps;
	const struct nd_dcqcn_parameters *dcqcn; /**< copied (NULL: all defaults) */
	/** @} */

	/** @name Security: docs/security.md */
	/** @{ */
	/**
	 * Number of this side's refusals, of remote accesses and of invalidates, that one peer
	 * address may cause before its connection requests are dropped, 1..1000000 (default 64).
	 */
	uint32_t guesses_max;
	/** Time in ms after which one refusal no longer counts, 1..3600000 (default 1000). */
	uint32_t guess_interval_ms;
	/**
	 * Longest time in ms for which the connection requests of a peer address are dropped after
	 * guesses_max refusals, 1..86400000 (default 3000, or guess_interval_ms if that is longer).
	 */
	uint32_t guess_bar_max_ms;
	/**
	 * Maximum number of half-open connections: requests that listeners have queued or handed
	 * out, and accepted connections that the peer has not yet confirmed; 1..1048576 (default:
	 * half of all endpoints, at least 32).
	 */
	uint32_t half_open_max;
	/**
	 * Maximum number of connections that one source may establish per second, 1..1000000
	 * (default 1000). A short burst may have 4 times as many. All sources together may
	 * establish 16 times as many. Requests above a limit are dropped (cm_drop_rate).
	 */
	uint32_t connections_per_second;
	/**
	 * Maximum number of answers per second to CM messages that establish no connection,
	 * 1..1000000 (default 1000). The limit applies to each proven source (one that has
	 * established a connection), and to all unproven sources together. Further messages get no
	 * answer (cm_drop_unanswered).
	 */
	uint32_t answers_per_second;
	/** Time in s that a source stays proven after a connection, 1..86400 (default 3600). */
	uint32_t proof_lifetime_s;
	/** Longest wait in ms that an MRA of a peer may request, 1..86400000 (default 120000). */
	uint32_t mra_max_ms;
	/** @} */
};

/** @} */

#ifdef __cplusplus
}
#endif

#endif
