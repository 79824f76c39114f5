/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Loaded into an example with LD_PRELOAD. Its polling thread loses its processor for a while, right
 * after it has asked the peer to disconnect. The rings of net_memif have to be there when it comes
 * back: it may have been in the middle of a poll, and would then read what is not mapped.
 */

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <rte_cycles.h>

#include <ndpdk/nd.h>

/* A peer that closes its port at once is done by then; one that waits is far from it. */
#define AWAY_US 200000

static bool
rings_are_mapped(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	bool found = false;

	while (maps != NULL && fgets(line, sizeof(line), maps) != NULL)
		found |= strstr(line, "memfd:memif_region") != NULL;
	if (maps != NULL)
		fclose(maps);
	return found;
}

static void
must(bool condition, const char *otherwise)
{
	if (condition)
		return;
	fprintf(stderr, "descheduled: %s\n", otherwise);
	_exit(3);
}

nd_status
nd_connector_disconnect(struct nd_connector *connector, struct nd_overlapped *overlapped)
{
	nd_status (*disconnect)(struct nd_connector *, struct nd_overlapped *);
	static bool asked;
	nd_status status;

	*(void **)&disconnect = dlsym(RTLD_NEXT, "nd_connector_disconnect");
	must(disconnect != NULL, "there is no nd_connector_disconnect()");
	/* The kernel interface asks once more when it closes, behind the end of the polling. */
	if (asked)
		return disconnect(connector, overlapped);
	asked = true;
	must(rings_are_mapped(), "there are no rings of net_memif");
	status = disconnect(connector, overlapped);
	rte_delay_us_sleep(AWAY_US);
	must(rings_are_mapped(), "the rings were unmapped while the thread was in a poll");
	fprintf(stderr, "descheduled: the rings are still mapped\n");
	return status;
}
