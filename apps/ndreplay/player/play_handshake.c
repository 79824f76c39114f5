/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* The handshake of our side, recorded or created, and the end of the connection. */

#include "play_handshake.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "mad.h"
#include "play_stale.h"

#define TCP_PROTOCOL      6
#define READS_DEFAULT     128
#define CALLER_DATA_BYTES 56u
#define IP_CM_BYTES       36u
#define CALLEE_DATA_BYTES 148u
/** Values of the peer in a handshake that the replay creates. */
#define MADE_COMM_ID      0x52504C59u
#define MADE_PORT         4791
/** Maximum virtual time in ns of a handshake step. Only timers take virtual time. */
#define HANDSHAKE_NS      UINT64_C(1000000000)
/** Maximum time in ns between the frames that a host sends in one poll. */
#define TURN_NS           UINT64_C(1000000)

static size_t
reads(uint8_t recorded, bool known)
{
	return known ? recorded : READS_DEFAULT;
}

static bool
endpoint_make(struct play_handshake *handshake)
{
	const struct nd_model_side *side = play_own_side(handshake->recorded);
	const bool known = side->comm_id != 0 && !handshake->made;

	return !nd_failed(nd_connector_create_endpoint(handshake->connector, handshake->engine->cq,
		handshake->engine->cq, PLAY_QUEUE_ENTRIES, PLAY_QUEUE_ENTRIES, 1, 1,
		reads(side->responder_resources, known), reads(side->initiator_depth, known), NULL,
		&handshake->engine->endpoint));
}

static bool
listen_on(struct play_handshake *handshake, int protocol, uint16_t port)
{
	uint16_t assigned;
	nd_status status = nd_adapter_listen(handshake->engine->adapter, 0, protocol, htons(port),
		&assigned, &handshake->listener);

	if (!nd_failed(status))
		status = nd_listener_get_connection_request(
			handshake->listener, handshake->connector, &handshake->listening);
	return status == ND_PENDING;
}

/** @return true if our side rejected the connection because no application listened */
static bool
nobody_listens(const struct play_handshake *handshake)
{
	struct nd_model_cm_message message;

	for (size_t i = 0; play_cm(handshake->recorded, i, &message); i++)
		if (message.side == handshake->recorded->ours && message.attribute == MAD_REJ)
			return message.reject_reason == MAD_REASON_SERVICE;
	return false;
}

bool
play_handshake_open(struct play_handshake *handshake)
{
	const struct nd_model_connection *connection = handshake->recorded->connection;
	const int protocol = (int)(connection->service_id >> 16 & 0xFF);

	if (nd_failed(
		    nd_adapter_create_connector(handshake->engine->adapter, &handshake->connector)))
		return false;
	if (!connection->req_seen)
		return true;
	if (handshake->recorded->ours == 0)
		return endpoint_make(handshake);
	if (nobody_listens(handshake))
		return true;
	if (connection->service_id >> 24 != 1 || connection->service_port == 0 ||
		!listen_on(handshake, protocol, connection->service_port)) {
		play_unjudged(
			handshake->engine, "the service ID does not belong to the RDMA IP CM");
		return false;
	}
	return true;
}

/* ---- asynchronous API calls that our side's application made ---- */

bool
play_calls(struct play_handshake *handshake)
{
	nd_status status;

	if (handshake->listener != NULL && !handshake->asked &&
		nd_overlapped_get_result(&handshake->listening, NULL, false) == ND_SUCCESS) {
		handshake->asked = true;
		if (handshake->engine->endpoint == NULL && !endpoint_make(handshake))
			play_unjudged(handshake->engine,
				"the endpoint of the connection cannot be created");
	}
	if (!handshake->pending)
		return false;
	status = nd_overlapped_get_result(&handshake->connecting, NULL, false);
	if (status == ND_PENDING)
		return false;
	handshake->pending = false;
	if (nd_failed(status))
		return false;
	if (handshake->recorded->ours == 0 && !handshake->made) {
		handshake->answered = true;
		if (!handshake->recorded->completes)
			return false;
		status = nd_connector_complete_connect(handshake->connector, NULL);
	}
	if (nd_failed(status))
		return false;
	handshake->engine->connected = true;
	return true;
}

static void
began(struct play_handshake *handshake, nd_status status)
{
	handshake->pending = !nd_failed(status);
	if (status == ND_SUCCESS)
		handshake->connecting.status = ND_SUCCESS;
}

static bool
is_asked(const void *of, uint64_t argument)
{
	const struct play_handshake *handshake = of;

	(void)argument;
	return handshake->asked;
}

