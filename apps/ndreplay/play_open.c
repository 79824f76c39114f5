/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* The adapter of our side, and the handshake, recorded or not. */

#include "play.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include <ndpdk/nd_virtual.h>

#include "mad.h"

#define TCP_PROTOCOL      6
#define MTU_DEFAULT       4096
/** Default, if the capture has no REQ. */
#define ACK_TIMEOUT       14
/** Target ACK delay of the engine: a code, as ACK timeouts are. */
#define ACK_DELAY         12
#define READS_DEFAULT     128
#define QUEUE_ENTRIES     32768
#define CALLER_DATA_BYTES 56u
#define IP_CM_BYTES       36u
#define CALLEE_DATA_BYTES 148u
/** Values of the peer in a handshake that the capture lacks. */
#define MADE_COMM_ID      0x52504C59u
#define MADE_PORT         4791
/** Limit for the handshake, which only needs the time of timers. In ns. */
#define HANDSHAKE_NS      UINT64_C(1000000000)
/** Frames that a host sends in one turn leave within this time, in ns. */
#define TURN_NS           UINT64_C(1000000)

static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

static uint64_t
clock_read(void *arg)
{
	const struct play *play = arg;

	return play->now_ns;
}

static socklen_t
address_of(const uint8_t ip[16], uint16_t port, void *to)
{
	struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
	struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};

	if (memcmp(ip, mapped, sizeof(mapped)) == 0) {
		memcpy(&v4.sin_addr, ip + 12, 4);
		memcpy(to, &v4, sizeof(v4));
		return sizeof(v4);
	}
	memcpy(&v6.sin6_addr, ip, 16);
	memcpy(to, &v6, sizeof(v6));
	return sizeof(v6);
}

/** @return timer code of our first RNR NAK, 0: none; *cnps: whether our side sent CNPs */
static uint8_t
answers_look(const struct play *play, bool *cnps)
{
	uint8_t code = 0;

	struct nd_model_frame frame;

	for (size_t i = 0; play_frame(play, i, &frame) != 0; i++) {
		if (frame.side != play->ours)
			continue;
		if (frame.part == ND_MODEL_FRAME_RNR_NAK && code == 0)
			code = frame.syndrome & 0x1F;
		if (frame.part == ND_MODEL_FRAME_CNP)
			*cnps = true;
	}
	return code;
}

/** @return the setting for which the REQ has this code; the engine adds its ACK delay */
static uint8_t
ack_timeout_for(uint8_t recorded)
{
	if (recorded > ACK_DELAY + 1)
		return recorded;
	return recorded == ACK_DELAY + 1 ? ACK_DELAY : ACK_DELAY - 2;
}

static void
config_fill(struct play *play, struct nd_adapter_config *config)
{
	const struct nd_model_connection *connection = play->connection;
	const struct nd_model_side *side = &connection->side[play->ours];
	bool cnps = false;

	config->rnr_timer = answers_look(play, &cnps);
	config->no_cnps = !cnps;
	config->prefix_length = 1;
	config->path_mtu =
		connection->path_mtu_bytes != 0 ? connection->path_mtu_bytes : MTU_DEFAULT;
	config->vlan_id = side->vlan ? side->vlan_tci & 0xFFF : 0;
	config->endpoints_max = 16;
	config->regions_max = 1 << 17;
	config->windows_max = (uint32_t)side->keys + 16;
	config->recovery = play->keep != 0 ? ND_RECOVERY_SELECTIVE : ND_RECOVERY_GO_BACK_N;
	config->keep_packets = play->keep;
	if (play->keep == 0)
		config->reorder_window_us = ND_REORDER_NONE;
	config->congestion = ND_CONGESTION_NONE;
	config->guesses_max = 1000000;
	config->ack_timeout = ACK_TIMEOUT;
	if (side->data_seen) {
		config->dscp = side->tos >> 2;
		config->dscp_ack = side->ack_seen ? side->ack_tos >> 2 : 0;
		config->ttl = side->ttl;
		config->udp_source_port = side->udp_source_port;
	}
	if (side->comm_id != 0)
		config->rnr_retry_count = side->rnr_retry_count;
	if (connection->req_seen && play->ours == 0) {
		config->ack_timeout = ack_timeout_for(connection->ack_timeout);
		config->retry_count = connection->retry_count;
	}
}

