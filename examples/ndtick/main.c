/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Market data and orders: see README.md of this folder. The options, and the loopback. */

#include <rte_eth_ring.h>
#include <rte_launch.h>
#include <rte_lcore.h>

#include "ndtick.h"

#define INPUT_MAX       65536u
#define RATE_DEFAULT    10000u
#define RING_ENTRIES    1024u
#define LOOPBACK_VENUE  "198.51.100.1"
#define LOOPBACK_TRADER "198.51.100.2"

static const char usage[] =
	"usage: ndtick EAL-ARGUMENTS -- (--loopback | --venue=ADDRESS |\n"
	"           --trader=ADDRESS,ADDRESS-OF-VENUES) [--venues=1..8] [--traders=1..8]\n"
	"           [--ticks=1..] [--rate=1..100000000 per second] [--order-every=1..]\n"
	"           [--dead-ms=100..3600000]\n"
	"           [--input=FILE, a capture or lines with INSTRUMENT PRICE QUANTITY]\n";

volatile sig_atomic_t stopped;
static struct tick input[INPUT_MAX];
static bool captured; /* input was */
struct settings settings = {
	.venues = 1,
	.traders = 1,
	.ticks = 100000,
	.order_every = 1,
	.dead_ms = 200,
	.input = input,
};

static const struct {
	const char *format; /* a number, and nothing behind it */
	uint64_t *value, min, max;
} numbers[] = {
	{"--venues=%" SCNu64 "%c", &settings.venues, 1, VENUES_MAX},
	{"--traders=%" SCNu64 "%c", &settings.traders, 1, TRADERS_MAX},
	{"--ticks=%" SCNu64 "%c", &settings.ticks, 1, UINT64_MAX / 2},
	{"--rate=%" SCNu64 "%c", &settings.rate, 1, 100000000},
	{"--order-every=%" SCNu64 "%c", &settings.order_every, 1, UINT32_MAX},
	{"--dead-ms=%" SCNu64 "%c", &settings.dead_ms, 100, 3600000},
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

/* A price that walks at random, the same in each run. */
static void
input_generate(void)
{
	uint64_t random = 88172645463325252u, price = 1000000;

	for (unsigned int i = 0; i < INPUT_MAX; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		price += random % 21 - 10 + (price < 1000);
		input[i] = (struct tick){.kind = TICK_PRICE,
			.price = price,
			.quantity = (uint32_t)(random >> 32) % 1000 + 1,
			.instrument = i % 16};
	}
	settings.input_count = INPUT_MAX;
}

static void
input_fail(const char *path, const char *why, size_t line)
{
	fprintf(stderr, why, path, line);
	exit(2);
}

static void
quotes_read(const char *path)
{
	FILE *file = fopen(path, "r");
	struct tick tick = {.kind = TICK_PRICE};
	size_t count = 0;
	int read = EOF;

	if (file == NULL)
		input_fail(path, "%s cannot be read\n", 0);
	while (count < INPUT_MAX) {
		read = fscanf(file, "%" SCNu32 " %" SCNu64 " %" SCNu32, &tick.instrument,
			&tick.price, &tick.quantity);
		if (read != 3)
			break;
		input[count++] = tick;
	}
	if (count == 0 || (read != 3 && read != EOF))
		input_fail(path, "%s: no INSTRUMENT PRICE QUANTITY in line %zu\n", count + 1);
	fclose(file);
	settings.input_count = count;
}

/* A capture has its own pace, unless --rate says another one. */
static void
input_read(const char *path)
{
	captured = capture_read(path, input, INPUT_MAX, &settings.input_count);
	if (!captured)
		quotes_read(path);
	else if (settings.input_count == 0)
		input_fail(path, "%s: a capture without UDP over IPv4 and Ethernet\n", 0);
}

/* @return false: no such option, or no such value */
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

/* Two ports of this process, joined by two rings. */
static void
loopback_make(uint16_t ports[2])
{
	struct rte_ring *rings[2];

	for (unsigned int i = 0; i < 2; i++)
		rings[i] = rte_ring_create(i == 0 ? "there" : "back", RING_ENTRIES,
			(int)rte_socket_id(), RING_F_SP_ENQ | RING_F_SC_DEQ);
	for (unsigned int i = 0; i < 2; i++) {
		/* Locally administered; the driver's own is zero. */
		struct rte_ether_addr mac = {{0x02, 0, 0, 0, 0, (uint8_t)(i + 1)}};
		const int port = rings[0] == NULL || rings[1] == NULL
			? -1
			: rte_eth_from_rings(i == 0 ? "venue" : "trader", &rings[i], 1,
				  &rings[1 - i], 1, rte_socket_id());

		if (port < 0 || rte_eth_dev_mac_addr_add((uint16_t)port, &mac, 0) != 0) {
			fprintf(stderr, "no ports for the loopback: %s\n", rte_strerror(rte_errno));
			exit(EXIT_FAILURE);
		}
		ports[i] = (uint16_t)port;
	}
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
	uint16_t ports[2];
	bool good;

	if (worker == RTE_MAX_LCORE) {
		fprintf(stderr, "--loopback needs two lcores: give EAL -l 0,1\n");
		return false;
	}
	loopback_make(ports);
	rte_eal_remote_launch(trader_launched, &ports[1], worker);
	good = venue_run(ports[0], LOOPBACK_VENUE);
	return rte_eal_wait_lcore(worker) == 0 && good;
}

int
main(int argc, char **argv)
{
	char own[16], peer[16], rest;
	enum { NONE, LOOPBACK, VENUES, TRADER } role = NONE;
	bool good = true;

	argv += start_eal(argc, argv);
	input_generate();
	while (*++argv != NULL && good) {
		if (role == NONE && strcmp(*argv, "--loopback") == 0)
			role = LOOPBACK;
		else if (role == NONE && sscanf(*argv, "--venue=%15[^,]%c", own, &rest) == 1)
			role = VENUES;
		else if (role == NONE &&
			sscanf(*argv, "--trader=%15[^,],%15[^,]%c", own, peer, &rest) == 2)
			role = TRADER;
		else if (strncmp(*argv, "--input=", 8) == 0)
			input_read(*argv + 8);
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
	signal(SIGINT, stop);
	signal(SIGTERM, stop);
	if (role == LOOPBACK)
		good = loopback_run();
	else
		good = role == VENUES ? venue_run(0, own) : trader_run(0, own, peer);
	rte_eal_cleanup();
	return good ? 0 : 1;
}
