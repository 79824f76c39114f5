/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "peer_options.h"

#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

static const char usage[] =
	"usage: interop-peer [EAL options] -- server|client --address=A[/LENGTH] [options]\n"
	"  --peer=A --port=N            where the client connects; where the server listens\n"
	"  --scenario=NAME --size=N --count=N --arg=N   of the client, and of a ucmatose server\n"
	"  --second-scenario=NAME --second-arg=N        of each second connection of the client\n"
	"  --later-scenario=NAME        of the client's rounds behind the first, with --arg=0 "
	"--count=1;\n"
	"                               each of them begins with SIGUSR1\n"
	"  --rounds=N                   connections, one after the other; server: in all, 0 = "
	"until\n"
	"                               SIGTERM\n"
	"  --parallel=N                 that many clients at once\n"
	"  --connect-status=NAME        what connecting has to end with\n"
	"  --reject-reply               refuse the answer\n"
	"  --linger=SECONDS --wait=SECONDS\n"
	"  --gateway=A --vlan=N --path-mtu=N --ack-timeout=N --retry=N --rnr-retry=N\n"
	"  --rnr-timer=N --reads=N --recovery=selective|go-back-n --keepalive-ms=N\n";

enum option_code {
	OPTION_ADDRESS = 1,
	OPTION_PEER,
	OPTION_PORT,
	OPTION_SCENARIO,
	OPTION_SIZE,
	OPTION_COUNT,
	OPTION_ARG,
	OPTION_ROUNDS,
	OPTION_PARALLEL,
	OPTION_CONNECT_STATUS,
	OPTION_REJECT_REPLY,
	OPTION_LINGER,
	OPTION_WAIT,
	OPTION_GATEWAY,
	OPTION_VLAN,
	OPTION_PATH_MTU,
	OPTION_ACK_TIMEOUT,
	OPTION_RETRY,
	OPTION_RNR_RETRY,
	OPTION_RNR_TIMER,
	OPTION_READS,
	OPTION_RECOVERY,
	OPTION_KEEPALIVE,
	OPTION_SECOND_SCENARIO,
	OPTION_SECOND_ARG,
	OPTION_LATER_SCENARIO,
};

static const struct option long_options[] = {
	{"address", required_argument, NULL, OPTION_ADDRESS},
	{"peer", required_argument, NULL, OPTION_PEER},
	{"port", required_argument, NULL, OPTION_PORT},
	{"scenario", required_argument, NULL, OPTION_SCENARIO},
	{"size", required_argument, NULL, OPTION_SIZE},
	{"count", required_argument, NULL, OPTION_COUNT},
	{"arg", required_argument, NULL, OPTION_ARG},
	{"rounds", required_argument, NULL, OPTION_ROUNDS},
	{"parallel", required_argument, NULL, OPTION_PARALLEL},
	{"connect-status", required_argument, NULL, OPTION_CONNECT_STATUS},
	{"reject-reply", no_argument, NULL, OPTION_REJECT_REPLY},
	{"linger", required_argument, NULL, OPTION_LINGER},
	{"wait", required_argument, NULL, OPTION_WAIT},
	{"gateway", required_argument, NULL, OPTION_GATEWAY},
	{"vlan", required_argument, NULL, OPTION_VLAN},
	{"path-mtu", required_argument, NULL, OPTION_PATH_MTU},
	{"ack-timeout", required_argument, NULL, OPTION_ACK_TIMEOUT},
	{"retry", required_argument, NULL, OPTION_RETRY},
	{"rnr-retry", required_argument, NULL, OPTION_RNR_RETRY},
	{"rnr-timer", required_argument, NULL, OPTION_RNR_TIMER},
	{"reads", required_argument, NULL, OPTION_READS},
	{"recovery", required_argument, NULL, OPTION_RECOVERY},
	{"keepalive-ms", required_argument, NULL, OPTION_KEEPALIVE},
	{"second-scenario", required_argument, NULL, OPTION_SECOND_SCENARIO},
	{"second-arg", required_argument, NULL, OPTION_SECOND_ARG},
	{"later-scenario", required_argument, NULL, OPTION_LATER_SCENARIO},
	{NULL, 0, NULL, 0},
};

static bool
wrong(const char *what, const char *text)
{
	fprintf(stderr, "interop-peer: %s: %s\n%s", what, text, usage);
	return false;
}

static bool
read_number(const char *text, uint64_t most, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 0);
	return errno == 0 && end != text && *end == '\0' && text[0] != '-' && *number <= most;
}

static bool
read_recovery(const char *text, enum nd_recovery *recovery)
{
	*recovery = strcmp(text, "selective") == 0 ? ND_RECOVERY_SELECTIVE : ND_RECOVERY_GO_BACK_N;
	return *recovery == ND_RECOVERY_SELECTIVE || strcmp(text, "go-back-n") == 0;
}

/* Parse an IP address. If prefix_length is not NULL, /N may follow the address. */
static bool
read_address(const char *text, struct sockaddr_storage *address, uint8_t *prefix_length)
{
	char host[INET6_ADDRSTRLEN] = "";
	const size_t length = strcspn(text, "/");
	uint64_t number = 0;

	if (length >= sizeof(host))
		return false;
	memcpy(host, text, length);
	if (text[length] == '/' &&
		(prefix_length == NULL || !read_number(text + length + 1, 128, &number)))
		return false;
	if (prefix_length != NULL)
		*prefix_length = (uint8_t)number;
	address->ss_family = strchr(host, ':') != NULL ? AF_INET6 : AF_INET;
	if (address->ss_family == AF_INET6)
		return inet_pton(AF_INET6, host, &((struct sockaddr_in6 *)address)->sin6_addr) == 1;
	return inet_pton(AF_INET, host, &((struct sockaddr_in *)address)->sin_addr) == 1;
}