static bool
adapter_open(struct play *play)
{
	const struct nd_model_side *side = &play->connection->side[play->ours];
	const struct nd_model_side *peer = &play->connection->side[play->theirs];
	static const uint8_t seed[ND_VIRTUAL_SEED_BYTES] = "ndreplay";
	struct nd_virtual_config without_port = {
		.clock = clock_read, .clock_arg = play, .seed = seed};
	struct nd_neighbour neighbour = {0};
	struct nd_adapter_config config = {
		.mbuf_pool = play->pool,
		.neighbours = &neighbour,
		.neighbour_count = 1,
		.transmit = play_transmit(),
		.transmit_arg = play,
	};

	address_of(side->ip, 0, &config.address);
	address_of(peer->ip, 0, &neighbour.address);
	memcpy(neighbour.mac, peer->mac, sizeof(neighbour.mac));
	memcpy(without_port.mac, side->mac, sizeof(side->mac));
	config_fill(play, &config);
	if (nd_failed(nd_adapter_open_virtual(&config, &without_port, &play->adapter))) {
		play_unjudged(play, "the engine cannot have the addresses or settings of the side");
		return false;
	}
	play->engine = nd_adapter_engine(play->adapter);
	return !nd_failed(nd_adapter_create_completion_queue(
		       play->adapter, 2 * QUEUE_ENTRIES, &play->cq)) &&
		!nd_failed(nd_adapter_create_connector(play->adapter, &play->connector));
}

static size_t
reads(uint8_t recorded, bool known)
{
	return known ? recorded : READS_DEFAULT;
}

static bool
endpoint_make(struct play *play)
{
	const struct nd_model_side *side = &play->connection->side[play->ours];
	const bool known = side->comm_id != 0 && !play->made;

	return !nd_failed(nd_connector_create_endpoint(play->connector, play->cq, play->cq,
		QUEUE_ENTRIES, QUEUE_ENTRIES, 1, 1, reads(side->responder_resources, known),
		reads(side->initiator_depth, known), NULL, &play->endpoint));
}

static bool
listen_on(struct play *play, int protocol, uint16_t port)
{
	uint16_t assigned;
	nd_status status = nd_adapter_listen(
		play->adapter, 0, protocol, htons(port), &assigned, &play->listener);

	if (!nd_failed(status))
		status = nd_listener_get_connection_request(
			play->listener, play->connector, &play->listening);
	return status == ND_PENDING;
}

/** @return whether our side refused because nobody listened */
static bool
nobody_listens(const struct play *play)
{
	struct nd_model_cm_message message;

	for (size_t i = 0; nd_model_cm(play->model, play->index, i, &message); i++)
		if (message.side == play->ours && message.attribute == MAD_REJ)
			return message.reject_reason == MAD_REASON_SERVICE;
	return false;
}

bool
play_open(struct play *play)
{
	const struct nd_model_connection *connection = play->connection;
	const int protocol = (int)(connection->service_id >> 16 & 0xFF);

	if (!adapter_open(play))
		return false;
	if (!play_memory_open(play))
		return false;
	if (!connection->req_seen)
		return true;
	if (play->ours == 0)
		return endpoint_make(play);
	if (nobody_listens(play))
		return true;
	if (connection->service_id >> 24 != 1 || connection->service_port == 0 ||
		!listen_on(play, protocol, connection->service_port)) {
		play_unjudged(play, "its service ID is not one of the RDMA IP CM");
		return false;
	}
	return true;
}

void
play_close(struct play *play)
{
	play->closing = true;
	if (play->adapter != NULL) {
		play_work_close(play);
		nd_adapter_close(play->adapter);
	}
	play_memory_close(play);
}

/* ---- calls of the application of our side ---- */

static void
connection_up(struct play *play)
{
	play->connected = true;
	play_memory_bind(play);
}

void
play_calls(struct play *play)
{
	nd_status status;

	if (play->listener != NULL && !play->asked &&
		nd_overlapped_get_result(&play->listening, NULL, false) == ND_SUCCESS) {
		play->asked = true;
		if (play->endpoint == NULL && !endpoint_make(play))
			play_unjudged(play, "the endpoint of the connection cannot be made");
	}
	if (!play->pending)
		return;
	status = nd_overlapped_get_result(&play->connecting, NULL, false);
	if (status == ND_PENDING)
		return;
	play->pending = false;
	if (nd_failed(status))
		return;
	if (play->ours == 0 && !play->made) {
		play->answered = true;
		if (!play->completes)
			return;
		status = nd_connector_complete_connect(play->connector, NULL);
	}
	if (!nd_failed(status))
		connection_up(play);
}

static void
began(struct play *play, nd_status status)
{
	play->pending = !nd_failed(status);
	if (status == ND_SUCCESS)
		play->connecting.status = ND_SUCCESS;
}

static bool
is_asked(const struct play *play, uint64_t argument)
{
	(void)argument;
	return play->asked;
}

