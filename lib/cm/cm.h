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
 * CM service (annex A11). It does no I/O. Messages are passed to cm_input(), the time is passed as
 * now_ns, and the functions in struct cm_ops send messages and report events. The network may lose,
 * duplicate and reorder messages (CM-013). All calls must come from one thread, unless a function
 * says otherwise. ops->event may call any cm_* function except cm_input(), cm_tick() and
 * cm_destroy(). ops->send must not call a cm_* function.
 *
 *   active   REQ_SENT -> REP_RECEIVED -> ESTABLISHED -> [DREQ_SENT ->] TIMEWAIT -> IDLE -> freed
 *   passive  REQ_RECEIVED -> REP_SENT -> ESTABLISHED -> [DREQ_SENT ->] TIMEWAIT -> IDLE -> freed
 */

struct cm;
struct cm_id;
struct cm_listener; /**< listener of one service, for which requests are accepted */

enum cm_state {
	CM_IDLE, /**< TIMEWAIT is over: messages get no answer, and cm_release() is missing */
	CM_REQ_SENT,
	CM_REP_RECEIVED, /**< waits for cm_confirm() or cm_reject() */
	CM_REQ_RECEIVED, /**< waits for cm_accept() or cm_reject() */
	CM_REP_SENT,     /**< waits for the RTU, or for data on the queue pair */
	CM_ESTABLISHED,
	CM_DREQ_SENT,
	CM_TIMEWAIT, /**< the connection has ended; late messages get an answer for timewait_ns */
};

/** Event of a connection. Each kind is reported at most once per connection. */
enum cm_event_kind {
	/** A REQ arrived. The context of the new cm_id is NULL until cm_id_set_context(). */
	CM_EVENT_REQUEST,
	CM_EVENT_ACCEPTED, /**< a REP arrived: call cm_confirm() or cm_reject() */
	/**
	 * A REJ arrived, with reason and private data. This event has two more causes: a DREQ in
	 * REQ_SENT (reason 28, no data), and a REP that contains the queue pair of a different
	 * connection (reason 10).
	 */
	CM_EVENT_REJECTED,
	/**
	 * The connection has ended without an answer of the peer. In REQ_SENT or REP_SENT the
	 * retries were used up, or in REP_SENT a different request evicted it (admission.h).
	 */
	CM_EVENT_UNREACHABLE,
	CM_EVENT_ESTABLISHED, /**< passive: RTU, or cm_traffic_seen() */
	/** A DREQ arrived and was answered, or a REJ of the established connection arrived. */
	CM_EVENT_DISCONNECTED,
	/** Our DREQ was answered, crossed a DREQ of the peer, or was not answered in time. */
	CM_EVENT_DISCONNECT_DONE,
	/**
	 * The request has become invalid. In REQ_RECEIVED: the peer sent a REJ, or
	 * request_pending_ns has passed. In REQ_RECEIVED, REP_SENT or REP_RECEIVED: the peer has
	 * used its queue pair for a new connection.
	 */
	CM_EVENT_ABORTED,
};

/*
 * REJECTED, UNREACHABLE, DISCONNECTED, DISCONNECT_DONE and ABORTED are last events: they end a
 * cm_id. Exactly one of them is reported, unless cm_reject() or cm_release() was called before. The
 * cm_id then stays valid until cm_release(). After the last event only cm_release() and the cm_id_*
 * functions may be called. Other functions return RC_NOT_CONNECTED, and cm_traffic_seen() does
 * nothing. A DREQ that arrives in REP_SENT causes ESTABLISHED and then DISCONNECTED, both with the
 * cm_id already in TIMEWAIT.
 */

struct cm_event {
	enum cm_event_kind kind;
	void *listener_context;
	/**
	 * REJECTED, DISCONNECTED, ABORTED: reason of the REJ received or sent. The value is 0 after
	 * a DREQ of the peer, and WIRE_REJ_STALE_CONNECTION if the peer uses its queue pair for a
	 * new connection.
	 */
	uint16_t reject_reason;
	/** REJECTED by WIRE_REJ_INVALID_MTU: path MTU that the peer accepts, 1..5; 0: unknown */
	uint8_t accepted_mtu;
	/**
	 * Private data, valid during the call. REQUEST: LIMIT_CALLER_DATA bytes after the IP CM
	 * header. ACCEPTED, REJECTED: private data of the message (196 or 148 bytes), or NULL.
	 * Other events: NULL.
	 */
	const uint8_t *private_data;
	uint16_t private_bytes;
};

