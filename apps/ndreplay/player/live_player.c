/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "live_player.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <rte_common.h>
#include <rte_cycles.h>

#include <ndpdk/nd_end.h>

#include "kit/end_words.h"

#define RESULTS_PER_TURN 32u

/* Reject reason in a REJ: no server listens (IBTA volume 1, 12.6.7.2). */
#define REJECT_SERVICE_ID 8u

void
player_init(struct player *player, struct nd_adapter *adapter, const struct live_options *options,
	struct live_report *report)
{
	memset(player, 0, sizeof(*player));
	link_init(&player->link, adapter);
	player->link.owner = player;
	player->options = options;
	player->report = report;
}

static void
set_end(struct player *player, const char *format, ...)
{
	va_list list;

	if (player->end[0] != '\0')
		return;
	va_start(list, format);
	vsnprintf(player->end, sizeof(player->end), format, list);
	va_end(list);
}

static void
note_peer(struct player *player)
{
	struct sockaddr_storage address = {0};
	const void *bytes = &((struct sockaddr_in *)&address)->sin_addr;
	size_t length = sizeof(address);

	if (nd_connector_get_peer_address(
		    player->link.connector, (struct sockaddr *)&address, &length) != ND_SUCCESS)
		return;
	if (address.ss_family == AF_INET6)
		bytes = &((struct sockaddr_in6 *)&address)->sin6_addr;
	if (inet_ntop(address.ss_family, bytes, player->peer, sizeof(player->peer)) == NULL)
		player->peer[0] = '\0';
}

static void
take_answer(void *owner)
{
	player_compare_private(owner);
}

static uint16_t
service_port(const struct player *player)
{
	return player->options->service != 0 ? player->options->service
					     : player->script->connection->service_port;
}

/* Create the objects, and post the first receives. @return false: link has the reason */
static bool
open_objects(struct player *player)
{
	if (!player_open_objects(player))
		return false;
	player_post_receives(player);
	return player->link.state != LINK_FAILED;
}

void
player_connect(
	struct player *player, const struct script *script, uint64_t number, uint32_t refusals)
{
	struct sockaddr_storage peer = player->options->to;

	player->script = script;
	player->number = number;
	player->state = PLAYER_CONNECTING;
	player->link.answered = take_answer;
	player->progress_tsc = rte_get_tsc_cycles();
	if (!open_objects(player))
		return;
	link_set_port(&peer, service_port(player));
	link_connect(&player->link, &peer, script->rejected ? 0 : refusals);
}

void
player_listen(struct player *player, struct nd_listener *listener)
{
	player->state = PLAYER_CONNECTING;
	link_listen(&player->link, listener);
}

void
player_take(struct player *player, const struct script *script, uint64_t number)
{
	player->script = script;
	player->number = number;
	note_peer(player);
	if (script->rejected) {
		player_compare_private(player);
		link_refuse(&player->link, script->own_data, script->own_data_bytes);
		set_end(player, "rejected as recorded");
		return;
	}
	if (!open_objects(player))
		return;
	player_compare_private(player);
	link_accept(&player->link);
}

/*
 * @return true if the peer is absent, so that nothing can be compared. In this case the run has not
 *         established a connection, and either the peer did not answer or no server listens.
 */
static bool
is_peer_absent(const struct player *player)
{
	struct nd_end end = {.reason = ND_END_NONE};

	if (player->report->answered || player->link.is_connected)
		return false;
	if (player->timed_out)
		return true;
	if (player->link.connector == NULL ||
		nd_failed(nd_connector_get_end_reason(player->link.connector, &end)))
		return false;
	return end.reason == ND_END_CONNECT_TIMEOUT || end.reason == ND_END_UNREACHABLE ||
		(end.reason == ND_END_REJECTED && end.reject_reason == REJECT_SERVICE_ID);
}

