/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CM_CM_H
#define NDPDK_CM_CM_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_ether.h>

#include "base/status.h"
#include "cm/config.h"
#include "wire/build.h"
#include "wire/cm_msg.h"

/*
 * Connection manager of one adapter: the state machines of IBTA vol 1 chapter 12 with the RDMA IP
 * CM service (annex A11). It does no I/O: cm_input() takes messages, now_ns tells the time, and the
 * functions of struct cm_ops send messages and give events. The network may lose, duplicate and
 * reorder messages (CM-013). All calls come from one thread, unless a function says otherwise.
 * ops->event may call every cm_* function but cm_input(), cm_tick() and cm_destroy(); ops->send may
 * call none.
 *
 *   active   REQ_SENT -> REP_RECEIVED -> ESTABLISHED -> [DREQ_SENT ->] TIMEWAIT -> IDLE -> gone
 *   passive  REQ_RECEIVED -> REP_SENT -> ESTABLISHED -> [DREQ_SENT ->] TIMEWAIT -> IDLE -> gone
 */

struct cm;
struct cm_id;       /**< one connection attempt or connection */
struct cm_listener; /**< one service that takes requests */

enum cm_state {
	CM_IDLE, /**< TIMEWAIT has passed: answers nothing, waits for cm_release() */
	CM_REQ_SENT,
	CM_REP_RECEIVED, /**< waits for cm_confirm() or cm_reject() */
	CM_REQ_RECEIVED, /**< waits for cm_accept() or cm_reject() */
	CM_REP_SENT,     /**< waits for the RTU, or for data on the queue pair */
	CM_ESTABLISHED,
	CM_DREQ_SENT,
	CM_TIMEWAIT, /**< ended; still answers late messages, for timewait_ns */
};

/** What happened to a connection. Each event is given at most once. */
enum cm_event_kind {
	/** new cm_id on a listener (REQ); its context is NULL until cm_id_set_context() */
	CM_EVENT_REQUEST,
	CM_EVENT_ACCEPTED, /**< REP came: cm_confirm() or cm_reject() */
	/**
	 * REJ came: reason and private data. A DREQ in REQ_SENT counts as reason 28 without data, a
	 * REP that names a queue pair known under another connection as reason 10.
	 */
	CM_EVENT_REJECTED,
	/**
	 * The peer did not answer in REQ_SENT or REP_SENT: retries used up, or in REP_SENT evicted
	 * in favour of another request (admission.h). The connection has ended.
	 */
	CM_EVENT_UNREACHABLE,
	CM_EVENT_ESTABLISHED, /**< passive: RTU, or cm_traffic_seen() */
	/** peer sent DREQ (answered already) or a REJ of the established connection */
	CM_EVENT_DISCONNECTED,
	/** our DREQ was answered, crossed a DREQ of the peer, or its retries were used up */
	CM_EVENT_DISCONNECT_DONE,
	/**
	 * The request is void: in REQ_RECEIVED the peer sent a REJ or request_pending_ns has
	 * passed; or, also in REP_SENT and REP_RECEIVED, the peer uses its queue pair for another
	 * connection.
	 */
	CM_EVENT_ABORTED,
};

/*
 * REJECTED, UNREACHABLE, DISCONNECTED, DISCONNECT_DONE and ABORTED are the last event of a cm_id:
 * exactly one of them comes, unless cm_reject() or cm_release() was called before. Afterwards the
 * cm_id stays valid until cm_release(). Legal calls are then cm_release() and the cm_id_*
 * functions; the others are refused with RC_NOT_CONNECTED, cm_traffic_seen() does nothing. A DREQ
 * that arrives in REP_SENT gives ESTABLISHED and then DISCONNECTED, both with the cm_id in TIMEWAIT
 * already.
 */

struct cm_event {
	enum cm_event_kind kind;
	void *listener_context; /**< REQUEST */
	/**
	 * REJECTED, DISCONNECTED, ABORTED: of the REJ that came or was sent; 0 after a DREQ of the
	 * peer, WIRE_REJ_STALE_CONNECTION if the peer uses its queue pair for another connection
	 */
	uint16_t reject_reason;
	/** REJECTED, WIRE_REJ_INVALID_MTU: path MTU that the peer accepts, 1..5; 0: unknown */
	uint8_t accepted_mtu;
	/**
	 * REQUEST: LIMIT_CALLER_DATA bytes behind the IP CM header; ACCEPTED, REJECTED: as on the
	 * wire (196, 148) or NULL; else NULL. Valid during the call.
	 */
	const uint8_t *private_data;
	uint16_t private_bytes;
};