/** Path of a received message, or of a message to send. */
struct cm_route {
	struct wire_gid local_gid;
	struct wire_gid remote_gid;
	struct rte_ether_addr remote_mac;
	bool vlan;
	uint16_t vlan_tci;
};

struct cm_ops {
	/** Send a MAD to QP 1 of the peer. @return false if the output is full */
	bool (*send)(void *arg, const struct cm_route *route, const struct wire_cm_msg *msg);
	/** Report an event. The cm_id stays valid after the call, until cm_release(). */
	void (*event)(void *arg, struct cm_id *id, const struct cm_event *event);
	/** @return true if gid is a local address; a REQ to another address gets REJ 12 */
	bool (*is_local)(void *arg, const struct wire_gid *gid);
};

/** @return RC_OK; RC_INVALID_ARGUMENT: no CA GUID, no generator, or a bad value; RC_NO_RESOURCES */
enum rc_status cm_create(const struct cm_config *config, const struct cm_ops *ops, void *arg,
	struct cm **cm) __rte_warn_unused_result;
/**
 * Free the connection manager. NULL is allowed. The function sends no message and reports no event.
 * To inform a peer, call cm_release() for its connection first.
 */
void cm_destroy(struct cm *cm);

/** Handle one decoded message of QP 1. The caller has checked Q_Key and source QP (CM-014). */
void cm_input(
	struct cm *cm, const struct cm_route *from, const struct wire_cm_msg *msg, uint64_t now_ns);

/**
 * Handle expired timers, and report held requests to the application, at most 64 timers and 64
 * requests. If work is left, cm_deadline() stays in the past, so that the caller calls again.
 */
void cm_tick(struct cm *cm, uint64_t now_ns);

/** @return time at which cm_tick() must be called; BASE_TIME_NEVER if no timer runs */
uint64_t cm_deadline(const struct cm *cm);

/** Values that one side sends in its REQ or REP. */
struct cm_endpoint {
	uint32_t qpn;
	uint32_t starting_psn;   /**< first PSN that this endpoint's peer sends (IBTA 12.6.5) */
	uint8_t inbound_reads;   /**< REQ/REP field responder resources */
	uint8_t outbound_reads;  /**< REQ/REP field initiator depth */
	uint8_t rnr_retry_count; /**< number of RNR retries that the peer makes */
	bool srq;                /**< true if the receives come from a shared receive queue */
	const void *private_data;
	/** Checked: at most LIMIT_CALLER_DATA in a REQ, LIMIT_CALLEE_DATA in a REP or REJ. */
	uint16_t private_bytes;
};

struct cm_connect_attr {
	struct cm_route route;
	uint64_t service_id; /**< from wire_service_id() */
	uint16_t src_port;   /**< source port in the IP CM header of the REQ */
	struct cm_endpoint endpoint;
	uint8_t path_mtu;    /**< code 1..5 */
	uint8_t retry_count; /**< retry count of the queue pairs of both sides */
	/** ACK timeout exponent of our queue pair; the REQ contains it plus our ACK delay */
	uint8_t ack_timeout;
	uint8_t traffic_class;
	uint8_t hop_limit;
	void *context;
};

/** Send a REQ. @return RC_OK; RC_INVALID_ARGUMENT; RC_NO_RESOURCES: the table is full */
enum rc_status cm_connect(struct cm *cm, const struct cm_connect_attr *attr, uint64_t now_ns,
	struct cm_id **id) __rte_warn_unused_result;

/**
 * In REQ_RECEIVED: send a REP. Before the call, the queue pair must be ready (RTS) and have
 * receives posted (CM-019).
 * @return RC_OK; RC_INVALID_ARGUMENT; RC_NOT_CONNECTED: wrong state
 */
enum rc_status cm_accept(struct cm_id *id, const struct cm_endpoint *endpoint,
	uint64_t now_ns) __rte_warn_unused_result;

/** In REP_RECEIVED: send the RTU and enter ESTABLISHED. @return as cm_disconnect() */
enum rc_status cm_confirm(struct cm_id *id, uint64_t now_ns) __rte_warn_unused_result;

/** In REQ_RECEIVED or REP_RECEIVED: send a REJ 28, without an event. @return as cm_accept() */
enum rc_status cm_reject(struct cm_id *id, const void *private_data, uint16_t private_bytes,
	uint64_t now_ns) __rte_warn_unused_result;

/**
 * In ESTABLISHED or REP_SENT: send a DREQ. CM_EVENT_DISCONNECT_DONE is reported later.
 * @return RC_OK; RC_NOT_CONNECTED: wrong state
 */
enum rc_status cm_disconnect(struct cm_id *id, uint64_t now_ns) __rte_warn_unused_result;

