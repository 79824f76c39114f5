/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cm/cm.h"

#include <string.h>

#include <rte_common.h>
#include <rte_malloc.h>

#include "base/assert.h"
#include "base/encoded_time.h"
#include "base/psn.h"
#include "cm/fsm.h"
#include "cm/manager.h"
#include "cm/message.h"

/*
 * Interface of the connection manager: creation, destruction and the calls of the application for
 * one connection. Each call checks the state, stores the message in id->last if it may have to be
 * retransmitted, and calls fsm.c, which changes the state.
 */

#define ID_DEFAULT               4096
#define LISTENER_DEFAULT         64
#define RETRANSMIT_DEFAULT_NS    UINT64_C(250000000)
#define RETRIES_DEFAULT          7
#define TIMEWAIT_DEFAULT_NS      UINT64_C(1000000000)
#define PENDING_DEFAULT_NS       UINT64_C(60000000000)
#define RESPONSE_TIMEOUT_DEFAULT 19
#define REQ_RATE_DEFAULT         1000
#define ANSWER_RATE_DEFAULT      1000
#define REQ_RATE_GLOBAL_FACTOR   16
#define REQ_RATE_MAX             1000000000
#define GUESS_BURST_DEFAULT      64
#define GUESS_BURST_MAX          1000000
#define GUESS_DEFAULT_NS         UINT64_C(1000000000)
#define GUESS_MAX_NS             UINT64_C(3600000000000)
#define GUESS_DEBT_DEFAULT_NS    UINT64_C(3000000000)
#define MRA_MAX_DEFAULT_NS       UINT64_C(120000000000)
#define PROOF_DEFAULT_NS         UINT64_C(3600000000000)
/* largest permitted guess_debt_max_ns, mra_max_ns and proof_ns: one day */
#define WAIT_MAX_NS              UINT64_C(86400000000000)

/*
 * Maximum number of timers that one cm_tick() handles. If more are due, cm_deadline() stays in the
 * past.
 */
#define TICK_MAX 64

/* Default of half_open_max: 1/8 of the table, but at least 64 (SEC-042). */
#define HALF_OPEN_SHARE 8
#define HALF_OPEN_MIN   64u

static bool
config_fill(struct cm_config *config)
{
#define DEFAULT(field, value) config->field = config->field != 0 ? config->field : (value)
	DEFAULT(id_max, ID_DEFAULT);
	DEFAULT(listener_max, LISTENER_DEFAULT);
	DEFAULT(retransmit_ns, RETRANSMIT_DEFAULT_NS);
	DEFAULT(max_retries, RETRIES_DEFAULT);
	DEFAULT(timewait_ns, TIMEWAIT_DEFAULT_NS);
	DEFAULT(request_pending_ns, PENDING_DEFAULT_NS);
	DEFAULT(response_timeout, RESPONSE_TIMEOUT_DEFAULT);
	DEFAULT(ack_delay, CM_ACK_DELAY_DEFAULT);
	DEFAULT(pmtu_max, WIRE_PMTU_CODE_MAX);
	DEFAULT(req_rate_per_source, REQ_RATE_DEFAULT);
	DEFAULT(req_rate_global,
		(uint32_t)RTE_MIN((uint64_t)config->req_rate_per_source * REQ_RATE_GLOBAL_FACTOR,
			(uint64_t)REQ_RATE_MAX));
	DEFAULT(guess_burst, GUESS_BURST_DEFAULT);
	DEFAULT(guess_interval_ns, GUESS_DEFAULT_NS);
	DEFAULT(guess_debt_max_ns, RTE_MAX(GUESS_DEBT_DEFAULT_NS, config->guess_interval_ns));
	DEFAULT(half_open_max, RTE_MAX(config->id_max / HALF_OPEN_SHARE, HALF_OPEN_MIN));
	DEFAULT(answer_rate, ANSWER_RATE_DEFAULT);
	DEFAULT(mra_max_ns, MRA_MAX_DEFAULT_NS);
	DEFAULT(proof_ns, PROOF_DEFAULT_NS);
#undef DEFAULT
	/* Peers distinguish adapters by CA GUID, so adapters with GUID 0 would collide (CM-008). */
	return config->ca_guid != 0 && config->random != NULL && config->id_max <= CM_ID_MAX &&
		config->listener_max <= CM_LISTENER_MAX &&
		config->response_timeout <= WIRE_TIMEOUT_CODE_MAX &&
		config->ack_delay <= WIRE_TIMEOUT_CODE_MAX &&
		config->pmtu_max <= WIRE_PMTU_CODE_MAX &&
		config->req_rate_per_source <= REQ_RATE_MAX &&
		config->req_rate_global <= REQ_RATE_MAX && config->guess_burst <= GUESS_BURST_MAX &&
		config->guess_interval_ns <= GUESS_MAX_NS &&
		config->guess_debt_max_ns <= WAIT_MAX_NS && config->answer_rate <= REQ_RATE_MAX &&
		config->mra_max_ns <= WAIT_MAX_NS && config->proof_ns <= WAIT_MAX_NS;
}