static void
accept_request(struct play *play, const void *data, size_t bytes)
{
	if (!play_wait(play, is_asked, 0, HANDSHAKE_NS) || play->endpoint == NULL)
		return;
	began(play,
		nd_connector_accept(
			play->connector, play->endpoint, data, bytes, &play->connecting));
}

static void
connect_to_peer(struct play *play, const struct nd_model_cm_message *message)
{
	struct sockaddr_storage peer = {0};
	const socklen_t length = address_of(
		play->connection->side[play->theirs].ip, play->connection->service_port, &peer);
	uint16_t port;

	memcpy(&port, message->private_data + 2, sizeof(port));
	began(play,
		nd_connector_connect(play->connector, play->endpoint, (struct sockaddr *)&peer,
			length, (int)(play->connection->service_id >> 16 & 0xFF), port,
			message->private_data + IP_CM_BYTES, CALLER_DATA_BYTES, &play->connecting));
}

static void
reject(struct play *play, const struct nd_model_cm_message *message)
{
	if (nobody_listens(play))
		return;
	/* The application has accepted and gives up now. */
	if (play->pending) {
		nd_connector_cancel_overlapped_requests(play->connector);
		return;
	}
	if (message->reject_reason != MAD_REASON_CONSUMER)
		return;
	if (play->ours == 0 && play->answered)
		nd_connector_reject(play->connector, message->private_data, CALLEE_DATA_BYTES);
	else if (play_wait(play, is_asked, 0, HANDSHAKE_NS))
		nd_connector_reject(play->connector, message->private_data, CALLEE_DATA_BYTES);
}

/**
 * Our side rejects a REP because of an unknown communication ID. Its application gave up the
 * attempt and released its objects before the REP arrived.
 */
static void
withdraw(struct play *play)
{
	nd_endpoint_release(play->endpoint);
	nd_connector_release(play->connector);
	play->endpoint = NULL;
	play->connector = NULL;
	play->pending = false;
	play->ended = true;
	play->withdrawn = true;
}

static bool
find_message(const struct play *play, uint64_t number, struct nd_model_cm_message *message)
{
	for (size_t i = 0; nd_model_cm(play->model, play->index, i, message); i++)
		if (message->frame == number)
			return true;
	return false;
}

void
play_own_cm(struct play *play, uint64_t number)
{
	struct nd_model_cm_message message;

	if (!find_message(play, number, &message) || message.repeated || number == play->refused)
		return;
	if (message.attribute == MAD_REQ && play->ours == 0)
		connect_to_peer(play, &message);
	else if (message.attribute == MAD_REP && play->ours == 1)
		accept_request(play, message.private_data, CALLEE_DATA_BYTES);
	else if (message.attribute == MAD_REJ)
		reject(play, &message);
	else if (message.attribute == MAD_DREQ && !play->connected &&
		play_stale_feed(play, number, message.time_ns))
		play->ended = true;
	else if (message.attribute == MAD_DREQ && play->endpoint != NULL) {
		nd_connector_disconnect(play->connector, &play->ending);
		play->ended = true;
	}
	play_settle(play);
}

/** @return whether a REJ shows that the application gave up the attempt */
static bool
gives_up(const struct play *play, const struct nd_model_cm_message *message)
{
	if (play->refused != 0 || message->repeated)
		return false;
	if (play->ours == 0)
		return play->pending && message->reject_reason == MAD_REASON_TIMEOUT;
	return play->pauses && play->asked && message->reject_reason == MAD_REASON_CONSUMER;
}

void
play_before_cm(struct play *play, size_t at, const struct nd_model_frame *theirs)
{
	struct nd_model_cm_message message;
	struct nd_model_frame frame;
	uint64_t number;

	while ((number = play_frame(play, ++at, &frame)) != 0 &&
		frame.time_ns <= theirs->time_ns + TURN_NS) {
		if (frame.side != play->ours)
			continue;
		if (!find_message(play, number, &message))
			return;
		if (message.attribute == MAD_MRA)
			continue;
		if (message.attribute != MAD_REJ)
			return;
		if (play->ours == 0 && !play->connected &&
			message.reject_reason == MAD_REASON_COMM_ID)
			withdraw(play);
		else if (gives_up(play, &message)) {
			reject(play, &message);
			play->refused = number;
			play_settle(play);
		}
		return;
	}
}

bool
play_cm_is_lost(const struct play *play, size_t at, const struct nd_model_frame *theirs)
{
	struct nd_model_cm_message message;
	struct nd_model_frame frame;
	uint64_t number;

	if (theirs->cm_attribute != MAD_REJ || play->ours == 0 || !play->asked)
		return false;
	while ((number = play_frame(play, ++at, &frame)) != 0)
		if (frame.side == play->ours && find_message(play, number, &message) &&
			message.attribute != MAD_MRA)
			return message.attribute == MAD_REP && !message.repeated;
	return false;
}