static void
accept_request(struct play_handshake *handshake, const void *data, size_t bytes)
{
	if (!play_wait(&handshake->engine->clock, is_asked, handshake, 0, HANDSHAKE_NS) ||
		handshake->engine->endpoint == NULL)
		return;
	began(handshake,
		nd_connector_accept(handshake->connector, handshake->engine->endpoint, data, bytes,
			&handshake->connecting));
}

static void
connect_to_peer(struct play_handshake *handshake, const struct nd_model_cm_message *message)
{
	struct sockaddr_storage peer = {0};
	const socklen_t length = play_address(play_peer_side(handshake->recorded)->ip,
		handshake->recorded->connection->service_port, &peer);
	uint16_t port;

	memcpy(&port, message->private_data + 2, sizeof(port));
	began(handshake,
		nd_connector_connect(handshake->connector, handshake->engine->endpoint,
			(struct sockaddr *)&peer, length,
			(int)(handshake->recorded->connection->service_id >> 16 & 0xFF), port,
			message->private_data + IP_CM_BYTES, CALLER_DATA_BYTES,
			&handshake->connecting));
}

static void
reject(struct play_handshake *handshake, const struct nd_model_cm_message *message)
{
	if (nobody_listens(handshake))
		return;
	/* The application had accepted the connection, but now it gives up. */
	if (handshake->pending) {
		nd_connector_cancel_overlapped_requests(handshake->connector);
		return;
	}
	if (message->reject_reason != MAD_REASON_CONSUMER)
		return;
	if (handshake->recorded->ours == 0 && handshake->answered)
		nd_connector_reject(handshake->connector, message->private_data, CALLEE_DATA_BYTES);
	else if (play_wait(&handshake->engine->clock, is_asked, handshake, 0, HANDSHAKE_NS))
		nd_connector_reject(handshake->connector, message->private_data, CALLEE_DATA_BYTES);
}

/**
 * Called when our side rejects a REP because the communication ID of the REP is unknown. The
 * application gave up the attempt to connect, and released its objects before the REP arrived.
 */
static void
withdraw(struct play_handshake *handshake)
{
	nd_endpoint_release(handshake->engine->endpoint);
	nd_connector_release(handshake->connector);
	handshake->engine->endpoint = NULL;
	handshake->connector = NULL;
	handshake->pending = false;
	handshake->engine->ended = true;
	handshake->withdrawn = true;
}

static bool
find_message(const struct play_handshake *handshake, uint64_t number,
	struct nd_model_cm_message *message)
{
	for (size_t i = 0; play_cm(handshake->recorded, i, message); i++)
		if (message->frame == number)
			return true;
	return false;
}

void
play_own_cm(struct play_handshake *handshake, uint64_t number)
{
	struct nd_model_cm_message message;

	if (!find_message(handshake, number, &message) || message.repeated ||
		number == handshake->refused)
		return;
	if (message.attribute == MAD_REQ && handshake->recorded->ours == 0)
		connect_to_peer(handshake, &message);
	else if (message.attribute == MAD_REP && handshake->recorded->ours == 1)
		accept_request(handshake, message.private_data, CALLEE_DATA_BYTES);
	else if (message.attribute == MAD_REJ)
		reject(handshake, &message);
	else if (message.attribute == MAD_DREQ && !handshake->engine->connected &&
		play_stale_feed(handshake->engine, handshake->recorded, number, message.time_ns,
			&handshake->stale_comm_id))
		handshake->engine->ended = true;
	else if (message.attribute == MAD_DREQ && handshake->engine->endpoint != NULL) {
		nd_connector_disconnect(handshake->connector, &handshake->ending);
		handshake->engine->ended = true;
	}
	play_settle(&handshake->engine->clock);
}

/** @return true if a REJ of our side shows that the application gave up the attempt to connect */
static bool
gives_up(const struct play_handshake *handshake, const struct nd_model_cm_message *message)
{
	if (handshake->refused != 0 || message->repeated)
		return false;
	if (handshake->recorded->ours == 0)
		return handshake->pending && message->reject_reason == MAD_REASON_TIMEOUT;
	return handshake->pauses && handshake->asked &&
		message->reject_reason == MAD_REASON_CONSUMER;
}

void
play_before_cm(struct play_handshake *handshake, size_t at, const struct nd_model_frame *theirs)
{
	struct nd_model_cm_message message;
	struct nd_model_frame frame;
	uint64_t number;

	while ((number = play_frame(handshake->recorded, ++at, &frame)) != 0 &&
		frame.time_ns <= theirs->time_ns + TURN_NS) {
		if (frame.side != handshake->recorded->ours)
			continue;
		if (!find_message(handshake, number, &message))
			return;
		if (message.attribute == MAD_MRA)
			continue;
		if (message.attribute != MAD_REJ)
			return;
		if (handshake->recorded->ours == 0 && !handshake->engine->connected &&
			message.reject_reason == MAD_REASON_COMM_ID)
			withdraw(handshake);
		else if (gives_up(handshake, &message)) {
			reject(handshake, &message);
			handshake->refused = number;
			play_settle(&handshake->engine->clock);
		}
		return;
	}
}