/* Check that the peer rejects the connection if the connection was rejected in the capture. */
static void
compare_rejection(struct player *player)
{
	const struct script *script = player->script;
	struct nd_end end = {.reason = ND_END_NONE};
	char left[48], right[48];

	if (player->link.connector != NULL)
		(void)nd_connector_get_end_reason(player->link.connector, &end);
	snprintf(left, sizeof(left), "rejected, reason %u", script->connection->reject_reason);
	snprintf(right, sizeof(right), "reason %u", end.reject_reason);
	if (end.reason != ND_END_REJECTED)
		player_differ(player, "connection", "answer", left, player->link.error);
	else if (end.reject_reason != script->connection->reject_reason)
		player_differ(player, "connection", "reason of the rejection", left, right);
	else
		set_end(player, "rejected as recorded");
}

static void
finish(struct player *player)
{
	if (player->link.state == LINK_FAILED && player->script != NULL && !player->stopped) {
		if (is_peer_absent(player))
			live_report_unanswered(player->report, player->link.error);
		else if (player->script->rejected && !player->link.is_connected)
			compare_rejection(player);
		else
			player_differ(player, "connection",
				player->start_tsc == 0 ? "set-up" : "this side", "a connection",
				player->link.error);
		set_end(player, "%s", player->link.error);
	}
	set_end(player, "ended");
	player->state = PLAYER_OVER;
}

static void
disconnect(struct player *player)
{
	player->state = PLAYER_CLOSING;
	link_disconnect(&player->link);
}

/* Start to replay in the first turn (call of player_turn()) after the connection is established. */
static void
begin(struct player *player)
{
	note_peer(player);
	player->start_tsc = player->progress_tsc = rte_get_tsc_cycles();
	player->state = PLAYER_PLAYING;
	player->report->answered = true;
	if (!player->script->rejected)
		return;
	player_differ(player, "connection", "answer", "rejected", "accepted");
	set_end(player, "accepted, and disconnected");
	disconnect(player);
}

static void
take_result(struct player *player, struct nd_result *result)
{
	struct slot *slot = container_of(result, struct slot, result);

	switch (slot->kind) {
	case SLOT_OPERATION:
		player_compare_operation(player, slot);
		break;
	case SLOT_RECEIVE:
		player_compare_message(player, slot);
		break;
	case SLOT_INVALIDATED:
		player->windows[slot->index].bound = false;
		player->windows[slot->index].was_invalidated = result->status == ND_SUCCESS;
		break;
	case SLOT_BIND:
	case SLOT_CLOSE:
		/*
		 * A successful bind or invalidate has no result (silent success), so this request
		 * has failed or was cancelled.
		 */
		if (result->status != ND_CANCELED)
			player_differ(player, "connection",
				slot->kind == SLOT_BIND ? "bind" : "invalidate", "ND_SUCCESS",
				nd_status_name(result->status));
		break;
	}
}

static size_t
take_results(struct player *player)
{
	struct nd_result *results[RESULTS_PER_TURN];
	size_t count;

	if (player->link.cq == NULL)
		return 0;
	count = nd_cq_get_results(player->link.cq, results, RESULTS_PER_TURN);
	for (size_t i = 0; i < count; i++)
		take_result(player, results[i]);
	return count;
}

static bool
all_played(const struct player *player)
{
	return player->done_operations == player->script->operation_count &&
		player->received >= player->script->message_count;
}

/*
 * @return true if all operations and messages before the failure that ended the recorded connection
 *         are done
 */
static bool
all_until_break(const struct player *player)
{
	const struct script *script = player->script;
	size_t operations = 0, messages = 0;

	if (!script->breaks)
		return all_played(player);
	while (operations < script->operation_count &&
		script->operations[operations].model->end != ND_MODEL_REFUSED &&
		script->operations[operations].model->end != ND_MODEL_UNANSWERED)
		operations++;
	while (messages < script->message_count && !script->messages[messages].refused &&
		!script->messages[messages].lost)
		messages++;
	return player->done_operations >= operations && player->received >= messages;
}

/* Describe the operations and messages that have not happened yet. */
static void
describe_rest(const struct player *player, char *text, size_t size)
{
	const struct script *script = player->script;

	if (player->received < script->message_count &&
		(player->next_operation >= script->operation_count ||
			player->received < script->operations[player->next_operation].messages))
		snprintf(text, size, "message %zu of %zu", player->received, script->message_count);
	else if (player->done_operations < player->next_operation)
		snprintf(text, size, "the completion of operation %zu", player->done_operations);
	else if (player->done_operations < script->operation_count)
		snprintf(text, size, "the start of operation %zu", player->next_operation);
	else
		snprintf(text, size, "the end of the connection");
}

