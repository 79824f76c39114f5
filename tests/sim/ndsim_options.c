/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "ndsim_options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Number of runs if neither --runs nor --time is given. */
#define RUNS_DEFAULT 100

static const char usage[] =
	"usage: ndsim [--scenario NAME] [--seed N] [--runs M] [--time T] [--jobs J] [--engines N]\n"
	"             [--pcap FILE] [--at ADAPTER] [--trace] [--hashes] [--counters] [--twice]\n"
	"       ndsim --scenario list | --help | --version\n"
	"\n"
	"Run complete adapters in virtual time, in a network with faults, under applications that\n"
	"check every byte and every result. A run depends on its scenario and its seed only.\n"
	"\n"
	"  --scenario NAME  one scenario; all: each seed in all scenarios [all]; list: print all\n"
	"  --seed N         seed of the first run; later runs use the next seeds [1]\n"
	"  --runs M         number of runs [100, or as many as --time allows; 1 with --seed]\n"
	"  --time T         start no run after T: 90, 90s, 15m or 8h\n"
	"  --jobs J         number of processes [1]\n"
	"  --engines N      engines of each adapter, 1..16 [1]\n"
	"  --pcap FILE      write all frames of the first run that fails, or of a single run;\n"
	"                   ndreplay check reads the file\n"
	"  --at ADAPTER     with --pcap: only frames of the port of one adapter, A..F;\n"
	"                   ndreplay respond and request replay such files\n"
	"  --trace          print every frame, call and result to standard error\n"
	"  --hashes         print a line for each run: hash and number of its events\n"
	"  --counters       print the sums of all counters of all adapters\n"
	"  --twice          run each seed twice and compare all events\n"
	"\n"
	"A run that fails is printed with its seed, the virtual time, the failure, and a "
	"command\n"
	"that repeats the run. Exit status: 0 all runs passed, 1 a run failed, 2 the command line\n"
	"is invalid or a resource of the machine is missing.\n";

static int
list(void)
{
	for (uint32_t i = 0; i < SIM_SCENARIO_COUNT; i++)
		printf("%-10s %s\n", sim_scenario_name((enum sim_scenario)i),
			sim_scenario_text((enum sim_scenario)i));
	return 0;
}

static int
wrong(const char *what, const char *which)
{
	fprintf(stderr, "ndsim: %s%s; try ndsim --help\n", what, which);
	return 2;
}

/** Check the file before the run, because it may be written only at the end of a long run. */
static bool
is_writable(const char *name)
{
	const bool is_new = access(name, F_OK) != 0;
	FILE *file = fopen(name, "a");

	if (file == NULL)
		return false;
	(void)fclose(file);
	if (is_new)
		(void)unlink(name);
	return true;
}

static bool
number(const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && *value >= least &&
		*value <= most;
}

static bool
duration(const char *text, uint64_t *seconds)
{
	static const char units[] = "smh";
	static const uint64_t factors[] = {1, 60, 3600};
	char digits[16];
	size_t length = strlen(text);
	const char *unit = length == 0 ? NULL : strchr(units, text[length - 1]);
	uint64_t factor = unit == NULL ? 1 : factors[unit - units];

	if (length == 0 || length >= sizeof(digits))
		return false;
	memcpy(digits, text, length + 1);
	if (unit != NULL)
		digits[length - 1] = '\0';
	if (!number(digits, 1, 1000000, seconds))
		return false;
	*seconds *= factor;
	return true;
}

static bool
scenario_parse(struct ndsim_options *options, const char *text)
{
	options->scenario = sim_scenario_find(text);
	return options->scenario != SIM_SCENARIO_COUNT || strcmp(text, "all") == 0;
}

static bool
value_parse(struct ndsim_options *options, int option, const char *text)
{
	uint64_t value = 0;
	bool good = true;

	switch (option) {
	case 's':
		return number(text, 0, UINT64_MAX / 2, &options->seed);
	case 'r':
		return number(text, 1, UINT64_MAX / 4, &options->runs);
	case 'd':
		return duration(text, &options->time_s);
	case 'j':
		good = number(text, 1, NDSIM_JOBS_MAX, &value);
		options->jobs = (uint32_t)value;
		break;
	case 'g':
		good = number(text, 1, LIMIT_ENGINES, &value);
		options->engines = (uint32_t)value;
		break;
	case 'e':
		return scenario_parse(options, text);
	case 'b':
		options->sabotage = sim_sabotage_find(text);
		return options->sabotage != SIM_SABOTAGE_NONE;
	case 'p':
		options->capture = text;
		break;
	case 'w':
		options->capture_at = text[0];
		return text[0] >= 'A' && text[0] < 'A' + SIM_NODES_MAX && text[1] == '\0';
	case 't':
		options->trace = true;
		break;
	case 'a':
		options->hashes = true;
		break;
	case 'n':
		options->counters = true;
		break;
	case '2':
		options->twice = true;
		break;
	default:
		return false;
	}
	return good;
}

static void
defaults(struct ndsim_options *options, bool seed_given)
{
	if (options->runs != 0)
		return;
	options->runs = RUNS_DEFAULT;
	if (options->time_s != 0)
		options->runs = UINT64_MAX / 4;
	else if (seed_given)
		options->runs = options->scenario == SIM_SCENARIO_COUNT ? SIM_SCENARIO_COUNT : 1;
}

int
ndsim_options_parse(struct ndsim_options *options, int argc, char **argv)
{
	static const struct option longs[] = {
		{"scenario", required_argument, NULL, 'e'},
		{"seed", required_argument, NULL, 's'},
		{"runs", required_argument, NULL, 'r'},
		{"time", required_argument, NULL, 'd'},
		{"jobs", required_argument, NULL, 'j'},
		{"engines", required_argument, NULL, 'g'},
		{"pcap", required_argument, NULL, 'p'},
		{"at", required_argument, NULL, 'w'},
		{"trace", no_argument, NULL, 't'},
		{"hashes", no_argument, NULL, 'a'},
		{"counters", no_argument, NULL, 'n'},
		{"twice", no_argument, NULL, '2'},
		/* Only for tests of ndsim: insert a deliberate fault, which the run must detect. */
		{"sabotage", required_argument, NULL, 'b'},
		{"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'},
		{NULL, 0, NULL, 0},
	};
	bool seed_given = false;
	int option, index = 0;

	*options = (struct ndsim_options){
		.seed = 1, .jobs = 1, .engines = 1, .scenario = SIM_SCENARIO_COUNT};
	opterr = 0;
	while ((option = getopt_long(argc, argv, "h", longs, &index)) != -1) {
		if (option == 'h')
			return fputs(usage, stdout) < 0 ? 2 : 0;
		if (option == 'V')
			return puts("ndsim " NDSIM_VERSION) < 0 ? 2 : 0;
		if (option == '?')
			return wrong("unknown option or missing value: ", argv[optind - 1]);
		if (option == 'e' && strcmp(optarg, "list") == 0)
			return list();
		if (!value_parse(options, option, optarg)) {
			fprintf(stderr, "ndsim: --%s=%s is not valid; try ndsim --help\n",
				longs[index].name, optarg);
			return 2;
		}
		seed_given |= option == 's';
	}
	if (optind != argc)
		return wrong("unknown argument ", argv[optind]);
	if (options->capture_at != '\0' && options->capture == NULL)
		return wrong("--at needs --pcap", "");
	if (options->capture != NULL && !is_writable(options->capture)) {
		fprintf(stderr, "ndsim: %s cannot be written: %s\n", options->capture,
			strerror(errno));
		return 2;
	}
	defaults(options, seed_given);
	return -1;
}