bool
play_cm_is_lost(
	const struct play_handshake *handshake, size_t at, const struct nd_model_frame *theirs)
{
	struct nd_model_cm_message message;
	struct nd_model_frame frame;
	uint64_t number;

	if (theirs->cm_attribute != MAD_REJ || handshake->recorded->ours == 0 || !handshake->asked)
		return false;
	while ((number = play_frame(handshake->recorded, ++at, &frame)) != 0)
		if (frame.side == handshake->recorded->ours &&
			find_message(handshake, number, &message) && message.attribute != MAD_MRA)
			return message.attribute == MAD_REP && !message.repeated;
	return false;
}

/* ---- a handshake that the capture lacks ---- */

static void
made_input(struct play_handshake *handshake, const uint8_t *mad)
{
	const struct nd_model_side *side = play_own_side(handshake->recorded);
	const struct nd_model_side *peer = play_peer_side(handshake->recorded);
	struct packet_ends ends = {.vlan = side->vlan, .vlan_tci = side->vlan_tci};
	uint8_t frame[PACKET_BYTES_MAX];

	memcpy(ends.source_mac, peer->mac, 6);
	memcpy(ends.destination_mac, side->mac, 6);
	memcpy(ends.source_ip, peer->ip, 16);
	memcpy(ends.destination_ip, side->ip, 16);
	play_input(handshake->engine, frame, packet_make_mad(&ends, mad, frame));
	outcome_last(handshake->engine->outcome)->fed--;
}

static void
made_request(const struct play_handshake *handshake, uint8_t *mad)
{
	const struct nd_model_side *peer = play_peer_side(handshake->recorded);
	const uint16_t mtu = handshake->recorded->connection->path_mtu_bytes;
	struct mad_req req = {
		.comm_id = MADE_COMM_ID,
		.qpn = peer->qpn,
		.psn = (uint32_t)handshake->recorded->first[handshake->recorded->ours] & 0xFFFFFF,
		.path_mtu = mtu != 0 ? mtu : PLAY_MTU_DEFAULT,
		.port = MADE_PORT,
		.ack_timeout = PLAY_ACK_TIMEOUT,
		.retry_count = 7,
		.rnr_retry_count = 7,
		.responder_resources = READS_DEFAULT,
		.initiator_depth = READS_DEFAULT,
	};

	memcpy(req.local_ip, peer->ip, 16);
	memcpy(req.remote_ip, play_own_side(handshake->recorded)->ip, 16);
	mad_make_req(mad, &req);
}

/** @return transaction ID of the recorded REQ */
static uint64_t
request_transaction(const struct play_handshake *handshake)
{
	struct nd_model_cm_message message;

	for (size_t i = 0; play_cm(handshake->recorded, i, &message); i++)
		if (message.attribute == MAD_REQ)
			return message.transaction_id;
	return 1;
}

static void
made_ready(struct play_handshake *handshake, uint32_t comm_id, uint64_t transaction)
{
	uint8_t mad[PACKET_MAD_BYTES];

	mad_begin(mad, MAD_RTU, transaction);
	mad_store(mad, MAD_LOCAL_COMM_ID, comm_id);
	mad_store(mad, MAD_REMOTE_COMM_ID, handshake->map->comm_id);
	made_input(handshake, mad);
}

void
play_before_request(struct play_handshake *handshake)
{
	if (handshake->recorded->ours == 1 && !handshake->made && handshake->pending &&
		!handshake->engine->connected)
		made_ready(handshake, play_peer_side(handshake->recorded)->comm_id,
			request_transaction(handshake));
}

bool
play_make_connection(struct play_handshake *handshake)
{
	uint8_t mad[PACKET_MAD_BYTES];

	handshake->made = true;
	if (!listen_on(handshake, TCP_PROTOCOL, MADE_PORT)) {
		play_unjudged(handshake->engine,
			"the handshake that replaces uncaptured messages failed");
		return false;
	}
	made_request(handshake, mad);
	made_input(handshake, mad);
	accept_request(handshake, NULL, 0);
	play_settle(&handshake->engine->clock);
	made_ready(handshake, MADE_COMM_ID, 1);
	if (!handshake->engine->connected)
		play_unjudged(handshake->engine,
			"the handshake that replaces uncaptured messages failed");
	return handshake->engine->connected;
}
