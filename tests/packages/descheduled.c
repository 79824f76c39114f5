/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Loaded into an example with LD_PRELOAD. Deschedules the polling thread for a while, directly
 * after the thread has requested a disconnect. Afterwards the rings of net_memif must still be
 * mapped. Otherwise a thread that is descheduled during a poll would access unmapped memory.
 */

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <rte_cycles.h>

#include <ndpdk/nd.h>

/*
 * Time in us. A peer that closes its port at once does so within this time. A peer that waits
 * before it closes its port waits longer.
 */
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
	/*
	 * Test the first call only. The kernel interface disconnects again when it closes, after
	 * polling has ended.
	 */
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
