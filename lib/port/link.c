/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "port/link.h"

#include <errno.h>

#include <rte_common.h>
#include <rte_ethdev.h>
#include <rte_log.h>
#include <rte_pause.h>

RTE_LOG_REGISTER(link_log, lib.ndpdk.link, NOTICE)

/**
 * Store the current state of the link. If several threads see a change, only the first thread
 * counts it.
 */
static void
link_note(struct link *link, bool up)
{
	if (__atomic_exchange_n(&link->known.up, up, __ATOMIC_RELAXED) == up)
		return;
	__atomic_fetch_add(up ? &link->known.ups : &link->known.downs, 1, __ATOMIC_RELAXED);
	rte_log(RTE_LOG_NOTICE, link_log, "port %u %s\n", link->port_id,
		up ? "has a link" : "has lost its link");
}

/** @return true if the link is up; the previous state if the driver cannot report it */
static bool
ask(const struct link *link)
{
	struct rte_eth_link now;

	if (link_is_gone(link))
		return false;
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

/** ethdev callback before the removal of the port. The port exists while this callback runs. */
static int
gone(uint16_t port_id, enum rte_eth_event_type type, void *arg, void *unused)
{
	struct link *link = arg;

	RTE_SET_USED(type);
	RTE_SET_USED(unused);
	if (__atomic_exchange_n(&link->gone, true, __ATOMIC_ACQ_REL))
		return 0;
	link->on_gone(link->arg);
	rte_log(RTE_LOG_NOTICE, link_log, "port %u was removed\n", port_id);
	link_note(link, false);
	return 0;
}

static const struct {
	enum rte_eth_event_type type;
	rte_eth_dev_cb_fn callback;
} events[] = {
	{RTE_ETH_EVENT_INTR_LSC, told},
	{RTE_ETH_EVENT_INTR_RMV, gone},
	{RTE_ETH_EVENT_DESTROY, gone},
};

void
link_open(struct link *link, uint16_t port_id, void (*on_gone)(void *arg), void *arg)
{
	*link = (struct link){
		.port_id = port_id,
		.open = true,
		.on_gone = on_gone,
		.arg = arg,
		.known = {.up = true},
	};
	link->known.up = ask(link);
	for (unsigned int i = 0; i < RTE_DIM(events); i++)
		if (rte_eth_dev_callback_register(
			    port_id, events[i].type, events[i].callback, link) != 0)
			rte_log(RTE_LOG_ERR, link_log, "port %u: cannot register for event %d\n",
				port_id, (int)events[i].type);
}

static void
event_forget(struct link *link, enum rte_eth_event_type type, rte_eth_dev_cb_fn callback)
{
	/* Retry while the result is -EAGAIN, because the callback is running. */
	while (rte_eth_dev_callback_unregister(link->port_id, type, callback, link) == -EAGAIN)
		rte_pause();
}

void
link_close(struct link *link)
{
	/*
	 * If the port was removed, its callbacks do not exist any more. A new port with the same
	 * number has no callbacks of this link.
	 */
	for (unsigned int i = 0; link->open && i < RTE_DIM(events); i++)
		if (rte_eth_dev_is_valid_port(link->port_id))
			event_forget(link, events[i].type, events[i].callback);
	link->open = false;
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