/** Report that data arrived on the queue pair. In REP_SENT, data count as the RTU (COMM_EST). */
void cm_traffic_seen(struct cm_id *id, uint64_t now_ns);

/**
 * Release a connection in any state. The caller must not use the cm_id afterwards, and gets no
 * further event. The peer is informed: by REJ 4 in REQ_SENT, by REJ 28 in REP_RECEIVED,
 * REQ_RECEIVED and REP_SENT, by DREQ in ESTABLISHED. The cm keeps the record for some time to
 * answer late messages, and frees it afterwards.
 */
void cm_release(struct cm_id *id, uint64_t now_ns);

void cm_id_set_context(struct cm_id *id, void *context);
void *cm_id_context(const struct cm_id *id);
enum cm_state cm_id_state(const struct cm_id *id);

/** Values from the peer's REQ or REP. Valid after the REQ or REP has arrived. */
struct cm_peer {
	uint32_t qpn;
	uint32_t starting_psn; /**< first PSN that this side sends */
	/** number of our READs that the peer serves at once, which limits our outbound READs */
	uint8_t inbound_reads;
	/** number of READs that the peer may have outstanding, which limits our inbound READs */
	uint8_t outbound_reads;
	uint8_t path_mtu;        /**< code of the connection's path MTU */
	uint8_t rnr_retry_count; /**< number of RNR retries that our queue pair makes */
	/** retry count of our queue pair; passive: from the REQ; active: from cm_connect() */
	uint8_t retry_count;
	/**
	 * exponent of our queue pair's ACK timeout. Passive: from the REQ. Active: from
	 * cm_connect(), raised by the target ACK delay of the REP as Linux does.
	 */
	uint8_t ack_timeout;
	uint8_t traffic_class;
	uint8_t hop_limit;
	bool srq;
	/** active: (src_port * 31 + destination port) mod 2^20; passive: from the REQ */
	uint32_t flow_label;
	uint16_t src_port; /**< source port from the IP CM header in the REQ */
	uint64_t service_id;
};

/**
 * Change the destination MAC address of the connections to some peers.
 *
 * @param concerns called with arg and the peer's address for each connection; returns true if the
 *         MAC address of this peer has changed
 */
void cm_set_destination(struct cm *cm, bool (*concerns)(void *arg, const struct wire_gid *peer),
	void *arg, const struct rte_ether_addr *mac);

void cm_id_peer(const struct cm_id *id, struct cm_peer *peer);
void cm_id_route(const struct cm_id *id, struct cm_route *route);

/**
 * Count a guess of a key, because a remote access by the peer at gid was refused (SEC-031). A
 * source that has used up its guesses is barred: its REQs are dropped, but its connections stay.
 * The bar ends when one guess is forgotten, which happens every guess_interval_ns. It ends after
 * guess_debt_max_ns at the latest.
 * @return true if this guess barred the source
 */
bool cm_guess(struct cm *cm, const struct wire_gid *gid, uint64_t now_ns);

/**
 * @return number of sources that are barred now. Sources that share a table entry count once.
 *         Callable from any thread. Reads the whole table.
 */
uint32_t cm_barred_count(const struct cm *cm, uint64_t now_ns);

/** @return number of half-open connections reported to the application; number of held requests */
uint32_t cm_half_open_count(const struct cm *cm);
uint32_t cm_held_count(const struct cm *cm);

/** @return number of cm_ids in use, including those in TIMEWAIT */
uint32_t cm_id_count(const struct cm *cm);

/** @return true if a connection in TIMEWAIT used qpn, so that qpn must not be reused (RC-165) */
bool cm_qpn_resting(const struct cm *cm, uint32_t qpn);

struct cm_listen_attr {
	uint64_t service_id;
	/** Local address of the accepted requests; all zero if any local address is accepted. */
	struct wire_gid address;
	/**
	 * Maximum number of connections in REQ_RECEIVED; 0 = no limit. At the maximum, further REQs
	 * are dropped (SEC-042).
	 */
	uint32_t backlog;
	void *context;
};

/**
 * Accept requests for a service. A listener on one address takes precedence over a listener of the
 * same service on any address (CM-012).
 *
 * @return RC_OK; RC_BUSY: the service and address already have a listener; RC_NO_RESOURCES
 */
enum rc_status cm_listen(struct cm *cm, const struct cm_listen_attr *attr,
	struct cm_listener **listener) __rte_warn_unused_result;

/** Stop accepting requests. Requests that were reported already stay valid. */
void cm_unlisten(struct cm_listener *listener);

const struct cm_counters *cm_counters(const struct cm *cm);

#endif
