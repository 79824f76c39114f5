/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_CONFIG_H
#define NDPDK_ND_CONFIG_H

/**
 * @file
 * How an adapter is opened: struct nd_adapter_config, and what it points to.
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
 * Takes frames that the adapter has no use for, or shares: see nd_adapter_config.other_frames. The
 * function owns the mbufs: it frees them, keeps them, or passes them on. It may not write into
 * frames of which rte_mbuf_refcnt_read() is more than 1.
 *
 * It is called at the end of a turn, by nd_engine_poll() or nd_engine_input(), on the thread of the
 * engine, and may call all functions that the owner of an engine may call, except
 * nd_adapter_close() and those that poll or stop this engine.
 *
 * @param engine which has received them
 * @param mbufs of this call only; the array is not kept
 * @param count 1 or more
 */
typedef void (*nd_frames_fn)(
	struct nd_engine *engine, struct rte_mbuf **mbufs, uint16_t count, void *arg);

/**
 * Hands frames to the port in the adapter's place: see nd_adapter_config.transmit. It is called as
 * rte_eth_tx_burst() would be, on the thread of the queue's engine, and in nd_adapter_open() and
 * nd_adapter_close() on theirs, never twice at the same time for one queue. It may call no function
 * of the adapter. It may not write into mbufs of which rte_mbuf_refcnt_read() is more than 1: the
 * adapter keeps them.
 *
 * @param port_id, queue_id where the frames are for: those of nd_adapter_config
 * @param mbufs of this call only; the array is not kept
 * @return how many, from the first one on, it has taken: it frees or passes on these; the adapter
 *         gives it the others again
 */
typedef uint16_t (*nd_transmit_fn)(
	uint16_t port_id, uint16_t queue_id, struct rte_mbuf **mbufs, uint16_t count, void *arg);

/** A peer whose MAC address is known without asking. */
struct nd_neighbour {
	struct sockaddr_storage address; /**< port ignored */
	uint8_t mac[6];                  /**< unicast */
};

/** nd_adapter_config.reorder_window_us: a packet that is missing is reported at once. */
#define ND_REORDER_NONE UINT32_MAX

/**
 * How to open an adapter. Zero the structure, set port_id and address; everything else has a
 * default, given in brackets, that a zero stands for.
 */