/* @return smallest service timeout code of an MRA that covers wait_ns */
static uint8_t
service_timeout_for(uint64_t wait_ns)
{
	uint8_t code = 1;

	while (code < WIRE_TIMEOUT_CODE_MAX && base_timeout_ns(code) < wait_ns)
		code++;
	return code;
}

enum rc_status
cm_create(const struct cm_config *config, const struct cm_ops *ops, void *arg, struct cm **created)
{
	struct cm_config filled = *config;
	int socket_id = config->socket_id;
	struct cm_hash_key secret;
	struct cm *cm;

	if (!config_fill(&filled) || ops->send == NULL || ops->event == NULL ||
		ops->is_local == NULL)
		return RC_INVALID_ARGUMENT;
	cm = rte_zmalloc_socket("cm", sizeof(*cm), RTE_CACHE_LINE_SIZE, socket_id);
	if (cm == NULL)
		return RC_NO_RESOURCES;
	cm->config = filled;
	cm->ops = *ops;
	cm->arg = arg;
	secret.k0 = base_random_u64(filled.random);
	secret.k1 = base_random_u64(filled.random);
	cm_sources_init(&cm->sources, &filled, &secret);
	cm_admission_init(&cm->admission, &filled);
	cm->mra_service_timeout = service_timeout_for(filled.request_pending_ns);
	if (!cm_id_table_init(&cm->ids, filled.id_max, socket_id) ||
		!cm_timer_heap_init(&cm->timers, filled.id_max, socket_id) ||
		!cm_index_init(&cm->by_remote_id, filled.id_max, &secret, socket_id) ||
		!cm_index_init(&cm->by_remote_qpn, filled.id_max, &secret, socket_id) ||
		!cm_index_init(&cm->resting, filled.id_max, &secret, socket_id) ||
		!cm_listener_table_init(&cm->listeners, filled.listener_max, &secret, socket_id)) {
		cm_destroy(cm);
		return RC_NO_RESOURCES;
	}
	*created = cm;
	return RC_OK;
}

void
cm_destroy(struct cm *cm)
{
	if (cm == NULL)
		return;
	cm_listener_table_fini(&cm->listeners);
	cm_index_fini(&cm->resting);
	cm_index_fini(&cm->by_remote_qpn);
	cm_index_fini(&cm->by_remote_id);
	cm_timer_heap_fini(&cm->timers);
	cm_id_table_fini(&cm->ids);
	rte_free(cm);
}

uint64_t
cm_deadline(const struct cm *cm)
{
	const struct cm_timer *first = cm_timer_first(&cm->timers);
	uint64_t admission_ns = cm_admission_deadline(cm);

	return first != NULL ? RTE_MIN(first->deadline_ns, admission_ns) : admission_ns;
}

void
cm_tick(struct cm *cm, uint64_t now_ns)
{
	struct cm_timer *first;

	for (unsigned int i = 0; i < TICK_MAX; i++) {
		first = cm_timer_first(&cm->timers);
		if (first == NULL || first->deadline_ns > now_ns)
			break;
		cm_fsm_expire(base_list_entry(first, struct cm_id, timer), now_ns);
	}
	cm_admission_tick(cm, now_ns);
}