/** Where a message came from, or goes to. */
struct cm_route {
	struct wire_gid local_gid;
	struct wire_gid remote_gid;
	struct rte_ether_addr remote_mac;
	bool vlan;
	uint16_t vlan_tci;
};

struct cm_ops {
	/** Send a MAD to QP 1 of the route's remote end. @return false: no room, it was not sent */
	bool (*send)(void *arg, const struct cm_route *route, const struct wire_cm_msg *msg);
	/** The cm_id stays valid after the call, until cm_release(). */
	void (*event)(void *arg, struct cm_id *id, const struct cm_event *event);
	/** @return whether gid is an address of this adapter (REQ validity, REJ 12). */
	bool (*is_local)(void *arg, const struct wire_gid *gid);
};

/** @return RC_OK; RC_INVALID_ARGUMENT: no CA GUID or generator, bad value; RC_NO_RESOURCES. */
enum rc_status cm_create(const struct cm_config *config, const struct cm_ops *ops, void *arg,
	struct cm **cm) __rte_warn_unused_result;
/**
 * Free everything. Sends nothing and gives no event: call cm_release() first for connections whose
 * peers shall be told. NULL is allowed.
 */
void cm_destroy(struct cm *cm);

/** Take one decoded message of QP 1 (Q_Key and source QP checked by the caller, CM-014). */
void cm_input(
	struct cm *cm, const struct cm_route *from, const struct wire_cm_msg *msg, uint64_t now_ns);

/**
 * Handle expired timers, and give held requests to the application, at most 64 of each. When there
 * are more, cm_deadline() stays in the past, so that the caller calls again.
 */
void cm_tick(struct cm *cm, uint64_t now_ns);

/** @return when cm_tick() is to be called; BASE_TIME_NEVER when nothing runs. */
uint64_t cm_deadline(const struct cm *cm);

/** What one side brings into a connection (REQ or REP). */
struct cm_endpoint {
	uint32_t qpn;
	uint32_t starting_psn;   /**< where the peer shall begin (IBTA 12.6.5) */
	uint8_t inbound_reads;   /**< REQ/REP responder resources */
	uint8_t outbound_reads;  /**< REQ/REP initiator depth */
	uint8_t rnr_retry_count; /**< that the peer shall use towards us */
	bool srq;                /**< its receives are of a shared queue */
	const void *private_data;
	/** REQ <= LIMIT_CALLER_DATA, REP and REJ <= LIMIT_CALLEE_DATA; checked */
	uint16_t private_bytes;
};

struct cm_connect_attr {
	struct cm_route route;
	uint64_t service_id; /**< wire_service_id() */
	uint16_t src_port;   /**< for the IP CM header */
	struct cm_endpoint endpoint;
	uint8_t path_mtu;    /**< code 1..5 */
	uint8_t retry_count; /**< that both queue pairs shall use */
	uint8_t ack_timeout; /**< exponent for our queue pair; the REQ adds our ACK delay */
	uint8_t traffic_class;
	uint8_t hop_limit;
	void *context;
};

/** Send a REQ. @return RC_OK; RC_INVALID_ARGUMENT; RC_NO_RESOURCES: table full. */
enum rc_status cm_connect(struct cm *cm, const struct cm_connect_attr *attr, uint64_t now_ns,
	struct cm_id **id) __rte_warn_unused_result;

/**
 * REQ_RECEIVED: send a REP. The queue pair must be ready (RTS), receives posted, before (CM-019).
 *
 * @return RC_OK; RC_INVALID_ARGUMENT; RC_NOT_CONNECTED: wrong state.
 */
enum rc_status cm_accept(struct cm_id *id, const struct cm_endpoint *endpoint,
	uint64_t now_ns) __rte_warn_unused_result;

/** REP_RECEIVED: send the RTU; the connection is established. @return as cm_disconnect(). */
enum rc_status cm_confirm(struct cm_id *id, uint64_t now_ns) __rte_warn_unused_result;

/** REQ_RECEIVED or REP_RECEIVED: send a REJ 28, no event follows. @return as cm_accept(). */
enum rc_status cm_reject(struct cm_id *id, const void *private_data, uint16_t private_bytes,
	uint64_t now_ns) __rte_warn_unused_result;

/**
 * ESTABLISHED or REP_SENT: send a DREQ. CM_EVENT_DISCONNECT_DONE follows.
 *
 * @return RC_OK; RC_NOT_CONNECTED: wrong state.
 */