static bool
set_text(struct peer_options *options, int option, const char *text)
{
	switch (option) {
	case OPTION_ADDRESS:
		return read_address(
			text, &options->adapter.address, &options->adapter.prefix_length);
	case OPTION_PEER:
		return read_address(text, &options->peer, NULL);
	case OPTION_GATEWAY:
		return read_address(text, &options->adapter.gateway, NULL);
	case OPTION_RECOVERY:
		return read_recovery(text, &options->adapter.recovery);
	case OPTION_SCENARIO:
		options->scenario = scenario_by_name(text);
		return options->scenario != NULL;
	case OPTION_SECOND_SCENARIO:
		options->second_scenario = scenario_by_name(text);
		return options->second_scenario != NULL && options->second_scenario->client != NULL;
	case OPTION_LATER_SCENARIO:
		options->later_scenario = scenario_by_name(text);
		return options->later_scenario != NULL && options->later_scenario->client != NULL;
	case OPTION_CONNECT_STATUS:
		options->connect_status = text;
		return true;
	case OPTION_REJECT_REPLY:
		options->reject_reply = true;
		return true;
	default:
		return false;
	}
}

static void
set_scenario_number(struct peer_options *options, int option, uint32_t number)
{
	switch (option) {
	case OPTION_SIZE:
		options->size = number;
		break;
	case OPTION_COUNT:
		options->count = number;
		break;
	case OPTION_ARG:
		options->arg = number;
		break;
	case OPTION_SECOND_ARG:
		options->second_arg = number;
		break;
	case OPTION_ROUNDS:
		options->rounds = number;
		break;
	case OPTION_PARALLEL:
		options->parallel = number;
		break;
	case OPTION_LINGER:
		options->linger_seconds = number;
		break;
	case OPTION_WAIT:
		options->wait_seconds = number;
		break;
	case OPTION_READS:
		options->read_limit = number;
		break;
	default:
		break;
	}
}

/*
 * Set an adapter setting that is a number. @return false if `option` is not the option of a number
 */
static bool
set_adapter_number(struct peer_options *options, int option, uint32_t number)
{
	struct nd_adapter_config *config = &options->adapter;

	switch (option) {
	case OPTION_VLAN:
		config->vlan_id = (uint16_t)number;
		return true;
	case OPTION_PATH_MTU:
		config->path_mtu = (uint16_t)number;
		return true;
	case OPTION_ACK_TIMEOUT:
		config->ack_timeout = (uint8_t)number;
		return true;
	case OPTION_RETRY:
		config->retry_count = (uint8_t)number;
		return true;
	case OPTION_RNR_RETRY:
		config->rnr_retry_count = (uint8_t)number;
		return true;
	case OPTION_RNR_TIMER:
		config->rnr_timer = (uint8_t)number;
		return true;
	case OPTION_KEEPALIVE:
		config->keepalive_ms = number;
		return true;
	default:
		return false;
	}
}

static bool
is_text(int option)
{
	return option == OPTION_ADDRESS || option == OPTION_PEER || option == OPTION_GATEWAY ||
		option == OPTION_SCENARIO || option == OPTION_SECOND_SCENARIO ||
		option == OPTION_LATER_SCENARIO || option == OPTION_CONNECT_STATUS ||
		option == OPTION_REJECT_REPLY || option == OPTION_RECOVERY;
}

static bool
set_option(struct peer_options *options, int option, const char *text, uint16_t *port)
{
	uint64_t number;

	if (is_text(option))
		return set_text(options, option, text);
	if (!read_number(text, UINT32_MAX, &number))
		return false;
	if (option == OPTION_PORT)
		*port = (uint16_t)number;
	else if (!set_adapter_number(options, option, (uint32_t)number))
		set_scenario_number(options, option, (uint32_t)number);
	return true;
}

static bool
complete(struct peer_options *options, const char *role, uint16_t port)
{
	options->client = strcmp(role, "client") == 0;
	if (!options->client && strcmp(role, "server") != 0)
		return wrong("neither server nor client", role);
	if (options->adapter.address.ss_family == AF_UNSPEC)
		return wrong("missing", "--address");
	if (options->client &&
		(options->peer.ss_family != options->adapter.address.ss_family ||
			options->scenario == NULL || options->scenario->client == NULL ||
			options->rounds == 0))
		return wrong("the client needs", "--peer of its family, --scenario, --rounds > 0");
	if (!options->client)
		options->peer.ss_family = options->adapter.address.ss_family;
	if (options->peer.ss_family == AF_INET6)
		((struct sockaddr_in6 *)&options->peer)->sin6_port = htons(port);
	else
		((struct sockaddr_in *)&options->peer)->sin_port = htons(port);
	return true;
}

bool
peer_options_read(int argc, char **argv, struct peer_options *options)
{
	uint16_t port = PROTOCOL_PORT;
	int option;

	*options = (struct peer_options){
		.size = 64,
		.count = 4,
		.rounds = 1,
		.parallel = 1,
		.read_limit = 4,
		.wait_seconds = 60,
		.connect_status = "ND_SUCCESS",
	};
	while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1)
		if (option == '?' || !set_option(options, option, optarg, &port))
			return wrong("option", option == '?' || optarg == NULL ? "" : optarg);
	if (optind + 1 != argc)
		return wrong("role", optind < argc ? argv[optind] : "is missing");
	return complete(options, argv[optind], port);
}