static bool
endpoint_valid(const struct cm_endpoint *endpoint, uint16_t private_max)
{
	return wire_qpn_usable(endpoint->qpn) && endpoint->starting_psn <= PSN_MASK &&
		endpoint->rnr_retry_count <= WIRE_RETRY_COUNT_MAX &&
		endpoint->private_bytes <= private_max &&
		(endpoint->private_bytes == 0 || endpoint->private_data != NULL);
}

static bool
connect_attr_valid(const struct cm *cm, const struct cm_connect_attr *attr)
{
	return endpoint_valid(&attr->endpoint, LIMIT_CALLER_DATA) &&
		attr->path_mtu >= WIRE_PMTU_CODE_MIN && attr->path_mtu <= cm->config.pmtu_max &&
		attr->retry_count <= WIRE_RETRY_COUNT_MAX &&
		attr->ack_timeout <= WIRE_TIMEOUT_CODE_MAX &&
		wire_gid_is_v4(&attr->route.local_gid) == wire_gid_is_v4(&attr->route.remote_gid);
}

/* Compute the label as Linux' rdma_cm does: both ends derive the UDP source port from it. */
static uint32_t
flow_label_of(const struct cm_connect_attr *attr)
{
	uint32_t dst_port = (uint32_t)(attr->service_id & 0xFFFF);

	return (attr->src_port * 31u + dst_port) & WIRE_FLOW_LABEL_MASK;
}

enum rc_status
cm_connect(struct cm *cm, const struct cm_connect_attr *attr, uint64_t now_ns,
	struct cm_id **connecting)
{
	struct cm_id *id;

	if (!connect_attr_valid(cm, attr))
		return RC_INVALID_ARGUMENT;
	id = cm_id_alloc(&cm->ids, cm->config.random);
	if (id == NULL)
		return RC_NO_RESOURCES;
	id->cm = cm;
	id->context = attr->context;
	id->route = attr->route;
	id->source = cm_source_of(&cm->sources, &attr->route.remote_gid);
	id->local_qpn = attr->endpoint.qpn;
	id->transaction_id = base_random_u64(cm->config.random);
	id->peer = (struct cm_peer){
		.path_mtu = attr->path_mtu,
		.retry_count = attr->retry_count,
		.ack_timeout = attr->ack_timeout,
		.traffic_class = attr->traffic_class,
		.hop_limit = attr->hop_limit,
		.flow_label = flow_label_of(attr),
		.src_port = attr->src_port,
		.service_id = attr->service_id,
	};
	cm_message_req(id, attr, &id->last);
	*connecting = id;
	cm_fsm_send(id, CM_REQ_SENT, now_ns);
	return RC_OK;
}

enum rc_status
cm_accept(struct cm_id *id, const struct cm_endpoint *endpoint, uint64_t now_ns)
{
	if (!endpoint_valid(endpoint, LIMIT_CALLEE_DATA))
		return RC_INVALID_ARGUMENT;
	if (id->state != CM_REQ_RECEIVED)
		return RC_NOT_CONNECTED;
	id->local_qpn = endpoint->qpn;
	cm_message_rep(id, endpoint, &id->last);
	id->frames_left--;
	cm_fsm_send(id, CM_REP_SENT, now_ns);
	return RC_OK;
}

enum rc_status
cm_confirm(struct cm_id *id, uint64_t now_ns)
{
	if (id->state != CM_REP_RECEIVED)
		return RC_NOT_CONNECTED;
	cm_message_rtu(id, &id->last);
	cm_fsm_enter(id, CM_ESTABLISHED, now_ns);
	cm_message_send(id->cm, &id->route, &id->last);
	return RC_OK;
}

static void
consumer_reject(struct cm_id *id, enum cm_about about, uint64_t now_ns)
{
	cm_message_rej(id, about, WIRE_REJ_CONSUMER, &id->last);
	cm_fsm_refuse(id, now_ns);
}

