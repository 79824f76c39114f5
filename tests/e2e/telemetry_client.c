/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "telemetry_client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <rte_common.h>
#include <rte_eal.h>
#include <rte_errno.h>

#define PATIENCE_SECONDS 10

static void
folder_remove(void)
{
	static const char *const names[] = {"dpdk_telemetry.v2", "dpdk_telemetry.v1", "config"};
	const char *folder = rte_eal_get_runtime_dir();
	char path[256];

	for (size_t i = 0; i < RTE_DIM(names); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		unlink(path);
	}
	rmdir(folder);
}

void
telemetry_eal_start(void)
{
	static char program[] = "test", no_huge[] = "--no-huge", no_shconf[] = "--no-shconf",
		    no_pci[] = "--no-pci", memory[] = "-m", megabytes[] = "256", lcores[] = "-l",
		    first_lcore[] = "0", prefix[64], log_level[] = "--log-level=lib.eal:warning";
	char *args[] = {program, no_huge, no_shconf, no_pci, memory, megabytes, lcores, first_lcore,
		prefix, log_level, NULL};

	/* Each process has its own prefix, because tests run in parallel. */
	snprintf(prefix, sizeof(prefix), "--file-prefix=ndpdk-test-%d", (int)getpid());
	cr_assert(rte_eal_init(RTE_DIM(args) - 1, args) >= 0, "EAL did not start: %s",
		rte_strerror(rte_errno));
	atexit(folder_remove);
}

int
telemetry_connect(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int connection = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	char greeting[1024];

	cr_assert_geq(connection, 0);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/dpdk_telemetry.v2",
		rte_eal_get_runtime_dir());
	cr_assert_eq(connect(connection, (struct sockaddr *)&address, sizeof(address)), 0, "%s: %s",
		address.sun_path, strerror(errno));
	if (recv(connection, greeting, sizeof(greeting), 0) > 0)
		return connection;
	close(connection);
	return -1;
}

void
telemetry_ask(int connection, const char *command, char *answer, void (*idle)(void *), void *arg)
{
	time_t end = time(NULL) + PATIENCE_SECONDS;
	ssize_t bytes;

	cr_assert_eq(send(connection, command, strlen(command), 0), (ssize_t)strlen(command));
	while ((bytes = recv(connection, answer, TELEMETRY_BYTES - 1, MSG_DONTWAIT)) < 0) {
		cr_assert(errno == EAGAIN || errno == EWOULDBLOCK, "%s", strerror(errno));
		cr_assert_lt(time(NULL), end, "no answer to %s", command);
		if (idle != NULL)
			idle(arg);
	}
	cr_assert_gt(bytes, 0, "no answer to %s", command);
	answer[bytes] = '\0';
	cr_assert_eq(answer[bytes - 1], '}', "%s: %s", command, answer);
}

static const char *
member_find(const char *answer, const char *member)
{
	char key[80];
	const char *at;

	snprintf(key, sizeof(key), "\"%s\":", member);
	at = strstr(answer, key);
	return at == NULL ? NULL : at + strlen(key);
}

uint64_t
telemetry_number(const char *answer, const char *member)
{
	const char *at = member_find(answer, member);

	cr_assert_not_null(at, "no %s in %s", member, answer);
	cr_assert(*at >= '0' && *at <= '9', "%s in %s", member, answer);
	return strtoull(at, NULL, 10);
}

bool
telemetry_has(const char *answer, const char *member, const char *text)
{
	const char *at = member_find(answer, member);
	size_t length = strlen(text);

	return at != NULL && *at == '"' && strncmp(at + 1, text, length) == 0 &&
		at[length + 1] == '"';
}

bool
telemetry_refused(const char *answer)
{
	return member_find(answer, "error") != NULL && member_find(answer, "qpn") == NULL;
}

size_t
telemetry_numbers_of(const char *answer, const char *member, uint32_t *numbers, size_t most)
{
	const char *at = member_find(answer, member);
	size_t count = 0;

	cr_assert_not_null(at, "no %s in %s", member, answer);
	cr_assert_eq(*at, '[', "%s in %s", member, answer);
	while (*at != ']') {
		char *end;
		unsigned long number;

		at++;
		if (*at == ']')
			break;
		number = strtoul(at, &end, 10);
		cr_assert(end > at && (*end == ',' || *end == ']'), "%s in %s", member, answer);
		if (count < most)
			numbers[count] = (uint32_t)number;
		count++;
		at = end;
	}
	return count;
}
