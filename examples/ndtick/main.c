/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Command line options and the loopback mode. See README.md in this folder. */

#include <rte_eth_ring.h>
#include <rte_launch.h>
#include <rte_lcore.h>

#include "ndtick.h"

#define RATE_DEFAULT    10000u
#define RING_ENTRIES    1024u
#define LOOPBACK_VENUE  "198.51.100.1"
#define LOOPBACK_TRADER "198.51.100.2"

static const char usage[] =
	"usage: ndtick EAL-ARGUMENTS -- (--loopback | --venue=ADDRESS |\n"
	"           --trader=ADDRESS,ADDRESS-OF-VENUES) [--venues=1..8] [--traders=1..8]\n"
	"           [--ticks=1..] [--rate=1..100000000 per second] [--order-every=1..]\n"
	"           [--dead-ms=20..3600000]\n"
	"           [--input=FILE, a capture or lines with INSTRUMENT PRICE QUANTITY]\n";

volatile sig_atomic_t stopped;
struct settings settings = {
	.venues = 1,
	.traders = 1,
	.ticks = 100000,
	.order_every = 1,
	.dead_ms = 200,
};

static const struct {
	const char *format; /* scanf() format of a number without trailing characters */
	uint64_t *value, min, max;
} numbers[] = {
	{"--venues=%" SCNu64 "%c", &settings.venues, 1, VENUES_MAX},
	{"--traders=%" SCNu64 "%c", &settings.traders, 1, TRADERS_MAX},
	{"--ticks=%" SCNu64 "%c", &settings.ticks, 1, UINT64_MAX / 2},
	{"--rate=%" SCNu64 "%c", &settings.rate, 1, 100000000},
	{"--order-every=%" SCNu64 "%c", &settings.order_every, 1, UINT32_MAX},
	{"--dead-ms=%" SCNu64 "%c", &settings.dead_ms, 20, 3600000},
};

__attribute__((weak)) void
ndtick_steady(bool steady)
{
	(void)steady;
}

static void
stop(int number)
{
	(void)number;
	stopped = 1;
}

/*
 * Parse one option of the form name=number. @return false: unknown option, or number out of range
 */
static bool
number_take(const char *argument)
{
	for (unsigned int i = 0; i < RTE_DIM(numbers); i++) {
		uint64_t *value = numbers[i].value;
		char rest;

		if (sscanf(argument, numbers[i].format, value, &rest) == 1)
			return *value >= numbers[i].min && *value <= numbers[i].max;
	}
	return false;
}

/* Create a port that receives from one ring and transmits to the other ring. */
static uint16_t
loopback_port(const char *name, struct rte_ring *in, struct rte_ring *out)
{
	const int port = in == NULL || out == NULL
		? -1
		: rte_eth_from_rings(name, &in, 1, &out, 1, rte_socket_id());
	/* Add a locally administered MAC address, because the driver's default is all zero. */
	struct rte_ether_addr mac = {{0x02, 0, 0, 0, 0, (uint8_t)(port + 1)}};

	if (port >= 0 && rte_eth_dev_mac_addr_add((uint16_t)port, &mac, 0) == 0)
		return (uint16_t)port;
	fprintf(stderr, "no ports for the loopback: %s\n", rte_strerror(rte_errno));
	exit(EXIT_FAILURE);
}

static int
trader_launched(void *port)
{
	return trader_run(*(uint16_t *)port, LOOPBACK_TRADER, LOOPBACK_VENUE) ? 0 : 1;
}

static bool
loopback_run(void)
{
	const unsigned int worker = rte_get_next_lcore(-1, 1, 0);
	const unsigned int flags = RING_F_SP_ENQ | RING_F_SC_DEQ;
	struct rte_ring *there, *back;
	uint16_t port;
	bool good;

	if (worker == RTE_MAX_LCORE) {
		fprintf(stderr, "--loopback needs two lcores: give EAL -l 0,1\n");
		return false;
	}
	there = rte_ring_create("there", RING_ENTRIES, (int)rte_socket_id(), flags);
	back = rte_ring_create("back", RING_ENTRIES, (int)rte_socket_id(), flags);
	port = loopback_port("trader", there, back);
	rte_eal_remote_launch(trader_launched, &port, worker);
	good = venue_run(loopback_port("venue", back, there), LOOPBACK_VENUE);
	return rte_eal_wait_lcore(worker) == 0 && good;
}

int
main(int argc, char **argv)
{
	char own[16], peer[16], rest;
	enum { NONE, LOOPBACK, VENUES, TRADER } role = NONE;
	bool good = true, captured = false;

	argv += start_eal(argc, argv);
	while (*++argv != NULL && good) {
		if (role == NONE && strcmp(*argv, "--loopback") == 0)
			role = LOOPBACK;
		else if (role == NONE && sscanf(*argv, "--venue=%15[^,]%c", own, &rest) == 1)
			role = VENUES;
		else if (role == NONE &&
			sscanf(*argv, "--trader=%15[^,],%15[^,]%c", own, peer, &rest) == 2)
			role = TRADER;
		else if (strncmp(*argv, "--input=", 8) == 0)
			captured = input_open(*argv + 8);
		else if (!number_take(*argv)) {
			fprintf(stderr, "%s is not valid\n", *argv);
			good = false;
		}
	}
	if (role == NONE || !good) {
		fputs(usage, stderr);
		return 2;
	}
	if (settings.rate == 0 && !captured)
		settings.rate = RATE_DEFAULT;
	setlinebuf(stdout);
	signal(SIGINT, stop);
	signal(SIGTERM, stop);
	if (role == LOOPBACK)
		good = loopback_run();
	else
		good = role == VENUES ? venue_run(0, own) : trader_run(0, own, peer);
	rte_eal_cleanup();
	return good ? 0 : 1;
}
