/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "port/link.h"

#include <errno.h>

#include <rte_common.h>
#include <rte_ethdev.h>
#include <rte_log.h>
#include <rte_pause.h>

RTE_LOG_REGISTER(link_log, lib.ndpdk.link, NOTICE)

/** The link is so now: count a change once, whichever thread sees it first. */
static void
link_note(struct link *link, bool up)
{
	if (__atomic_exchange_n(&link->known.up, up, __ATOMIC_RELAXED) == up)
		return;
	__atomic_fetch_add(up ? &link->known.ups : &link->known.downs, 1, __ATOMIC_RELAXED);
	rte_log(RTE_LOG_NOTICE, link_log, "port %u %s\n", link->port_id,
		up ? "has a link" : "has lost its link");
}

/** @return whether there is a link; as before, if the driver does not say. */
static bool
ask(const struct link *link)
{
	struct rte_eth_link now;

	if (rte_eth_link_get_nowait(link->port_id, &now) != 0)
		return link_is_up(link);
	return now.link_status == RTE_ETH_LINK_UP;
}

static int
told(uint16_t port_id, enum rte_eth_event_type type, void *arg, void *unused)
{
	struct link *link = arg;

	RTE_SET_USED(port_id);
	RTE_SET_USED(type);
	RTE_SET_USED(unused);
	link_note(link, ask(link));
	return 0;
}

void
link_open(struct link *link, uint16_t port_id)
{
	*link = (struct link){.port_id = port_id, .known = {.up = true}};
	link->known.up = ask(link);
	link->told =
		rte_eth_dev_callback_register(port_id, RTE_ETH_EVENT_INTR_LSC, told, link) == 0;
}

void
link_close(struct link *link)
{
	int error = link->told ? -EAGAIN : 0;

	/* -EAGAIN: the callback is being executed. */
	while (error == -EAGAIN) {
		error = rte_eth_dev_callback_unregister(
			link->port_id, RTE_ETH_EVENT_INTR_LSC, told, link);
		rte_pause();
	}
	link->told = false;
}

struct port_link
link_look(struct link *link)
{
	link_note(link, ask(link));
	return (struct port_link){
		.up = link_is_up(link),
		.ups = __atomic_load_n(&link->known.ups, __ATOMIC_RELAXED),
		.downs = __atomic_load_n(&link->known.downs, __ATOMIC_RELAXED),
	};
}

bool
link_is_up(const struct link *link)
{
	return __atomic_load_n(&link->known.up, __ATOMIC_RELAXED);
}
