/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * ndtick EAL-ARGUMENTS -- --loopback | --venue=ADDRESS | --trader=ADDRESS,VENUES'-ADDRESS
 *
 * Market data and orders: see README.md of this folder. Read tick.h, trader.c, venue.c.
 */

#include <getopt.h>
#include <inttypes.h>

#include <rte_eth_ring.h>
#include <rte_launch.h>
#include <rte_lcore.h>

#include "ndtick.h"

#define QUOTES_MAX   65536u
#define RING_ENTRIES 1024u

volatile sig_atomic_t stopped;
static struct quote quotes[QUOTES_MAX];
static struct settings sides[2]; /* venue, trader */

__attribute__((weak)) void
ndtick_steady(bool is)
{
	(void)is;
}

static void
stop(int number)
{
	(void)number;
	stopped = 1;
}

static void
usage(void)
{
	fprintf(stderr,
		"usage: ndtick EAL-ARGUMENTS -- (--loopback | --venue=ADDRESS |\n"
		"           --trader=ADDRESS,ADDRESS-OF-VENUES) [--venues=1..8] [--traders=1..8]\n"
		"           [--ticks=N] [--rate=PER-SECOND] [--order-every=N] [--dead-ms=N]\n"
		"           [--input=FILE]   lines of INSTRUMENT PRICE QUANTITY\n");
	exit(2);
}

static uint64_t
number_of(const char *text, uint64_t min, uint64_t max)
{
	char *end;
	const uint64_t value = strtoull(text, &end, 10);

	if (*text < '0' || *text > '9' || *end != '\0' || value < min || value > max) {
		fprintf(stderr, "%s is no number from %" PRIu64 " to %" PRIu64 "\n", text, min,
			max);
		exit(2);
	}
	return value;
}

/* A price that walks at random, the same in each run. */
static size_t
quotes_generate(void)
{
	uint64_t random = 88172645463325252u, price = 1000000;

	for (unsigned int i = 0; i < QUOTES_MAX; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		price += random % 21 - 10 + (price < 1000);
		quotes[i] = (struct quote){price, (uint32_t)(random >> 32) % 1000 + 1, i % 16};
	}
	return QUOTES_MAX;
}

static size_t
quotes_read(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[128];
	size_t count = 0;

	while (file != NULL && count < QUOTES_MAX && fgets(line, sizeof(line), file) != NULL) {
		struct quote *quote = &quotes[count++];

		if (sscanf(line, "%" SCNu32 " %" SCNu64 " %" SCNu32, &quote->instrument,
			    &quote->price, &quote->quantity) == 3)
			continue;
		fprintf(stderr, "%s:%zu: not INSTRUMENT PRICE QUANTITY\n", path, count);
		exit(2);
	}
	if (count == 0) {
		fprintf(stderr, "%s cannot be read, or is empty\n", path);
		exit(2);
	}
	fclose(file);
	return count;
}

enum option_id { LOOPBACK = 256, VENUE, TRADER, VENUES, TRADERS, TICKS, RATE, EVERY, DEAD, INPUT };

static const struct option options[] = {
	{"loopback", no_argument, NULL, LOOPBACK},
	{"venue", required_argument, NULL, VENUE},
	{"trader", required_argument, NULL, TRADER},
	{"venues", required_argument, NULL, VENUES},
	{"traders", required_argument, NULL, TRADERS},
	{"ticks", required_argument, NULL, TICKS},
	{"rate", required_argument, NULL, RATE},
	{"order-every", required_argument, NULL, EVERY},
	{"dead-ms", required_argument, NULL, DEAD},
	{"input", required_argument, NULL, INPUT},
	{0},
};

/* @return VENUE, TRADER or LOOPBACK */
static int
options_read(int argc, char **argv, struct settings *settings)
{
	int option, role = 0;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == VENUES)
			settings->venues = (uint32_t)number_of(optarg, 1, VENUES_MAX);
		else if (option == TRADERS)
			settings->traders = (uint32_t)number_of(optarg, 1, TRADERS_MAX);
		else if (option == TICKS)
			settings->ticks = number_of(optarg, 1, UINT64_MAX / 2);
		else if (option == RATE)
			settings->rate = number_of(optarg, 1, 100000000);
		else if (option == EVERY)
			settings->order_every = (uint32_t)number_of(optarg, 1, UINT32_MAX);
		else if (option == DEAD)
			settings->dead_ms = (uint32_t)number_of(optarg, 10, 3600000);
		else if (option == INPUT)
			settings->quote_count = quotes_read(optarg);
		else if (option == '?' || role != 0)
			usage();
		else
			role = option;
		if (option == VENUE || option == TRADER)
			settings->own = strtok(optarg, ",");
		if (option == TRADER)
			settings->peer = strtok(NULL, ",");
	}
	if (role == 0 || optind != argc || (role != LOOPBACK && settings->own == NULL) ||
		(role == TRADER && settings->peer == NULL))
		usage();
	return role;
}

/* Two ports of this process, joined by two rings. */
static void
loopback_make(void)
{
	struct rte_ring *rings[2];

	for (unsigned int i = 0; i < 2; i++)
		rings[i] = rte_ring_create(i == 0 ? "there" : "back", RING_ENTRIES,
			(int)rte_socket_id(), RING_F_SP_ENQ | RING_F_SC_DEQ);
	for (unsigned int i = 0; i < 2 && rings[0] != NULL && rings[1] != NULL; i++) {
		/* Locally administered; the driver's own is zero. */
		struct rte_ether_addr mac = {{0x02, 0, 0, 0, 0, (uint8_t)(i + 1)}};
		const int port = rte_eth_from_rings(i == 0 ? "venue" : "trader", &rings[i], 1,
			&rings[1 - i], 1, rte_socket_id());

		if (port < 0 || rte_eth_dev_mac_addr_add((uint16_t)port, &mac, 0) != 0)
			break;
		sides[i].ethdev = (uint16_t)port;
		if (i == 1)
			return;
	}
	fprintf(stderr, "no ports for the loopback: %s\n", rte_strerror(rte_errno));
	exit(EXIT_FAILURE);
}

static int
trader_launched(void *arg)
{
	return trader_run(arg) ? 0 : 1;
}

static bool
loopback_run(void)
{
	const unsigned int worker = rte_get_next_lcore(-1, 1, 0);
	bool good;

	if (worker == RTE_MAX_LCORE) {
		fprintf(stderr, "--loopback needs two lcores: give EAL -l 0,1\n");
		return false;
	}
	sides[0].loopback = sides[1].loopback = true;
	sides[0].own = sides[1].peer = "198.51.100.1";
	sides[1].own = "198.51.100.2";
	loopback_make();
	rte_eal_remote_launch(trader_launched, &sides[1], worker);
	good = venue_run(&sides[0]);
	return rte_eal_wait_lcore(worker) == 0 && good;
}

int
main(int argc, char **argv)
{
	struct settings settings = {
		.venues = 1,
		.traders = 1,
		.ticks = 100000,
		.rate = 10000,
		.order_every = 1,
		.dead_ms = 200,
		.quotes = quotes,
	};
	const int used = start_eal(argc, argv);
	int role;
	bool good;

	settings.quote_count = quotes_generate();
	role = options_read(argc - used, argv + used, &settings);
	signal(SIGINT, stop);
	signal(SIGTERM, stop);
	sides[0] = sides[1] = settings;
	if (role == LOOPBACK)
		good = loopback_run();
	else
		good = role == VENUE ? venue_run(&settings) : trader_run(&settings);
	rte_eal_cleanup();
	return good ? 0 : 1;
}
