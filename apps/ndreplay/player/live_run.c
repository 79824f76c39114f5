/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "live_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <rte_byteorder.h>
#include <rte_cycles.h>

#include "kit/stop.h"

#include "live_player.h"

/* After this number of polls without work, the thread sleeps for NAP_US between polls. */
#define POLLS_BEFORE_NAP 20000u
#define NAP_US           50u
#define PORTS_MAX        16u
#define REFUSALS         20u /* maximum number of retries after refusals, 0.1 s apart */

static int
compare_scripts(const void *a, const void *b)
{
	const struct script *left = a, *right = b;

	if (left->start_ns != right->start_ns)
		return left->start_ns < right->start_ns ? -1 : 1;
	return left->index < right->index ? -1 : left->index > right->index;
}

static bool
is_playable(const struct nd_model_connection *connection)
{
	return connection->side[0].operations + connection->side[1].operations != 0 ||
		connection->req_seen;
}

bool
live_cast_make(struct live_cast *cast, const struct nd_model *model, unsigned int side,
	const struct live_options *options, char *why, size_t size)
{
	const size_t count = nd_model_connection_count(model);
	char reason[256];

	cast->count = 0;
	cast->scripts = calloc(count + 1, sizeof(cast->scripts[0]));
	if (cast->scripts == NULL) {
		snprintf(why, size, "memory is exhausted");
		return false;
	}
	if (options->one && options->connection > count) {
		snprintf(why, size,
			"the capture has no connection %" PRIu32 ": it has %zu connections",
			options->connection, count);
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		const struct nd_model_connection *connection = nd_model_connection(model, i);

		if ((options->one && i + 1 != options->connection) || !is_playable(connection))
			continue;
		if (options->service == 0 && connection->service_port == 0) {
			snprintf(why, size,
				"connection %zu was established without the connection manager, or "
				"before the capture: specify the service port with --service=N",
				i + 1);
			return false;
		}
		cast->count++;
		if (!script_make(&cast->scripts[cast->count - 1], model, i, side, reason,
			    sizeof(reason))) {
			snprintf(why, size, "connection %zu cannot be replayed: %s", i + 1, reason);
			return false;
		}
	}
	if (cast->count == 0)
		snprintf(why, size, "the capture has no connection that can be replayed");
	else
		qsort(cast->scripts, cast->count, sizeof(cast->scripts[0]), compare_scripts);
	return cast->count != 0;
}

void
live_cast_free(struct live_cast *cast)
{
	for (size_t i = 0; cast->scripts != NULL && i < cast->count; i++)
		script_free(&cast->scripts[i]);
	free(cast->scripts);
}

static void
poll_engine(struct nd_adapter *adapter)
{
	static unsigned int idle_polls;

	if (nd_engine_poll(nd_adapter_engine(adapter)) > 0)
		idle_polls = 0;
	else if (++idle_polls > POLLS_BEFORE_NAP)
		rte_delay_us_sleep(NAP_US);
}

static void
tell(struct live_report *report, const struct player *player)
{
	const struct script *script = player->script;
	const struct live_line line = {
		.recorded = script->index + 1,
		.number = player->number,
		.peer = player->peer,
		.operations = player->done_operations,
		.operations_recorded = script->operation_count,
		.messages = player->received,
		.messages_recorded = script->message_count,
		.skipped = script->skipped_count,
		.differences = player->found,
		.end = player->end,
	};

	live_report_line(report, &line);
}

/* ---- live ---- */

/* State of one copy of the capture. */
struct copy {
	const struct live_cast *cast;
	struct player *players;
	uint64_t start_tsc;
	size_t over;
	uint32_t loop;
};

struct active {
	const struct live_cast *cast;
	const struct live_options *options;
	struct nd_adapter *adapter;
	struct live_report *report;
	uint64_t next_number;
};

/*
 * @return true if a connection has progressed to this time of the capture. In the capture, an event
 *         of a different connection at this time may depend on this progress.
 */