enum rc_status cm_disconnect(struct cm_id *id, uint64_t now_ns) __rte_warn_unused_result;

/** Data arrived on the queue pair. In REP_SENT it counts as the RTU (COMM_EST). */
void cm_traffic_seen(struct cm_id *id, uint64_t now_ns);

/**
 * Give up a connection, in any state. No event of it follows, and the cm_id must not be used any
 * more. The peer is told: REJ 4 in REQ_SENT, REJ 28 in REP_RECEIVED, REQ_RECEIVED and REP_SENT,
 * DREQ in ESTABLISHED. The cm keeps the record to answer late messages, then frees it.
 */
void cm_release(struct cm_id *id, uint64_t now_ns);

void cm_id_set_context(struct cm_id *id, void *context);
void *cm_id_context(const struct cm_id *id);
enum cm_state cm_id_state(const struct cm_id *id);

/** What the peer's REQ or REP said. Valid from REQ_RECEIVED / REP_RECEIVED on. */
struct cm_peer {
	uint32_t qpn;
	uint32_t starting_psn; /**< where we shall begin */
	/** READs of ours that the peer serves, seen from us: our outbound limit */
	uint8_t inbound_reads;
	uint8_t outbound_reads;  /**< READs the peer may send us: our inbound limit */
	uint8_t path_mtu;        /**< code of the connection */
	uint8_t rnr_retry_count; /**< that our queue pair shall use */
	uint8_t retry_count;     /**< likewise: passive as in the REQ, active as in cm_connect() */
	/**
	 * exponent for our queue pair: passive as in the REQ; active as in cm_connect(), raised by
	 * the target ACK delay of the REP as Linux does
	 */
	uint8_t ack_timeout;
	uint8_t traffic_class;
	uint8_t hop_limit;
	bool srq;
	/** active: (src_port * 31 + destination port) mod 2^20; passive: the one in the REQ */
	uint32_t flow_label;
	uint16_t src_port; /**< of the IP CM header in the REQ */
	uint64_t service_id;
};

/**
 * Connections to peers whose MAC address has changed send to mac from now on.
 *
 * @param concerns called for each connection with arg and its peer; returns whether the peer is one
 * of those
 */
void cm_set_destination(struct cm *cm, bool (*concerns)(void *arg, const struct wire_gid *peer),
	void *arg, const struct rte_ether_addr *mac);

void cm_id_peer(const struct cm_id *id, struct cm_peer *peer);
void cm_id_route(const struct cm_id *id, struct cm_route *route);

/**
 * A remote access of the peer at gid was refused: count a guess of this source (SEC-031). A source
 * without guesses left is barred: its REQs are dropped, its connections stay. It is barred until
 * one guess is forgotten, but not longer than guess_debt_max_ns.
 * @return whether this guess barred the source
 */
bool cm_guess(struct cm *cm, const struct wire_gid *gid, uint64_t now_ns);

/**
 * @return sources that are barred now; sources that share a table entry count once. May be called
 *         from any thread; reads the whole table.
 */
uint32_t cm_barred_count(const struct cm *cm, uint64_t now_ns);

/** @return half-open connections that the application knows of, and requests that are held, now. */
uint32_t cm_half_open_count(const struct cm *cm);
uint32_t cm_held_count(const struct cm *cm);

/** @return cm_ids in use, those in TIMEWAIT included. */
uint32_t cm_id_count(const struct cm *cm);

/** @return whether a connection in TIMEWAIT used qpn: no other may use it yet (RC-165). */
bool cm_qpn_resting(const struct cm *cm, uint32_t qpn);

struct cm_listen_attr {
	uint64_t service_id;
	struct wire_gid address; /**< only requests to this address; all zero = any local one */
	/** REQ_RECEIVED connections at most, 0 = no limit; more REQs are dropped (SEC-042) */
	uint32_t backlog;
	void *context;
};

/**
 * Take requests for a service. A listener at one address goes before one of the same service at any
 * (CM-012).
 *
 * @return RC_OK; RC_BUSY: there is one with the same service and address; RC_NO_RESOURCES.
 */
enum rc_status cm_listen(struct cm *cm, const struct cm_listen_attr *attr,
	struct cm_listener **listener) __rte_warn_unused_result;

/** Stop taking requests; those already delivered stay. */
void cm_unlisten(struct cm_listener *listener);

const struct cm_counters *cm_counters(const struct cm *cm);

#endif