static void
peer_gone(struct player *player)
{
	char words[END_WORDS_BYTES], rest[96], seen[200];

	end_words(player->link.connector, words);
	set_end(player, "ended by the peer%s", words);
	if (!all_until_break(player)) {
		describe_rest(player, rest, sizeof(rest));
		snprintf(seen, sizeof(seen), "the connection has ended%s", words);
		player_differ(player, "connection", "conversation", rest, seen);
	}
	player_compare_rest(player);
	disconnect(player);
}

static void
give_up(struct player *player)
{
	char rest[96], seen[96];

	describe_rest(player, rest, sizeof(rest));
	snprintf(seen, sizeof(seen), "nothing for %.1f s",
		(double)player->options->timeout_ns / NS_PER_S);
	player_differ(player, "connection", "conversation", rest, seen);
	set_end(player, "timed out");
	disconnect(player);
}

static bool
is_stalled(const struct player *player)
{
	const double idle_ns = (double)(rte_get_tsc_cycles() - player->progress_tsc) * NS_PER_S /
		(double)rte_get_tsc_hz();

	return idle_ns > (double)player->options->timeout_ns;
}

/*
 * Wait for the time of the disconnect, and disconnect. Called when everything is replayed.
 *
 * @return true if the player must not time out during the wait
 */
static bool
end_turn(struct player *player)
{
	const struct script *script = player->script;
	const double passed_ns = (double)(rte_get_tsc_cycles() - player->start_tsc) * NS_PER_S /
		(double)rte_get_tsc_hz();

	if (!script->closes || script->breaks)
		return false;
	/*
	 * Wait until the recorded time of the disconnect, because the peer may execute operations
	 * that this side does not see.
	 */
	if (!player_is_due(player, script->close_due_ns) ||
		!player_others_reached(player, script->up_ns + script->close_due_ns) ||
		(script->peer_acts_last && passed_ns < (double)script->close_due_ns))
		return true;
	player_compare_rest(player);
	set_end(player, "disconnected as recorded");
	disconnect(player);
	return true;
}

/* For the active side: check for the answer to the connection request. */
static void
connect_turn(struct player *player)
{
	const bool waits = player->link.state == LINK_CONNECTING ||
		player->link.state == LINK_PAUSING || player->link.state == LINK_COMPLETING;

	if (player->link.state == LINK_CONNECTED) {
		begin(player);
	} else if (waits && is_stalled(player)) {
		player->timed_out = true;
		link_fail(&player->link, "the server did not answer within %.1f s",
			(double)player->options->timeout_ns / NS_PER_S);
	}
}

static void
play_turn(struct player *player)
{
	const size_t results = take_results(player);
	bool paced;

	if (player->link.state == LINK_FAILED)
		return;
	player_post_receives(player);
	paced = player_post(player);
	if (results != 0)
		return;
	if (link_peer_gone(&player->link)) {
		peer_gone(player);
		return;
	}
	if (all_played(player))
		paced = end_turn(player);
	if (player->state != PLAYER_PLAYING)
		return;
	if (paced)
		player->progress_tsc = rte_get_tsc_cycles();
	else if (is_stalled(player))
		give_up(player);
}

void
player_turn(struct player *player)
{
	link_turn(&player->link);
	switch (player->state) {
	case PLAYER_CONNECTING:
		connect_turn(player);
		break;
	case PLAYER_PLAYING:
		play_turn(player);
		break;
	case PLAYER_CLOSING:
		take_results(player);
		break;
	case PLAYER_IDLE:
	case PLAYER_OVER:
		return;
	}
	if (link_ended(&player->link))
		finish(player);
}

void
player_stop(struct player *player)
{
	player->stopped = true;
	if (player->state == PLAYER_IDLE || player->state == PLAYER_OVER)
		return;
	set_end(player, "stopped by the user");
	disconnect(player);
	if (link_ended(&player->link))
		finish(player);
}

void
player_close(struct player *player)
{
	if (player->script == NULL) {
		link_close(&player->link);
		return;
	}
	player_close_objects(player);
}