static bool
has_reached(const struct player *player, const struct script *script, uint64_t time_ns)
{
	if (player->state == PLAYER_OVER || player->state == PLAYER_CLOSING)
		return true;
	if (player->state != PLAYER_PLAYING)
		return script->up_ns >= time_ns;
	if (player->lost)
		return true;
	if (player->received < script->message_count) {
		const struct script_message *message = &script->messages[player->received];

		if (!message->refused && !message->lost && message->time_ns < time_ns)
			return false;
	}
	return player->done_operations >= script->operation_count ||
		script->operations[player->done_operations].model->end_ns == 0 ||
		script->operations[player->done_operations].model->end_ns >= time_ns;
}

static bool
others_reached(const void *others, const struct player *player, uint64_t time_ns)
{
	const struct copy *copy = others;

	for (size_t i = 0; i < copy->cast->count; i++)
		if (&copy->players[i] != player &&
			!has_reached(&copy->players[i], &copy->cast->scripts[i], time_ns))
			return false;
	return true;
}

static void
begin_copy(struct active *active, struct copy *copy)
{
	copy->over = 0;
	copy->start_tsc = rte_get_tsc_cycles();
	copy->cast = active->cast;
	for (size_t i = 0; i < active->cast->count; i++) {
		struct player *player = &copy->players[i];

		player_init(player, active->adapter, active->options, active->report);
		player->others_reached = others_reached;
		player->others = copy;
	}
}

static bool
may_begin(const struct active *active, const struct copy *copy, size_t index)
{
	const struct script *script = &active->cast->scripts[index];
	const uint64_t offset_ns = script->start_ns - active->cast->scripts[0].start_ns;
	const double passed_ns = (double)(rte_get_tsc_cycles() - copy->start_tsc) * NS_PER_S /
		(double)rte_get_tsc_hz();

	for (size_t i = 0; i < index; i++)
		if (active->cast->scripts[i].end_ns < script->start_ns &&
			copy->players[i].state != PLAYER_OVER)
			return false;
	if (!others_reached(copy, &copy->players[index], script->start_ns))
		return false;
	return active->options->speed == 0 ||
		passed_ns * (double)active->options->speed >= (double)offset_ns;
}

static void
copy_turn(struct active *active, struct copy *copy)
{
	for (size_t i = 0; copy->players != NULL && i < active->cast->count; i++) {
		struct player *player = &copy->players[i];

		if (player->state == PLAYER_OVER)
			continue;
		if (player->state == PLAYER_IDLE) {
			if (!may_begin(active, copy, i))
				continue;
			/*
			 * Retry if the peer refuses, because the peer may listen for later
			 * connections only after a delay.
			 */
			player_connect(player, &active->cast->scripts[i], active->next_number++,
				i == 0 ? 0 : REFUSALS);
		}
		player_turn(player);
		if (player->state != PLAYER_OVER)
			continue;
		tell(active->report, player);
		player_close(player);
		copy->over++;
	}
}

/* Advance the copies. @return true if more work remains */
static bool
copies_turn(struct active *active, struct copy *copies)
{
	const uint32_t loops = active->options->loops;
	bool more = false;

	for (uint32_t i = 0; i < active->options->copies; i++) {
		struct copy *copy = &copies[i];

		if (copy->over < active->cast->count) {
			copy_turn(active, copy);
			more = true;
		} else if (loops == 0 || copy->loop + 1 < loops) {
			copy->loop++;
			begin_copy(active, copy);
			more = true;
		}
	}
	return more;
}

/* Stop the open connections and do not start new ones, because the user ends the run. */
static void
stop_copies(struct active *active, struct copy *copies)
{
	for (uint32_t i = 0; i < active->options->copies; i++) {
		struct copy *copy = &copies[i];

		copy->loop = active->options->loops - 1;
		for (size_t k = 0; k < active->cast->count; k++) {
			struct player *player = &copy->players[k];

			if (player->state == PLAYER_OVER)
				continue;
			if (player->state == PLAYER_IDLE) {
				player->state = PLAYER_OVER;
				copy->over++;
				continue;
			}
			player_stop(player);
			if (player->state != PLAYER_OVER)
				continue;
			tell(active->report, player);
			player_close(player);
			copy->over++;
		}
	}
}