enum rc_status
cm_reject(struct cm_id *id, const void *private_data, uint16_t private_bytes, uint64_t now_ns)
{
	enum cm_about about = id->state == CM_REQ_RECEIVED ? CM_ABOUT_REQ : CM_ABOUT_REP;

	if (private_bytes > LIMIT_CALLEE_DATA || (private_bytes > 0 && private_data == NULL))
		return RC_INVALID_ARGUMENT;
	if (id->state != CM_REQ_RECEIVED && id->state != CM_REP_RECEIVED)
		return RC_NOT_CONNECTED;
	cm_message_rej(id, about, WIRE_REJ_CONSUMER, &id->last);
	if (private_bytes > 0)
		memcpy(id->last.private_data, private_data, private_bytes);
	id->over = true;
	cm_fsm_refuse(id, now_ns);
	return RC_OK;
}

enum rc_status
cm_disconnect(struct cm_id *id, uint64_t now_ns)
{
	if (id->state != CM_ESTABLISHED && id->state != CM_REP_SENT)
		return RC_NOT_CONNECTED;
	cm_fsm_disconnect(id, now_ns);
	return RC_OK;
}

void
cm_traffic_seen(struct cm_id *id, uint64_t now_ns)
{
	if (id->state == CM_REP_SENT)
		cm_fsm_establish(id, now_ns);
}

void
cm_release(struct cm_id *id, uint64_t now_ns)
{
	BASE_ASSERT(!id->released);
	id->released = true;
	switch (id->state) {
	case CM_REQ_SENT:
		cm_message_rej(id, CM_ABOUT_OTHER, WIRE_REJ_TIMEOUT, &id->last);
		cm_fsm_refuse(id, now_ns);
		return;
	case CM_REP_RECEIVED:
		consumer_reject(id, CM_ABOUT_REP, now_ns);
		return;
	case CM_REQ_RECEIVED:
		consumer_reject(id, CM_ABOUT_REQ, now_ns);
		return;
	case CM_REP_SENT:
		consumer_reject(id, CM_ABOUT_OTHER, now_ns);
		return;
	case CM_ESTABLISHED:
		cm_fsm_disconnect(id, now_ns);
		return;
	case CM_IDLE:
		cm_fsm_reap(id);
		return;
	case CM_DREQ_SENT:
	case CM_TIMEWAIT:
		return;
	}
}

void
cm_id_set_context(struct cm_id *id, void *context)
{
	id->context = context;
}

void *
cm_id_context(const struct cm_id *id)
{
	return id->context;
}

enum cm_state
cm_id_state(const struct cm_id *id)
{
	return id->state;
}

void
cm_id_peer(const struct cm_id *id, struct cm_peer *peer)
{
	*peer = id->peer;
}

void
cm_id_route(const struct cm_id *id, struct cm_route *route)
{
	*route = id->route;
}

bool
cm_qpn_resting(const struct cm *cm, uint32_t qpn)
{
	static const struct wire_gid none;
	struct cm_key key = cm_key_make(qpn, 0, &none);

	return cm_index_find(&cm->resting, &key) != NULL;
}

void
cm_set_destination(struct cm *cm, bool (*concerns)(void *arg, const struct wire_gid *peer),
	void *arg, const struct rte_ether_addr *mac)
{
	for (uint32_t i = 0; i < cm->ids.touched_count; i++) {
		struct cm_id *id = &cm->ids.slots[i];

		if (id->state != CM_IDLE && concerns(arg, &id->route.remote_gid))
			id->route.remote_mac = *mac;
	}
}

uint32_t
cm_id_count(const struct cm *cm)
{
	return cm->ids.used_count;
}

uint32_t
cm_half_open_count(const struct cm *cm)
{
	return __atomic_load_n(&cm->admission.open_count, __ATOMIC_RELAXED);
}

uint32_t
cm_held_count(const struct cm *cm)
{
	return __atomic_load_n(&cm->admission.held_count, __ATOMIC_RELAXED);
}

const struct cm_counters *
cm_counters(const struct cm *cm)
{
	return &cm->counters;
}