void
play_sent_cm(struct play *play, const struct play_frame *frame)
{
	const size_t at = packet_mad(&frame->packet);
	const uint8_t *mad = frame->bytes + at;

	if (at == 0)
		return;
	if (mad_attribute(mad) == MAD_REQ || mad_attribute(mad) == MAD_REP) {
		play->map.comm_id = (uint32_t)mad_load(mad, MAD_LOCAL_COMM_ID);
		play->map.qpn = (uint32_t)mad_load(mad, MAD_LOCAL_QPN);
		play->map.psn_ours = (uint32_t)mad_load(mad, MAD_STARTING_PSN);
		play->map.psn_known = true;
	}
	if (mad_attribute(mad) == MAD_REJ && play->map.comm_id == 0)
		play->map.comm_id = (uint32_t)mad_load(mad, MAD_LOCAL_COMM_ID);
	if (mad_attribute(mad) == MAD_REQ || mad_attribute(mad) == MAD_DREQ)
		play->map.transaction = mad_transaction(mad);
}

/* ---- a handshake that the capture lacks ---- */

static void
made_input(struct play *play, const uint8_t *mad)
{
	const struct nd_model_side *side = &play->connection->side[play->ours];
	const struct nd_model_side *peer = &play->connection->side[play->theirs];
	struct packet_ends ends = {.vlan = side->vlan, .vlan_tci = side->vlan_tci};
	uint8_t frame[PACKET_BYTES_MAX];

	memcpy(ends.source_mac, peer->mac, 6);
	memcpy(ends.destination_mac, side->mac, 6);
	memcpy(ends.source_ip, peer->ip, 16);
	memcpy(ends.destination_ip, side->ip, 16);
	play_input(play, frame, packet_make_mad(&ends, mad, frame));
	outcome_last(play->outcome)->fed--;
}

static void
made_request(const struct play *play, uint8_t *mad)
{
	const struct nd_model_side *peer = &play->connection->side[play->theirs];
	const uint16_t mtu = play->connection->path_mtu_bytes;
	struct mad_req req = {
		.comm_id = MADE_COMM_ID,
		.qpn = peer->qpn,
		.psn = (uint32_t)play->sent & 0xFFFFFF,
		.path_mtu = mtu != 0 ? mtu : MTU_DEFAULT,
		.port = MADE_PORT,
		.ack_timeout = ACK_TIMEOUT,
		.retry_count = 7,
		.rnr_retry_count = 7,
		.responder_resources = READS_DEFAULT,
		.initiator_depth = READS_DEFAULT,
	};

	memcpy(req.local_ip, peer->ip, 16);
	memcpy(req.remote_ip, play->connection->side[play->ours].ip, 16);
	mad_make_req(mad, &req);
}

/** @return transaction of the recorded REQ */
static uint64_t
request_transaction(const struct play *play)
{
	struct nd_model_cm_message message;

	for (size_t i = 0; nd_model_cm(play->model, play->index, i, &message); i++)
		if (message.attribute == MAD_REQ)
			return message.transaction_id;
	return 1;
}

static void
made_ready(struct play *play, uint32_t comm_id, uint64_t transaction)
{
	uint8_t mad[PACKET_MAD_BYTES];

	mad_begin(mad, MAD_RTU, transaction);
	mad_store(mad, MAD_LOCAL_COMM_ID, comm_id);
	mad_store(mad, MAD_REMOTE_COMM_ID, play->map.comm_id);
	made_input(play, mad);
}

void
play_before_request(struct play *play)
{
	if (play->ours == 1 && !play->made && play->pending && !play->connected)
		made_ready(play, play->connection->side[play->theirs].comm_id,
			request_transaction(play));
}

bool
play_make_connection(struct play *play)
{
	uint8_t mad[PACKET_MAD_BYTES];

	play->made = true;
	if (!listen_on(play, TCP_PROTOCOL, MADE_PORT)) {
		play_unjudged(play, "the connection that the capture lacks cannot be made");
		return false;
	}
	made_request(play, mad);
	made_input(play, mad);
	accept_request(play, NULL, 0);
	play_settle(play);
	made_ready(play, MADE_COMM_ID, 1);
	for (size_t i = 0; i < play->frame_count; i++)
		free(play->frames[i].bytes);
	play->frame_count = 0;
	if (!play->connected)
		play_unjudged(play, "the connection that the capture lacks cannot be made");
	return play->connected;
}