bool
live_run_active(const struct live_cast *cast, const struct live_options *options,
	struct nd_adapter *adapter, struct live_report *report)
{
	struct live_options own = *options;
	struct active active = {cast, &own, adapter, report, 0};
	struct copy *copies = calloc(options->copies, sizeof(*copies));
	bool made = copies != NULL, stopped = false;

	for (uint32_t i = 0; made && i < options->copies; i++) {
		copies[i].players = calloc(cast->count, sizeof(copies[i].players[0]));
		made = copies[i].players != NULL;
		if (made)
			begin_copy(&active, &copies[i]);
	}
	if (!made)
		fprintf(stderr, "ndreplay live: memory is exhausted\n");
	while (made && copies_turn(&active, copies)) {
		if (stop_is_wanted() && !stopped) {
			stopped = true;
			own.loops = 1;
			stop_copies(&active, copies);
		}
		poll_engine(adapter);
	}
	for (uint32_t i = 0; copies != NULL && i < options->copies; i++)
		free(copies[i].players);
	free(copies);
	return made;
}

/* ---- serve ---- */

struct seat {
	struct player player;
	struct seat *next;
	size_t port; /* index of the listener at which the player waits */
};

struct passive {
	const struct live_cast *cast;
	const struct live_options *options;
	struct nd_adapter *adapter;
	struct live_report *report;
	struct nd_listener *listeners[PORTS_MAX];
	uint16_t ports[PORTS_MAX];
	struct seat *waiting[PORTS_MAX]; /* for each port: player that waits for a client */
	size_t port_count;
	struct seat *seats;     /* players with a client */
	uint64_t taken, wanted; /* accepted clients; clients to accept, 0 = no limit */
	/* TSC time when the last client disconnected. The time is valid if seats is NULL. */
	uint64_t idle_tsc;
	size_t turn_of[PORTS_MAX]; /* for each port: number of the next script */
	bool failed;
};

static uint16_t
port_of(const struct passive *passive, const struct script *script)
{
	return passive->options->service != 0 ? passive->options->service
					      : script->connection->service_port;
}

/* Listen on each service port that the recorded connections use. */
static bool
open_listeners(struct passive *passive)
{
	for (size_t i = 0; i < passive->cast->count; i++) {
		const uint16_t port = port_of(passive, &passive->cast->scripts[i]);
		size_t k = 0;
		nd_status status;

		while (k < passive->port_count && passive->ports[k] != port)
			k++;
		if (k < passive->port_count)
			continue;
		if (k == PORTS_MAX) {
			fprintf(stderr,
				"ndreplay serve: more than %u service ports: choose "
				"a connection with --connection\n",
				PORTS_MAX);
			return false;
		}
		status = nd_adapter_listen(passive->adapter, 0, LINK_PROTOCOL,
			rte_cpu_to_be_16(port), NULL, &passive->listeners[k]);
		if (nd_failed(status)) {
			fprintf(stderr, "ndreplay serve: cannot listen on port %u: %s\n", port,
				nd_status_name(status));
			return false;
		}
		passive->ports[k] = port;
		passive->port_count++;
		fprintf(stderr, "ndreplay serve: listening on port %u\n", port);
	}
	return true;
}

static void
wait_for_client(struct passive *passive, size_t port)
{
	struct seat *seat = calloc(1, sizeof(*seat));

	if (seat == NULL) {
		fprintf(stderr, "ndreplay serve: memory is exhausted\n");
		passive->failed = true;
		return;
	}
	seat->port = port;
	player_init(&seat->player, passive->adapter, passive->options, passive->report);
	player_listen(&seat->player, passive->listeners[port]);
	passive->waiting[port] = seat;
}

/* @return script of the next recorded connection with this port; after the last, the first */
static const struct script *
next_script(struct passive *passive, size_t port)
{
	const struct live_cast *cast = passive->cast;
	size_t *turn = &passive->turn_of[port];

	while (port_of(passive, &cast->scripts[*turn % cast->count]) != passive->ports[port])
		++*turn;
	return &cast->scripts[(*turn)++ % cast->count];
}