struct nd_adapter_config {
	uint16_t port_id;     /**< ethdev port, unless port_name has its name */
	uint16_t queue_id;    /**< first RX and TX queue; must be 0 unless port_configured */
	bool port_configured; /**< the application has configured and started the port */
	/**
	 * Engines of the adapter [1], at most 16. Each works on a queue of the port of its own,
	 * queue_id and those behind it, and has its own packet buffers; see nd_engine.h.
	 */
	uint32_t engines;
	struct sockaddr_storage address;       /**< own IPv4 or IPv6 address; port ignored */
	uint8_t prefix_length;                 /**< of the own network [24, IPv6 64] */
	struct sockaddr_storage gateway;       /**< for peers outside it; family 0 = none */
	const struct nd_neighbour *neighbours; /**< static entries, copied */
	size_t neighbour_count;                /**< entries of neighbours */
	uint16_t vlan_id;                      /**< 1..4094; 0 = untagged */
	uint16_t path_mtu;   /**< 256, 512, 1024, 2048, 4096 [largest that fits the port's MTU] */
	uint32_t mbuf_count; /**< packet buffers of each engine [8192] */
	/**
	 * Endpoints at a time on each engine [1024]. At most 1048576, divided by the number of
	 * engines rounded up to a power of two; docs/performance.md has their memory.
	 */
	uint32_t endpoints_max;
	/**
	 * Registrations at a time [65536], at most 4194304. Memory is taken for what is in use: the
	 * tables grow when a registration or a window is made, never in a bind, and the calls that
	 * make them return ND_INSUFFICIENT_RESOURCES when there is no memory. A registration takes
	 * 128 bytes, a window 64; keys take 36 bytes each: 2^18 keys at the start, then 1.6 to 3.2
	 * for each window and registration, 2^24 at most.
	 */
	uint32_t regions_max;
	uint32_t windows_max; /**< windows at a time [1048576], at most 16777215 */
	uint8_t dscp;         /**< of all packets, 0..63 */
	uint8_t ttl;          /**< [64] */
	/** UDP source port of all connections [each has its own, from 49152 on]; docs/ports.md */
	uint16_t udp_source_port;
	/**
	 * How long an endpoint waits for an acknowledgement before it sends again: 4.096 us * 2^n,
	 * n in 1..31 [14 = 67 ms]. It is the least: the peer's target ACK delay adds to it when
	 * this side connects, and a longer timeout in the peer's request is used when this side
	 * accepts. See docs/timeouts.md.
	 */
	uint8_t ack_timeout;
	/**
	 * Transport retries, 1..7 [7], of connections made from this side, and asked of the peer.
	 * An accepted connection has the retry count of the peer's request, which may be 0.
	 */
	uint8_t retry_count;
	uint8_t rnr_retry_count; /**< RNR retries asked of peers, 1..6, 7 = for ever [6] */
	uint8_t rnr_timer;       /**< code that our RNR NAKs carry, 1..31 [12 = 0.64 ms] */
	/** First repeat of a connection message, 1..60000 [250]; doubles, at most eightfold. */
	uint32_t connect_retransmit_ms;
	/**
	 * Repeats of a connection message, 1..15 [7]. With the defaults a connect or disconnect
	 * that nobody answers ends after 11.8 s, and after twice that when the port takes nothing:
	 * what has not left is not counted. An accept waits for the peer as long as its request
	 * grants, 68.7 s at most.
	 */
	uint8_t connect_retries;
	/** ACK delay that is announced to peers: 4.096 us * 2^n, 1..31 [12: 16.8 ms]. */
	uint8_t ack_delay;
	/**
	 * Refused remote accesses and remote invalidates of one peer address before its connection
	 * requests are dropped, 1..1000000 [64]. This side cannot tell a refused access from a
	 * guess of a key, so it counts each. One is forgotten every guess_interval_ms, and requests
	 * are taken again as soon as fewer than guesses_max are remembered. Live connections, and
	 * connections made from this side, are not affected. Refusals beyond this number are
	 * remembered, too, but do not bar an address for longer than guess_bar_max_ms: an honest
	 * peer causes many at once when windows are invalidated while it uses them.
	 */
	uint32_t guesses_max;
	uint32_t guess_interval_ms; /**< 1..3600000 [1000 = one guess per second in the long run] */
	/**
	 * Limits of connection requests; docs/security.md says what each protects. A source address
	 * is proven while it has a connection, and for proof_lifetime_s afterwards; what forged
	 * requests of it can use up is what it would need for half-open connections only.
	 *
	 * half_open_max: requests that listeners have handed out or queued, and accepted
	 * connections whose peer has not confirmed yet, 1..1048576 [half of all endpoints, at least
	 * 32]. One proven source may have half of them, all unproven sources together the other
	 * half. Further requests wait, and are counted as cm_held.
	 */
	uint32_t half_open_max;
	/**
	 * Connections that one source may establish, 1..1000000 [1000]; four times as many at once.
	 * All sources together: 16 times that. Requests beyond are dropped (cm_drop_rate).
	 */
	uint32_t connections_per_second;
	/**
	 * Answers to connection messages that make no connection, 1..1000000 [1000]: for each
	 * proven source, and for all unproven ones together. Others are not answered
	 * (cm_drop_unanswered).
	 */
	uint32_t answers_per_second;
	uint32_t proof_lifetime_s; /**< 1..86400 [3600] */
	/** How long a peer may ask to wait for its part of a handshake, 1..86400000 [120000]. */
	uint32_t mra_max_ms;
	/**
	 * How long refused accesses can bar a peer address at most, 1..86400000 [3000, or
	 * guess_interval_ms if that is longer], see guesses_max.
	 */
	uint32_t guess_bar_max_ms;
	/**
	 * The application polls the first engine without pause for as long as it has connections
	 * [false]. Then the acknowledgement of a message may leave behind the application's answer
	 * to it, when the next turn begins: nd_engine_poll() says when. Without this promise a
	 * thread that stops polling loses no connection by it.
	 */
	bool busy_poll;
	/** Of each endpoint [ND_RECOVERY_SELECTIVE]; nd_endpoint_set_recovery() changes it. */
	enum nd_recovery recovery;
	/**
	 * Packets of an endpoint's peer that are kept while one before them is missing, 1..1024
	 * [512]: those whose PSN is at most so far ahead. Each occupies a packet buffer.
	 */
	uint32_t keep_packets;
	/**
	 * Packet buffers of each engine that may hold such packets, for all its endpoints, 1 to a
	 * quarter of mbuf_count [an eighth]. Nothing is kept while a quarter of the buffers or less
	 * is free. What is not kept is dropped and counted (rx_keep_full).
	 */
	uint32_t keep_packets_total;
	/**
	 * How long the report of a missing packet waits, because the packet may only have been
	 * overtaken, 1..100000 [10]; ND_REORDER_NONE: it does not wait. It leaves at once when
	 * three packets have come behind the missing one. Timers count in steps of 16.4 us.
	 */
	uint32_t reorder_window_us;
	/** What decides when packets may leave [ND_CONGESTION_LOSS_WINDOW]; docs/congestion.md. */
	enum nd_congestion congestion;
	/**
	 * Mark the packets of connections ECT(0), so that switches mark them CE where they have a
	 * queue, and do not drop them [false]. Not with ND_CONGESTION_NONE: it does not react.
	 */
	bool ecn;
	/** Send no congestion notification packets (CNPs) for packets marked CE [false: send]. */
	bool no_cnps;
	uint8_t dscp_ack; /**< of acknowledgements, 1..63 [that of all packets] */
	uint8_t dscp_cnp; /**< of CNPs, 1..63 [48] */
	/** Least time between two CNPs of a connection, 1..1000000 [50]. */
	uint32_t cnp_interval_us;
	/** Rate of the network for ND_CONGESTION_DCQCN, 1..4000000 [of the port; unknown: 10000] */
	uint32_t line_rate_mbps;
	const struct nd_dcqcn_parameters *dcqcn; /**< copied; NULL = all defaults */
	/**
	 * After how many milliseconds without a packet of its peer a connection asks whether the
	 * peer is still there, 1..86400000 [0 = never]. It asks with a WRITE of no bytes, which
	 * needs no key, takes no entry of a queue and is not reported on either side; without an
	 * answer the connection ends as if a request had not been acknowledged (ND_END_KEEPALIVE).
	 * A peer that stops polling for longer than that loses the connection. For connectors made
	 * afterwards: nd_connector_set_keepalive(). docs/timeouts.md has the time until the end.
	 */
	uint32_t keepalive_ms;
	/**
	 * Time limit in ms for a connection, or a connection attempt, to a vanished peer,
	 * 20..3600000 [0 = off]. Sets the timers that are 0, including ack_delay. Longer retries
	 * are refused. The peer must not announce longer timeouts: docs/timeouts.md.
	 */
	uint32_t peer_timeout_ms;
	/**
	 * Packets that a new endpoint may have in flight before anything was acknowledged, 1..1024
	 * [64]. Less where many endpoints begin to send to one receiver at the same time: what they
	 * begin with has to fit the queue in front of it. ND_CONGESTION_NONE ignores it.
	 */
	uint32_t initial_window;
	/**
	 * Base target delay of ND_CONGESTION_SWIFT, 1..1000000 [50]: the round trip time up to
	 * which a window of 100 packets grows. What it is above the round trip time without queue
	 * becomes a queue. If it is below, connections are slow until the path was found to be
	 * longer; docs/congestion.md. The same for all senders that share a queue.
	 */
	uint32_t swift_target_us;
	/**
	 * Takes the received frames that are not for the adapter [NULL: they are dropped, counted
	 * as drop_foreign, drop_vlan or drop_fragment], for an application with a protocol stack of
	 * its own on the same port: everything but RoCEv2 packets of the adapter's VLAN. ARP, IPv6
	 * neighbour discovery and listener queries come after the adapter has taken what it needs
	 * of them: both stacks need these. Echo requests to the adapter's address do not come; the
	 * adapter has answered them. Of several engines, the first one calls it. Counted as
	 * rx_others. docs/tenant.md
	 */
	nd_frames_fn other_frames;
	void *other_frames_arg; /**< passed to it */
	/**
	 * The application receives: engines take no frames from the port's RX queues, which may be
	 * fewer then, but those that nd_engine_input() gives them [false]. Only with
	 * port_configured.
	 */
	bool input_only;
	/**
	 * Sends all frames of the adapter [NULL: rte_eth_tx_burst() does], for an application that
	 * shapes, changes, loses or copies what leaves. docs/tenant.md
	 */
	nd_transmit_fn transmit;
	void *transmit_arg; /**< passed to it */
	/**
	 * Packet buffers of all engines [NULL: each engine has a pool of its own, of mbuf_count
	 * buffers]: a pool of rte_pktmbuf_pool_create() whose buffers hold a frame of path_mtu +
	 * 118 bytes, without those of the headroom, and which several threads may use. The adapter
	 * sends from it, and receives into it if it configures the port. It must outlive the
	 * adapter, and the port's use of its buffers. mbuf_count is then the engine's share, which
	 * limits of this structure refer to [the pool's size, divided by the number of engines].
	 */
	struct rte_mempool *mbuf_pool;
	/**
	 * Be the ethdev owner of a port that the adapter configures, as long as it is open [false].
	 * Other parts of the process that look for free ports pass over it then, and so do
	 * dpdk-dumpcap and dpdk-proc-info: they show ports without an owner only. A port that has
	 * another owner is refused in any case. Not with port_configured.
	 */
	bool own_port;
	/**
	 * The port by the name that EAL gave it, such as "0000:01:00.0" or "net_memif0" [NULL:
	 * port_id]. Numbers of ports depend on the order in which EAL finds them. Used by
	 * nd_adapter_open() only.
	 */
	const char *port_name;
	/**
	 * Name of the adapter for nd_adapter_name() and telemetry, copied: 1 to 63 letters, digits
	 * and _-.:/, the first one a letter; no other open adapter may have it [NULL: the port's
	 * name, and behind it, if queue_id is not 0, a point and queue_id].
	 */
	const char *name;
	bool rx_interrupts; /**< RX queues shall interrupt, for nd_engine_wait() [false] */
};

#ifdef __cplusplus
}
#endif

#endif