static void
close_seat(struct seat *seat)
{
	player_close(&seat->player);
	free(seat);
}

static void
waiting_turn(struct passive *passive, size_t port)
{
	struct seat *seat = passive->waiting[port];

	if (seat == NULL) {
		if (passive->wanted == 0 || passive->taken < passive->wanted)
			wait_for_client(passive, port);
		return;
	}
	link_turn(&seat->player.link);
	if (seat->player.link.state == LINK_LISTENING)
		return;
	passive->waiting[port] = NULL;
	if (seat->player.link.state != LINK_REQUESTED) {
		if (seat->player.link.state == LINK_FAILED)
			fprintf(stderr, "ndreplay serve: %s\n", seat->player.link.error);
		close_seat(seat);
		return;
	}
	player_take(&seat->player, next_script(passive, port), passive->taken++);
	seat->next = passive->seats;
	passive->seats = seat;
}

static void
stop_listening(struct passive *passive)
{
	for (size_t i = 0; i < passive->port_count; i++) {
		if (passive->waiting[i] != NULL)
			close_seat(passive->waiting[i]);
		passive->waiting[i] = NULL;
		nd_listener_release(passive->listeners[i]);
	}
	passive->port_count = 0;
}

/* Stop listening if no client has come within --client-timeout. */
static void
limit_wait(struct passive *passive)
{
	const uint64_t limit_ns = passive->options->client_timeout_ns;
	const uint64_t missing = passive->wanted - passive->taken;
	const double idle_s =
		(double)(rte_get_tsc_cycles() - passive->idle_tsc) / (double)rte_get_tsc_hz();
	char why[96];

	if (limit_ns == 0 || passive->port_count == 0 || idle_s * NS_PER_S <= (double)limit_ns)
		return;
	stop_listening(passive);
	if (passive->wanted == 0 && passive->taken != 0)
		return;
	snprintf(why, sizeof(why),
		"%" PRIu64 " clients connected, and no further client within %.1f s",
		passive->taken, (double)limit_ns / NS_PER_S);
	live_report_unanswered(passive->report, why);
	if (passive->wanted != 0)
		passive->report->unanswered = missing;
}

/* Advance the connections. @return true if more work remains */
static bool
passive_turn(struct passive *passive)
{
	struct seat **link = &passive->seats;

	for (size_t i = 0; i < passive->port_count; i++)
		waiting_turn(passive, i);
	if (passive->wanted != 0 && passive->taken >= passive->wanted)
		stop_listening(passive);
	while (*link != NULL) {
		struct seat *seat = *link;

		player_turn(&seat->player);
		if (seat->player.state != PLAYER_OVER) {
			link = &seat->next;
			continue;
		}
		*link = seat->next;
		tell(passive->report, &seat->player);
		close_seat(seat);
		passive->idle_tsc = rte_get_tsc_cycles();
	}
	if (passive->seats == NULL)
		limit_wait(passive);
	return !passive->failed && (passive->port_count != 0 || passive->seats != NULL);
}

bool
live_run_passive(const struct live_cast *cast, const struct live_options *options,
	struct nd_adapter *adapter, struct live_report *report)
{
	struct passive passive = {
		.cast = cast,
		.options = options,
		.adapter = adapter,
		.report = report,
		.wanted = (uint64_t)cast->count * options->copies * options->loops,
		.idle_tsc = rte_get_tsc_cycles(),
	};
	bool stopped = false;

	passive.failed = !open_listeners(&passive);
	while (!passive.failed && passive_turn(&passive)) {
		if (stop_is_wanted() && !stopped) {
			stopped = true;
			stop_listening(&passive);
			for (struct seat *seat = passive.seats; seat != NULL; seat = seat->next)
				player_stop(&seat->player);
		}
		poll_engine(adapter);
	}
	stop_listening(&passive);
	return !passive.failed;
}
